"""Where it is not the points that say who stands where: the pages say what does, and show no points in short lists."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, play_round
from tests.tournaments.flow.test_formats import LADDER
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Tournament

CUT = {"format": "swiss-cut", "rounds_planned": 1, "cut_to": 4, "least": 4, "most": 4, "venue": "real"}
OF_CUT = "Entrants in the knockout are ranked by how far they got."
OF_LADDER = "Ranked by position on the ladder."


def page(tournament: Tournament, name: str, *args: str, **query: str) -> str:
    return Client().get(reverse(f"tournaments:{name}", args=[tournament.pk, *args]), query).content.decode()


def is_shown(tournament: Tournament) -> list[bool]:
    """Whether points stand on the overview, in the hall, on certificates."""
    total = re.findall(r"<b>(\d[\d.]*)</b>", page(tournament, "standings"))[0]
    front = page(tournament, "tournament").split('<ol class="top-list figures">')[1].split("</ol>")[0]
    hall = page(tournament, "hall")
    return [
        f'">{total}</span>' in front,
        re.search(f'<td class="points[^>]*>{total}<', hall) is not None,
        'class="points"' in page(tournament, "print", "certificates"),
    ]


def test_after_a_cut_places_are_those_of_the_knockout(ana: models.Player) -> None:
    one = begin(ana, NAMES[:8], **CUT)
    play_round(ana, one, 1)
    assert OF_CUT not in page(one, "standings") + page(one, "print", "standings")
    assert is_shown(one) == [True, True, True]
    play_round(ana, one, 2)
    assert OF_CUT not in page(one, "standings", round="1")
    assert OF_CUT in page(one, "standings")
    assert OF_CUT in page(one, "print", "standings")
    assert is_shown(one) == [False, False, False]


def test_on_a_ladder_it_is_the_rung(ana: models.Player) -> None:
    one = begin(ana, NAMES[:8], **LADDER, venue="real", rounds_planned=2)
    play_round(ana, one, 1)
    assert OF_LADDER in page(one, "standings")
    assert is_shown(one) == [False, False, False]


def test_a_certificate_bears_the_day_on_which_the_first_round_was_played(ana: models.Player) -> None:
    one = begin(ana, NAMES[:4], venue="real", rounds_planned=1)
    assert one.starts_at is None
    play_round(ana, one, 1)
    released_at = open_book(one).rounds[0].released_at
    assert released_at == NOW
    Tournament.objects.filter(pk=one.pk).update(created_at="2026-02-03T12:00:00Z")
    sheet = page(one, "print", "certificates")
    assert ("January 2055<" in sheet, "February 2026" in sheet) == (True, False)


@pytest.mark.parametrize(
    ("form", "sentence"), [({"format": "knockout"}, "4 people advance."), (CUT | {"cut_to": 5}, "5 people")]
)
def test_the_console_counts_who_goes_on(ana: models.Player, form: dict[str, object], sentence: str) -> None:
    one = begin(ana, NAMES[:8], **{"least": 4, "most": 4, "venue": "real"} | form)
    console = reverse("tournaments:console", args=[one.pk])
    assert "8 people are here." in browser(ana).get(console).content.decode()
    play_round(ana, one, 1)
    html = browser(ana).get(console).content.decode()
    assert (sentence in html, "8 people are here." in html) == (True, False)


def test_the_last_stretch_of_a_ladder_sends_nobody_anywhere(ana: models.Player) -> None:
    one = begin(ana, NAMES[:8], **LADDER, venue="real", rounds_planned=1)
    play_round(ana, one, 1)
    html = page(one, "ladder")
    assert ("moves up to" in html, "This is the last round." in html) == (False, True)


def test_who_sat_out_is_not_new_on_the_ladder(ana: models.Player) -> None:
    one = begin(ana, NAMES[:9], **LADDER, venue="real", rounds_planned=3)
    play_round(ana, one, 1)
    reasons = " ".join(draw(ana, one, 2).pods.values_list("reason", flat=True))
    assert ("sat out the last time" in reasons, "new on the ladder" in reasons) == (True, False)
