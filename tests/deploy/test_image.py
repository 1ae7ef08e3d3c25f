"""The image: its recipe, its locks, and its install steps run for real."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from deploy_kit import DEPLOY, ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from auditor import __version__

DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
STAGES = re.split(r"^(?=FROM )", DOCKERFILE, flags=re.M)[1:]
INSTRUCTIONS = [line for line in DOCKERFILE.splitlines() if re.match(r"[A-Z]+ ", line)]


def test_hadolint_has_nothing_to_say() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run(
        [str(hadolint), str(DEPLOY / "Dockerfile")], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_base_is_pinned_and_every_stage_is_made_of_it() -> None:
    first, *others = (line.split()[1] for line in INSTRUCTIONS if line.startswith("FROM "))
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", first)
    assert set(others) == {"base"}


def test_the_last_stage_has_no_compiler_and_no_root() -> None:
    last = STAGES[-1]
    assert "apt-get" not in last
    assert "pip" not in last
    assert re.search(r"^USER 10001:10001$", last, re.M)
    assert re.search(r"^STOPSIGNAL SIGTERM$", last, re.M)
    assert re.search(r'^ENTRYPOINT \["auditor"\]$', last, re.M)
    assert re.search(r'^CMD \["run"\]$', last, re.M)
    assert re.search(r'^HEALTHCHECK .+\\\n +CMD \["python", .+/livez', last, re.M)
    assert f"VERSION={__version__}" in last


def test_what_is_copied_is_let_into_the_build() -> None:
    let_in = {
        path.relative_to(ROOT)
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
        for path in ROOT.glob(line[1:])
    }
    copied = {
        Path(source)
        for line in INSTRUCTIONS
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    }
    assert copied == let_in


def test_the_lock_holds_what_the_product_needs_and_all_of_it_has_hashes() -> None:
    # given
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needs = [Requirement(line) for line in project["dependencies"] + extras["simulate"] + extras["webhook"]]
    lock = (DEPLOY / "requirements.lock").read_text("utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", lock, re.M))
    # then
    for need in needs:
        version = pinned.get(canonicalize_name(need.name))
        assert version is not None, f"{need.name} is not locked: make deploy-lock"
        assert need.specifier.contains(version), f"{need} is locked at {version}: make deploy-lock"
    for name in ("requirements.lock", "build.lock"):
        entries = re.split(r"\n(?=[\w.-]+==)", (DEPLOY / name).read_text("utf-8"))[1:]
        assert all("--hash=sha256:" in entry for entry in entries)


def test_the_install_steps_make_an_auditor_and_nothing_else(tmp_path: Path) -> None:
    # given a copy of what the build sees, and an environment without this one's settings
    context, target = tmp_path / "context", tmp_path / "opt"
    context.mkdir()
    copied = ["auditor", "deploy", "pyproject.toml", "README.md", "LICENSE"]
    subprocess.run(["cp", "-r", *copied, str(context)], cwd=ROOT, check=True)
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    # when
    installed = subprocess.run(
        ["sh", "deploy/install.sh", str(target)],
        cwd=context, env=clean | {"PYTHON": sys.executable, "COMPILE": "no"},
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    # then the entry point runs, from there and not from this checkout
    assert installed.returncode == 0, installed.stdout + installed.stderr
    called = [str(target / "bin" / "auditor"), "--version"]
    said = subprocess.run(called, cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=60, check=True)
    assert said.stdout == f"{__version__}\n"
    simulated = subprocess.run(
        [called[0], "simulate", "--hands", "1"], cwd=tmp_path, env=clean, capture_output=True, timeout=60, check=True
    )
    assert simulated.stdout.startswith(b"{")
    # and nothing that installs, builds or tests is left
    left = {path.name for path in target.glob("lib/python*/site-packages/*")}
    assert not left & {"pip", "hatchling", "setuptools", "pytest", "mypy"}
