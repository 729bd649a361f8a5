"""A random walk through an evening in two processes: its people, and invariants."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import pytest
from django.urls import reverse

from games.models import Player, Seat, Table
from games.play.clocks import timers
from games.play.errors import Refusal
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING, LoadedTable
from tests.cast import NOW, as_other_process, browser, person
from tests.tournaments.cast import NAMES, found
from tests.tournaments.walk.site import REFUSED, Rows
from tournaments.flow.evenings import evening_sweeper, sessions
from tournaments.flow.rounds import sweeper
from tournaments.models import Membership, Role, SessionTable, Step, TimedSession

T = TypeVar("T")
MINUTE = 60.0
BY_ITSELF = frozenset({"bell", "left"})
"""Steps that nobody takes: also a button that is refused may find that they were due."""
PAST_STEPS = ("version", "ended_at", "owner_id")


class Night:
    """An evening of half an hour and its people. Buttons are pressed on the page, with the clock of the walk."""

    def __init__(self, rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rng = rng
        self.now: float = NOW
        monkeypatch.setattr(time, "time", lambda: self.now)
        self.owner, self.other, self.stranger = person("Olga"), person("Otto"), person("Xia")
        self.people = [person(f"{name} Quill") for name in NAMES[:6]]
        club = found(self.owner)
        for one, role in ((self.other, Role.ORGANISER), *((one, Role.MEMBER) for one in self.people)):
            Membership.objects.create(club=club, player=one, role=role)
        self.game = rng.choice(sessions.GAMES)
        plan = sessions.EveningPlan("Friday", self.game, 30, NOW + rng.choice((0, 10)) * MINUTE)
        self.pk = sessions.open_evening(club, self.people[0], plan, now=NOW).pk
        self.clients = {one.pk: browser(one) for one in (self.owner, self.other, self.stranger, *self.people)}
        self.names = {one.pk: {one.name} for one in (self.owner, self.other, *self.people)}
        self.journal: list[str] = []
        self.mirror, self.seen = self.dump(), 0
        self.before: dict[int, Rows] = {}

    @property
    def evening(self) -> TimedSession:
        return TimedSession.objects.get(pk=self.pk)

    def tables(self, *statuses: str) -> list[LoadedTable]:
        rows = SessionTable.objects.filter(timed_session=self.pk, table__status__in=statuses or (WAITING, PLAYING))
        return [store.refresh(pk) for pk in rows.order_by("number").values_list("table", flat=True)]

    def leader(self) -> Player:
        """Who opened it, as long as they steer it."""
        opened_it, evening = self.people[0], self.evening
        return opened_it if sessions.can_manage(evening, opened_it.pk) else self.owner

    def somewhere(self, act: Callable[[], T]) -> T:
        """In this process, or in another one, which knows nothing of what this one remembers of a table."""
        return as_other_process(act) if self.rng.random() < 0.4 else act()

    def dump(self) -> Rows:
        """What steps say of the evening: all but how often it was changed, and when its last game was over."""
        own: dict[str, Any] = dict(TimedSession.objects.filter(pk=self.pk).values().get())
        tables = SessionTable.objects.filter(timed_session=self.pk).values()
        return {
            ("TimedSession", self.pk): {name: own[name] for name in own if name not in PAST_STEPS},
            **{("SessionTable", row["id"]): dict(row) for row in tables},
        }

    def compare(self, before: Rows) -> bool:
        """Whether it is as it was before; a bell that is rung again is rung now."""
        now, key = self.dump(), ("TimedSession", self.pk)
        if now[key]["has_rung"]:
            now[key]["ends_at"] = before[key]["ends_at"]
        return now == before

    def press(self, who: Player, **form: Any) -> str:
        """Press a button, now and then twice; the sentence with which it was refused, empty if it was done."""
        url, client, before = reverse("tournaments:steer_evening", args=[self.pk]), self.clients[who.pk], self.dump()
        self.journal.append(f"{self.now - NOW:.0f}: {who.name} {form}")
        sentence = self._read(self.somewhere(lambda: client.post(url, form, HTTP_ACCEPT="application/json")))
        after = self.dump()
        if sentence:
            self.journal[-1] += f" -> {sentence}"
            new = Step.objects.filter(evening=self.pk, number__gt=self.seen).values_list("kind", flat=True)
            assert after == before or {*new} <= BY_ITSELF, "refused, and changed all the same"
        elif self.rng.random() < 0.2:
            self.somewhere(lambda: client.post(url, form, HTTP_ACCEPT="application/json"))
            assert self.dump() == after, "pressed twice"
        self.check(before)
        return sentence

    @staticmethod
    def _read(answer: Any) -> str:
        if answer.status_code in (200, 302):
            return ""
        assert answer.status_code in REFUSED, answer.status_code
        sentence = str(msgspec.json.decode(answer.content)["sentence"])
        assert sentence.endswith("."), sentence
        return sentence

    def pass_time(self, seconds: float) -> None:
        """Time passes; the clocks of the tables run out, and the sweeper comes, now and then twice."""
        before = self.dump()
        self.now += seconds
        self.journal.append(f"{self.now - NOW:.0f}: the sweeper comes")
        if seconds and self.rng.random() < 0.5:
            for table in self.tables(PLAYING):
                self.somewhere(lambda pk=table.id: timers.run_clock(pk, now=self.now))  # type: ignore[misc]
        for _ in range(self.rng.choice((1, 1, 2))):
            self.somewhere(lambda: sweeper.sweep(now=self.now))
        self.check(before)

    def act(self, sentence: str, act: Callable[[], object]) -> None:
        """What people do at their tables."""
        self.journal.append(f"{self.now - NOW:.0f}: {sentence}")
        with suppress(Refusal):
            self.somewhere(act)
        self.pass_time(0)

    def check(self, before: Rows) -> None:
        """Everything that holds at any time."""
        self.read_log(before)
        evening = self.evening
        assert evening.paused_at is None or not evening.has_rung
        assert not evening.has_rung or evening.ends_at <= self.now, "the bell has rung before its time"
        assert (evening.ended_at is not None) == (evening.has_rung and not self.tables(PLAYING))
        for table in self.tables(PLAYING):
            check_pace(evening, table)
        own = [table for table in self.tables() if evening_sweeper.is_own_table(table)]
        assert not (evening.has_rung and any(table.status == WAITING for table in own)), "a table waits after the bell"
        there = Seat.objects.exclude(player=None).filter(table__in=[one.id for one in own])
        sitting = Counter(there.values_list("player", flat=True))
        assert set(sitting.values()) <= {1}, "somebody sits at two tables of the evening"
        left = Table.objects.filter(status=WAITING, desk__contains=reverse("tournaments:evening", args=[self.pk]))
        assert not left.filter(session_table=None).exists(), "a table that was taken away waits on"

    def read_log(self, before: Rows) -> None:
        """The log makes the evening what it is; only a table brought along is its host's again after the bell."""
        steps = list(Step.objects.filter(evening=self.pk, number__gt=self.seen).order_by("number"))
        for step in steps:
            for kind, pk, old, new in msgspec.json.decode(step.changes):
                self._follow((kind, pk), old, new)
            self.seen = step.number
        if len(steps) == 1:
            self.before[self.seen] = before
        now = self.dump()
        if self.evening.has_rung:
            self.mirror = {key: row for key, row in self.mirror.items() if key in now}
        assert self.mirror == now, f"by the log {self.mirror}, but {now}"

    def _follow(self, key: tuple[str, Any], old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        if new is None:
            del self.mirror[key]
            return
        mirrored = {} if old is None else self.mirror[key]
        assert old is None or {name: mirrored.get(name, value) for name, value in old.items()} == old
        self.mirror[key] = mirrored | {name: value for name, value in new.items() if name not in PAST_STEPS}

    def check_pages(self) -> None:
        """The page answers everybody, and is of one present."""
        for url in (reverse("tournaments:evening", args=[self.pk]), f"/api/v1/evenings/{self.pk}"):
            for who in (self.owner, self.rng.choice(self.people), self.stranger):
                assert self.clients[who.pk].get(url).status_code == 200


def check_pace(evening: TimedSession, table: LoadedTable) -> None:
    """A table stands still exactly while the evening does, and has its bell, or has heard it."""
    if table.rules.view(table.state, None)["last_deal"]:
        return
    assert not evening.has_rung, "a table has not heard the bell"
    assert (table.runtime.paused_at is not None) == (evening.paused_at is not None), "a table has another pace"
    bells = [clock.due for clock in table.runtime.clocks if clock.event == {"clock": "time-up"}]
    assert evening.paused_at is not None or bells == [evening.ends_at], f"the bell is at {bells}"
