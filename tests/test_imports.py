"""Every module can be imported alone, in a fresh process: no circle holds by the order in which others are loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
LONGEST = 600
"""Seconds for all modules; on a quiet machine of two cores it takes 20."""


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
    assert not answer["failed"], "\n".join(f"{name}: {said}" for name, said in sorted(answer["failed"].items()))


@pytest.mark.slow
def test_a_circle_that_holds_by_the_alphabet_is_found(tmp_path: Path) -> None:
    (package := tmp_path / "circle").mkdir()
    (package / "__init__.py").touch()
    (package / "first.py").write_text("ONE = 1\nfrom circle.second import TWO\n")
    (package / "second.py").write_text("from circle.first import ONE\nTWO = 2\n")
    answer = import_alone(tmp_path, "circle")
    assert answer["modules"] == ["circle", "circle.first", "circle.second"]
    assert list(answer["failed"]) == ["circle.second"]
    assert "ImportError" in answer["failed"]["circle.second"]
