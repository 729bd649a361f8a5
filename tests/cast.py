"""The stock cast: who plays in the tests, at which tables, and with what browsers."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from operator import attrgetter
from threading import Barrier
from typing import Any, TypeVar
from unittest.mock import patch

from django.db import connection
from django.test import Client

from games import models
from games.accounts.animal_pictures import AVATARS
from games.accounts.session import INVITED, PLAYER, renew
from games.memo import Memo
from games.play.errors import Stale
from games.play.moves import submission
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING, LoadedTable
from games.records import fair

NOW = 2_683_612_800.0
"""15 January 2055: later than any day on which the tests are run."""

T = TypeVar("T")


def person(name: str, avatar: str = "fox") -> models.Player:
    """Somebody who plays."""
    return models.Player.objects.create(name=name, avatar=avatar)


def open_table(
    host: models.Player,
    *guests: models.Player,
    game: str = "karriere-poker",
    seats_wished: int = 4,
    now: float = NOW,
    **overrides: Any,
) -> LoadedTable:
    """A waiting table with the host on chair 0 and the guests on the next ones. Its turns have a time limit."""
    overrides = {"is_timed": True, **overrides}
    table = opening.open_table(host, opening.TableRequest(game, seats_wished, **overrides), avatars=AVATARS, now=now)
    for guest in guests:
        table = sitting.sit(table.id, guest, now=now)
    return table


def contribute_all(table: LoadedTable, *, now: float = NOW) -> LoadedTable:
    """The waiting table after everybody who sits there has contributed to its deal, as their browsers do.

    The last one tries until the lot leaves everybody on their chair: most tests are about people whose seats they name.
    """
    silent = [place for place in table.places if place.player_id is not None and not place.entropy]
    for place in silent:
        assert place.player_id is not None
        entropy = find_entropy(table, place.seat) if place is silent[-1] else ""
        table = contribute(table, place.player_id, entropy, now=now)
    return table


def find_entropy(table: LoadedTable, seat: int) -> str:
    """What the person on this chair may contribute so that everybody's seat is their chair, if nothing else changes."""
    given = [place.entropy if (place := table.place(chair)) else None for chair in range(table.seat_count)]
    for number in count():
        given[seat] = f"of seat {seat}" + (f", try {number}" if number else "")
        drawn = fair.draw_seats(bytes.fromhex(table.secret), table.id, given)
        if table.runtime.arranged is not None or drawn == tuple(range(table.seat_count)):
            break
    return given[seat] or ""


def contribute(table: LoadedTable, player_id: int, entropy: str = "", *, now: float = NOW) -> LoadedTable:
    """The table after this person's contribution to its deal."""
    entropy = entropy or f"of seat {table.seat_of(player_id)}"
    return sitting.contribute(table.id, player_id, commitment=table.commitment, entropy=entropy, now=now)


def contributed(table: LoadedTable) -> list[str | None]:
    """What everybody has contributed, in order of the chairs on which they sat before the seats were drawn."""
    by_chair = {place.seat if place.chair is None else place.chair: place.entropy for place in table.places}
    return [by_chair.get(chair) for chair in range(table.seat_count)]


def come_to_table(table_id: str, player_id: int | None, *, now: float = NOW) -> LoadedTable:
    """The table after this person has come to it, and their browser has contributed to a deal that is still open."""
    table = sitting.return_to_table(table_id, player_id, now=now)
    is_open = table.status == WAITING and table.seat_of(player_id) in table.silent()
    return contribute(table, player_id, now=now) if is_open and player_id is not None else table


def start_table(host: models.Player, *guests: models.Player, now: float = NOW, **overrides: Any) -> LoadedTable:
    """A game under way, bots on the chairs that nobody has taken."""
    table = contribute_all(open_table(host, *guests, now=now, **overrides), now=now)
    return opening.start(table.id, host.pk, fill="random", avatars=AVATARS, now=now)


def to_move(table: LoadedTable) -> int:
    """The seat whose turn it is."""
    return table.rules.to_act(table.state)[0]


def legal(table: LoadedTable, seat: int) -> list[dict[str, Any]]:
    """All legal moves of a seat; where they are too many to list, two of them, the same every time."""
    listed = table.rules.legal_moves(table.state, seat)
    if listed is None:
        rng = random.Random(table.ply)
        listed = [table.rules.legal_sample(table.state, seat, rng) for _ in range(2)]
    return [dict(move) for move in listed]


