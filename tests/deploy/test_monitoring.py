"""Alerts and dashboard ask for metrics and labels that exist, and do what they say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase

import games.operation.metrics  # noqa: F401 - registers them
from tests import programs
from tests.servers import ROOT

DEPLOY = ROOT / "deploy"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
DASHBOARD = DEPLOY / "grafana" / "menagerie.json"
OF_PROMETHEUS = {"instance", "job"}
"""Labels that Prometheus adds to every metric."""
OTHERS: dict[str, set[str]] = {
    "up": set(),
    "process_resident_memory_bytes": set(),
    "ALERTS": {"alertstate", "severity"},
}
"""Metrics that are not ours."""
SUFFIXES = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "gauge": ("",)}


def list_metrics() -> dict[str, set[str]]:
    """The labels of every metric that a process tells, by the name that is asked for."""
    found = dict(OTHERS)
    for collector in set(REGISTRY._collector_to_names):
        if isinstance(collector, MetricWrapperBase) and collector._name.startswith("menagerie_"):
            for suffix in SUFFIXES[str(collector._type)]:
                labels = set(collector._labelnames)
                found[collector._name + suffix] = labels | ({"le"} if suffix == "_bucket" else set())
    return found


def list_alerts() -> dict[str, str]:
    """The expression of every alert."""
    text = ALERTS.read_text()
    found = {}
    for part in text.split("      - alert: ")[1:]:
        name, _, rest = part.partition("\n")
        inline = re.search(r"^ {8}expr: (?!\|)(.*)$", rest, re.MULTILINE)
        block = re.search(r"^ {8}expr: \|\n((?: {10}.*\n)+)", rest, re.MULTILINE)
        match = inline or block
        assert match, name
        found[name] = match[1]
    return found


def list_panels() -> dict[str, str]:
    """Every expression of the dashboard, by its panel and letter."""
    panels: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return {f"{panel['title']} {target['refId']}": target["expr"] for panel in panels for target in panel["targets"]}


def list_uses(expression: str) -> Iterator[tuple[str, set[str]]]:
    """The metrics of an expression, each with the labels that are asked of it."""
    for name, matchers in re.findall(r"\b((?:menagerie|process)_\w+|up|ALERTS)\b(?:\{([^}]*)\})?", expression):
        yield name, set(re.findall(r'(\w+)\s*(?:=~|!=|=)\s*"', matchers))


def list_grouped(expression: str) -> set[str]:
    """The labels by which an expression groups or joins."""
    lists = re.findall(r"\b(?:by|on) \(([^)]*)\)", expression)
    return {label.strip() for one in lists for label in one.split(",") if label.strip()}


EXPRESSIONS = list_alerts() | list_panels()


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_expression_asks_for_what_there_is(name: str) -> None:
    metrics, uses = list_metrics(), list(list_uses(EXPRESSIONS[name]))
    assert uses, "it asks for nothing"
    assert [metric for metric, _labels in uses if metric not in metrics] == []
    assert [(metric, labels) for metric, labels in uses if not labels <= metrics[metric] | OF_PROMETHEUS] == []
    has = set[str]().union(OF_PROMETHEUS, *(metrics[metric] for metric, _labels in uses))
    assert list_grouped(EXPRESSIONS[name]) <= has


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    shown = {metric for expression in list_panels().values() for metric, _labels in list_uses(expression)}
    ours = {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in list_metrics() if name.startswith("menagerie_")}
    assert ours - {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in shown} == set()


def test_every_alert_says_what_to_do() -> None:
    text = ALERTS.read_text()
    count = len(list_alerts())
    assert count >= 15
    for line in (r"labels: \{ severity: (?:page|ticket) \}", r"  summary: \"[^\"]+\.\"", r"  action: \"[^\"]+\.\""):
        assert len(re.findall(rf"^ {{8}}{line}$", text, re.MULTILINE)) == count, line


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    panels: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert max(x for x, _y in cells) < 24
    assert len(cells) == len(set(cells))
    assert len({panel["id"] for panel in panels}) == len(panels)


@pytest.mark.promtool
def test_promtool_takes_the_files_and_the_alerts_ring_when_they_should(tmp_path: Path) -> None:
    shutil.copy(ALERTS, tmp_path)
    shutil.copy(DEPLOY / "prometheus" / "prometheus.yml", tmp_path)
    shutil.copy(ROOT / "tests" / "deploy" / "alert_cases.yml", tmp_path)
    for expression in list_panels().values():
        assert "\n" not in expression
    rules = [
        f"  - {{ record: 'panel:{number}', expr: {json.dumps(one)} }}"
        for number, one in enumerate(list_panels().values())
    ]
    (tmp_path / "panels.yml").write_text("groups:\n- name: panels\n  rules:\n" + "\n".join(rules) + "\n")
    promtool = str(programs.find("promtool"))
    for args in (
        ["check", "config", "prometheus.yml"],
        ["check", "rules", "panels.yml"],
        ["test", "rules", "alert_cases.yml"],
    ):
        done = subprocess.run([promtool, *args], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
