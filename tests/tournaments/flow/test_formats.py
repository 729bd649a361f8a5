"""Every format to its end."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, Stale
from games.play.storage import store
from tests.cast import NOW, browser, come_to_table
from tests.tournaments.cast import NAMES, begin, draw, enter, entrant, play_round, release, standing, table_of
from tournaments.flow.drawing import drafts
from tournaments.flow.drawing.draw_context import build_problem
from tournaments.flow.entry import attendance, imports, organiser_decisions, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import PairRule, Phase, Pod, PodSeat, Rest, Round, Step, Tournament
from tournaments.scoring.standings import compute_lot

LADDER: dict[str, Any] = {
    "format": "ladder", "game": "animal-poker", "options": {"sessions": 1}, "most": 4, "round_minutes": 20
}  # fmt: skip


def finish(owner: models.Player, tournament: Tournament) -> None:
    phases.move_on(tournament, owner, Phase.FINISHED, now=NOW)
    phases.move_on(tournament, owner, Phase.ARCHIVED, now=NOW)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.ARCHIVED


def test_swiss(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:13], least=4, most=5, wanted=4, rounds_planned=3)
    for number in (1, 2, 3):
        play_round(ana, tournament, number)
        assert [len(pod) for pod in table_of(tournament, number)].count(4) == 2
    with pytest.raises(Stale, match="All rounds"):
        draw(ana, tournament, 4)
    points = [points for _, _, points in standing(tournament)]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 3 * 13 * 420
    finish(ana, tournament)


def test_who_did_not_come_has_met_nobody(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real")
    release(ana, tournament, 1)
    first, second = (list(pod.seats.order_by("index")) for pod in Pod.objects.order_by("number"))
    results.set_fate(tournament, ana, first[1].pk, PodSeat.Fate.NO_SHOW, now=NOW)
    results.set_fate(tournament, ana, second[1].pk, PodSeat.Fate.FORFEIT, now=NOW)
    [past] = build_problem(open_book(tournament), 2, seed="1").history
    there = [seat.entrant.name for seat in first if seat != first[1]], [seat.entrant.name for seat in second]
    assert past.pods == tuple(map(tuple, there))


def test_round_robin_is_one_plan(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="round-robin", most=4, rounds_planned=3)
    for number in (1, 2, 3):
        play_round(ana, tournament, number)
    plans = Round.objects.filter(tournament=tournament).values_list("solution", flat=True)
    assert len(set(plans)) == 1
    met = [pair for number in (1, 2, 3) for pod in table_of(tournament, number) for pair in combinations(pod, 2)]
    assert len(met) == 3 * 24
    finish(ana, tournament)


def test_knockout_ends_at_one_table(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="knockout", most=4, advance=2)
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    play_round(ana, tournament, 3)
    sizes = [[len(pod) for pod in table_of(tournament, number)] for number in (1, 2, 3)]
    assert sizes == [[4, 4, 4, 4], [4, 4], [4]]
    assert Round.objects.get(tournament=tournament, number=3).stage == "final"
    with pytest.raises(Stale, match="The knockout is decided"):
        draw(ana, tournament, 4)
    best = [name for name, _, _ in standing(tournament)[:4]]
    assert tuple(sorted(best)) == table_of(tournament, 3)[0]
    finish(ana, tournament)


def test_swiss_and_a_cut(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], format="swiss-cut", most=4, rounds_planned=2, cut_to=8, advance=2)
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    through = {name for name, _, _ in standing(tournament)[:8]}
    play_round(ana, tournament, 3)
    assert {name for pod in table_of(tournament, 3) for name in pod} == through
    play_round(ana, tournament, 4)
    final = table_of(tournament, 4)
    assert [len(pod) for pod in final] == [4]
    assert {name for name, _, _ in standing(tournament)[:4]} == set(final[0])
    finish(ana, tournament)


def test_byes_go_round_where_no_mix_fits(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], least=4, most=4, rounds_planned=3)
    for number in (1, 2, 3):
        play_round(ana, tournament, number)
    rested = list(Rest.objects.filter(round__tournament=tournament).values_list("entrant__name", flat=True))
    assert len(rested) == len(set(rested)) == 3


@pytest.mark.parametrize("form", ["swiss", "ladder"])
def test_nobody_sits_out_twice_before_everybody_has_once(ana: models.Player, form: str) -> None:
    overrides = LADDER if form == "ladder" else {"least": 4, "most": 4}
    tournament = begin(ana, NAMES[:5], **overrides, venue="real", rounds_planned=6)
    for number in range(1, 7):
        play_round(ana, tournament, number)
    rested = Rest.objects.filter(round__tournament=tournament, kind="bye").order_by("round__number")
    names = list(rested.values_list("entrant__name", flat=True))
    assert (len(names), len(set(names[:5]))) == (6, 5)


def test_bots_take_the_empty_chairs_and_go_again(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", bots_fill=True, least=4, most=4, rounds_planned=2)
    enter(tournament, *NAMES[:7])
    play_round(ana, tournament, 1)
    assert table_of(tournament, 1)[0] + table_of(tournament, 1)[1] != ()
    book = open_book(tournament)
    assert [one.name for one in book.entrants.values() if one.bot] == ["Bruno"]
    assert Rest.objects.filter(round__tournament=tournament).count() == 0
    enter(tournament, NAMES[7])
    play_round(ana, tournament, 2)
    assert {name for pod in table_of(tournament, 2) for name in pod} == set(NAMES[:8])
    assert "Bruno" in [name for name, _, _ in standing(tournament)]


@pytest.mark.parametrize(("can_talk", "is_rated", "talk"), [(True, True, "free"), (False, False, "phrases")])
def test_a_table_talks_and_counts_as_its_club_and_tournament_say(
    ana: models.Player, can_talk: bool, is_rated: bool, talk: str
) -> None:
    tournament = begin(ana, [], venue="online", bots_fill=True, least=4, most=4, rounds_planned=1, is_rated=is_rated)
    tournament.club.can_talk = can_talk
    tournament.club.save()
    enter(tournament, "Zoe", "Yan", "Xav", "Wes")
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    table = models.Table.objects.get()
    assert (table.talk, table.is_rated) == (talk, is_rated)


def seats_of(tournament: Tournament, number: int) -> list[tuple[str, ...]]:
    """The names of each pod of a round, by seat: the order of their places, as results are decided."""
    pods = Pod.objects.filter(round__tournament=tournament, round__number=number).order_by("number")
    return [tuple(pod.seats.order_by("index").values_list("entrant__name", flat=True)) for pod in pods]


@pytest.mark.parametrize("how", ["ladder", "swiss"])
def test_a_game_by_the_clock_lasts_until_the_bell_of_its_round(ana: models.Player, how: str) -> None:
    """Wherever it is moved, and from that moment on: the old one may be due before any sweeper comes."""
    tournament = begin(ana, [], **LADDER | {"options": {}, "format": how}, venue="online", rounds_planned=1)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    table_id = str(Pod.objects.get(round__tournament=tournament).table_id)
    for player in players:
        come_to_table(table_id, player.pk, now=NOW)
    extend = partial(lifecycle.extend, tournament, ana, 1, 10, key="k")

    def take_back(*, now: float) -> None:
        step_undo.revert(tournament, ana, Step.objects.get(kind="extend").number, now=now)

    for move, minutes in ((sweeper.sweep, 20), (extend, 30), (take_back, 20)):
        move(now=NOW + 1)
        bells = [clock.due for clock in store.reload(table_id).runtime.clocks if clock.event == {"clock": "time-up"}]
        assert bells == [NOW + minutes * 60], move


@pytest.mark.parametrize("stage", ["ladder", "knockout"])
def test_where_places_say_who_sits_together_nothing_else_is_laid_down(ana: models.Player, stage: str) -> None:
    overrides = LADDER if stage == "ladder" else {"format": "knockout", "most": 4, "advance": 2}
    tournament = begin(ana, NAMES[:8], **overrides, venue="real")
    first, second = entrant(tournament, "Ada"), entrant(tournament, "Bea")
    with pytest.raises(BadInput):
        organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, PairRule.Kind.APART, now=NOW)
    draw(ana, tournament, 1)
    pod = Pod.objects.filter(round__tournament=tournament).first()
    assert pod is not None
    with pytest.raises(BadInput):
        drafts.keep_pod(tournament, ana, pod.pk, locked=True, now=NOW)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert ('value="keep"' in page, 'value="pair-rule"' in page) == (False, False)


def test_who_comes_after_the_draw_is_in_the_next_one(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", least=4, most=5)
    console, overview = (reverse(f"tournaments:{name}", args=[tournament.pk]) for name in ("console", "tournament"))
    assert "You play from the next round." not in browser(ana).get(overview).content.decode()
    draw(ana, tournament, 1)
    assert "You play from the next round." in browser(ana).get(overview).content.decode()
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    assert "Arrived since this draw: Zoe." in browser(ana).get(console).content.decode()
    draw(ana, tournament, 1, again=True)
    assert sorted(map(len, table_of(tournament, 1))) == [4, 5]
    assert "Arrived since this draw" not in browser(ana).get(console).content.decode()
    sign_up.add_walk_in(tournament, ana, name="Yan", now=NOW)
    lifecycle.release(tournament, ana, 1, now=NOW)
    assert entrant(tournament, "Yan").joined_round == 2
    assert [name for name, _, _ in standing(tournament)].count("Yan") == 1


ARK: dict[str, Any] = {"game": "animals-on-board", "options": {}, "venue": "real"}
"""A game that three can play."""


@pytest.mark.parametrize(
    ("people", "sizes"), [(7, [[4, 3], [4]]), (9, [[3, 3, 3], [3, 3], [4]]), (11, [[4, 4, 3], [3, 3], [4]])]
)
def test_a_knockout_of_any_number_ends_at_one_table(ana: models.Player, people: int, sizes: list[list[int]]) -> None:
    tournament = begin(ana, NAMES[:people], **ARK, format="knockout", least=3, most=4)
    for number, expected in enumerate(sizes, start=1):
        play_round(ana, tournament, number)
        assert [len(pod) for pod in table_of(tournament, number)] == expected
    with pytest.raises(Stale, match="The knockout is decided"):
        draw(ana, tournament, len(sizes) + 1)
    finish(ana, tournament)


def test_nobody_new_comes_into_a_knockout_and_who_left_it_may_come_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="knockout", most=4, advance=2)
    draw(ana, tournament, 1)
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Pia").pk], now=NOW)
    draw(ana, tournament, 1, again=True)
    play_round(ana, tournament, 1)
    winners = seats_of(tournament, 1)[0][:2]
    acts: tuple[Any, ...] = (
        lambda: sign_up.add_walk_in(tournament, ana, name="Yan", now=NOW),
        lambda: sign_up.add_bot(tournament, ana, name="Bruno", level="steady", now=NOW),
        lambda: sign_up.add_imported(tournament, ana, imports.preview("Yan").good, now=NOW),
        lambda: enter(tournament, "Xav"),
    )
    for act in acts:
        with pytest.raises(Stale, match="Nobody new can join"):
            act()
    attendance.withdraw(tournament, ana, [entrant(tournament, winners[0]).pk], now=NOW)
    attendance.bring_back(tournament, ana, [entrant(tournament, winners[0]).pk], now=NOW)
    draw(ana, tournament, 2)
    assert set(winners) <= {name for pod in table_of(tournament, 2) for name in pod}


def test_a_knockout_knows_its_seeds_whatever_they_are_called(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], format="knockout", most=4, advance=2)
    play_seeds = [entrant(tournament, name) for name in NAMES[:8]]
    for seed, one in enumerate(play_seeds, start=1):
        type(one).objects.filter(pk=one.pk).update(rank_hint=seed)
    release(ana, tournament, 1)
    organiser_decisions.rename(tournament, ana, play_seeds[0].pk, "Adele", now=NOW)
    for pod in Pod.objects.filter(round__tournament=tournament):
        results.decide(tournament, ana, pod.pk, None, now=NOW)  # everybody shares: the better seeds go on
    lifecycle.complete(tournament, ana, 1, now=NOW)
    draw(ana, tournament, 2)
    assert table_of(tournament, 2) == [("Adele", "Bea", "Cem", "Dan")]


def test_the_lot_decides_who_of_equals_is_cut(ana: models.Player) -> None:
    tournament = begin(
        ana, NAMES[:12], format="swiss-cut", most=4, rounds_planned=1, cut_to=4, advance=2, tie_breaks=[]
    )
    release(ana, tournament, 1)
    for pod in Pod.objects.filter(round__tournament=tournament):
        results.decide(tournament, ana, pod.pk, None, now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert {place for _, place, _ in standing(tournament)} == {1}
    draw(ana, tournament, 2)
    everybody = sorted(range(1, 13), key=lambda number: -compute_lot(tournament.lot_seed, str(number)))
    assert table_of(tournament, 2) == [tuple(sorted(NAMES[number - 1] for number in everybody[:4]))]
