"""Whole nights by chance in every format: people come late, leave, stay away, forfeit; results are missing, voided,
taken back. Every table is held against what is stored, read a second time and by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from games import models
from games.play.errors import Refusal
from tests.cast import NOW
from tests.tournaments.cast import begin, draw
from tests.tournaments.flow.test_formats import LADDER
from tests.tournaments.scoring.test_oracle import Oracle
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import scheme_of
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Penalty, Pod, PodSeat, Rest, Result, Round, Step, Tournament
from tournaments.scoring.results import PodResult, RoundResult

ROUNDS = 4
PLANS: Mapping[str, Mapping[str, Any]] = {
    "swiss": {"rounds_planned": ROUNDS},
    "score": {"rounds_planned": ROUNDS, "points": "score", "tie_breaks": ["ratio", "head-to-head", "best"]},
    "table": {"rounds_planned": ROUNDS, "points": "table", "tie_breaks": ["head-to-head", "opponents", "lot"]},
    "round-robin": {"format": "round-robin", "rounds_planned": ROUNDS},
    "knockout": {"format": "knockout", "advance": 1},
    "swiss-cut": {"format": "swiss-cut", "rounds_planned": 2, "cut_to": 7, "advance": 2},
    "ladder": LADDER | {"rounds_planned": ROUNDS},
}


class Night:
    """A tournament at real tables, and what its tables said before."""

    def __init__(self, owner: models.Player, form: str, seed: str) -> None:
        self.rng, self.owner = Random(seed), owner
        least = 4 if form == "ladder" else self.rng.choice((2, 3, 4))
        sizes = {"least": least, "wanted": 4, "most": self.rng.choice((4, 4 if form == "score" else 6))}
        game = {"game": "animals-on-board", "options": {}, **sizes, "most": 4}
        people = [f"P{number}" for number in range(self.rng.randint(least, 13))]
        plan_fields = (game if form != "ladder" else sizes) | dict(PLANS[form]) | {"venue": "real"}
        plan_fields["advance"] = 1 if least == 2 else plan_fields.get("advance", 1)
        values = {f"{name}_points": self.rng.choice((-420, 0, 420)) for name in ("bye", "absent", "no_show", "forfeit")}
        self.one = begin(owner, people, **plan_fields, **values)
        self.shown_by_round: dict[int, Any] = {}

    def live(self) -> None:
        """To the end, or until nobody can go on."""
        number = 1
        while self.play_round(number):
            number += 1
            self.look()

    def play_round(self, number: int) -> bool:
        """Whether there was another round."""
        self.somebody_comes_or_goes()
        try:
            played = draw(self.owner, self.one, number)
        except Refusal:
            return False
        if played.trouble:
            return False
        self.check_draw(played)
        if self.rng.random() < 0.2:
            self.somebody_comes_or_goes()
            played = draw(self.owner, self.one, number, again=True)
            if played.trouble:
                return False
        lifecycle.release(self.one, self.owner, number, now=NOW)
        self.somebody_comes_or_goes()
        for pod in Pod.objects.filter(round=played):
            self.play_pod(pod)
        missing = "void" if self.one.points == "score" else self.rng.choice(("void", "shared"))
        lifecycle.complete(self.one, self.owner, number, missing=missing, now=NOW)
        if self.rng.random() < 0.3:
            self.take_back_and_do_again()
        return True

    def play_pod(self, pod: Pod) -> None:
        """A result, or none; perhaps one that counts for nobody, or of people who did not come."""
        for seat in pod.seats.all():
            if self.rng.random() < 0.1:
                fate = self.rng.choice((PodSeat.Fate.NO_SHOW, PodSeat.Fate.FORFEIT))
                results.set_fate(self.one, self.owner, seat.pk, fate, now=NOW)
        seats, luck = pod.seats.count(), self.rng.random()
        if luck < 0.1:
            return
        scores = tuple(self.rng.choice((-9, 0, 3, 3, 17, 99_999)) for _ in range(seats))
        places = tuple(1 + sum(other > one for other in scores) for one in scores)
        results.decide(self.one, self.owner, pod.pk, ReportedResult(places, scores), is_void=luck < 0.2, now=NOW)

    def somebody_comes_or_goes(self) -> None:
        """One or two things that people do."""
        for _ in range(self.rng.choice((0, 1, 2))):
            people = list(Entrant.objects.filter(tournament=self.one).order_by("number"))
            pk = self.rng.choice(people).pk
            what = self.rng.choice(("late", "withdraw", "return", "away", "back", "penalty"))
            with suppress(Refusal):
                if what == "late":
                    sign_up.add_walk_in(self.one, self.owner, name=f"P{len(people)}", now=NOW)
                elif what == "withdraw":
                    attendance.withdraw(self.one, self.owner, [pk], now=NOW)
                elif what == "return":
                    attendance.bring_back(self.one, self.owner, [pk], now=NOW)
                elif what == "penalty":
                    present = Round.objects.filter(tournament=self.one, status__in=["released", "complete"]).count()
                    self.shown_by_round = {
                        number: answers for number, answers in self.shown_by_round.items() if number < present
                    }
                    key = str(Step.objects.count())
                    organiser_decisions.penalise(self.one, self.owner, pk, points=420, reason="late", key=key, now=NOW)
                else:
                    attendance.set_away(self.one, self.owner, [pk], away=what == "away", now=NOW)

    def take_back_and_do_again(self) -> None:
        """The last step, whatever it was, undone and done again."""
        for _ in range(2):
            step = Step.objects.filter(tournament=self.one).order_by("-number")[0]
            with suppress(Refusal):
                step_undo.revert(self.one, self.owner, step.number, now=NOW)

    def check_draw(self, played: Round) -> None:
        """Everybody who is here sits once, or rests once; sizes are as agreed."""
        sitting = [seat.entrant for seat in PodSeat.objects.filter(pod__round=played).select_related("entrant")]
        resting = [rest.entrant for rest in Rest.objects.filter(round=played, kind="bye").select_related("entrant")]
        assert max(Counter(one.pk for one in [*sitting, *resting]).values()) == 1
        assert all(one.status == "present" and not one.is_away for one in [*sitting, *resting])
        here = Entrant.objects.filter(
            tournament=self.one, status="present", is_away=False, joined_round__lte=played.number
        )
        sizes = [pod.seats.count() for pod in Pod.objects.filter(round=played)]
        if played.stage in ("knockout", "final"):
            assert max(sizes) <= self.one.most
            assert min(sizes) >= (self.one.least if len(sizes) > 1 or resting else 2)
            return
        assert {one.pk for one in [*sitting, *resting]} == {*here.values_list("pk", flat=True)}
        assert self.one.least <= min(sizes) <= max(sizes) <= self.one.most

    def look(self) -> None:
        """Every table is what is stored, and what it was before."""
        book = open_book(Tournament.objects.get(pk=self.one.pk))
        for played in book.complete_rounds():
            lines = ranking.rank(book, played.number)
            shown = [(line.entrant, line.place, line.points, line.values) for line in lines]
            assert self.shown_by_round.setdefault(played.number, shown) == shown, played.number
            check(self.one, played.number, lines, book.tournament.format)
        assert ranking.rank(book) == ranking.rank(book, len(book.rounds))


def read(tournament: Tournament, after: int) -> tuple[list[str], list[RoundResult], list[RoundResult]]:
    """Who was in these rounds, the rounds that give points, and the stages of a knockout, straight from the rows."""
    people: set[str] = set()
    swiss: list[RoundResult] = []
    stages: list[RoundResult] = []
    for played in Round.objects.filter(tournament=tournament, number__lte=after).order_by("number"):
        pods = []
        for pod in Pod.objects.filter(round=played).order_by("number"):
            seats = list(pod.seats.order_by("index").values_list("entrant__number", "fate"))
            result = Result.objects.get(pod=pod, status="accepted")
            scores = msgspec.json.decode(result.scores)
            pods.append(
                PodResult(
                    tuple(str(number) for number, _ in seats), tuple(msgspec.json.decode(result.places)),
                    None if scores is None else tuple(scores), tuple(fate for _, fate in seats), result.is_void,
                )
            )  # fmt: skip
        rests = list(Rest.objects.filter(round=played).values_list("entrant__number", "kind"))
        taken: dict[str, int] = Counter()
        for penalty in Penalty.objects.filter(tournament=tournament, round_number=played.number):
            taken[str(penalty.entrant.number)] += penalty.points
        byes, absent = ([str(number) for number, kind in rests if kind == wanted] for wanted in ("bye", "absent"))
        round_result = RoundResult(tuple(pods), tuple(byes), tuple(absent), taken)
        (stages if played.stage in ("knockout", "final") else swiss).append(round_result)
        people |= {*byes, *absent, *(one for found in pods for one in found.entrants)}
    return sorted(people), swiss, stages


def check(tournament: Tournament, after: int, lines: Sequence[Any], form: str) -> None:
    """A table against a second reading."""
    people, swiss, stages = read(tournament, after)
    assert sorted(line.entrant for line in lines) == people
    oracle = Oracle(people, swiss, scheme_of(tournament))
    places = [line.place for line in lines]
    assert places == [1 + sum(other < place for other in places) for place in places]
    order = oracle.order()
    if form in ("swiss", "round-robin"):
        assert [(line.entrant, line.place, [line.points, *line.values]) for line in lines] == order
    if form == "ladder":
        assert sorted(places) == [*range(1, len(people) + 1)]
        assert {line.entrant: line.points for line in lines} == {one: actual[0] for one, _, actual in order}
        table_of = {one: index for index, pod in enumerate(swiss[-1].pods) for one in pod.entrants}
        tables = [table_of[line.entrant] for line in lines if line.entrant in table_of]
        assert tables == sorted(table_of.values())
    if form in ("knockout", "swiss-cut") and stages:
        reached = {one: index for index, stage in enumerate(stages) for pod in stage.pods for one in pod.entrants}
        reached |= {
            one: index for index, stage in enumerate(stages) for one in stage.byes if reached.get(one, 0) <= index
        }
        far = [reached.get(line.entrant, -1) for line in lines]
        assert far == sorted(far, reverse=True)
        before = {one: place for one, place, _ in order}
        out = [line for line in lines if line.entrant not in reached]
        if form == "swiss-cut":
            assert [before[line.entrant] for line in out] == sorted(before[line.entrant] for line in out)


@pytest.mark.parametrize("form", PLANS)
def test_a_night(ana: models.Player, form: str) -> None:
    Night(ana, form, f"night of {form}").live()


def test_everybody_meets_everybody_as_evenly_as_can_be(ana: models.Player) -> None:
    """Twelve at three tables of four, five rounds: no two meet a third time, and eleven can be met in four."""
    tournament = begin(ana, [f"P{number}" for number in range(12)], format="round-robin", most=4, rounds_planned=5)
    met: Counter[frozenset[str]] = Counter()
    for number in range(1, 6):
        played = draw(ana, tournament, number)
        lifecycle.release(tournament, ana, number, now=NOW)
        lifecycle.complete(tournament, ana, number, missing="shared", now=NOW)
        for pod in Pod.objects.filter(round=played):
            names = pod.seats.values_list("entrant__name", flat=True)
            met.update(frozenset(pair) for pair in combinations(names, 2))
    assert sum(met.values()) == 90
    assert max(met.values()) <= 2
