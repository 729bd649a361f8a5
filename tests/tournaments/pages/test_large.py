"""What pages ask of the database does not grow with what there is."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player
from tests.cast import browser
from tests.tournaments.cast import begin, found


def test_the_list_of_tournaments_looks_at_neither_members_nor_entrants(ana: Player) -> None:
    club = found(ana)
    begin(ana, club=club)
    with CaptureQueriesContext(connection) as asked:
        shown = browser(ana).get(reverse("tournaments:tournaments")).content.decode()
    assert "Thursday" in shown
    assert not [one["sql"] for one in asked if '"tournaments_entrant"' in one["sql"]]
