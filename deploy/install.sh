#!/bin/sh
# The image's install steps: `install.sh TARGET` makes an environment in TARGET that holds the auditor and nothing else.
#
# Whatever is downloaded, to run or to build, has its hash in a lock file beside this script. PYTHON names the
# interpreter. The core is compiled to machine code, which takes gcc three minutes, unless COMPILE is "no". The Dockerfile
# calls it, `make bench` and `make test-compiled` do, and a test does, in a hurry.
set -eu

target=$1
python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_INPUT=1

"$python" -m venv "$work/tools"
pip() { "$work/tools/bin/python" -m pip "$@"; }
# Without isolation nothing is fetched to build with that build.lock does not name.
wheel() { pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work/wheels" "$@"; }

pip install --quiet --require-hashes --requirement "$here/build.lock"
wheel --require-hashes --requirement "$here/requirements.lock"
if [ "${COMPILE:-yes}" = no ]; then
    wheel "$here/.."
else
    HATCH_BUILD_HOOKS_ENABLE=1 wheel "$here/.."
fi
"$python" -m venv --without-pip "$target"
pip --python "$target/bin/python" install --quiet --no-index --no-deps "$work"/wheels/*.whl
pip --python "$target/bin/python" check
