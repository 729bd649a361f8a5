"""A person who plays on, whatever becomes of the server."""

from __future__ import annotations

import http.client
import itertools
import secrets
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tests.guest import Guest

BROKEN = (OSError, http.client.HTTPException)
"""What a client sees of a server that is gone."""
MOMENT = 0.01


class Sent(NamedTuple):
    """A move that was sent."""

    ply: int
    key: str
    move: Mapping[str, Any]


class Person:
    """Plays the first legal move whenever it is their turn.

    accepted: their moves that were answered with 200; seat: as the last view said.
    """

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest = guest
        self.table = table
        self.accepted: list[Sent] = []
        self.unanswered: Sent | None = None
        self.seat: int | None = None
        self._keys = (f"{number}-{secrets.token_hex(4)}" for number in itertools.count())

    def play(self, *, moves: int = 1000) -> dict[str, Any]:
        """Play to the end of the game, or so many moves. Returns the last view; raises BROKEN."""
        if self.unanswered is not None:
            self._send(self.unanswered)
        made = 0
        while True:
            view = self.guest.view(self.table)
            self.seat = view["seat"]
            if view["status"] != "playing" or made == moves:
                return view
            if view["legal"]:
                self._send(Sent(view["ply"], next(self._keys), view["legal"][0]))
                made += 1
            else:
                time.sleep(MOMENT)

    def _send(self, sent: Sent) -> None:
        self.unanswered = sent
        answer = self.guest.move(self.table, sent.move, ply=sent.ply, key=sent.key)
        assert answer.status == 200, answer
        self.unanswered = None
        self.accepted.append(sent)

    def await_turn(self) -> dict[str, Any]:
        """The view when it is their turn."""
        last = time.monotonic() + 60
        while not (view := self.guest.view(self.table))["legal"]:
            assert time.monotonic() < last, view
            time.sleep(MOMENT)
        self.seat = view["seat"]
        return view


def read_plies(folder: Path, table: str) -> list[tuple[int, str | None]]:
    """Number and key of every ply in an installation's SQLite file, by number."""
    with closing(sqlite3.connect(folder / "menagerie.sqlite3")) as database:
        query = "SELECT number, key FROM games_ply WHERE table_id = ? ORDER BY number"
        return list(database.execute(query, (table,)))
