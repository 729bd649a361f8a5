"""The admin of clubs and tournaments: searched, filtered, read-only where it is what was played, without secrets."""

from __future__ import annotations

import re
from html import unescape

import msgspec
import pytest
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from games import models
from games.presenters.names import name_animal
from tests.cast import NOW, finish, start_table
from tests.tournaments.cast import NAMES, begin, decide_all, release
from tournaments.admin.connections import DeliveryAdmin
from tournaments.admin.people import PersonResultAdmin
from tournaments.flow.clubs import api_keys, invitations
from tournaments.flow.counting import finished_tables, place_counts
from tournaments.flow.evenings import sessions
from tournaments.models import (
    BoardCount,
    CareerEntry,
    Club,
    Delivery,
    Membership,
    PersonResult,
    Pod,
    Role,
    Step,
    Tournament,
    Webhook,
)
from tournaments.words.terms import say_reasons

READ_ONLY = ("tournament", "entrant", "round", "pod", "result", "step", "timedsession", "delivery")
MODELS = (*READ_ONLY, "club", "membership", "invitation", "webhook", "apikey")


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """With a released round, a result, an evening, an invitation, a webhook and a key."""
    one = begin(ana, NAMES[:4], venue="real", most=4, duplicate=True)
    release(ana, one, 1)
    decide_all(ana, one, 1)
    sessions.open_evening(one.club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    invitations.invite(one.club, ana)
    hook = Webhook.objects.create(club=one.club, url="https://example.org/hook", secret="hook-secret-words")
    Delivery.objects.create(webhook=hook, event="result.in", key="k", body="{}", at=NOW, due_at=NOW)
    api_keys.make(one.club, ana, "score desk")
    return one


def change_url(model: str, pk: object) -> str:
    return reverse(f"admin:tournaments_{model}_change", args=[pk])


@pytest.mark.parametrize("model", MODELS)
def test_lists_are_searched_and_rows_looked_at(staff: Client, tournament: Tournament, model: str) -> None:
    url = reverse(f"admin:tournaments_{model}_changelist")
    assert staff.get(url).status_code == 200
    found = staff.get(url, {"q": "nobody has this name"})
    assert found.context["cl"].result_count == 0
    for entry in staff.get(url).context["cl"].result_list[:2]:
        page = staff.get(change_url(model, entry.pk))
        assert page.status_code == 200
        for hidden in secrets_of(tournament):
            assert hidden not in page.content.decode(), model
        if model != "step":  # what a step has changed stands there as it is kept
            assert re.findall(r">\s*(\d{10}\.\d+)", page.content.decode()) == [], "a moment in seconds"


def secrets_of(tournament: Tournament) -> list[str]:
    """What nobody may read in the admin."""
    return [
        tournament.entry_token,
        tournament.lot_seed,
        *models.SharedDeal.objects.values_list("secret", flat=True),
        *tournament.entrants.values_list("claim_token", flat=True),
        *tournament.club.invitations.values_list("token", flat=True),
        *tournament.club.api_keys.values_list("digest", flat=True),
        tournament.club.feed_token,
        "hook-secret-words",
    ]


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_was_played_is_changed_by_nobody(staff: Client, tournament: Tournament, model: str) -> None:
    assert staff.get(reverse(f"admin:tournaments_{model}_add")).status_code == 403
    entry = staff.get(reverse(f"admin:tournaments_{model}_changelist")).context["cl"].result_list[0]
    assert staff.post(change_url(model, entry.pk), {"name": "x"}).status_code == 403
    assert staff.post(reverse(f"admin:tournaments_{model}_delete", args=[entry.pk]), {"post": "yes"}).status_code == 403


def test_roles_are_put_right(staff: Client, tournament: Tournament, ben: models.Player) -> None:
    club = tournament.club
    member = Membership.objects.create(club=club, player=ben)
    assert f"/admin/tournaments/membership/?q={club.slug}" in staff.get(change_url("club", club.pk)).content.decode()
    assert staff.post(change_url("club", club.pk), {"name": "Harbour Club", "is_public": "on"}).status_code == 302
    form = {"role": Role.OWNER, "club": "99", "player": "99"}
    assert staff.post(change_url("membership", member.pk), form).status_code == 302
    member.refresh_from_db()
    assert (member.role, member.club, member.player, member.club.name) == (Role.OWNER, club, ben, "Harbour Club")


@pytest.mark.parametrize("is_one", [True, False])
def test_the_places_of_a_club_follow_who_is_in_it(
    staff: Client, tournament: Tournament, ben: models.Player, is_one: bool
) -> None:
    table = finish(start_table(ben, tournament.club.memberships.get().player, options={"deals": 1}))
    finished_tables.count_table(table.id, now=NOW)
    before = places_of(tournament.club)
    url = reverse("admin:tournaments_membership_changelist")
    form = {"club": tournament.club.pk, "player": ben.pk, "role": Role.MEMBER}
    assert staff.post(f"{url}add/", form).status_code == 302
    assert (sum(places_of(tournament.club).values()), place_counts.count_again()) == (2 * sum(before.values()), 0)
    made = Membership.objects.get(player=ben)
    gone = {"action": "delete_selected", "_selected_action": [made.pk], "post": "yes"}
    staff.post(f"{url}{made.pk}/delete/" if is_one else url, {"post": "yes"} if is_one else gone)
    assert (places_of(tournament.club), place_counts.count_again()) == (before, 0)


def places_of(club: Club) -> dict[tuple[int, str, int], int]:
    """How many members stand at which value of which board."""
    rows = BoardCount.objects.filter(club=club.pk, people__gt=0).values_list("board", "by", "value", "people")
    return {(board, by, value): people for board, by, value, people in rows}


def test_a_link_a_webhook_and_a_key_are_stopped(staff: Client, tournament: Tournament) -> None:
    club = tournament.club
    invitation, hook, key = club.invitations.get(), club.webhooks.get(), club.api_keys.get()
    staff.post(change_url("invitation", invitation.pk), {"withdrawn": "on"})
    staff.post(change_url("webhook", hook.pk), {})
    staff.post(reverse("admin:tournaments_apikey_delete", args=[key.pk]), {"post": "yes"})
    invitation.refresh_from_db()
    hook.refresh_from_db()
    assert (invitation.withdrawn, hook.is_active, club.api_keys.count()) == (True, False, 0)


def test_filters_find_what_went_wrong(staff: Client, tournament: Tournament) -> None:
    Pod.objects.update(trouble='["The club is closed.", {}]')
    url = reverse("admin:tournaments_pod_changelist")
    assert staff.get(url, {"trouble__isempty": "0"}).context["cl"].result_count == 1
    assert staff.get(url, {"trouble__isempty": "1"}).context["cl"].result_count == 0
    steps = staff.get(reverse("admin:tournaments_step_changelist"), {"kind__exact": "release"})
    assert steps.context["cl"].result_count == Step.objects.filter(kind="release").count() == 1


def test_nobody_but_staff_comes_in(tournament: Tournament) -> None:
    for model in MODELS:
        assert Client().get(reverse(f"admin:tournaments_{model}_changelist")).status_code == 302


@pytest.mark.parametrize(
    ("language", "texts"),
    [("en", ("Select tournament to", "Rounds planned", "Venue")),
     ("de", ("Turnier auswählen", "Geplante Runden", "Spielort")),
     ("pl", ("Wybierz i zobacz: turniej", "Planowane rundy", "Miejsce gry"))],
)  # fmt: skip
def test_the_admin_names_tables_and_columns_in_the_language_of_its_reader(
    staff: Client, tournament: Tournament, language: str, texts: tuple[str, ...]
) -> None:
    paths = reverse("admin:tournaments_tournament_changelist"), tournament_change(tournament)
    text = "".join(staff.get(path, headers={"Accept-Language": language}).content.decode() for path in paths)
    assert [words in text for words in texts] == [True, True, True]


SAME = {
    "ID",
    "mu",
    "rating",
    "sigma",
    "MFA",
    "bot",
    "status",
    "name",
    "version",
    "webhook",
    "format",
    "online",
    "problem",
}
"""Words that German or Polish has, too."""


def test_whatever_the_admin_shows_has_a_name_in_every_language(rf: RequestFactory) -> None:
    request = rf.get("/admin/")
    request.user = models.User(is_superuser=True, is_staff=True, is_active=True)
    labels_of = {language: labels(request, language) for language in ("en", "de", "pl")}
    assert len(labels_of["en"]) > 200
    for language in ("de", "pl"):
        untold = {words for key, words in labels_of["en"].items() if words == labels_of[language][key]} - SAME
        assert untold == set(), language


def labels(request: HttpRequest, language: str) -> dict[tuple[str, ...], str]:
    """What heads lists, columns and forms of ours."""
    names_shown: dict[tuple[str, ...], str] = {}
    with override(language):
        for model, page in admin.site._registry.items():
            names = model._meta
            if names.app_label not in ("games", "tournaments", "mfa"):
                continue
            names_shown |= {
                (names.label, "one"): str(names.verbose_name),
                (names.label, "many"): str(names.verbose_name_plural),
            }
            names_shown[names.app_label,] = str(names.app_config.verbose_name)
            shown = {*page.get_list_display(request), *(page.fields or (one.name for one in names.fields))}
            names_shown |= {
                (names.label, str(getattr(one, "admin_order_field", one))): str(label_for_field(one, model, page))
                for one in shown - {"__str__", *(page.exclude or ())}
            }
            for inline in page.inlines:
                names_shown[names.label, inline.model._meta.label] = str(inline.model._meta.verbose_name_plural)
                names_shown |= {
                    (inline.model._meta.label, str(one)): str(
                        label_for_field(str(one), inline.model, inline(model, admin.site))
                    )
                    for one in inline.fields or ()
                }
    return names_shown


def tournament_change(tournament: Tournament) -> str:
    return reverse("admin:tournaments_tournament_change", args=[tournament.pk])


@pytest.mark.parametrize(
    ("language", "model", "words"),
    [
        ("en", "tournament", {"Karriere Poker", "Swiss", "Under way"}),
        ("de", "tournament", {"Karriere Poker", "Schweizer System", "Läuft"}),
        ("de", "entrant", {"eingecheckt"}),
        ("pl", "round", {"zakończona", "ogłoszona"}),
        ("de", "result", {"angenommen", "Turnierleitung"}),
        ("de", "step", {"hat Runde … freigegeben"}),
        ("pl", "timedsession", {"Animal Poker"}),
        ("de", "membership", {"Clubleitung"}),
    ],
)
def test_stored_values_are_labelled(
    staff: Client, tournament: Tournament, language: str, model: str, words: set[str]
) -> None:
    """In the list and in its filter; none of the stored words is shown."""
    page = staff.get(reverse(f"admin:tournaments_{model}_changelist"), headers={"accept-language": language})
    shown = " ".join(re.findall(r">\s*([^<>]+?)\s*<", page.content.decode()))
    assert {one for one in words if one not in shown} == set()
    assert re.findall(r"\b(?:karriere-poker|animal-poker|swiss|running|present|accepted|owner)\b", shown) == []
    for row in page.context["cl"].result_list[:1]:
        assert staff.get(change_url(model, row.pk), headers={"accept-language": language}).status_code == 200


def test_a_job_and_an_animal_are_called_as_on_the_screens(
    staff: Client, tournament: Tournament, ana: models.Player
) -> None:
    table = finish(start_table(ana, options={"deals": 1}))
    entry = CareerEntry.objects.create(
        table_id=table.id, player=ana, game="karriere-poker", deal=9, seat=0, rank=5, of=5,
        job="dishwasher", spell=1, at=NOW,
    )  # fmt: skip
    for url in (reverse("admin:tournaments_careerentry_changelist"), change_url("careerentry", entry.pk)):
        page = staff.get(url, headers={"accept-language": "pl"}).content.decode()
        assert re.search(r">\s*Zmywak\s*<", page)
    entrant = tournament.entrants.filter(avatar="fox").first() or tournament.entrants.all()[0]
    page = staff.get(change_url("entrant", entrant.pk), headers={"accept-language": "de"}).content.decode()
    assert name_animal_in("de", entrant.avatar) in page


def name_animal_in(language: str, slug: str) -> str:
    with override(language):
        return name_animal(slug)


def test_a_list_is_filtered_by_a_labelled_value(staff: Client, tournament: Tournament) -> None:
    url = reverse("admin:tournaments_step_changelist")
    assert {row.kind for row in staff.get(url, {"kind__exact": "release"}).context["cl"].result_list} == {"release"}
    kinds = staff.get(url, {"kind__exact": "release"}, headers={"accept-language": "de"}).content.decode()
    assert re.search(r"<li class=\"selected\">\s*<a [^>]*kind__exact=release[^>]*>hat Runde … freigegeben", kinds)


def test_roles_are_chosen_by_their_labels(staff: Client, tournament: Tournament) -> None:
    member = tournament.club.memberships.get()
    page = staff.get(change_url("membership", member.pk), headers={"accept-language": "de"}).content.decode()
    assert '<option value="owner" selected>Clubleitung</option>' in page


def test_why_a_table_was_drawn_is_a_sentence(staff: Client, tournament: Tournament) -> None:
    pod = Pod.objects.get()
    with override("de"):
        sentences = [escape(one) for one in say_reasons(msgspec.json.decode(pod.reason))]
    assert sentences != []
    for url in (reverse("admin:tournaments_pod_changelist"), change_url("pod", pod.pk)):
        page = staff.get(url, headers={"accept-language": "de"}).content.decode()
        assert [one for one in sentences if one not in page] == []
        assert pod.reason not in unescape(page)


@pytest.mark.parametrize(("language", "said"), [("en", "0 rows"), ("de", "0 Einträge"), ("pl", "0 pozycji")])
def test_a_list_says_how_many_rows_it_has_in_one_phrase(staff: Client, language: str, said: str) -> None:
    """The framework glues a number and a plural together, which is wrong in Polish for most numbers."""
    staff.cookies["django_language"] = language
    page = staff.get(reverse("admin:tournaments_team_changelist"), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    assert said in " ".join(page.split())


def test_a_delivery_and_a_rating_are_said_in_the_language_of_the_reader() -> None:
    delivery, result = Delivery(answer="gaierror: [Errno -2] Name or service not known"), PersonResult(mu=25.5, sigma=8)
    with override("pl"):
        assert DeliveryAdmin(Delivery, admin.site).answered(delivery) == "Nie znaleziono tego serwera. Sprawdź adres."
        assert PersonResultAdmin(PersonResult, admin.site).skill(result) == "25,50 ± 8,00"
