"""The sample bot of docs/write-a-bot.md plays whole games of every kind against a real server."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games.rules import registry
from tests import programs
from tests.servers import ROOT, Installation, Running

BOT = ROOT / "docs" / "examples" / "bot.py"
TIMEOUT_SECONDS = 500.0


def make_tokens(club: Installation) -> dict[str, Any]:
    """Two accounts, each with a bot account; tokens of both bots."""
    made: dict[str, Any] = json.loads(club.run_module("tests.serving.programs.bot_accounts"))
    return made


def ask(server: Running, path: str, token: str, body: Any = None) -> Any:
    """An answer of the API."""
    headers = {"Authorization": f"Bearer {token}"}
    method = "GET" if body is None else "POST"
    answer = httpx.request(method, f"{server.address}/api/v1{path}", json=body, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def run_bot(server: Running, token: str, log: Path) -> subprocess.Popen[bytes]:
    """The sample bot, waiting for challenges."""
    with log.open("wb") as out:
        return subprocess.Popen([sys.executable, str(BOT), server.address, token], stdout=out, stderr=out)


def test_the_sample_has_fewer_than_60_lines() -> None:
    assert len(BOT.read_text().splitlines()) < 60


def test_two_sample_bots_play_whole_games_of_every_kind(club: Installation, tmp_path: Path) -> None:
    """One opens tables with bots of the site and challenges the other; both play until every game is over."""
    made = make_tokens(club)
    with club.serve(QUESTIONS_PER_MINUTE="100000") as server:  # this test asks more often than a program should
        logs = [tmp_path / f"bot-{number}.log" for number in (1, 2)]
        bots = [run_bot(server, token, log) for token, log in zip(made["tokens"], logs, strict=True)]
        try:
            tables = []
            for game in registry.slugs():
                options = registry.infos()[game].agree_on_deals(1)
                if not options and any(one.name == "minutes" for one in registry.find(game).options):
                    options = {"minutes": 1}  # bots that play by chance would go on and on
                seats = registry.find(game).seat_counts[0]
                wanted = {"game": game, "seats": seats, "bots": seats - 2, "options": options, "level": "random"}
                opened = ask(server, "/tables", made["tokens"][0], wanted)
                ask(server, f"/tables/{opened['table']}/challenges", made["tokens"][0], {"player": made["bots"][1]})
                tables.append(opened["table"])
            last = time.monotonic() + TIMEOUT_SECONDS
            while True:
                seen = [ask(server, f"/tables/{table}", made["tokens"][0]) for table in tables]
                if {one["status"] for one in seen} == {"over"}:
                    break
                assert time.monotonic() < last, [(one["game"], one["status"], one["ply"]) for one in seen]
                time.sleep(1)
            for one in seen:
                record = ask(server, f"/tables/{one['table']}/record", made["tokens"][0])
                persons = [player["seat"] for player in one["players"] if player["level"] is None]
                assert len(persons) == 2
                moved = {event["seat"] for event in record["events"] if "move" in event and "by" not in event}
                assert set(persons) <= moved, one["game"]
                assert not any("by" in event for event in record["events"]), "a stand-in had to play for a bot"
        finally:
            for bot in bots:
                programs.stop(bot)
        assert [log.read_text() for log in logs if "Traceback" in log.read_text()] == []


@pytest.mark.parametrize("shortcuts", ["ALL", "NONE"])
def test_streams_hold_with_and_without_our_shortcuts_until_the_server_leaves(
    club: Installation, shortcuts: str
) -> None:
    token = make_tokens(club)["tokens"][0]
    headers = {"Authorization": f"Bearer {token}"}
    with club.serve(SERVER_SHORTCUTS=shortcuts) as server:
        table = ask(server, "/tables", token, {"game": "karriere-poker", "seats": 4, "bots": 3})
        path = f"/api/v1/tables/{table['table']}/stream"
        url = server.address.replace("http", "ws", 1) + path
        with (
            connect(url, additional_headers=headers) as socket,
            httpx.stream("GET", server.address + path, headers=headers, timeout=60) as answer,
        ):
            lines = answer.iter_lines()
            for heard in ((json.loads(next(lines)) for _ in range(2)), (json.loads(socket.recv(60)) for _ in range(2))):
                assert [one["type"] for one in heard] == ["heartbeat", "table"]
            sent = {"type": "contribute", "commitment": table["commitment"], "entropy": "5eed", "key": "e"}
            socket.send(json.dumps(sent))
            answered = json.loads(socket.recv(60))
            while answered["type"] != "answer":
                answered = json.loads(socket.recv(60))
            assert (answered["status"], answered["key"]) == (200, "e")
            assert json.loads(next(lines))["status"] == "playing"
            assert server.stop() == 0
            with suppress(ConnectionClosed):
                assert all(json.loads(frame)["type"] == "table" for frame in socket)
            assert socket.close_code == 1012
            assert all(json.loads(line)["type"] in ("table", "heartbeat") for line in lines)
