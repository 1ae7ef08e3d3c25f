"""What the deployment's tests share: its files, its PromQL taken apart, and Prometheus."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import promql_parser
import yaml

from auditor.metrics import described

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
_FROM_DEBIAN = ROOT / ".cache" / "prometheus" / "usr" / "bin"

#: Labels that Prometheus itself gives every series of a target.
TARGET_LABELS = frozenset({"job", "instance"})


class PrometheusMissing(Exception):
    """There is no Prometheus to test with. Its text says how to get it."""


def binary(name: str) -> str:
    """Where `prometheus` or `promtool` is. Raises `PrometheusMissing`."""
    found = shutil.which(name, path=f"{_FROM_DEBIAN}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        raise PrometheusMissing(f"{name} is not here: `make prometheus` brings it on Debian and its kin")
    return found


def read(path: Path) -> Any:
    """A YAML file with one document."""
    return yaml.safe_load(path.read_text("utf-8"))


def rules(name: str) -> list[dict[str, Any]]:
    """The rules of one of Prometheus' files, of all its groups."""
    return [rule for group in read(PROMETHEUS / name)["groups"] for rule in group["rules"]]


def series() -> dict[str, frozenset[str]]:
    """Every series that a query may ask for, with its labels: the code's own, the recorded ones, Prometheus'."""
    known: dict[str, frozenset[str]] = {"up": TARGET_LABELS, "ALERTS": TARGET_LABELS | {"alertname", "alertstate"}}
    for metric in described():
        labels = TARGET_LABELS | set(metric.labels)
        if metric.kind == "histogram":
            known |= {f"{metric.name}_{part}": labels for part in ("sum", "count")}
            known[f"{metric.name}_bucket"] = labels | {"le"}
        else:
            known[metric.name] = labels
    return known | {rule["record"]: TARGET_LABELS for rule in rules("recording.yml")}


def dashboard() -> Any:
    """Grafana's dashboard."""
    return json.loads((DEPLOY / "grafana" / "dashboards" / "auditor.json").read_text("utf-8"))


def plain(query: str) -> str:
    """A query of the dashboard, with Grafana's own variables filled in."""
    return query.replace("$__rate_interval", "1m").replace("$__range", "1h").replace("$instance", ".*")


def refused(options: list[str], environment: Mapping[str, str]) -> str:
    """What `auditor run` would say against these options and variables in the image; nothing when they are right."""
    image = dict(re.findall(r"(AUDITOR_\w+)=(\S+)", (DEPLOY / "Dockerfile").read_text("utf-8")))
    call = [sys.executable, "-m", "auditor.cli.main", "config", "--check", *options]
    said = subprocess.run(call, env=image | dict(environment), capture_output=True, text=True, timeout=60, check=False)
    return said.stderr


class Asked(NamedTuple):
    """What a query asks for."""

    metrics: set[str]
    labels: set[tuple[str, str]]  # a metric, and a label of it that the query matches or groups by
    values: dict[str, set[str]]  # the values that are asked for, by label


def asked(expression: str) -> Asked:
    """Take a query apart. Raises `ValueError` when it is no PromQL."""
    found = Asked(set(), set(), {})

    def visit(node: Any) -> None:
        if isinstance(node, promql_parser.VectorSelector):
            name = node.name or "without a name"
            found.metrics.add(name)
            for matcher in node.matchers.matchers:
                found.labels.add((name, matcher.name))
                found.values.setdefault(matcher.name, set()).add(matcher.value)
        elif isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
            inner = asked(node.expr.prettify()).metrics
            found.labels.update((metric, label) for metric in inner for label in node.modifier.labels)

    promql_parser.walk(promql_parser.parse(expression), visit)
    return found


def strangers(expressions: Iterable[str]) -> list[str]:
    """Each metric, and each label of one, that is asked for and that nothing exports."""
    known = series()
    wrong: list[str] = []
    for expression in expressions:
        question = asked(expression)
        wrong += [f"no metric {metric}: {expression}" for metric in question.metrics - known.keys()]
        wrong += [
            f"no label {label} on {metric}: {expression}"
            for metric, label in question.labels
            if label not in known.get(metric, frozenset({label}))
        ]
    return wrong
