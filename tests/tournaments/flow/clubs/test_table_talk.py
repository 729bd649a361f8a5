"""Organisers clear what was said at the tables of their club, and at no others."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import models
from games.play.errors import NotAllowed
from games.play.storage import store
from games.play.talk import table_talk
from tests.cast import NOW, browser, open_table, person
from tests.tournaments.cast import NAMES, begin, enter, found, release
from tournaments.flow.evenings import sessions
from tournaments.models import Membership, Pod, Role, SessionTable


@pytest.fixture
def organiser(ana: models.Player) -> models.Player:
    """Organises Ana's club."""
    made = person("Otto")
    Membership.objects.create(club=found(ana), player=made, role=Role.ORGANISER)
    return made


def list_phrases(table_id: str) -> list[str]:
    return [remark.phrase for remark in table_talk.list_remarks(store.reload(table_id), None).remarks]


def test_at_a_table_of_a_tournament(ana: models.Player, ben: models.Player, organiser: models.Player) -> None:
    club = Membership.objects.get(player=organiser).club
    tournament = begin(ana, (), club=club, venue="online", most=4)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    table_id = str(Pod.objects.get(round__tournament=tournament).table_id)
    table_talk.say(table_id, players[0], phrase="well-played", now=NOW)
    page = reverse("table", args=[table_id])
    offered = [
        reverse("clear_talk", args=[table_id]) in browser(one).get(page).content.decode() for one in (ben, organiser)
    ]
    assert offered == [False, True]
    with pytest.raises(NotAllowed):
        table_talk.clear(table_id, ben, is_staff=False, now=NOW)
    assert browser(organiser).post(reverse("clear_talk", args=[table_id])).status_code == 302
    assert list_phrases(table_id) == []


def test_at_a_table_of_an_evening(ana: models.Player, ben: models.Player, organiser: models.Player) -> None:
    club = Membership.objects.get(player=organiser).club
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW)
    table_id = SessionTable.objects.get().table_id
    table_talk.say(table_id, ana, phrase="thanks", now=NOW)
    table_talk.clear(table_id, organiser, is_staff=False, now=NOW)
    assert list_phrases(table_id) == []


def test_nowhere_else(ben: models.Player, organiser: models.Player) -> None:
    with pytest.raises(NotAllowed):
        table_talk.clear(open_table(ben).id, organiser, is_staff=False, now=NOW)
    elsewhere = begin(ben, (), venue="online", most=4)
    enter(elsewhere, *NAMES[:4])
    release(ben, elsewhere, 1)
    with pytest.raises(NotAllowed):
        table_talk.clear(str(Pod.objects.get().table_id), organiser, is_staff=False, now=NOW)
