"""Ladders: who moves where, who rests, and what is taken back."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from games import models
from games.play.errors import BadInput, Stale
from tests.cast import NOW
from tests.tournaments.cast import (
    NAMES,
    begin,
    draw,
    enter,
    entrant,
    import_file,
    play_round,
    release,
    standing,
    table_of,
)
from tests.tournaments.flow.standings.test_knockouts import let_bots_win
from tests.tournaments.flow.test_formats import LADDER, finish, seats_of
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.archive import tournament_document
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Pod, Rest, Round
from tournaments.words.terms import say_reasons


def test_a_ladder(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], **LADDER, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    first = seats_of(tournament, 1)
    assert [len(pod) for pod in first] == [4, 4, 4]
    assert [name for name, _, _ in standing(tournament)] == [name for pod in first for name in pod]
    play_round(ana, tournament, 2)
    one, two, three = (set(pod) for pod in first)
    assert [set(pod) for pod in seats_of(tournament, 2)] == [
        one - {first[0][3]} | {first[1][0]},
        two - {first[1][0], first[1][3]} | {first[0][3], first[2][0]},
        three - {first[2][0]} | {first[1][3]},
    ]
    play_round(ana, tournament, 3)
    with pytest.raises(Stale, match="All rounds"):
        draw(ana, tournament, 4)
    third = seats_of(tournament, 3)
    assert [name for name, _, _ in standing(tournament)] == [name for pod in third for name in pod]
    assert {played.stage for played in Round.objects.filter(tournament=tournament)} == {"ladder"}
    finish(ana, tournament)


def test_a_bot_on_an_empty_chair_is_not_first_on_a_ladder(ana: models.Player) -> None:
    """A bot that fills an empty seat ranks last, wherever it has climbed to."""
    tournament = begin(ana, [], **LADDER | {"venue": "online", "bots_fill": True}, least=4, rounds_planned=3)
    enter(tournament, *NAMES[:7])
    tournament.entrants.update(status="present")
    for number in (1, 2, 3):
        if number == 3:
            enter(tournament, "Zoe")
            tournament.entrants.filter(name="Zoe").update(status="present")
        release(ana, tournament, number)
        let_bots_win(ana, tournament, number)
        order = [name for name, _, _ in standing(tournament)]
        sat = {name for table in seats_of(tournament, number) for name in table}
        assert (order[-1], "Bruno" in sat) == ("Bruno", number < 3)
    document = json.loads(tournament_document.write_json(tournament_document.describe(open_book(tournament))))
    assert standing(import_file(tournament.club, ana, json.dumps(document).encode())) == standing(tournament)
    former = [(line.entrant, line.place) for line in list(ranking.rank_by_older_rules(open_book(tournament)))[-1]]
    assert former[-1][0] != "8"  # so archives of before have it
    points = {line["entrant"]: line["points"] for line in document["standings"]}
    document["standings"] = [
        {"place": place, "entrant": int(key), "points": points[int(key)]} for key, place in former
    ]  # fmt: skip
    assert standing(import_file(tournament.club, ana, json.dumps(document).encode())) == standing(tournament)


def test_a_ladder_says_who_moved_and_lets_the_last_rest(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], **LADDER, venue="real", rounds_planned=3)
    for number in (1, 2):
        play_round(ana, tournament, number)
    rested = list(Rest.objects.filter(round__tournament=tournament).values_list("entrant__name", flat=True))
    assert len(set(rested)) == 2
    pod = Pod.objects.get(round__tournament=tournament, round__number=2, number=1)
    first = seats_of(tournament, 1)
    sentence = say_reasons(msgspec.json.decode(pod.reason))
    assert sentence[0] == f"Moved up to this table: {first[1][0]}."
    assert sentence[1].startswith("Staying at this table: ")


def test_a_stretch_of_a_ladder_is_taken_back_and_climbed_again(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], **LADDER, venue="real", rounds_planned=3)
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    climbed = seats_of(tournament, 2), standing(tournament)
    undo(ana, tournament)
    assert standing(tournament) == standing(tournament, 1)
    undo(ana, tournament)
    assert (seats_of(tournament, 2), standing(tournament)) == climbed
    pod = Pod.objects.get(round__tournament=tournament, round__number=2, number=1)
    undo(ana, tournament)
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW)
    lifecycle.complete(tournament, ana, 2, now=NOW)
    assert standing(tournament)[0][0] == climbed[0][0][3]
    draw(ana, tournament, 3)
    assert climbed[0][0][0] not in table_of(tournament, 3)[0]
    undo(ana, tournament)
    assert Round.objects.filter(tournament=tournament).count() == 2


@pytest.mark.parametrize("overrides", [{"round_minutes": None}, {"game": "fancy-animals", "options": {}, "wanted": 4}])
def test_what_is_no_ladder(ana: models.Player, overrides: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        begin(ana, **LADDER | overrides)


def test_a_ladder_whose_tables_grow_and_shrink(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], **LADDER | {"most": 5}, venue="real", rounds_planned=4)
    play_round(ana, tournament, 1)
    first = seats_of(tournament, 1)
    assert [len(pod) for pod in first] == [5, 4]
    for name in ("Zoe", "Yan", "Xav"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    play_round(ana, tournament, 2)
    second = seats_of(tournament, 2)
    assert [len(pod) for pod in second] == [4, 4, 4]
    assert {"Zoe", "Yan", "Xav"} <= set(second[2])  # newcomers begin at the bottom
    assert set(second[0]) == {*first[0][:4]}  # one table holds one fewer, so the last of those who stay moves on
    away = entrant(tournament, second[0][0])
    attendance.set_away(tournament, ana, [away.pk], away=True, now=NOW)
    attendance.withdraw(tournament, ana, [entrant(tournament, second[2][3]).pk], now=NOW)
    play_round(ana, tournament, 3)
    third = seats_of(tournament, 3)
    assert [len(pod) for pod in third] == [5, 5]
    assert away.name not in {name for pod in third for name in pod}
    attendance.set_away(tournament, ana, [away.pk], away=False, now=NOW)
    play_round(ana, tournament, 4)
    assert away.name in seats_of(tournament, 4)[0]  # a rung is earned
    finish(ana, tournament)
