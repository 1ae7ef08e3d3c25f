"""The manifests: against Kubernetes' schemas, and against each other."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
from deploy_kit import DEPLOY, read, refused

FOLDER = DEPLOY / "kubernetes"
KUSTOMIZATION = read(FOLDER / "kustomization.yaml")
MANIFESTS: dict[str, dict[str, Any]] = {name: read(FOLDER / name) for name in KUSTOMIZATION["resources"]}
STATEFUL = MANIFESTS["statefulset.yaml"]["spec"]
POD = STATEFUL["template"]["spec"]
(AUDITOR,) = POD["containers"]


@pytest.mark.parametrize("name", MANIFESTS)
@pytest.mark.parametrize("version", ["1.32", "1.37"])
def test_each_manifest_is_what_kubernetes_knows(name: str, version: str) -> None:
    kubernetes_validate.validate(MANIFESTS[name], version, strict=True)


def test_every_manifest_is_applied() -> None:
    assert {path.name for path in FOLDER.glob("*.yaml")} == {*MANIFESTS, "kustomization.yaml"}


def test_a_shard_has_a_volume_that_only_its_pod_can_mount() -> None:
    (claim,) = STATEFUL["volumeClaimTemplates"]
    (mount,) = (mount for mount in AUDITOR["volumeMounts"] if mount["name"] == claim["metadata"]["name"])
    (store,) = re.findall(r"AUDITOR_STORE=(\S+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
    assert store.startswith(mount["mountPath"] + "/")
    assert STATEFUL["persistentVolumeClaimRetentionPolicy"] == {"whenDeleted": "Retain", "whenScaled": "Retain"}


def test_the_probes_ask_what_is_served() -> None:
    paths = {probe: AUDITOR[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert paths == {"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"}
    (port,) = AUDITOR["ports"]
    assert all(AUDITOR[probe]["httpGet"]["port"] == port["name"] for probe in paths)
    assert f"AUDITOR_METRICS_PORT={port['containerPort']}" in (DEPLOY / "Dockerfile").read_text("utf-8")


def test_the_pod_may_do_little() -> None:
    (uid,) = re.findall(r"USER (\d+):", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert POD["securityContext"]["runAsUser"] == int(uid)
    assert POD["securityContext"]["runAsNonRoot"] is True
    assert POD["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert AUDITOR["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert POD["automountServiceAccountToken"] is False
    assert AUDITOR["resources"]["limits"].keys() == {"memory"}


def test_what_refers_to_something_finds_it() -> None:
    names = {(manifest["kind"], manifest["metadata"]["name"]) for manifest in MANIFESTS.values()}
    assert ("ServiceAccount", POD["serviceAccountName"]) in names
    assert ("Service", STATEFUL["serviceName"]) in names
    for source in AUDITOR["envFrom"]:
        assert ("ConfigMap", source["configMapRef"]["name"]) in names
    assert {mount["name"] for mount in AUDITOR["volumeMounts"]} == {
        *(volume["name"] for volume in POD["volumes"]),
        *(claim["metadata"]["name"] for claim in STATEFUL["volumeClaimTemplates"]),
    }


def test_every_selector_finds_the_pod() -> None:
    labels = STATEFUL["template"]["metadata"]["labels"]
    selectors = [
        STATEFUL["selector"]["matchLabels"],
        MANIFESTS["service.yaml"]["spec"]["selector"],
        MANIFESTS["poddisruptionbudget.yaml"]["spec"]["selector"]["matchLabels"],
        MANIFESTS["networkpolicy.yaml"]["spec"]["podSelector"]["matchLabels"],
    ]
    assert all(selector.items() <= labels.items() for selector in selectors)


def test_it_is_told_what_it_understands() -> None:
    command, *options = AUDITOR["args"]
    assert command == "run"
    assert not refused(options, MANIFESTS["configmap.yaml"]["data"])


def test_what_may_be_set_besides_is_a_setting_too(tmp_path: Path) -> None:
    # given the lines for TLS and passwords, which are comments, and the files that they name
    text = (FOLDER / "configmap.yaml").read_text("utf-8").replace("/run/secrets/kafka", str(tmp_path))
    secured = dict(re.findall(r"# (AUDITOR_\w+): (\S+)", text))
    (tmp_path / "password").write_text("a password of some length")
    authority = ["openssl", "req", "-x509", "-nodes", "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.crt"]
    subprocess.run(authority, cwd=tmp_path, capture_output=True, check=True)
    # then
    assert {Path(secured[name]).parent for name in secured if "FILE" in name} == {tmp_path}
    assert not refused([], MANIFESTS["configmap.yaml"]["data"] | secured)


def test_kubernetes_adds_no_variables_that_look_like_settings() -> None:
    assert POD["enableServiceLinks"] is False
