"""A week of a game over days on a test clock: two people and a bot, a missed turn, a holiday, a standing answer.

What is on each person's screen is followed through the push service: one notification at most, and none that is no
longer true.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from games import models
from games.notifications import day_turns, delivery
from games.play.clocks import timers
from games.play.days import awaited_turns
from games.play.days.holidays import plan_holiday
from games.play.moves import submission
from games.play.seats import sitting
from games.play.seats.standing_answers import set_standing_answer
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import NOW, legal
from tests.notifications.push_service import PushService
from tests.play.moves.test_windows import start_super_zwierzaki

DAY = 86_400.0
HOUR = 3600.0
QUIET = ({"draw": True}, {"decline": True}, {"fold": True})
"""Moves that change little."""
TURN, WARNING = "It is your turn", "Your time is running out"


class Week:
    """The site hour by hour: clocks, bots, notifications. heard: titles by person, a dash where one was closed.
    moments: the time that the last one named."""

    def __init__(self, table: LoadedTable, push_service: PushService, *people: models.Player) -> None:
        self.table, self.push_service, self.now = table, push_service, NOW
        self.people = {f"/ok/{player.pk}": player for player in people}
        self.heard: dict[int, list[str]] = {player.pk: [] for player in people}
        self.moments: dict[int, float | None] = {}
        self.screens: dict[int, dict[str, str]] = {player.pk: {} for player in people}
        for player in people:
            push_service.subscribe(player, f"ok/{player.pk}")

    def pass_hours(self, hours: int) -> None:
        for _ in range(hours):
            for seconds in (HOUR - 60, 60):  # who is awaited is told half a minute later
                self.now += seconds
                self.look()
            waiting = {pk for pk, _due in awaited_turns.list_awaited(self.table)}
            assert {pk for pk, screen in self.screens.items() if screen} == waiting

    def look(self) -> None:
        timers.run_clock(self.table.id, now=self.now)
        self.play_bots()
        day_turns.tell_awaited(now=self.now)
        for origin in delivery.list_origins(self.now):
            delivery.deliver_batch(origin, now=self.now)
        self._read()

    def play_bots(self) -> None:
        table = store.reload(self.table.id)
        while table.runtime.bot_due is not None and table.runtime.bot_due <= self.now:
            played = submission.play_bot(table.id, ply=table.ply, now=self.now)
            assert played is not None
            table = played
        self.table = table

    def _read(self) -> None:
        received, self.push_service.received = self.push_service.received, []
        for message in received:
            pk, payload = self.people[message.path].pk, message.text
            self.heard[pk].append("-" if payload["is_gone"] else "update" if payload["is_update"] else payload["title"])
            self.moments[pk] = payload.get("moment", {}).get("at")
            if payload["is_gone"]:
                self.screens[pk].pop(payload["tag"], None)
            else:
                self.screens[pk][payload["tag"]] = payload["title"]
        waiting = {pk for pk, _due in awaited_turns.list_awaited(self.table)}
        assert {pk for pk, screen in self.screens.items() if screen} <= waiting
        assert all(len(screen) <= 1 for screen in self.screens.values())

    def act(self, player: models.Player, move: dict[str, Any] | None = None) -> None:
        """This person makes a move of their turn (draws), and answers what it asks of them."""
        seat = self.table.seat_of(player.pk)
        assert seat is not None
        self._send(player, seat, move)
        while seat in self.table.rules.to_act(self.table.state) and self.phase != "turn":
            self._send(player, seat)
        self.look()  # the site looks every few seconds

    def _send(self, player: models.Player, seat: int, move: dict[str, Any] | None = None) -> None:
        moves = legal(self.table, seat)
        chosen = move or next((one for one in QUIET if one in moves), moves[0])
        key = f"k{self.table.ply}"
        submission.submit_move(self.table.id, player.pk, chosen, ply=self.table.ply, key=key, now=self.now)
        self.play_bots()

    @property
    def phase(self) -> str:
        return str(self.table.rules.view(self.table.state, None)["phase"])


@pytest.fixture
def week(
    ana: models.Player, ben: models.Player, push_service: PushService, transactional_db: None,
    monkeypatch: pytest.MonkeyPatch,
) -> Week:  # fmt: skip
    """A game of Ana, Ben and a bot with a day for a turn. It is Ana's turn."""
    table = start_super_zwierzaki("25 1 1 2 3/107 3 4 5 6/5 6 7 5 6 7 5 6 7", ana, ben, turn_seconds=86_400, top="25")
    one = Week(table, push_service, ana, ben)
    for module in (day_turns, awaited_turns):  # what follows a move asks for the time by itself
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: one.now))
    return one


def test_a_week_of_two_people_and_a_bot(week: Week, ana: models.Player, ben: models.Player) -> None:
    week.pass_hours(1)
    assert (week.heard[ana.pk], week.heard[ben.pk]) == ([TURN], [])
    set_standing_answer(week.table.id, ben.pk, standing="pass", now=week.now)
    week.table = store.reload(week.table.id)
    week.act(ana, {"play": "25"})  # aimed at Ben, who holds a Veto: the window passes by their order
    assert (week.phase, week.heard[ben.pk]) == ("turn", [])
    week.pass_hours(2)
    assert (week.heard[ana.pk], week.heard[ben.pk]) == ([TURN, "-"], [TURN])

    week.pass_hours(16)
    assert week.heard[ben.pk] == [TURN]
    week.pass_hours(2)  # a fifth of the day is left
    assert week.heard[ben.pk] == [TURN, WARNING]
    week.pass_hours(5)  # the game's own clock move, and the bot's
    assert week.heard[ben.pk] == [TURN, WARNING, "-"]
    assert week.table.runtime.timeouts[1] == 1
    assert week.table.runtime.stand_ins == frozenset()

    week.act(ana)
    week.pass_hours(26)
    assert week.heard[ben.pk] == [TURN, WARNING, "-"] * 2
    assert week.table.runtime.stand_ins == {1}
    week.act(ana)  # Ben's stand-in and the bot play at once
    week.pass_hours(1)
    assert week.table.rules.to_act(week.table.state) == (0,)
    assert week.heard[ben.pk] == [TURN, WARNING, "-"] * 2

    sitting.return_to_table(week.table.id, ben.pk, now=week.now)
    week.play_bots()
    today = datetime.fromtimestamp(week.now, tz=UTC).date()
    tomorrow = date.fromordinal(today.toordinal() + 1)
    due = awaited_turns.list_awaited(week.table)[0][1]
    plan_holiday(ana.pk, tomorrow, tomorrow, zone=UTC, now=week.now)
    week.look()
    assert awaited_turns.list_awaited(week.table) == [(ana.pk, due + DAY)]
    heard = len(week.heard[ana.pk])
    week.pass_hours(40)  # longer than a turn, and nobody warned her: what is on her screen names the new time
    assert (week.heard[ana.pk][heard:], week.table.runtime.timeouts[0]) == (["update"], 0)
    assert week.moments[ana.pk] == due + DAY

    week.act(ana)
    assert week.heard[ana.pk][heard:] == ["update", "-"]
    assert week.now < NOW + 7 * DAY