def move_seat(table: LoadedTable, move: Mapping[str, Any] | None = None, *, now: float = NOW) -> LoadedTable:
    """The table after the move of the seat to act: this one, or the first legal one."""
    seat = to_move(table)
    place = table.place(seat)
    assert place is not None
    if place.player_id is None:
        played = submission.play_bot(table.id, ply=table.ply, now=now)
        assert played is not None
        return played
    chosen = dict(move or legal(table, seat)[0])
    return submission.submit_move(table.id, place.player_id, chosen, ply=table.ply, key=f"k{table.ply}", now=now).table


def move_until(table: LoadedTable, is_enough: Callable[[LoadedTable], bool], *, now: float = NOW) -> LoadedTable:
    """The table after as many moves as it takes."""
    while not is_enough(table):
        table = move_seat(table, now=now)
    return table


def wait_for(table: LoadedTable, player: models.Player, *, now: float = NOW) -> LoadedTable:
    """The table when it is this person's turn."""
    return move_until(table, lambda current: to_move(current) == current.seat_of(player.pk), now=now)


def wait_for_choice(table: LoadedTable, player: models.Player, *, now: float = NOW) -> LoadedTable:
    """The table when it is this person's turn and there are two moves to choose from."""
    seat = table.seat_of(player.pk)
    assert seat is not None
    return move_until(table, lambda current: to_move(current) == seat and len(legal(current, seat)) > 1, now=now)


def finish(table: LoadedTable, *, now: float = NOW) -> LoadedTable:
    """The table after the game, everybody playing by chance."""
    rng = random.Random(7)
    while table.status == PLAYING:
        seat = to_move(table)
        place = table.place(seat)
        assert place is not None
        table = move_seat(table, rng.choice(legal(table, seat)) if place.player_id else None, now=now)
    return table


def finish_beside_server(table_id: str) -> None:
    """Play a game to its end from here, while a server plays for bots and for who is away, and may move first."""
    table = store.refresh(table_id)
    while table.status == PLAYING:
        with suppress(Stale):
            finish_alone(table, now=time.time())
        table = store.reload(table_id)


def finish_alone(
    table: LoadedTable, *, now: float = NOW, until: Callable[[LoadedTable], bool] = lambda _: False
) -> LoadedTable:
    """The table after the game, or as far as this: stand-ins play for who is away, everybody else by chance."""
    rng = random.Random(7)
    while table.status == PLAYING and not until(table):
        seat = to_move(table)
        if table.bot_level(seat) is None:
            table = move_seat(table, rng.choice(legal(table, seat)), now=now)
        else:
            played = submission.play_bot(table.id, ply=table.ply, now=now)
            table = store.refresh(table.id) if played is None else played
    return table


def browser(player: models.Player | None = None, *, invited: LoadedTable | None = None, **defaults: Any) -> Client:
    """The browser of this person, signed in if they have an account; a stranger's if there is no person.

    invited: a table whose link it has opened.
    """
    client = Client(**defaults)
    if player is None and invited is None:
        return client
    if player is not None and (user := models.User.objects.filter(player=player).first()) is not None:
        client.force_login(user)
    session = client.session
    if player is not None:
        session[PLAYER] = player.pk
        renew(session, now=time.time())
    if invited is not None:
        session[INVITED] = [invited.id]
    session.save()
    return client


def version_of(table_id: str) -> int:
    """The version that the database has."""
    return models.Table.objects.values_list("version", flat=True).get(pk=table_id)


def at_once(*acts: Callable[[], T]) -> list[T | Exception]:
    """What each function returns or raises; all start at the same moment in threads of their own."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], T]) -> T | Exception:
        barrier.wait(60)
        try:
            return act()
        except Exception as error:  # noqa: BLE001 - the result is what the test looks at
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


_tables_elsewhere: Memo[str, LoadedTable] = Memo(
    "tables of another process", store.KEPT_TABLES, version_of=attrgetter("version")
)


def as_other_process(act: Callable[[], T]) -> T:
    """Run this as another process would: the memo of this process does not learn of the change."""
    _tables_elsewhere.clear()
    with patch.object(store, "_tables", _tables_elsewhere):
        return act()


def count_work(act: Callable[[], object]) -> int:
    """Hundreds of instructions that SQLite carries out for this."""
    done: list[None] = []
    connection.connection.set_progress_handler(lambda: done.append(None), 100)
    try:
        act()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(done)
