"""Plan again: templates of a club, a copy for the next week, and the same evening for many weeks."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import found, plan
from tests.tournaments.views.planning.test_plan_pages import FORM
from tournaments.flow.clubs import moderation
from tournaments.flow.planning import plan_templates
from tournaments.flow.planning.tournament_plan import read
from tournaments.models import ModerationStep, PlanTemplate, Tournament
from tournaments.words.moderation_words import say_step

THURSDAY = datetime(2026, 3, 26, 18, 30, tzinfo=UTC)
"""The clocks go forward three days later."""


def test_a_template_keeps_the_plan_and_not_the_day(ana: Player, ben: Player) -> None:
    tournament = plan(ana, wanted=5, capacity=20, starts_at=THURSDAY, entry_closes_at=THURSDAY)
    with pytest.raises(NotAllowed):
        plan_templates.save_template(tournament, ben, name="Thursdays", now=NOW)
    kept = plan_templates.save_template(tournament, ana, name=" Thursdays ", now=NOW)
    again = plan_templates.save_template(tournament, ana, name="Thursdays", now=NOW)
    assert (kept.pk, kept.name) == (again.pk, "Thursdays")
    template = plan_templates.read_template(tournament.club, kept.pk)
    assert (template.wanted, template.capacity, template.starts_at, template.entry_closes_at) == (5, 20, None, None)
    with pytest.raises(NotFound):
        plan_templates.read_template(found(ben, "Hill Club"), kept.pk)
    with pytest.raises(NotAllowed):
        plan_templates.delete_template(tournament.club, ben, kept.pk, now=NOW)
    plan_templates.delete_template(tournament.club, ana, kept.pk, now=NOW)
    assert not PlanTemplate.objects.exists()


def test_a_deleted_or_replaced_template_comes_back(ana: Player, ben: Player) -> None:
    fives = plan(ana, wanted=5, most=6)
    club, client = fives.club, browser(ana)
    sixes = plan(ana, club, wanted=6, most=6)
    for one in (fives, fives, sixes):  # the same again is no change
        plan_templates.save_template(one, ana, name="Thursdays", now=NOW)
    listed = reverse("tournaments:plan_templates", args=[club.slug])
    page = client.post(listed, {"delete": PlanTemplate.objects.get().pk}, follow=True).content.decode()
    assert "The template was deleted. You can undo this in the log under Moderation." in page
    saved, replaced, deleted = ModerationStep.objects.filter(kind="template").order_by("pk")
    assert [say_step(one) for one in (saved, replaced, deleted)] == [
        "saved the template “Thursdays”", "replaced the template “Thursdays”", "deleted the template “Thursdays”",
    ]  # fmt: skip
    with pytest.raises(NotAllowed):
        moderation.undo(club, ben, deleted.pk, now=NOW)
    with pytest.raises(Stale, match="changed again since"):
        moderation.undo(club, ana, replaced.pk, now=NOW)
    wanted = []
    for step in (deleted, replaced):
        moderation.undo(club, ana, step.pk, now=NOW)
        wanted.append(plan_templates.read_template(club, PlanTemplate.objects.get().pk).wanted)
    assert wanted == [6, 5]
    moderation.undo(club, ana, saved.pk, now=NOW)
    assert not PlanTemplate.objects.exists()


def test_a_template_comes_back_only_where_there_is_room(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = plan(ana)
    kept = plan_templates.save_template(tournament, ana, name="Thursdays", now=NOW)
    plan_templates.delete_template(tournament.club, ana, kept.pk, now=NOW)
    deleted = ModerationStep.objects.latest("pk")
    monkeypatch.setattr(plan_templates, "MAX_TEMPLATES", 0)
    with pytest.raises(BadInput):
        moderation.undo(tournament.club, ana, deleted.pk, now=NOW)
    deleted.refresh_from_db()
    assert deleted.undone_at is None


def test_a_copy_is_for_the_next_week_at_the_same_hour(ana: Player) -> None:
    tournament = plan(ana, starts_at=THURSDAY)
    with timezone.override(ZoneInfo("Europe/Berlin")):
        copy = plan_templates.copy_plan(tournament.club, tournament.pk, now=datetime(2026, 4, 1, tzinfo=UTC))
        assert copy.starts_at == datetime(2026, 4, 2, 17, 30, tzinfo=UTC)  # 19:30 in Berlin, as before
        soon = plan_templates.copy_plan(tournament.club, tournament.pk, now=datetime(2026, 3, 1, tzinfo=UTC))
        assert soon.starts_at == copy.starts_at
    assert copy.name == read(tournament).name


def test_the_form_plans_many_weeks_at_once(ana: Player) -> None:
    club = found(ana)
    url = reverse("tournaments:plan", args=[club.slug])
    form = FORM | {"starts_at": "2026-03-26T19:30", "zone": "Europe/Berlin", "weeks": "2"}
    assert browser(ana).post(url, form).status_code == 302
    starts = Tournament.objects.order_by("starts_at").values_list("starts_at", flat=True)
    assert list(starts) == [THURSDAY, datetime(2026, 4, 2, 17, 30, tzinfo=UTC)]
    refused = browser(ana).post(url, FORM | {"weeks": "2"})
    assert (refused.status_code, "needs a start time" in refused.content.decode()) == (422, True)
    with pytest.raises(BadInput):
        plan_templates.repeat_weekly(read(Tournament.objects.all()[0]), plan_templates.MAX_WEEKS + 1)


def test_the_preview_says_what_is_saved(ana: Player) -> None:
    club = found(ana)
    url = reverse("tournaments:plan", args=[club.slug])
    form = FORM | {"expected": "24", "length": "180", "starts_at": "2026-03-26T19:00"}
    shown = browser(ana).post(url, form | {"preview": "1"}).content.decode()
    assert all(what in shown for what in ("6 tables of 4", "5 rounds of 30 minutes", "2 h 54 min", 'data-night="5 30"'))
    assert not Tournament.objects.exists()
    changed = form | {"expected": "8", "proposed": "5 30", "round_minutes": "30"}  # as the script has filled it in
    assert 'data-night="2 60"' in browser(ana).post(url, changed | {"preview": "1"}).content.decode()
    assert browser(ana).post(url, changed).status_code == 302
    made = Tournament.objects.get()
    assert (made.rounds_planned, made.round_minutes) == (2, 60)
    typed = form | {"proposed": "5 30", "rounds_planned": "3", "round_minutes": "40"}
    assert "3 rounds of 40 minutes" in browser(ana).post(url, typed | {"preview": "1"}).content.decode()


@pytest.mark.parametrize(
    ("fields", "texts", "not_said"),
    [
        (
            {"format": "knockout", "expected": "32", "round_minutes": "40"},
            ("Last 32: 8 tables of 4", "Quarter-final: 4 tables of 4", "Semi-final: 2 tables of 4",
             "Final: 1 table of 4", "4 rounds of 40 minutes", "2 h 58 min", "10:58"),
            ("assumes", "Enter the expected"),
        ),
        (
            {"format": "swiss-cut", "expected": "24", "rounds_planned": "3", "cut_to": "8"},
            ("6 tables of 4", "Semi-final: 2 tables of 4", "Final: 1 table of 4", "5 rounds of 30 minutes",
             "There is no time limit. This assumes 30 min."),
            ("Quarter-final",),
        ),
        ({"format": "arena", "round_minutes": "90"}, ("The arena is open for 90 minutes.", "9:30"), ("expected",)),
        ({"format": "arena"}, ("Enter a length to see when the arena ends.",), ()),
        (
            {"format": "swiss", "expected": "12", "pace": "1", "round_days": "14", "rounds_planned": "3"},
            ("3 tables of 4", "3 rounds. Days until the deadline of each round: 14.", "at most 42 days"),
            ("minutes",),
        ),
        ({"format": "swiss"}, ("Enter the expected number of people to see tables",), ()),
    ],
)  # fmt: skip
def test_every_format_shows_what_it_will_look_like(
    ana: Player, fields: dict[str, str], texts: tuple[str, ...], not_said: tuple[str, ...]
) -> None:
    url = reverse("tournaments:plan", args=[found(ana).slug])
    form = FORM | {"starts_at": "2026-03-26T08:00", "preview": "1"} | fields
    shown = " ".join(browser(ana).post(url, form).content.decode().split())
    assert [what for what in texts if what not in shown] == [], shown
    assert [what for what in not_said if what in shown] == [], shown


def test_the_form_begins_with_a_template_or_a_copy(ana: Player) -> None:
    tournament = plan(ana, wanted=5, most=6)
    client, url = browser(ana), reverse("tournaments:plan", args=[tournament.club.slug])
    client.post(reverse("tournaments:revise", args=[tournament.pk]), {"template": "Fives"})
    template = PlanTemplate.objects.get(name="Fives")
    assert f"?template={template.pk}" in client.get(url).content.decode()
    for query in ({"template": template.pk}, {"copy": tournament.pk}):
        form = client.get(url, query).context["form"]
        assert (form["wanted"].value(), form["most"].value()) == (5, 6)
    assert client.get(url, {"template": "0"}).status_code == 404
    listed = reverse("tournaments:plan_templates", args=[tournament.club.slug])
    assert "Fives" in client.get(listed).content.decode()
    assert client.post(listed, {"delete": template.pk}).status_code == 302
    assert not PlanTemplate.objects.exists()
