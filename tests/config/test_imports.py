"""Every module can be imported alone, in a fresh process: no circle holds by the order in which others are loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 600
"""Seconds for all modules; on a quiet machine it takes 12."""


def import_alone(folder: Path, *packages: str) -> dict[str, Any]:
    """The modules of these packages in a folder, and what fails of them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.importing", str(folder), *packages],
        cwd=ROOT, capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


@pytest.mark.slow
def test_every_module_can_be_imported_alone() -> None:
    answer = import_alone(ROOT, "config", "games", "tournaments", "benchmarks", "chaos")
    assert "tournaments.views.rounds.tournament_pages" in answer["modules"]
    assert not answer["failed"], "\n".join(f"{name}: {message}" for name, message in sorted(answer["failed"].items()))


@pytest.mark.slow
def test_a_circle_that_holds_by_the_alphabet_is_found(tmp_path: Path) -> None:
    """`second` can be imported after `first` only. What is at no circle's beginning is not imported alone."""
    write_package(
        tmp_path / "circle",
        first="ONE = 1\nfrom circle.second import TWO\n",
        second="from circle.first import ONE\nTWO = 2\n",
        third="import importlib\nimportlib.import_module('circle.first')\n",
        fourth="from circle.second import THREE\n",
    )
    write_package(tmp_path / "circle" / "inner", "from circle.inner.fifth import FIVE\n", fifth="FIVE = 5\n")
    answer = import_alone(tmp_path, "circle")
    assert len(answer["modules"]) == 7
    assert answer["alone"] == ["circle.first", "circle.fourth", "circle.inner", "circle.second"]
    assert sorted(answer["failed"]) == ["circle.fourth", "circle.second"]
    assert "ImportError" in answer["failed"]["circle.second"]


def write_package(folder: Path, init: str = "", **modules: str) -> None:
    """Write a package with these sources."""
    folder.mkdir()
    for name, source in {"__init__": init, **modules}.items():
        (folder / f"{name}.py").write_text(source)
