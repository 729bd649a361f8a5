"""Duties for one night: one link, one person, nothing beyond the duty, and gone when it is withdrawn."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from tests.cast import NOW, browser, person
from tests.tournaments.cast import begin, play_round, release
from tournaments.flow.entry import duties
from tournaments.flow.people import merging
from tournaments.flow.rounds import results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import NightDuty, Pod, Result, Step, Tournament


@pytest.fixture
def night(ana: Player) -> Tournament:
    """A round under way at one real table of four."""
    tournament = begin(ana, ["Ada", "Bea", "Cem", "Dan"], venue="real")
    release(ana, tournament, 1)
    tournament.refresh_from_db()
    return tournament


def test_a_link_is_for_one_person_and_twice_is_once(ana: Player, ben: Player, night: Tournament) -> None:
    link = duties.give_duty(night, ana, "scorer", name="Ben", now=NOW)
    duties.take_duty(night, ben, link.token, now=NOW)
    duties.take_duty(night, ben, link.token, now=NOW)
    with pytest.raises(Stale, match="Somebody else"):
        duties.take_duty(night, person("Eve"), link.token, now=NOW)
    kinds = night.steps.filter(kind__endswith="duty").order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["give-duty", "take-duty"]


def test_a_scorer_decides_results_of_the_round_and_nothing_else(ana: Player, ben: Player, night: Tournament) -> None:
    link = duties.give_duty(night, ana, "scorer", name="Ben", now=NOW)
    pod = Pod.objects.get(round__tournament=night)
    with pytest.raises(NotAllowed):
        results.enter(night, ben, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    duties.take_duty(night, ben, link.token, now=NOW)
    results.enter(night, ben, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    assert Result.objects.get(status="accepted").places == "[1,2,3,4]"
    with pytest.raises(NotAllowed):
        results.decide(night, ben, pod.pk, None, is_void=True, now=NOW)
    seat = pod.seats.first()
    assert seat is not None
    with pytest.raises(NotAllowed):
        results.set_fate(night, ben, seat.pk, seat.Fate.FORFEIT, now=NOW)
    client = browser(ben)
    for name in ("console", "duties", "revise", "door", "import", "log"):
        assert client.get(reverse(f"tournaments:{name}", args=[night.pk])).status_code == 403
    assert client.get(reverse("tournaments:scores", args=[night.pk])).status_code == 200
    duties.withdraw_duty(night, ana, link.pk, now=NOW)
    assert client.get(reverse("tournaments:scores", args=[night.pk])).status_code == 403
    with pytest.raises(NotFound):
        duties.take_duty(night, ben, link.token, now=NOW)


def test_a_scorer_does_not_correct_past_rounds(ana: Player, ben: Player) -> None:
    tournament = begin(ana, ["Ada", "Bea", "Cem", "Dan"], venue="real")
    play_round(ana, tournament, 1)
    tournament.refresh_from_db()
    link = duties.give_duty(tournament, ana, "scorer", name="Ben", now=NOW)
    duties.take_duty(tournament, ben, link.token, now=NOW)
    pod = Pod.objects.get(round__tournament=tournament)
    with pytest.raises(NotAllowed):
        results.decide(tournament, ben, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW)


def test_only_organisers_make_and_withdraw_links(ana: Player, ben: Player, night: Tournament) -> None:
    with pytest.raises(NotAllowed):
        duties.give_duty(night, ben, "door", name="Ben", now=NOW)
    with pytest.raises(BadInput):
        duties.give_duty(night, ana, "owner", name="Ben", now=NOW)
    link = duties.give_duty(night, ana, "door", name="Ben", now=NOW)
    with pytest.raises(NotAllowed):
        duties.withdraw_duty(night, ben, link.pk, now=NOW)
    for _ in range(duties.MAX_DUTIES - 1):
        duties.give_duty(night, ana, "door", name="Ben", now=NOW)
    with pytest.raises(BadInput, match="too many"):
        duties.give_duty(night, ana, "door", name="Ben", now=NOW)


def test_a_guest_opens_the_link_gives_a_name_and_is_on_duty(ana: Player, night: Tournament) -> None:
    client = browser(ana)
    url = reverse("tournaments:duties", args=[night.pk])
    assert client.post(url, {"duty": "scorer", "name": "Ben"}).status_code == 302
    link = NightDuty.objects.get()
    assert link.token in client.get(url).content.decode()
    guest = client.__class__()
    take = reverse("tournaments:duty", args=[night.pk, link.token])
    assert "Scorer" in guest.get(take).content.decode()
    answer = guest.post(take, {"name": "Benno"}, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("tournaments:scores", args=[night.pk])
    assert "Ada" in answer.content.decode()
    page = client.get(url).content.decode()
    assert ("Benno" in page, link.token in page) == (True, False)
    text = client.get(reverse("tournaments:log", args=[night.pk])).content.decode()
    assert all(what in text for what in ("took over the results", "made a link to the results for Ben"))
    assert client.post(url, {"withdraw": link.pk}).status_code == 302
    assert not NightDuty.objects.exists()
    assert Step.objects.filter(tournament=night, kind="end-duty").count() == 1


def test_a_guest_who_makes_an_account_keeps_the_duty(ana: Player, ben: Player, night: Tournament) -> None:
    guest = person("Guest")
    for who in (guest, ben):
        link = duties.give_duty(night, ana, "door", name=who.name, now=NOW)
        duties.take_duty(night, who, link.token, now=NOW)
    account = person("Account")
    merging.merge(guest.pk, account.pk)
    assert NightDuty.objects.filter(player=account, duty="door").count() == 1
    merging.merge(ben.pk, account.pk)  # who has it already
    assert NightDuty.objects.filter(player=account, duty="door").count() == 1
