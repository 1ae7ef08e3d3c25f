#!/bin/sh
# Bring Prometheus and promtool from Debian's package into .cache/prometheus (19 MB, once). Nothing is installed.
set -eu
cd "$(dirname "$0")/../../.."
target=$PWD/.cache/prometheus
test -x "$target/usr/bin/promtool" && exit 0
command -v dpkg-deb >/dev/null || { echo "Debian's tools are not here: put prometheus and promtool on the PATH" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# A machine whose lists are missing or old knows no such package, or one that is gone. As root, they are renewed.
apt-get download -qq prometheus 2>/dev/null || { apt-get update -qq && apt-get download -qq prometheus; }
mkdir -p "$target"
dpkg-deb --extract prometheus_*.deb "$target"
"$target/usr/bin/promtool" --version | head -1 >&2
