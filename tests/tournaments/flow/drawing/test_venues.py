"""Half a room on phones has half the tables, and nobody sits out for it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F
from django.urls import reverse

from games import models
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, enter, entrant, play_round, table_of
from tournaments import draw as drawing
from tournaments.flow.drawing import venues
from tournaments.flow.entry import attendance, organiser_decisions
from tournaments.models import Entrant, PairRule, Pod, Rest, Tournament

PHONES = ("Zoe", "Yan", "Xav", "Wes", "Vik", "Ulf", "Tia", "Sol", "Rob", "Qin", "Pit", "Ora")


def evening(owner: models.Player, room: int, phones: int, **overrides: Any) -> Tournament:
    """So many walk-ins, and so many with a phone."""
    agreed: dict[str, Any] = {"venue": "apart", "least": 4, "most": 5, "rounds_planned": 4}
    tournament = begin(owner, NAMES[:room], **agreed | overrides)
    enter(tournament, *PHONES[:phones])
    ids = list(Entrant.objects.filter(tournament=tournament, status="entered").values_list("pk", flat=True))
    attendance.check_in(tournament, owner, ids, now=NOW)
    return tournament


def places(tournament: Tournament, number: int) -> list[tuple[bool, int, int]]:
    """Of each table whether it plays on screens, how many sit there, and how many of them have a screen."""
    pods = Pod.objects.filter(round__tournament=tournament, round__number=number).order_by("number")
    seats = [[seat.entrant.player_id is not None for seat in pod.seats.select_related("entrant")] for pod in pods]
    return [(pod.is_online, len(here), sum(here)) for pod, here in zip(pods, seats, strict=True)]


def test_half_on_phones_and_half_at_real_tables(ana: models.Player) -> None:
    tournament = evening(ana, 12, 12)
    drawn = draw(ana, tournament, 1)
    assert places(tournament, 1) == [(False, 4, 0)] * 3 + [(True, 4, 4)] * 3
    assert '"optimal":true' in drawn.solution
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    assert places(tournament, 2) == [(False, 4, 0)] * 3 + [(True, 4, 4)] * 3
    assert set(table_of(tournament, 1)).isdisjoint(table_of(tournament, 2))


@pytest.mark.parametrize(
    ("room", "phones", "expected"),
    [
        (11, 12, [(False, 4, 0), (False, 4, 1), (False, 5, 1), (True, 5, 5), (True, 5, 5)]),
        (2, 10, [(False, 4, 2), (True, 4, 4), (True, 4, 4)]),
        (4, 1, [(False, 5, 1)]),
        (5, 0, [(False, 5, 0)]),
        (0, 4, [(True, 4, 4)]),
    ],
)
def test_numbers_that_do_not_come_out(
    ana: models.Player, room: int, phones: int, expected: list[tuple[bool, int, int]]
) -> None:
    tournament = evening(ana, room, phones)
    draw(ana, tournament, 1)
    found = places(tournament, 1)
    assert sorted((online, size) for online, size, _ in found) == sorted((online, size) for online, size, _ in expected)
    assert sum(screens for online, _, screens in found if not online) == sum(
        screens for online, _, screens in expected if not online
    )


def test_it_is_not_always_the_same_who_fills_up(ana: models.Player) -> None:
    tournament = evening(ana, 3, 9, most=4)
    guests = set()
    for number in (1, 2, 3):
        play_round(ana, tournament, number)
        pod = Pod.objects.get(round__tournament=tournament, round__number=number, is_online=False)
        [guest] = pod.seats.exclude(entrant__player=None)
        assert f'["from the screens, to fill a table up: %(names)s",{{"names":["{guest.entrant.name}"]}}]' in pod.reason
        guests.add(guest.entrant_id)
    assert len(guests) == 3
    assert not Rest.objects.filter(round__tournament=tournament).exists()


def test_who_sits_with_somebody_without_a_screen_sits_in_the_room(ana: models.Player) -> None:
    tournament = evening(ana, 4, 8, most=5)
    first, second = entrant(tournament, "Ada"), entrant(tournament, "Zoe")
    organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, PairRule.Kind.TOGETHER, now=NOW)
    draw(ana, tournament, 1)
    there = Pod.objects.get(round__tournament=tournament, seats__entrant=first)
    assert (there.is_online, there.seats.filter(entrant=second).exists()) == (False, True)


@pytest.mark.parametrize(("room", "phones", "most"), [(4, 4, 4), (4, 5, 5), (5, 4, 5), (8, 4, 4)])
def test_who_may_not_meet_in_one_half_sits_with_the_other(
    ana: models.Player, room: int, phones: int, most: int
) -> None:
    """A draw of everybody together seats all people, if the rule leaves no draw of one half."""
    tournament = evening(ana, room, phones, most=most)
    names = NAMES if room == 5 else PHONES
    first, second = entrant(tournament, names[0]), entrant(tournament, names[1])
    organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, PairRule.Kind.APART, now=NOW)
    assert draw(ana, tournament, 1).trouble == ""
    assert sum(size for _, size, _ in places(tournament, 1)) == room + phones
    assert not any({first.name, second.name} <= {*names} for names in table_of(tournament, 1))


def test_bots_never_sit_in_the_room(ana: models.Player) -> None:
    tournament = evening(ana, 5, 6, most=4, bots_fill=True)
    draw(ana, tournament, 1)
    assert {pod.is_online for pod in Pod.objects.filter(seats__entrant__is_filler=True)} == {True}


def test_what_is_proven_of_both_is_proven_of_the_whole() -> None:
    def solved(*lines: tuple[int, int], stopped: str | None = None) -> drawing.Solution:
        named = tuple(drawing.ObjectiveLine(str(at), value, bound) for at, (value, bound) in enumerate(lines))
        return drawing.Solution((), (), named, stopped, 1.0)

    whole = venues.merge_solutions(solved((1, 1), (5, 4), (3, 3)), solved((0, 0), (2, 2), (1, 1), stopped=None))
    assert [(line.value, line.bound) for line in whole.objective] == [(1, 1), (7, 6), (4, 0)]
    assert (whole.optimal, whole.seconds) == (False, 2.0)


def test_the_draft_of_a_mixed_room_says_who_could_play_on_screens(ana: models.Player) -> None:
    tournament = evening(ana, 6, 6, venue="mixed", most=4)
    draw(ana, tournament, 1)
    idle = sum(screens for online, _, screens in places(tournament, 1) if not online)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert (f"{idle} people who play on devices sit at real tables." in page) == (idle >= 4)
    Tournament.objects.filter(pk=tournament.pk).update(venue="apart", version=F("version") + 1)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert "people who play on devices sit at real tables" not in page
