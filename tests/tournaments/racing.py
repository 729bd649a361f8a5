"""Runs two functions on one tournament at the same moment, in two processes, and checks the result."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

from django.db import connection, connections

from games import models
from games.play.errors import Busy, Refusal
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import come_to_table, person
from tests.tournaments import cast
from tests.tournaments.walk import laws
from tournaments.flow.drawing import draw_requests
from tournaments.flow.rounds import lifecycle
from tournaments.flow.undo import step_undo
from tournaments.models import Membership, Pod, Result, Role, Round, Step

Act = Callable[[], object]
NO_ANSWER = "BROKEN: no answer"
TIMEOUT_SECONDS = 5.0
"""How long a process waits for the database at least before it says that it is busy, in seconds."""


class Checked(Protocol):
    """Where a race is run."""

    def check(self) -> None:
        """Raises AssertionError if something is not as it must be at any time."""


class Race(NamedTuple):
    """What two people do at once, and what must be so then. answers: what each was told, empty if it was done."""

    stage: Checked
    acts: tuple[Act, Act]
    holds: Callable[[tuple[str, str]], object]

    def run(self) -> str:
        """What is wrong afterwards, empty if nothing is."""
        answers = run_both(self.acts)
        try:
            assert not any(remark.startswith("BROKEN") for remark in answers)
            self.holds(answers)
            self.stage.check()
        except AssertionError as error:
            return f"{answers} {error}"
        return ""


def is_so(got: object, wanted: object) -> None:
    """Raises AssertionError with both."""
    assert got == wanted, f"{got} instead of {wanted}"


def run_both(acts: tuple[Act, Act]) -> tuple[str, str]:
    """The sentence with which each was refused, in processes of their own; empty if it was done."""
    for one in connections.all(initialized_only=True):
        one.close()
        getattr(one, "close_pool", lambda: None)()  # it has threads, which a fork does not take along
    context = multiprocessing.get_context("fork")
    barrier, queue = context.Barrier(2), context.SimpleQueue()
    children = [context.Process(target=_run, args=(index, act, barrier, queue)) for index, act in enumerate(acts)]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
        child.kill()
    answers = {0: NO_ANSWER, 1: NO_ANSWER}
    while not queue.empty():
        answers |= [queue.get()]
    return answers[0], answers[1]


def _run(index: int, act: Act, barrier: Any, queue: Any) -> None:
    connection.ensure_connection()
    outcome = ""
    barrier.wait(60)
    time.sleep(random.random() * 0.006)
    try:
        _do(act)
    except Busy as error:
        outcome = f"BROKEN: busy, {error.__cause__!r}"
    except Refusal as refusal:
        outcome = refusal.template % refusal.values
    except Exception as error:  # noqa: BLE001 - the answer is what is looked at
        outcome = f"BROKEN: {error!r}"
    queue.put((index, outcome))


def _do(act: Act) -> None:
    """Again, as people do who are told so, where the database had been held for as long as anybody waits for it: by a
    machine with too much else to do. Sooner nobody is told that it is busy."""
    began = time.monotonic()
    try:
        act()
    except Busy:
        if time.monotonic() - began < TIMEOUT_SECONDS:
            raise
        act()


class Stage:
    """A club with two organisers, a member, and a tournament of eight."""

    def __init__(self, *, drawn: bool = False, released: bool = False, **overrides: Any) -> None:
        self.now = time.time()
        self.olga, self.otto, self.mara = person("Olga"), person("Otto"), person("Mara")
        self.one = cast.plan(self.olga, **{"venue": "real", "most": 4, "rounds_planned": 2, **overrides})
        Membership.objects.create(club=self.one.club, player=self.otto, role=Role.ORGANISER)
        Membership.objects.create(club=self.one.club, player=self.mara)
        cast.check_in(self.olga, self.one)
        self.players = cast.enter(self.one, *cast.NAMES[:8])
        if drawn or released:
            cast.draw(self.olga, self.one, 1)
        if released:
            self.release(self.olga)
        self.pods = list(Pod.objects.filter(round__tournament=self.one).order_by("number"))

    def check(self) -> None:
        """What holds in a tournament at any time."""
        laws.check(self.one)

    def release(self, who: models.Player) -> None:
        lifecycle.release(self.one, who, 1, now=self.now)

    def complete(self, who: models.Player, missing: str = "") -> None:
        lifecycle.complete(self.one, who, 1, missing=missing, now=self.now)

    def revert(self, who: models.Player, kind: str) -> Act:
        number = Step.objects.filter(tournament=self.one, kind=kind).latest("number").number
        return partial(step_undo.revert, self.one, who, number, now=self.now)

    def draw(self, who: models.Player, *, again: bool = False, instead: str = "") -> None:
        asked = draw_requests.request_draw(self.one, who, 1, again=again, instead=instead, now=self.now)
        if asked is not None:
            draw_requests.run_draw(asked.pk, asked.drawing, who, now=self.now)

    def count(self, kind: str) -> int:
        return Step.objects.filter(tournament=self.one, kind=kind).count()

    def status(self) -> list[str]:
        return list(Round.objects.filter(tournament=self.one).values_list("status", flat=True))

    def accepted(self) -> int:
        return Result.objects.filter(pod__in=self.pods, status="accepted").count()

    def sitting(self, pod: Pod) -> list[models.Player]:
        """Who sits in a pod, by seat."""
        rows = pod.seats.order_by("index").select_related("entrant__player")
        return [seat.entrant.player for seat in rows if seat.entrant.player is not None]

    def wait_for_the_last(self) -> tuple[LoadedTable, Act]:
        """The table of the first pod, for which one person is missing; and how they come."""
        table = store.refresh(self.pods[0].table_id or "")
        last, *others = [place.player_id for place in table.places]
        for pk in others:
            come_to_table(table.id, pk, now=self.now)
        return table, partial(come_to_table, table.id, last, now=self.now)
