"""A database that does not take a move now: 503, a sentence, nothing changed, and afterwards it works."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from games.serving.socket_limits import MAX_UNREAD
from tests.guest import Guest
from tests.servers import Installation, Running
from tests.serving.playing import Person, read_plies
from tests.serving.watching import Watcher

Trouble = Callable[[Installation, Running], "Iterator[None]"]


def lock(club: Installation, server: Running) -> Iterator[None]:
    """Somebody else writes, for longer than anybody waits."""
    with closing(sqlite3.connect(club.folder / "menagerie.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def fill_disk(club: Installation, server: Running) -> Iterator[None]:
    """No file of the server may grow."""
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("trouble", [lock, fill_disk])
def test_a_move_is_refused_and_made_later(club: Installation, trouble: Trouble) -> None:
    with club.serve() as server:
        guest = Guest(server.address)
        person = Person(guest, guest.play_now())
        view = person.await_turn()
        before = read_plies(club.folder, person.table)
        with contextmanager(trouble)(club, server):
            answer = guest.move(person.table, view["legal"][0], ply=view["ply"], key="once")
            assert answer.status == 503
            assert "Nothing" in answer.json()["sentence"]
            assert read_plies(club.folder, person.table) == before
        assert guest.move(person.table, view["legal"][0], ply=view["ply"], key="once").json()["repeat"] is False
        assert person.play(moves=2)["ply"] > view["ply"]


class AtTable(NamedTuple):
    """Somebody whose turn it is, at their table's socket, with a move that is not yet sent."""

    server: Running
    guest: Guest
    table: str
    watcher: Watcher
    move: dict[str, Any]


@contextmanager
def at_table(club: Installation) -> Iterator[AtTable]:
    with club.serve() as server:
        guest = Guest(server.address)
        person = Person(guest, guest.play_now())
        with guest.socket(person.table) as connection:
            view = person.await_turn()
            move = {"type": "move", "ply": view["ply"], "key": "once", "move": view["legal"][0]}
            yield AtTable(server, guest, person.table, Watcher(connection), move)


def test_a_move_over_the_socket_is_answered_with_503(club: Installation) -> None:
    with at_table(club) as (server, _guest, _table, watcher, move):
        with contextmanager(lock)(club, server):
            watcher.send(**move)
            watcher.until(lambda: "once" in watcher.answers)
            assert watcher.answers.pop("once")["status"] == 503
        watcher.send(**move)
        watcher.until(lambda: "once" in watcher.answers)
        assert watcher.answers["once"]["status"] == 200


def repeat(watcher: Watcher, move: dict[str, Any]) -> None:
    """Say it too often, then listen. Raises ConnectionClosed, perhaps while still talking."""
    for _ in range(MAX_UNREAD + 10):
        watcher.send(**move)
    watcher.until(lambda: False)


def test_who_says_more_than_can_be_answered_is_cut_off(club: Installation) -> None:
    with at_table(club) as (server, guest, table, watcher, move):
        with contextmanager(lock)(club, server), pytest.raises(ConnectionClosed):
            repeat(watcher, move)
        assert guest.move(table, move["move"], ply=move["ply"], key="once").status == 200


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.parametrize(
    ("path", "cookies"),
    [("/leaderboards/?club=%00", {}), ("/tournaments/", {"sessionid": r'"\000abcdefgh"'})],
)
def test_what_no_database_can_hold_is_no_trouble_of_the_database(
    big_club: Installation, path: str, cookies: dict[str, str]
) -> None:
    with big_club.serve() as server:
        guest = Guest(server.address)
        guest.cookies |= cookies
        answer = guest.get(path)
        assert (answer.status, answer.json()["sentence"].endswith("Go back and try again.")) == (400, True)
