"""Every button of a console answers whatever is sent with a sentence, and changes nothing by it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from tests.cast import browser, person
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, draw, enter, plan_season, play_round, release
from tournaments.models import Entrant, Membership, Pod, PodSeat, Result, Role, Round, Season, Step, Tournament
from tournaments.views.rounds.buttons import ACTIONS
from tournaments.views.seasons import season_console
from tournaments.words.step_words import say_step

FIELDS = (
    "round", "pod", "seat", "entrant", "first", "second", "step", "result", "minutes", "points", "reason", "name",
    "club", "level", "kind", "what", "how", "fate", "missing", "on", "again", "key", "member", "tournament", "part",
    "place-0", "score-0", "seed", "seen",
)  # fmt: skip
JUNK = ("", "-1", "--5", "9" * 12, "9" * 40, "nan", "²", "😀 שלום\u202e", "\x00", "x" * 5000, "present")
STARTING = frozenset(
    {"pause", "resume", "bell", "begin", "complete", "finish", "archive", "open-entry", "check-in", "draw"}
)
"""They need nothing but the round, or not even that."""


def press(client: Client, tournament: Tournament | Season, action: str, junk: str) -> int:
    form: dict[str, Any] = {"action": action, **dict.fromkeys(FIELDS, junk)}
    return client.post(reverse("tournaments:do", args=[tournament.pk]), form).status_code


def test_whatever_is_sent_to_a_season_is_answered(ana: models.Player) -> None:
    season, client = plan_season(ana), browser(ana)
    for action in sorted(season_console.ACTIONS, key=lambda one: (one == "call-off", one)):
        answers = {press(client, season, action, junk) for junk in JUNK}
        assert answers <= {302, 400, 403, 404, 409}, action
    assert {*season.steps.values_list("kind", flat=True)} == {"plan", "open-season", "call-off"}
    page = client.get(reverse("tournaments:console", args=[season.pk]))
    assert (page.status_code, "<script>," in read_page(page)) == (200, False)


@pytest.mark.parametrize("page", ["console", "list", "table"])
def test_a_result_does_not_replace_one_that_its_form_did_not_show(ana: models.Player, page: str) -> None:
    """Nor silently: the second organiser reads why, opens the form again, sees the other result and can replace it."""
    tournament = begin(ana, NAMES[:4], most=4, venue="real")
    release(ana, tournament, 1)
    otto, pod = person("Otto"), Pod.objects.get(round__tournament=tournament)
    Membership.objects.create(club=tournament.club, player=otto, role=Role.ORGANISER)
    clients = [browser(who) for who in (ana, otto)]
    at_table = reverse("tournaments:pod", args=[tournament.pk, 1, 1])
    forms = {
        "console": reverse("tournaments:settle", args=[tournament.pk, 1]),
        "list": reverse("tournaments:scores", args=[tournament.pk]),
        "table": at_table,
    }
    to = reverse("tournaments:do", args=[tournament.pk]) if page == "console" else at_table

    def open_form(client: Client, address: str) -> str:
        return str(re.findall(r'name="seen" value="(\d+)"', read_page(client.get(address)))[0])

    def send(client: Client, seen: str, *places: int) -> str:
        form = {"action": "decide" if page == "console" else "enter", "pod": pod.pk, "seen": seen}
        form |= {f"place-{seat}": place for seat, place in enumerate(places)}
        return read_page(client.post(to, form, follow=True))

    seen = [open_form(client, forms[page]) for client in clients]
    send(clients[0], seen[0], 1, 2, 3, 4)
    assert "Somebody else has just changed this" in send(clients[1], seen[1], 4, 3, 2, 1)
    assert Result.objects.get(pod=pod, status="accepted").places == "[1,2,3,4]"
    again = open_form(clients[1], forms["console" if page == "console" else "table"])
    assert "Somebody else has just changed this" not in send(clients[1], again, 4, 3, 2, 1)
    assert Result.objects.get(pod=pod, status="accepted").places == "[4,3,2,1]"


@pytest.mark.parametrize("state", ["draft", "released"])
def test_whatever_is_sent_is_answered(ana: models.Player, state: str) -> None:
    tournament = begin(ana, NAMES[:4], most=4, rounds_planned=3)
    enter(tournament, *NAMES[4:8])
    play_round(ana, tournament, 1)
    (draw if state == "draft" else release)(ana, tournament, 2)
    client = browser(ana)
    before = list(Step.objects.filter(tournament=tournament).values_list("number", "kind"))
    for action in sorted(set(ACTIONS) - STARTING, key=lambda one: (one == "call-off", one)):
        answers = {press(client, tournament, action, junk) for junk in JUNK}
        assert answers <= {302, 400, 403, 404, 409}, action
    done = list(Step.objects.filter(tournament=tournament).exclude(number__in=[number for number, _ in before]))
    assert {step.kind for step in done} <= {"walk-in", "rename"}  # any line of text is one
    assert Round.objects.filter(tournament=tournament).count() == 2
    page = client.get(reverse("tournaments:console", args=[tournament.pk]))
    assert (page.status_code, "<script>," in read_page(page)) == (200, False)


def test_a_round_without_a_limit_is_not_extended_but_given_a_bell(ana: models.Player) -> None:
    """*Minutes more* in a round without a limit sets a bell counted from now, not from the start of the round."""
    tournament = begin(ana, NAMES[:4], venue="real", least=4, most=4)
    release(ana, tournament, 1)
    client, messages = browser(ana), []
    for minutes in (5, 5, -1):
        page = read_page(client.get(reverse("tournaments:console", args=[tournament.pk])))
        text = re.search(r'<label for="minutes">(.*?)</label>.*?min="(.*?)".*?value="extend">(.*?)<', page, re.DOTALL)
        key = re.search(r'name="key" value="(.*?)"', page)
        assert text is not None
        assert key is not None
        messages.append(text.groups())
        form = {"action": "extend", "round": 1, "minutes": minutes, "key": key[1]}
        assert client.post(reverse("tournaments:do", args=[tournament.pk]), form).status_code == 302
    again = ("Extra minutes", "-240", "Extend")
    assert messages == [("Minutes until the end", "1", "Set end time"), again, again]
    steps = Step.objects.filter(tournament=tournament, kind="extend").order_by("number")
    assert [say_step(step, format_slug=tournament.format) for step in steps] == [
        "set round 1 to end in 5 minutes",
        "made round 1 longer by 5 minutes",
        "made round 1 shorter by 1 minute",
    ]


def test_a_refused_walk_in_is_still_in_its_field(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], most=4)
    client, url = browser(ana), reverse("tournaments:do", args=[tournament.pk])
    typed = NAMES[0].upper()
    answer = client.post(url, {"action": "walk-in", "part": "walk-in", "name": typed}, follow=True)
    refused = read_page(answer)
    assert "is already in this tournament" in refused
    assert f'autocomplete="off" value="{typed}"' in refused
    assert not any(typed in to for to, _ in answer.redirect_chain), "a name stands in an address"
    assert f'value="{typed}"' not in read_page(client.get(answer.redirect_chain[-1][0])), "it is said once"
    added = client.post(url, {"action": "walk-in", "part": "walk-in", "name": f"{typed} B"}, follow=True)
    assert f'value="{typed}' not in read_page(added)


def test_one_wrong_value_among_right_ones_is_answered_and_does_nothing(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, venue="real", rounds_planned=3)
    release(ana, tournament, 1)
    seat = PodSeat.objects.filter(pod__round__tournament=tournament).order_by("pk")[0]
    one, other = Entrant.objects.filter(tournament=tournament).order_by("number")[:2]
    right: dict[str, dict[str, Any]] = {
        "fate": {"seat": seat.pk, "fate": "no-show"},
        "pair-rule": {"first": one.pk, "second": other.pk, "kind": "apart"},
        "people": {"what": "withdraw", "entrant": one.pk},
        "penalty": {"entrant": one.pk, "points": "1", "reason": "Late.", "key": "k"},
        "extend": {"round": 1, "minutes": 5, "key": "k"},
        "decide": {"pod": seat.pod_id, "place-0": 1, "place-1": 2, "place-2": 3, "place-3": 4},
    }
    client, url = browser(ana), reverse("tournaments:do", args=[tournament.pk])
    before = Step.objects.filter(tournament=tournament).count()
    for action, form in right.items():
        for field in form.keys() - {"reason", "key"}:
            for junk in set(JUNK) - {"", "-1"}:  # a penalty below nothing is a bonus
                answer = client.post(url, {"action": action, **form, field: junk})
                assert answer.status_code in (302, 400, 404), (action, field, junk)
                done = Step.objects.filter(tournament=tournament).count() - before
                assert done == 0, (action, field, junk)
    for action, form in right.items():
        client.post(url, {"action": action, **form})
    kinds = Step.objects.filter(tournament=tournament).order_by("number").values_list("kind", flat=True)
    assert list(kinds)[before:] == ["fate", "pair-rule", "withdraw", "penalty", "extend", "decide"]


def test_the_levels_of_bots_are_named_in_the_language_of_the_page(ana: models.Player) -> None:
    url = reverse("tournaments:console", args=[begin(ana, ()).pk])
    page = read_page(browser(ana).get(url, headers={"accept-language": "de"}))
    options = page.partition('id="bot-level"')[2].partition("</select>")[0]
    assert re.findall('value="(.*?)">(.*?)<', options) == [
        ("random", "spielt irgendetwas"),
        ("steady", "spielt vernünftig"),
        ("sharp", "spielt auf Sieg"),
    ]


def test_a_bot_is_offered_as_long_as_somebody_new_may_come_in(ana: models.Player) -> None:
    tournament = begin(ana, (), format="knockout", venue="mixed", most=4, advance=2)
    enter(tournament, *NAMES[:8])
    console = reverse("tournaments:console", args=[tournament.pk])
    for stage, is_offered in ((draw, True), (release, False)):
        stage(ana, tournament, 1)
        page = read_page(browser(ana).get(console))
        offers = ("Bot name" in page, "Names and bots" in page, 'id="walk-in"' in page)
        assert offers == (is_offered,) * 3
