"""The dashboard: it finds its data, asks for what the code exports, and lays its panels side by side."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from deploy_kit import DEPLOY, asked, dashboard, plain, read, series, strangers

from auditor.metrics import described

GRAFANA = DEPLOY / "grafana"
DASHBOARD = dashboard()
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]
QUERIES += [annotation["expr"] for annotation in DASHBOARD["annotations"]["list"]]
SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def test_it_asks_for_what_the_code_exports() -> None:
    assert not strangers(map(plain, QUERIES))


def test_it_shows_every_metric() -> None:
    shown = set().union(*(asked(plain(query)).metrics for query in QUERIES))
    recorded = {name.split(":")[1] for name in shown if ":" in name}
    for metric in described():
        assert {name for name in series() if name.startswith(metric.name)} & shown or metric.name in recorded


@pytest.mark.parametrize("panel", PANELS, ids=[panel["title"] for panel in PANELS])
def test_each_panel_is_explained_and_finds_its_data(panel: dict[str, Any]) -> None:
    assert panel["description"]
    assert panel["datasource"] == SOURCE
    assert all(target["datasource"] == SOURCE for target in panel["targets"])


def test_seconds_and_bytes_are_shown_as_such() -> None:
    for panel in PANELS:
        # the time at which a process started is no duration; what is taken from now is one
        units = {"s" for t in panel["targets"] for name in asked(plain(t["expr"])).metrics if "_seconds" in name}
        units |= {"bytes" for t in panel["targets"] for name in asked(plain(t["expr"])).metrics if "_bytes" in name}
        unit = panel["fieldConfig"]["defaults"].get("unit", panel["options"].get("yAxis", {}).get("unit"))
        assert not units or units == {unit}, panel["title"]


def test_the_panels_do_not_overlap_and_have_ids_of_their_own() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for one, other in combinations((panel["gridPos"] for panel in panels), 2):
        apart = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        above = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert apart or above, (one, other)
    assert all(panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in panels)


def test_what_is_provisioned_fits_together() -> None:
    # given what compose mounts, and what Grafana is told
    (source,) = read(GRAFANA / "provisioning" / "datasources" / "prometheus.yaml")["datasources"]
    (provider,) = read(GRAFANA / "provisioning" / "dashboards" / "auditor.yaml")["providers"]
    grafana = read(DEPLOY / "compose.yaml")["services"]["grafana"]
    # then
    assert DASHBOARD["uid"] == "poker-auditor"
    (default,) = (each["current"] for each in DASHBOARD["templating"]["list"] if each["name"] == "datasource")
    assert default["value"] == source["uid"]
    assert f"./grafana/dashboards:{provider['options']['path']}:ro" in grafana["volumes"]
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home == f"{provider['options']['path']}/auditor.json"
    scrape_interval = read(DEPLOY / "prometheus" / "prometheus.yml")["global"]["scrape_interval"]
    assert source["jsonData"]["timeInterval"] == scrape_interval
