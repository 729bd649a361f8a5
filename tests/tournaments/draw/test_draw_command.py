"""`manage.py draw` as a program: no data folder, no database, JSON in and out, sentences on standard error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[3]
FOUR = {
    "format": "menagerie-draw/1",
    "wanted": 4,
    "min": 3,
    "max": 5,
    "entrants": [{"id": one, "score": 0} for one in ("ana", "ben", "eva", "tom")],
}


def run(document: Any) -> subprocess.CompletedProcess[bytes]:
    raw = document if isinstance(document, bytes) else json.dumps(document).encode()
    command = [sys.executable, "manage.py", "draw", "-"]
    return subprocess.run(command, cwd=ROOT, input=raw, capture_output=True, timeout=600, env={}, check=False)


@pytest.mark.slow
def test_one_pod() -> None:
    done = run(FOUR)
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)
    assert list(answer) == ["format", "pods", "byes", "objective", "optimal", "stopped", "seconds"]
    assert sorted(answer["pods"][0]["seats"]) == ["ana", "ben", "eva", "tom"]
    assert answer["pods"][0]["reason"] == "same score: 0; nobody here has met before"
    assert (answer["byes"], answer["optimal"], answer["stopped"]) == ([], True, None)
    assert answer["objective"] == [
        {"name": "byes", "value": 0, "bound": 0},
        {"name": "repeat_byes", "value": 0, "bound": 0},
        {"name": "bye_scores", "value": 0, "bound": 0},
        {"name": "sizes", "value": 0, "bound": 0},
        {"name": "pods", "value": 1, "bound": 1},
        {"name": "thirds", "value": 0, "bound": 0},
        {"name": "pairing", "value": 0, "bound": 0},
        {"name": "odd_sizes", "value": 0, "bound": 0},
        {"name": "seats", "value": 0, "bound": 0},
    ]


@pytest.mark.slow
def test_conflict_is_a_sentence() -> None:
    done = run({**FOUR, "locked": [["ana", "ben"]], "forbidden": [["ben", "ana"]]})
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"CommandError: ana and ben may not meet but are locked together\n"


@pytest.mark.slow
def test_bad_input_is_a_sentence() -> None:
    done = run(b"{")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"CommandError: not JSON: Input data was truncated\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        (">/dev/full", b"The output cannot be written: No space left on device.\n"),
        (">&-", b"The output cannot be written: standard output is closed.\n"),
        ("| true", b""),
        ("<&-", b"CommandError: - cannot be read: standard input is closed\n"),
    ],
)
def test_output_that_cannot_be_written_is_a_sentence(ends: str, sentence: bytes, tmp_path: Path) -> None:
    (tmp_path / "problem.json").write_text(json.dumps(FOUR))
    line = f'"{sys.executable}" manage.py draw - <"{tmp_path}/problem.json" {ends}'
    done = subprocess.run(["/bin/sh", "-c", line], cwd=ROOT, capture_output=True, timeout=600, env={}, check=False)
    assert (done.stdout, done.stderr) == (b"", sentence)
    assert done.returncode == ("|" not in ends)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(CommandError, match=r"^no/such/file cannot be read: \[Errno 2\] No such file"):
        call_command("draw", "no/such/file")
