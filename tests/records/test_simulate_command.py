"""`manage.py simulate`: the report, the records, and one sentence for what cannot be."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.records.replay import verify

ROOT = Path(__file__).parents[2]
ARGUMENTS = {"game": "karriere-poker", "players": "4", "games": "3", "seed": "00ff", "bots": "random,steady"}


def run(**changes: str) -> list[str]:
    """The lines of the report. The test has no access to a database."""
    out = StringIO()
    call_command("simulate", *(f"--{name}={value}" for name, value in {**ARGUMENTS, **changes}.items()), stdout=out)
    return out.getvalue().splitlines()


def without_speed(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("moves/s")]


def read_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_report() -> None:
    lines = run()
    assert [line.split()[0] for line in lines[:3]] == ["games", "moves", "moves/s"]
    assert lines[0].split() == ["games", "3"]
    assert int(lines[1].split()[1]) > 100
    assert int(lines[2].split()[1]) > 0
    assert lines[3:5] == ["", "places by bot"]
    assert lines[5].split() == ["bot", "seats", "mean", "1.", "2.", "3.", "4."]
    assert [line.split()[:2] for line in lines[6:]] == [["random", "6"], ["steady", "6"]]


def test_same_arguments_same_output_and_records(tmp_path: Path) -> None:
    reports = [without_speed(run(records=str(tmp_path / name))) for name in ("one", "two")]
    assert reports[0] == reports[1]
    assert read_files(tmp_path / "one") == read_files(tmp_path / "two")
    assert without_speed(run(seed="00FF")) == reports[0]
    assert without_speed(run(seed="00fe")) != reports[0]


def test_records_are_explicit_and_hold(tmp_path: Path) -> None:
    run(records=str(tmp_path / "new" / "folder"), options='{"deals": 2}')
    files = read_files(tmp_path / "new" / "folder")
    assert list(files) == [f"karriere-poker-4p-000{number}.json" for number in (1, 2, 3)]
    for raw in files.values():
        document = json.loads(raw)
        assert verify(raw).fault is None
        assert "seed" not in document
        assert document["options"] == {"deals": 2}
        assert len([event for event in document["events"] if "random" in event]) == 1
    names = [[player["bot"] for player in json.loads(raw)["players"]] for raw in files.values()]
    assert names[0] == ["random", "steady", "random", "steady"]
    assert names[1] == ["steady", "random", "steady", "random"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": "chess"}, "There is no game called “chess”"),
        ({"players": "3"}, "This game is for 4 to 8 players."),
        ({"players": "-1"}, "This game is for 4 to 8 players."),
        ({"games": "0"}, "--games must be at least 1."),
        ({"seed": "0xff"}, "--seed must be 1 to 128 hexadecimal digits."),
        ({"seed": ""}, "--seed must be 1 to 128 hexadecimal digits."),
        ({"seed": "f" * 129}, "--seed must be 1 to 128 hexadecimal digits."),
        ({"seed": "ff\n"}, "--seed must be 1 to 128 hexadecimal digits."),
        (
            {"bots": "genius"},
            "There is no bot of level “genius” for karriere-poker. Choose from: random, steady, sharp.",
        ),
        ({"bots": "random,"}, "There is no bot of level “” for karriere-poker."),
        ({"options": "deals"}, "--options: the file is not valid JSON at line 1, column 1"),
        ({"options": "[1]"}, "--options: expected one JSON object, but found a list"),
        ({"options": '{"deal": 1}'}, "There is no option “deal”"),
        ({"options": '{"deals": 0}'}, "The option “deals” must be"),
    ],
)
def test_what_cannot_be_is_one_sentence(changes: dict[str, str], sentence: str) -> None:
    with pytest.raises(CommandError) as caught:
        run(**changes)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(CommandError, match=r"file cannot be created: File exists\."):
        run(records=str(file))
    (tmp_path / "karriere-poker-4p-0001.json").mkdir()
    with pytest.raises(CommandError, match=r"0001\.json cannot be written: Is a directory\."):
        run(records=str(tmp_path))


def start(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "none"), "SECRET_KEY": "x" * 50}
    command = [sys.executable, "manage.py", "simulate", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, timeout=600, check=False, encoding="utf-8"
    )


@pytest.mark.slow
def test_a_process_without_a_database(tmp_path: Path) -> None:
    given = [text for name, value in ARGUMENTS.items() for text in (f"--{name}", value)]
    done = start(tmp_path, *given)
    assert (done.returncode, done.stderr) == (0, "")
    assert without_speed(done.stdout.splitlines()) == without_speed(run())
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_process_with_bad_arguments(tmp_path: Path) -> None:
    given = [text for name, value in {**ARGUMENTS, "game": "chess"}.items() for text in (f"--{name}", value)]
    done = start(tmp_path, *given)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("CommandError: There is no game called “chess”")
    assert len(done.stderr.splitlines()) == 1
    assert start(tmp_path, *given[:-2], "--players", "many").returncode == 2


@pytest.mark.slow
def test_a_process_whose_output_cannot_be_written(tmp_path: Path) -> None:
    given = [text for name, value in ARGUMENTS.items() for text in (f"--{name}", value)]
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "manage.py", "simulate", *given]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, env={}, check=False)
    assert (done.returncode, done.stderr) == (1, b"The output cannot be written: No space left on device.\n")


def test_without_bots_and_seed_steady_ones_play_the_same_games_each_time() -> None:
    """As docs/adding-a-game.md tells authors of games to run it."""
    written = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    found = re.search(r"manage\.py simulate --game pig-dice ([^`]+)`", written)
    assert found is not None
    out = StringIO()
    call_command("simulate", "--game=animals-on-board", *found[1].replace("100", "2").split(), stdout=out)
    assert without_speed(out.getvalue().splitlines()) == without_speed(
        run(game="animals-on-board", players="3", games="2", seed="1", bots="steady")
    )
