"""`manage.py verify_record`: lines, exit status, and bad input of every kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from .making import EXAMPLES, encode

ROOT = Path(__file__).parents[2]
SEEDED: dict[str, Any] = {
    "format": "menagerie-record/1",
    "game": "karriere-poker",
    "rules": 1,
    "options": {"deals": 1},
    "players": [{"name": "Żaneta"}, {"name": "Ben"}, {"name": "Cyd"}, {"name": "Dora"}],
    "seed": "5a" * 32,
    "setup": {},
    "events": [{"clock": "turn"}, {"clock": "turn"}],
}


def run(*arguments: object) -> tuple[int, list[str], list[str]]:
    """Exit status and the lines of both outputs. The test has no access to a database."""
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_record", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as left:
        return int(str(left.code)), out.getvalue().splitlines(), err.getvalue().splitlines()
    return 0, out.getvalue().splitlines(), err.getvalue().splitlines()


def write(path: Path, document: Any) -> Path:
    path.write_bytes(document if isinstance(document, bytes) else encode(document))
    return path


def test_all_examples_hold() -> None:
    status, out, err = run(*EXAMPLES)
    events = [len(json.loads(path.read_text(encoding="utf-8"))["events"]) for path in EXAMPLES]
    assert out == [f"ok  {path}  {count} events" for path, count in zip(EXAMPLES, events, strict=True)]
    assert (status, err) == (0, [])


def test_one_that_fails_makes_the_status_and_stops_nothing(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.json", {**SEEDED, "events": [{"clock": "turn"}, {"seat": 7, "move": {"pass": True}}]})
    good = write(tmp_path / "good.json", SEEDED)
    assert run(good, bad, good) == (
        1,
        [f"ok  {good}  2 events", f"FAIL  {bad}  event 1: There is no seat 7.", f"ok  {good}  2 events"],
        [],
    )


def test_the_number_of_events_is_always_in_the_plural(tmp_path: Path) -> None:
    file = write(tmp_path / "one.json", {**SEEDED, "events": [{"clock": "turn"}]})
    assert run(file)[1] == [f"ok  {file}  1 events"]


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (b"", "the file is not valid JSON at line 1, column 1"),
        (b"\xff\xfe", "the file is not valid UTF-8 at byte 0"),
        (b"[]", "expected one JSON object, but found a list"),
        (b"[" * 100_000, "nested more than 24 levels deep"),
        ({**SEEDED, "seed": "5a"}, "“seed” must be 64 hexadecimal digits"),
        ({**SEEDED, "rules": 7}, "“rules”: version 7 of karriere-poker is unknown (this program plays version 1)"),
        ({**SEEDED, "events": [5]}, "event 0: an event must be an object, but this is a number"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, document: Any, why: str) -> None:
    file = write(tmp_path / "bad.json", document)
    assert run(file) == (1, [f"FAIL  {file}  {why}"], [])


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    assert run(tmp_path, missing, "a\0b") == (
        1,
        [
            f"FAIL  {tmp_path}  cannot be read: Is a directory",
            f"FAIL  {missing}  cannot be read: No such file or directory",
            "FAIL  a\\x00b  cannot be read: embedded null byte",
        ],
        [],
    )


def test_nothing_in_a_record_or_its_name_can_forge_a_line(tmp_path: Path) -> None:
    forged = "x\nok  other.json  3 events\x1b[2J"
    file = write(tmp_path / "a\nb.json", {**SEEDED, "format": forged})
    status, out, _ = run(file)
    assert status == 1
    assert len(out) == 1
    assert out[0].startswith(
        f"FAIL  {tmp_path}/a\\nb.json  the format “x\\nok  other.json  3 events\\x1b[2J” is unknown"
    )


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    file = write(tmp_path / "mark.json", b"\xef\xbb\xbf" + encode(SEEDED))
    assert run(file)[1] == [f"ok  {file}  2 events"]


def test_explicit_writes_one_document_a_line(tmp_path: Path) -> None:
    file = write(tmp_path / "seeded.json", SEEDED)
    bad = write(tmp_path / "bad.json", b"{}")
    status, out, err = run("--explicit", file, bad, EXAMPLES[0])
    assert (status, err) == (1, [f"FAIL  {bad}  “format” is missing"])
    first, second = map(json.loads, out)
    assert "seed" not in first
    assert len(first["setup"]["deals"][0]["hands"]) == 4
    assert first["players"] == SEEDED["players"]
    assert second["game"] == json.loads(EXAMPLES[0].read_text(encoding="utf-8"))["game"]
    again = [write(tmp_path / f"{number}.json", line.encode()) for number, line in enumerate(out)]
    assert run(*again)[0] == 0


def start(*arguments: object, data: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """A real process, with a database file that does not exist."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(data),
        "SECRET_KEY": "x" * 50,
        "DATABASE_URL": f"sqlite:///{data}/missing/menagerie.sqlite3",
        **options.pop("env", {}),
    }
    command = [sys.executable, "manage.py", "verify_record", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=600, check=False, **options)


@pytest.mark.slow
def test_a_process_without_a_database(tmp_path: Path) -> None:
    done = start("-", EXAMPLES[0], data=tmp_path / "none", input=encode(SEEDED))
    assert done.stdout.decode().splitlines()[0] == "ok  -  2 events"
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_process_whose_terminal_knows_ascii_only(tmp_path: Path) -> None:
    done = start("-", data=tmp_path, input=b'{"format": "\xc5\xbb"}', env={"PYTHONIOENCODING": "ascii"})
    assert done.stdout.startswith(b"FAIL  -  the format \\u201c\\u017b\\u201d is unknown")
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.slow
def test_a_process_that_nobody_listens_to(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 50}
    command = [sys.executable, "manage.py", "verify_record", str(EXAMPLES[0])]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.slow
def test_a_process_with_closed_inputs_and_outputs(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 50}
    command = [sys.executable, "manage.py", "verify_record", "-"]

    def shell(ends: str) -> tuple[int, bytes, bytes]:
        line = ["sh", "-c", f'"$@" {ends}', "sh", *command]
        done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert shell("<&-") == (1, b"FAIL  -  cannot be read: standard input is closed\n", b"")
    assert shell(">&- </dev/null") == (1, b"", b"The output cannot be written: standard output is closed.\n")
    assert shell(">/dev/full </dev/null") == (1, b"", b"The output cannot be written: No space left on device.\n")


@pytest.mark.slow
def test_a_process_without_files_says_how_it_is_used(tmp_path: Path) -> None:
    done = start(data=tmp_path)
    assert done.returncode == 2
    assert b"usage: manage.py verify_record" in done.stderr
    assert b"Traceback" not in done.stderr
