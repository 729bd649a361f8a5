"""Tournaments in which the game's own score counts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from games import models
from games.play.errors import BadInput
from games.rules import registry
from tests.cast import NOW, start_table
from tests.cast import finish as finish_table
from tests.tournaments.cast import NAMES, begin, enter, import_file, play_online, release, standing
from tests.tournaments.flow.test_formats import ARK
from tournaments.flow.archive import tournament_document
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult, check_result, needs_scores
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import PairRule, Pod, PodSeat, Result, Tournament
from tournaments.scoring.standings import compute_lot

SCORES: dict[str, Any] = {**ARK, "least": 4, "most": 4, "points": "score"}


@pytest.mark.parametrize("game", registry.slugs())
def test_a_game_ends_with_scores_if_it_says_so(ana: models.Player, game: str) -> None:
    options = {"karriere-poker": {"deals": 1}, "animal-poker": {"sessions": 1}}.get(game, {})
    table = finish_table(start_table(ana, game=game, options=options))
    assert table.outcome is not None
    assert (table.outcome.scores is not None) == registry.find(game).has_scores


@pytest.mark.parametrize("game", ["animal-poker", "super-zwierzaki"])
def test_a_game_without_scores_cannot_count_them(ana: models.Player, game: str) -> None:
    with pytest.raises(BadInput, match="no score of its own"):
        begin(ana, game=game, options={}, points="score")


def test_scores_come_from_the_table(ana: models.Player) -> None:
    tournament = begin(ana, [], **SCORES | {"venue": "online"}, rounds_planned=1)
    enter(tournament, *NAMES[:4])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    play_online(tournament, 1)
    sweeper.sweep(now=NOW)
    reported = Result.objects.get(pod__round__tournament=tournament)
    assert (reported.source, reported.status) == ("table", "accepted")
    lifecycle.complete(tournament, ana, 1, now=NOW)
    scores = msgspec.json.decode(reported.scores)
    assert [points for _, _, points in standing(tournament)] == sorted((840 * one for one in scores), reverse=True)


def test_without_scores_a_result_is_not_shared_by_all(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **SCORES)
    release(ana, tournament, 1)
    pod = Pod.objects.filter(round__tournament=tournament).order_by("number")[0]
    for reported in (None, ReportedResult((1, 2, 3, 4))):
        with pytest.raises(BadInput, match="counts the game score"):
            results.decide(tournament, ana, pod.pk, reported, now=NOW)
    with pytest.raises(BadInput, match="counts the game score"):
        lifecycle.complete(tournament, ana, 1, missing="shared", now=NOW)
    results.decide(tournament, ana, pod.pk, ReportedResult((1, 2, 3, 4), (12, 3, 0, -5)), now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    steps = msgspec.json.decode(tournament.steps.get(kind="complete").details)
    assert (steps["missing"], steps["as"]) == ([2], "void")
    assert [points for _, _, points in standing(tournament)] == [10080, 2520, 0, 0, 0, 0, 0, -4200]


@pytest.mark.parametrize(
    ("points", "reported"), [("score", ReportedResult((1,) * 4, (0,) * 4)), ("beaten", ReportedResult((1,) * 4))]
)
def test_where_nobody_came_nothing_is_asked_and_everybody_has_what_was_agreed(
    ana: models.Player, points: str, reported: ReportedResult
) -> None:
    tournament = begin(ana, NAMES[:4], **SCORES | {"points": points}, no_show_points=-420)
    release(ana, tournament, 1)
    stay_away(ana, tournament)
    needs = needs_scores(tournament)
    assert check_result([None] * 4, [None] * 4, seats=4, needs_scores=needs, gone=range(4)) == reported
    results.decide(tournament, ana, Pod.objects.get(round__tournament=tournament).pk, reported, now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert [points for _, _, points in standing(tournament)] == [-420] * 4


def stay_away(owner: models.Player, tournament: Tournament) -> None:
    """Nobody comes to any table."""
    for seat in PodSeat.objects.filter(pod__round__tournament=tournament):
        results.set_fate(tournament, owner, seat.pk, PodSeat.Fate.NO_SHOW, now=NOW)


def play_one_round_in_both_places(owner: models.Player, **overrides: Any) -> tuple[Tournament, set[str]]:
    """Four people at a screen table and four at a real one, places written down there without scores.

    With the names of those who played on screens."""
    tournament = begin(owner, NAMES[:4], **ARK | {"venue": "mixed"}, least=4, most=4, rounds_planned=1, **overrides)
    enter(tournament, "Zoe", "Yan", "Xav", "Wes")
    tournament.entrants.update(status="present")
    with_phones = tournament.entrants.exclude(player=None).order_by("number")
    for first, second in pairwise(with_phones):
        organiser_decisions.rule_pair(tournament, owner, first.pk, second.pk, PairRule.Kind.TOGETHER, now=NOW)
    release(owner, tournament, 1)
    for pod in Pod.objects.filter(round__tournament=tournament):
        scores = (40, 30, 20, 10) if pod.is_online else None
        results.decide(tournament, owner, pod.pk, ReportedResult((1, 2, 3, 4), scores), now=NOW)
    lifecycle.complete(tournament, owner, 1, now=NOW)
    seats = PodSeat.objects.filter(pod__round__tournament=tournament, pod__is_online=True)
    return tournament, set(seats.values_list("entrant__name", flat=True))


@pytest.mark.parametrize("overrides", [{}, {"tie_breaks": ["ratio", "lot"]}])
def test_of_equals_on_screens_and_at_real_tables_the_lot_says_who_is_ahead(
    ana: models.Player, overrides: dict[str, Any]
) -> None:
    """Where both are played people with the same points stand in the order of their lots, wherever they played."""
    tournament, on_screens = play_one_round_in_both_places(ana, **overrides)
    lots = {one.name: compute_lot(tournament.lot_seed, str(one.number)) for one in tournament.entrants.all()}
    table = standing(tournament)
    assert len(on_screens) == 4
    for first, second in zip(table[::2], table[1::2], strict=True):
        assert first[2] == second[2]
        assert (first[0] in on_screens) != (second[0] in on_screens)
        assert lots[first[0]] > lots[second[0]]


def test_an_archive_from_when_missing_scores_counted_as_none_is_read(ana: models.Player) -> None:
    tournament, on_screens = play_one_round_in_both_places(ana, tie_breaks=["ratio"])
    assert [place for _, place, _ in standing(tournament)] == [1, 1, 3, 3, 5, 5, 7, 7]
    described = msgspec.to_builtins(tournament_document.describe(open_book(tournament)))
    screen_keys = {one.number for one in tournament.entrants.all() if one.name in on_screens}
    described["standings"] = [line | {"place": line["place"] + (line["entrant"] not in screen_keys)}
                         for line in described["standings"]]  # fmt: skip
    assert standing(import_file(tournament.club, ana, msgspec.json.encode(described))) == standing(tournament)
    described["standings"][0]["place"] = 8
    with pytest.raises(BadInput, match="do not match its results"):
        import_file(tournament.club, ana, msgspec.json.encode(described))
