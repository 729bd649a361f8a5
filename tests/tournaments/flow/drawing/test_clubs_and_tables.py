"""People of one club apart, people with a fixed table at theirs."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput, NotAllowed
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, entrant, release, table_of
from tournaments.flow.drawing import drafts
from tournaments.flow.drawing.table_numbers import number_tables
from tournaments.flow.entry import organiser_decisions
from tournaments.models import Entrant, Pod, PodSeat, Tournament

CLUBS = {"Ada": "Hill", "Bea": "hill", "Cem": "Lake", "Dan": "Lake", "Eli": "", "Fay": ""}


def build(ana: Player, rule: str, names: tuple[str, ...] = NAMES[:8]) -> Tournament:
    tournament = begin(ana, names, venue="real", wanted=4, most=4, clubs_apart=rule)
    for name, club in CLUBS.items():
        Entrant.objects.filter(tournament=tournament, name=name).update(club_name=club)
    return tournament


def list_mates(tournament: Tournament, number: int) -> list[set[str]]:
    tables = [set(names) for names in table_of(tournament, number)]
    return [pair for pair in ({"Ada", "Bea"}, {"Cem", "Dan"}) if any(pair <= names for names in tables)]


@pytest.mark.parametrize("rule", ["wish", "must"])
def test_people_of_one_club_are_drawn_apart(ana: Player, rule: str) -> None:
    tournament = build(ana, rule)
    draw(ana, tournament, 1)
    assert list_mates(tournament, 1) == []


def test_a_must_that_cannot_be_kept_is_named_and_a_wish_is_drawn(ana: Player) -> None:
    for rule, is_drawn in (("wish", True), ("must", False)):
        tournament = build(ana, rule, NAMES[:4])
        made = draw(ana, tournament, 1)
        assert (bool(made.pods.count()), bool(made.trouble)) == (is_drawn, not is_drawn)


def test_a_must_holds_for_what_is_changed_by_hand(ana: Player) -> None:
    tournament = build(ana, "must")
    draw(ana, tournament, 1)
    ada = PodSeat.objects.get(entrant__name="Ada", pod__round__tournament=tournament)
    other = PodSeat.objects.exclude(entrant__name="Bea").filter(pod__seats__entrant__name="Bea").first()
    assert other is not None
    with pytest.raises(BadInput, match="may not meet"):
        drafts.swap(tournament, ana, 1, ada.entrant_id, other.entrant_id, key="k", now=NOW)
    assert list_mates(tournament, 1) == []


def number(
    *pods: tuple[int | None, ...], online: tuple[int, ...] = (), is_free: bool = True
) -> list[tuple[int, int | None]]:
    people = [
        [Entrant(number=at * 10 + seat, fixed_table=one) for seat, one in enumerate(pod)] for at, pod in enumerate(pods)
    ]
    return number_tables(people, [at in online for at in range(len(pods))], is_free=is_free)


def test_tables_are_numbered_so_that_everybody_has_their_fixed_one() -> None:
    none = (None, None)
    assert number(none, none, none) == [(1, None), (2, None), (3, None)]
    assert number((3, None), none, none) == [(3, None), (2, None), (1, None)]
    assert number(none, (1, None), (2, None)) == [(3, None), (1, None), (2, None)]
    assert number((7, None), none) == [(1, 7), (2, None)]
    assert number((2, 1), none) == [(2, None), (1, None)]  # the one who entered first
    assert number((2, None), (2, None)) == [(2, None), (1, None)]
    assert number((2, None), none, online=(0,)) == [(1, None), (2, None)]
    assert number((2, None), none, is_free=False) == [(1, None), (2, None)]


def test_a_fixed_table_counts_from_the_next_draw_on_and_is_undone_like_any_step(ana: Player, ben: Player) -> None:
    tournament = begin(ana, venue="real", wanted=4, most=4)
    with pytest.raises(NotAllowed):
        organiser_decisions.fix_table(tournament, ben, entrant(tournament, "Ada").pk, 2, now=NOW)
    with pytest.raises(BadInput):
        organiser_decisions.fix_table(tournament, ana, entrant(tournament, "Ada").pk, 0, now=NOW)
    client, url = browser(ana), reverse("tournaments:do", args=[tournament.pk])
    form = {"action": "fixed-table", "entrant": entrant(tournament, "Ada").pk, "table": "2", "part": "further"}
    assert client.post(url, form).status_code == 302
    release(ana, tournament, 1)
    assert Pod.objects.get(round__number=1, seats__entrant__name="Ada").number == 2
    page = client.get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert "set a fixed table for Ada: 2" in page
    assert client.post(url, form | {"table": ""}).status_code == 302
    assert entrant(tournament, "Ada").fixed_table is None


def test_a_draft_can_be_swapped_by_dragging_and_by_pressing(ana: Player) -> None:
    tournament = begin(ana, venue="real", wanted=4, most=4)
    draw(ana, tournament, 1)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    seat = PodSeat.objects.select_related("pod").get(entrant__name="Ada", pod__round__tournament=tournament)
    place = f"{seat.entrant_id}-{seat.pod.number}"
    assert f'data-place="{place}"' in page
    assert page.count(f'<option value="{place}"') == 2  # what the script chooses in the form
