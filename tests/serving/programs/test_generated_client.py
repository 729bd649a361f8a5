"""A Python client that is generated from `openapi.json` plays and runs a night; so do the commands of docs/api.md."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.servers import ROOT, Installation, Running

PEOPLE = ("Ada", "Bea", "Cem", "Dan", "Eli", "Fay", "Gus", "Hal")
GUIDE = (ROOT / "docs" / "api.md").read_text()


class GeneratedClient:
    """The client of a server, generated into a folder. Each answer must be what the operation promises."""

    def __init__(self, server: Running, token: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        document = folder / "openapi.json"
        document.write_text(httpx.get(f"{server.address}/api/v1/openapi.json", timeout=60).text)
        settings = folder / "generator.yml"
        settings.write_text("post_hooks: []\n")
        asked = ["generate", "--path", document, "--output-path", folder / "menagerie_client", "--meta", "none"]
        command = [sys.executable, "-m", "openapi_python_client", *map(str, asked), "--config", str(settings)]
        done = subprocess.run([*command, "--fail-on-warning"], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, "arning" in done.stdout) == (0, False), done.stdout + done.stderr
        monkeypatch.syspath_prepend(folder)
        self.models = import_module("menagerie_client.models")
        client = import_module("menagerie_client").AuthenticatedClient
        self._client = client(base_url=server.address, token=token, raise_on_unexpected_status=True)

    def ask(self, tag: str, operation: str, *args: Any, shape: str = "", **body: Any) -> Any:
        """The answer of an operation. shape: the name of the body's model, which `body` fills."""
        run: Callable[..., Any] = import_module(f"menagerie_client.api.{tag}.{operation}").sync
        sent = {"body": getattr(self.models, shape)(**body)} if shape else body
        answer = run(*args, client=self._client, **sent)
        assert not isinstance(answer, self.models.RefusalOut), answer
        return answer


@pytest.fixture
def account_keys(club: Installation) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(club.run_module("tests.serving.programs.organiser_account"))
    return answer


def run_night(client: GeneratedClient, club: str) -> None:
    """A round of two real tables from the plan to the standings."""
    plan = {"name": "Thursday", "game": "karriere-poker", "venue": "real", "rounds_planned": 1, "most": 4}
    night = client.ask("organise", "create_tournament", club, shape="NewTournamentIn", **plan, key="n")
    assert (night.phase, night.agreement.capacity) == ("planned", None)
    phase = client.models.PhaseInPhase
    client.ask("organise", "move_on", night.id, shape="PhaseIn", phase=phase.ENTRY)
    imported = client.ask("organise", "import_entrants", night.id, shape="ImportIn", csv="\n".join(["name", *PEOPLE]))
    numbers = [one.number for one in imported.entrants]
    assert (imported.added, numbers) == (8, list(range(1, 9)))
    client.ask("organise", "move_on", night.id, shape="PhaseIn", phase=phase.CHECK_IN)
    present = client.models.MarkInMark.PRESENT
    client.ask("organise", "mark_entrants", night.id, shape="MarkIn", entrants=numbers, mark=present)
    drawn = client.ask("organise", "draw_round", night.id, 1, shape="DrawIn")
    assert [len(table.seats) for table in drawn.tables] == [4, 4]
    client.ask("organise", "release_round", night.id, 1, shape="KeyIn")
    for table in drawn.tables:
        places = [1, 2, 3, 4]
        answer = client.ask("tournaments", "post_result", night.id, 1, table.number, shape="ResultIn", places=places)
    assert [[seat.place for seat in table.seats] for table in answer.tables] == [[1, 2, 3, 4]] * 2
    assert client.ask("organise", "complete_round", night.id, 1, shape="CompleteIn").status == "complete"
    client.ask("organise", "move_on", night.id, shape="PhaseIn", phase=phase.FINISHED)
    lines = client.ask("tournaments", "show_standings", night.id).lines
    assert (len(lines), lines[0].points, lines[0].person) == (8, 840, None)


def play_a_move(client: GeneratedClient, person: int) -> None:
    """Open a table, read it, contribute, and make a move that the client has typed."""
    opened = client.ask("play", "open_table", shape="OpenIn", game="karriere-poker", seats=4, bots=3)
    read = client.ask("tables", "show_table", opened.table)
    assert [one.person for one in read.players] == [person, None, None, None]
    sent = {"commitment": read.commitment, "entropy": "5eed"}
    client.ask("play", "contribute_to_deal", opened.table, shape="ContributionIn", **sent)
    for _ in range(200):
        read = client.ask("tables", "show_table", opened.table)
        if read.legal:
            break
        time.sleep(0.1)
    legal = read.legal[0].to_dict()
    move = client.models.MoveIn.from_dict({"move": legal, "ply": read.ply, "key": "k"})
    assert move.to_dict()["move"] == legal
    answered = client.ask("play", "make_move", opened.table, shape="MoveIn", move=move.move, ply=move.ply, key="k")
    assert answered.ply > read.ply


def run_guide(server: Running, account_keys: dict[str, Any]) -> None:
    """The commands of "Run a tournament" as they stand there, with this server, club, people and answers."""
    [script] = re.findall(r"```sh\n(api=.*?)```", GUIDE, re.DOTALL)
    first, rest = script.split("night=/tournaments/k3v9…\n")
    assert "https://cards.example.org" in first
    first = first.replace("https://cards.example.org", server.address).replace("harbour-club", account_keys["club"])
    planned = first.rstrip().rpartition("   #")[0]
    lines = "\\n".join(f"{name},Harbour" for name in [*PEOPLE, "Ida", "Jan", "Kai"])
    rest = rest.replace("Ana,Harbour\\nTom,Harbour\\n…", lines)
    rest = rest.replace('read -p "Places at table $table, by seat: " places', 'places="2, 1, 3, 4"')
    find_id = """night=/tournaments/$(sed 's/.*"id": *"\\([^"]*\\)".*/\\1/' planned.json)"""
    program = "\n".join(["set -e", f"{planned} > planned.json", find_id, f"{rest.rstrip()} > standings.json"])
    folder = Path(account_keys["folder"])
    bash = shutil.which("bash") or "bash"
    done = subprocess.run(
        [bash, "-c", program], env=os.environ | {"TOKEN": account_keys["token"]}, cwd=folder,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-500:] + (folder / "planned.json").read_text()
    standings = json.loads((folder / "standings.json").read_text())
    assert (standings["after"], len(standings["lines"])) == (3, 12)


def test_a_generated_client_and_the_guide_run_a_night(
    club: Installation, account_keys: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with club.serve(QUESTIONS_PER_MINUTE="100000") as server:
        client = GeneratedClient(server, account_keys["token"], tmp_path, monkeypatch)
        run_night(client, account_keys["club"])
        play_a_move(client, account_keys["person"])
        run_guide(server, account_keys | {"folder": tmp_path})
