"""Who leaves in the middle, and a pause: the same in every game, at the tables of tournaments and of evenings."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import Any

import pytest

from games import memo
from games.models import Player
from games.play.clocks import downtime, timers
from games.play.errors import Stale
from games.play.moves import submission
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from games.rules import registry
from games.rules.clock import find_next_due
from tests.cast import NOW, come_to_table, legal, person
from tests.tournaments.cast import NAMES, begin, enter, found, release
from tournaments.flow.evenings import sessions
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.models import Membership, Pod, SessionTable

OPTIONS: dict[str, dict[str, Any]] = {"karriere-poker": {"deals": 9}, "animal-poker": {"sessions": 9}}
TABLES = [("tournament", game) for game in registry.slugs()] + [("evening", game) for game in sessions.GAMES]


class Room:
    """A table under way at which everybody has come, and what steers it."""

    def __init__(self, owner: Player, kind: str, game: str) -> None:
        self.pause: Callable[..., None]
        self.resume: Callable[..., None]
        self.people = (self._open_round if kind == "tournament" else self._open_evening)(owner, game)
        self.seat = self.load().seat_of(self.people[0].pk) or 0
        for player in self.people:
            come_to_table(self.table_id, player.pk, now=NOW)
        assert self.load().status == PLAYING

    def _open_round(self, owner: Player, game: str) -> list[Player]:
        tournament = begin(
            owner, [], venue="online", most=4, game=game, options=OPTIONS.get(game, {}), round_minutes=90
        )
        people = enter(tournament, *NAMES[:4])
        release(owner, tournament, 1)
        self.table_id = Pod.objects.get().table_id or ""
        self.pause = lambda now: lifecycle.pause(tournament, owner, 1, now=now)
        self.resume = lambda now: lifecycle.resume(tournament, owner, 1, now=now)
        return people

    def _open_evening(self, owner: Player, game: str) -> list[Player]:
        club, people = found(owner), [person(name) for name in NAMES[:4]]
        for one in people:
            Membership.objects.create(club=club, player=one)
        evening = sessions.open_evening(club, owner, sessions.EveningPlan("Friday", game, 90), now=NOW)
        sessions.add_table(evening, owner, [one.pk for one in people], version=0, now=NOW)
        self.table_id = SessionTable.objects.get().table_id
        self.pause = lambda now: sessions.pause(evening, owner, now=now)
        self.resume = lambda now: sessions.resume(evening, owner, now=now)
        return people

    def load(self) -> LoadedTable:
        return store.reload(self.table_id)

    def advance(self, table: LoadedTable, now: float) -> tuple[LoadedTable, float]:
        """Somebody else moves, or, where only this person is asked, their time runs out."""
        others = [seat for seat in table.rules.to_act(table.state) if seat != self.seat]
        if others:
            place = table.place(others[0])
            assert place is not None
            move, key = legal(table, others[0])[0], f"k{table.ply}-{others[0]}"
            made = submission.submit_move(table.id, place.player_id, move, ply=table.ply, key=key, now=now)
            return made.table, now
        over = find_next_due(table.runtime.clocks) or now
        return timers.run_clock(table.id, now=over + 1), over + 1

    def lose(self) -> tuple[LoadedTable, float]:
        """The table once the first of its people has not answered for so long that a bot plays for them."""
        table, now = self.load(), NOW
        while self.seat not in table.runtime.stand_ins:
            table, now = self.advance(table, now)
            assert table.status == PLAYING
        return table, now

    def await_question(self, table: LoadedTable, now: float) -> tuple[LoadedTable, float]:
        """The table when this person, and nobody else, is asked for a move that they have to choose."""

        def is_asked() -> bool:
            is_mine = table.rules.to_act(table.state) == (self.seat,)
            return is_mine and table.rules.answer_window(table.state, self.seat, "") is None

        while not is_asked():
            table, now = self.advance(table, now)
        return table, now


@pytest.mark.parametrize(("kind", "game"), TABLES)
def test_the_clock_plays_for_them_twice_then_a_bot_until_they_are_back(ana: Player, kind: str, game: str) -> None:
    room = Room(ana, kind, game)
    table, now = room.lose()
    assert table.runtime.timeouts[room.seat] == 2
    sweeper.sweep(now=NOW)
    table, now = room.await_question(table, now)
    played = submission.play_bot(table.id, ply=table.ply, now=now)
    assert played is not None
    assert played.ply > table.ply
    table, now = room.await_question(played, now)
    back = come_to_table(table.id, room.people[0].pk, now=now)  # at the very moment at which the bot's message arrives
    assert submission.play_bot(table.id, ply=table.ply, now=now) is None
    move = legal(back, room.seat)[0]
    made = submission.submit_move(table.id, room.people[0].pk, move, ply=back.ply, key="back", now=now)
    assert made.table.ply > back.ply


@pytest.mark.parametrize(("kind", "game"), TABLES)
def test_who_comes_back_a_moment_after_the_bot_s_move_sees_it(ana: Player, kind: str, game: str) -> None:
    room = Room(ana, kind, game)
    table, now = room.await_question(*room.lose())
    move = legal(table, room.seat)[0]
    assert submission.play_bot(table.id, ply=table.ply, now=now) is not None
    if room.load().rules.to_act(room.load().state) != (room.seat,):
        with pytest.raises(Stale):
            submission.submit_move(table.id, room.people[0].pk, move, ply=table.ply, key="late", now=now)
    come_to_table(table.id, room.people[0].pk, now=now)
    assert room.load().runtime.stand_ins == frozenset()


@pytest.mark.parametrize(("kind", "game"), TABLES)
def test_a_pause_leaves_every_clock_as_it_was_to_the_millisecond(ana: Player, kind: str, game: str) -> None:
    room = Room(ana, kind, game)
    sweeper.sweep(now=NOW)
    table, now = room.load(), NOW
    for _ in range(7):
        table, now = room.advance(table, now + 0.377)

    def left(at: float) -> list[Any]:
        table = room.load()
        return [
            (clock.event, clock.seats, None if isinf(clock.due) else round(clock.due - at, 3), clock.left)
            for clock in table.runtime.clocks
        ]

    before, state = left(now + 3.141), room.load().state
    room.pause(now=now + 3.141)
    memo.forget_all()
    for away in (60, 960):  # and the server is away for a quarter of an hour
        downtime.compensate_downtime(now=now + away)
        sweeper.sweep(now=now + away)
    room.resume(now=now + 1234.567)
    sweeper.sweep(now=now + 1234.567)
    assert left(now + 1234.567) == before
    assert (room.load().state, room.load().runtime.paused_at) == (state, None)
