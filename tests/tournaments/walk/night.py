"""An evening in which everybody does anything at any time: who is there, what they do, what must hold."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from django.urls import reverse

from games.models import Player, Seat, Table
from games.play import moves, seats, store
from games.play.errors import Refusal
from games.play.table import OVER, PLAYING, WAITING, Loaded
from tests.cast import NOW, browser, legal, open_table, person, to_move
from tests.tournaments.cast import NAMES, found
from tests.tournaments.walk.house import REFUSED, Rows
from tournaments.flow import due, evening_log, evenings, keeping
from tournaments.flow.reverting import is_redo, is_reverted
from tournaments.models import Membership, Role, SessionTable, Step, TimedSession

GAME = "animal-poker"
MINUTE = 60.0
BY_ITSELF = frozenset({"bell", "left"})
"""Steps that nobody takes: also a button that is refused may find that they were due."""
PLIES = 40
PAST_STEPS = ("version", "ended_at")


class Night:
    """An evening of half an hour and its people. Buttons are pressed on the page, with the clock of the walk."""

    def __init__(self, rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rng = rng
        self.now: float = NOW
        monkeypatch.setattr(time, "time", lambda: self.now)
        self.owner, self.other, self.stranger = person("Olga"), person("Otto"), person("Xia")
        self.people = [person(name) for name in NAMES[:6]]
        club = found(self.owner)
        for one, role in ((self.other, Role.ORGANISER), *((one, Role.MEMBER) for one in self.people)):
            Membership.objects.create(club=club, player=one, role=role)
        plan = evenings.Plan("Friday", GAME, 30, NOW + rng.choice((0, 10)) * MINUTE)
        self.pk = evenings.open_evening(club, self.people[0], plan, now=NOW).pk
        self.clients = {one.pk: browser(one) for one in (self.owner, self.other, self.stranger, *self.people)}
        self.told: list[str] = []
        self.mirror, self.seen = self.dump(), 0
        self.before: dict[int, Rows] = {}

    @property
    def evening(self) -> TimedSession:
        return TimedSession.objects.get(pk=self.pk)

    def tables(self, *statuses: str) -> list[Loaded]:
        rows = SessionTable.objects.filter(timed_session=self.pk, table__status__in=statuses or (WAITING, PLAYING))
        return [store.refresh(pk) for pk in rows.order_by("number").values_list("table", flat=True)]

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
        self.told.append(f"{self.now - NOW:.0f}: {who.name} {form}")
        sentence = self._read(client.post(url, form, HTTP_ACCEPT="application/json"))
        after = self.dump()
        if sentence:
            self.told[-1] += f" -> {sentence}"
            new = Step.objects.filter(evening=self.pk, number__gt=self.seen).values_list("kind", flat=True)
            assert after == before or {*new} <= BY_ITSELF, "refused, and changed all the same"
        elif self.rng.random() < 0.2:
            client.post(url, form, HTTP_ACCEPT="application/json")
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
        """Time passes, and the sweeper comes."""
        before = self.dump()
        self.now += seconds
        self.told.append(f"{self.now - NOW:.0f}: the sweeper comes")
        due.look_after(now=self.now)
        self.check(before)

    def act(self, said: str, act: Callable[[], object]) -> None:
        """What people do at their tables."""
        self.told.append(f"{self.now - NOW:.0f}: {said}")
        with suppress(Refusal):
            act()
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
        own = [table for table in self.tables() if keeping.is_our_own(table)]
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
        known = {} if old is None else self.mirror[key]
        assert old is None or {name: known.get(name, value) for name, value in old.items()} == old
        self.mirror[key] = known | {name: value for name, value in new.items() if name not in PAST_STEPS}

    def check_pages(self) -> None:
        """The page answers everybody, and is of one present."""
        for url in (reverse("tournaments:evening", args=[self.pk]), f"/api/v1/evenings/{self.pk}"):
            for who in (self.owner, self.rng.choice(self.people), self.stranger):
                assert self.clients[who.pk].get(url).status_code == 200


def check_pace(evening: TimedSession, table: Loaded) -> None:
    """A table stands still exactly while the evening does, and has its bell, or has heard it."""
    if table.rules.view(table.state, None)["last_deal"]:
        return
    assert not evening.has_rung, "a table has not heard the bell"
    assert (table.desk.paused_at is not None) == (evening.paused_at is not None), "a table has another pace"
    bells = [clock.due for clock in table.desk.clocks if clock.event == {"clock": "time-up"}]
    assert evening.paused_at is not None or bells == [evening.ends_at], f"the bell is at {bells}"


def steer(night: Night, action: str, **form: Any) -> str:
    who = night.rng.choice((night.people[0], night.people[0], night.owner, night.other, night.people[1]))
    return night.press(who, action=action, version=night.evening.version, **form)


def add_table(night: Night) -> None:
    free = evenings.list_free(evenings.find(night.pk))
    chosen = night.rng.sample(free, min(len(free), night.rng.randint(1, 3)))
    steer(night, "table", player=[one.pk for one in chosen])


def bring_table(night: Night) -> None:
    host = night.rng.choice(night.people)
    table = open_table(host, game=GAME, now=night.now, options={"minutes": 60})
    night.press(host, action="bring", version=night.evening.version, table=table.id)


def _number(night: Night) -> int:
    rows = SessionTable.objects.filter(timed_session=night.pk).order_by("number").values_list("number", flat=True)
    return night.rng.choice([*rows, 1])


def close_table(night: Night) -> None:
    steer(night, "close", table=_number(night))


def begin_table(night: Night) -> None:
    steer(night, "begin", table=_number(night))


def extend(night: Night) -> None:
    steer(night, "extend", minutes=night.rng.choice((5, 20, -5, -25, 0)))


def pause(night: Night) -> None:
    steer(night, "pause")


def resume(night: Night) -> None:
    steer(night, "resume")


def end(night: Night) -> None:
    steer(night, "end")


def undo(night: Night) -> None:
    """Take a step back: the last one, or any other; where nothing lay between, it is as it was before it."""
    steps = [one for one in evening_log.list_steps(evenings.find(night.pk)) if not is_reverted(one)]
    if steps:
        step = steps[0] if night.rng.random() < 0.6 else night.rng.choice(steps)
        revert(night, step)


def undo_and_redo(night: Night) -> None:
    step = next((one for one in evening_log.list_steps(evenings.find(night.pk)) if not is_reverted(one)), None)
    before = night.dump()
    if step is not None and not revert(night, step):
        back = Step.objects.filter(evening=night.pk).latest("number")
        assert is_redo(back) == (not is_redo(step))
        if not revert(night, back):
            assert night.compare(before), f"{step.kind} done again is not as before"


def revert(night: Night, step: Step) -> str:
    """Take it back; where it was the last one, everything is as it was before it."""
    expected = night.before.get(step.number) if step.number == night.seen else None
    sentence = night.press(night.people[0], action="undo", step=step.number)
    if not sentence and expected is not None and night.seen == step.number + 1:
        assert night.compare(expected), f"{step.kind} taken back is not as before"
    return sentence


def come(night: Night) -> None:
    """Everybody, or one person, comes to a table that waits."""
    if tables := night.tables(WAITING):
        table = night.rng.choice(tables)
        there = [place.player_id for place in table.places if place.player_id]
        for pk in there if night.rng.random() < 0.7 else there[:1]:
            night.act(f"{pk} comes", lambda pk=pk: seats.come_back(table.id, pk, now=night.now))  # type: ignore[misc]


def leave(night: Night) -> None:
    if tables := night.tables():
        table = night.rng.choice(tables)
        there = [place.player_id for place in table.places if place.player_id]
        if there:
            pk = night.rng.choice(there)
            night.act(f"{pk} leaves", lambda: seats.leave(table.id, pk, now=night.now))


def play(night: Night) -> None:
    if tables := night.tables(PLAYING):
        table_id = night.rng.choice(tables).id
        night.act("some moves", lambda: _play_on(night, table_id))


def _play_on(night: Night, table_id: str) -> None:
    table = store.refresh(table_id)
    for _ in range(PLIES):
        if table.status == OVER or table.desk.paused_at is not None:
            return
        place = table.place(to_move(table))
        assert place is not None
        if place.player_id is None or place.seat in table.desk.stand_ins:
            table = moves.play_bot(table.id, ply=table.ply, now=night.now) or store.refresh(table_id)
            continue
        move, key = dict(night.rng.choice(legal(table, place.seat))), f"k{table.ply}"
        table = moves.submit_move(table.id, place.player_id, move, ply=table.ply, key=key, now=night.now).table


def wait(night: Night) -> None:
    night.pass_time(night.rng.choice((5.0, 60.0, 310.0, 900.0)))


WEIGHTS: dict[Callable[[Night], None], int] = {
    add_table: 6, bring_table: 2, close_table: 3, begin_table: 2, extend: 4, pause: 3, resume: 5, end: 1, undo: 8,
    undo_and_redo: 4, come: 6, leave: 1, play: 4, wait: 4,
}  # fmt: skip


def walk(night: Night, steps: int) -> None:
    """Anything, so many times."""
    for _ in range(steps):
        [act] = night.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
        act(night)
        if night.rng.random() < 0.2:
            night.check_pages()
