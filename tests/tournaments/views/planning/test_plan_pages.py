"""A plan says beside a field what is wrong with it; every button of the console leads back to its place."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.models import Player
from tests.cast import browser
from tests.tournaments.cast import NAMES, begin, draw, found, plan, release
from tournaments.flow.entry import imports, sign_up
from tournaments.formats.base import POINT_FIELDS, TEAM_FIELDS
from tournaments.models import Tournament
from tournaments.views.forms.plan_form import LIVE_FIELDS, PlanForm

FORM = {
    "name": "Thursday", "game": "karriere-poker", "format": "swiss", "venue": "mixed", "rounds_planned": "5",
    "wanted": "4", "least": "4", "most": "5", "turn_seconds": "45", "grace_minutes": "5", "no_show": "bot",
    "points": "beaten", "points_table": "5, 3, 2, 1", "tie_breaks": "wins\nlot", "bye_points": "1",
    "absent_points": "0", "no_show_points": "0", "forfeit_points": "0", "repeat_worth": "1.5",
    "bot_level": "steady", "advance": "2", "cut_to": "8", "at_end": "finish", "zone": "UTC",
}  # fmt: skip


@pytest.mark.parametrize(
    ("overrides", "field", "sentence"),
    [
        ({"least": "3"}, "least", "This game is for 4 to 8 players."),
        (
            {"wanted": "6"},
            "wanted",
            "The preferred number of people at a table must lie between the minimum and the maximum.",
        ),
        ({"format": "ladder"}, "round_minutes", "Enter the minutes per round."),
        (
            {"format": "knockout", "advance": "4"},
            "advance",
            "The number of people advancing from each table must be at least 1",
        ),
        ({"tie_breaks": "luck"}, "tie_breaks", "Choose tie-breaks from this list"),
        ({"repeat_worth": "-1"}, "repeat_worth", "Ensure this value is greater than or equal to 0."),
        ({"starts_at": "9999-12-31T23:59"}, "starts_at", "A tournament must begin between the years 1900 and 2999."),
    ],
)
def test_what_is_wrong_stands_beside_its_field(
    ana: Player, overrides: dict[str, str], field: str, sentence: str
) -> None:
    club = plan(ana).club
    page = browser(ana).post(reverse("tournaments:plan", args=[club.slug]), FORM | overrides)
    assert page.status_code == 422
    said = re.search(rf'<ul class="errors" id="id_{field}_error">\s*<li>(.*?)</li>', page.content.decode())
    assert said is not None
    assert sentence in said[1]
    assert page.context["form"].non_field_errors() == []


@pytest.mark.parametrize(
    ("game", "sizes"),
    [("karriere-poker", (4, 4, 5)), ("animals-on-board", (3, 4, 4)), ("fancy-animals", (3, 4, 4))],
)
def test_a_name_and_a_game_are_enough(ana: Player, game: str, sizes: tuple[int, int, int]) -> None:
    club = plan(ana).club
    page = browser(ana).post(reverse("tournaments:plan", args=[club.slug]), FORM | {"name": "As it is", "game": game})
    assert page.status_code == 302
    made = Tournament.objects.get(name="As it is")
    assert (made.least, made.wanted, made.most) == sizes


def test_no_number_or_time_of_a_plan_is_typed_in_steps(ana: Player) -> None:
    """Forty minutes, and half past seven, are as good as a multiple of fifteen."""
    url = reverse("tournaments:plan", args=[plan(ana).club.slug])
    shown = browser(ana).get(url).content.decode()
    fields = re.findall(r"<input[^>]+>", shown)
    numbers = [one for one in fields if 'type="number"' in one or 'type="datetime-local"' in one]
    assert len(numbers) > 12
    steps = {step[1] for one in numbers if (step := re.search(r'step="([^"]+)"', one))}
    assert {step for step in steps if step != "any" and float(step) > 1} == set()
    form = FORM | {"name": "Odd", "round_minutes": "37", "length": "173", "starts_at": "2026-03-26T19:07"}
    assert browser(ana).post(url, form).status_code == 302
    assert Tournament.objects.get(name="Odd").round_minutes == 37


def test_sizes_that_somebody_chose_stay(ana: Player) -> None:
    form = PlanForm(FORM | {"game": "animals-on-board", "wanted": "3", "least": "2", "most": "4"})
    assert form.is_valid()
    assert (form.agreement().least, form.agreement().wanted, form.agreement().most) == (2, 3, 4)


@pytest.mark.parametrize(
    ("game", "typed", "seconds"),
    [("fancy-animals", "45", 120), ("fancy-animals", "60", 60), ("karriere-poker", "45", 45)],
)
def test_an_untouched_turn_time_is_that_of_the_game(ana: Player, game: str, typed: str, seconds: int) -> None:
    form = PlanForm(FORM | {"game": game, "wanted": "4", "least": "4", "most": "4", "turn_seconds": typed})
    assert form.is_valid(), form.errors
    assert form.agreement().turn_seconds == seconds


@pytest.mark.parametrize(
    ("venue", "has_scores"), [("mixed", False), ("apart", False), ("real", True), ("online", True)]
)
def test_the_share_of_scores_is_proposed_where_all_play_in_one_place(venue: str, *, has_scores: bool) -> None:
    proposed = PlanForm()["tie_breaks"].value()
    form = PlanForm(FORM | {"venue": venue, "tie_breaks": proposed})
    assert form.is_valid()
    assert ("ratio" in form.agreement().tie_breaks) == has_scores
    assert form.agreement().tie_breaks[:4] == ["opponents", "wins", "head-to-head", "best"]
    assert "ratio" not in proposed


def test_tie_breaks_are_chosen_one_after_the_other(ana: Player) -> None:
    club = found(ana)
    url = reverse("tournaments:plan", args=[club.slug])
    page = browser(ana).get(url).content.decode()
    assert page.count('<select name="tie_breaks"') == 6
    assert re.findall(r'<option value="([\w-]+)" selected>', page.partition('name="tie_breaks"')[2])[:5] == [
        "opponents", "wins", "head-to-head", "best", "lot",
    ]  # fmt: skip
    sent = {**FORM, "tie_breaks": ["lot", "", "wins", "", "", ""]}
    assert browser(ana).post(url, sent).status_code == 302
    assert Tournament.objects.get().tie_breaks == '["lot","wins"]'
    again = browser(ana).post(url, sent | {"name": "Again", "tie_breaks": ["lot", "wins", "lot"]})
    assert (again.status_code, Tournament.objects.count()) == (422, 1)
    assert "You chose “Lot” twice." in again.content.decode()


def test_fields_say_on_which_choice_they_depend() -> None:
    """A script of the page hides the others."""
    marks = {name: field.widget.attrs for name, field in PlanForm().fields.items()}
    depends = {name: (one["data-by"], one["data-values"].split()) for name, one in marks.items() if "data-by" in one}
    assert depends == {
        "advance": ("format", ["knockout", "swiss-cut"]),
        "cut_to": ("format", ["swiss-cut"]),
        "at_end": ("format", ["arena"]),
        "expected": ("format", ["swiss", "round-robin", "knockout", "swiss-cut", "ladder"]),
        "length": ("format", ["swiss", "round-robin", "ladder"]),
        "repeat_worth": ("format", ["swiss", "swiss-cut", "arena"]),
        **dict.fromkeys(
            (one for one in POINT_FIELDS if one != "points_table"),
            ("format", ["swiss", "round-robin", "swiss-cut", "ladder", "arena"]),
        ),
        "clubs_apart": ("format", ["swiss", "round-robin", "swiss-cut"]),
        **dict.fromkeys(TEAM_FIELDS, ("format", ["swiss", "round-robin", "swiss-cut"])),
        "rounds_planned": ("format", ["swiss", "round-robin", "swiss-cut", "ladder"]),
        "points_table": ("points", ["table"]),
        "pace": ("format", ["swiss", "round-robin", "knockout", "swiss-cut"]),
    }
    assert {name: one["data-pace"] for name, one in marks.items() if "data-pace" in one} == {
        "round_days": "days",
        **dict.fromkeys(LIVE_FIELDS, "live"),
    }
    assert marks["round_minutes"]["data-proposed"] == '{"ladder": 20, "arena": 90}'
    assert marks["deals"]["data-proposed"] == '{"arena": 3}'


def test_nothing_is_proposed_for_a_plan_that_there_is(ana: Player) -> None:
    page = browser(ana).get(reverse("tournaments:revise", args=[plan(ana).pk])).content.decode()
    assert ('data-by="format"' in page, "data-proposed" in page) == (True, False)


def test_tie_breaks_that_somebody_chose_stay() -> None:
    form = PlanForm(FORM | {"venue": "online", "tie_breaks": "ratio\nlot"})
    assert form.is_valid()
    assert form.agreement().tie_breaks == ["ratio", "lot"]


@pytest.mark.parametrize("state", ["planned", "draft", "released"])
def test_every_button_leads_back_to_a_place_on_the_page(ana: Player, state: str) -> None:
    if state == "planned":
        tournament = plan(ana)
    else:
        tournament = begin(ana, NAMES[:8], most=4, venue="mixed", rounds_planned=3)
        (draw if state == "draft" else release)(ana, tournament, 1)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    parts = set(re.findall(r'name="part" value="([^"]*)"', page)) | {"step"}
    assert parts <= set(re.findall(r' id="([^"]*)"', page))
    answer = browser(ana).post(reverse("tournaments:do", args=[tournament.pk]), {"action": "undo", "part": "pod-2"})
    assert answer["Location"].endswith("/console/#pod-2")
    for nonsense in ("", "a b", "x" * 40, "//evil", "é"):
        answer = browser(ana).post(
            reverse("tournaments:do", args=[tournament.pk]), {"action": "undo", "part": nonsense}
        )
        assert answer["Location"].endswith("/console/#step")


def test_the_log_counts_who_is_new(ana: Player) -> None:
    tournament = begin(ana, NAMES[:2], most=4, rounds_planned=3)
    preview = imports.preview(f"{NAMES[0]}\nQuentin\nRosa", present={NAMES[0]}, levels=())
    assert sign_up.add_imported(tournament, ana, preview.good, now=1.0) == 2
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk]))
    assert page.context["undo"]["what"] == "imported 2 entrants"


def test_what_is_settled_is_shown_and_not_asked_any_more(ana: Player) -> None:
    tournament = begin(ana)
    draw(ana, tournament, 1)
    page, address = browser(ana), reverse("tournaments:revise", args=[tournament.pk])
    form = page.get(address).context["form"]
    asked = {name: form[name].value() for name in form.fields if not form.fields[name].disabled}
    assert {"name", "venue", "grace_minutes"} <= asked.keys()
    assert asked.keys().isdisjoint({"game", "format", "wanted", "bye_points", "duplicate", "deals"})
    sent = {name: value for name, value in asked.items() if value not in (None, False)}
    assert page.post(address, sent | {"name": "Friday", "repeat_worth": "2"}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.repeat_worth, tournament.bye_points) == ("Friday", 1680, 840)
    asked_before = page.post(address, FORM | {"bye_points": "0.5"})
    assert asked_before.status_code == 422
    assert "After the first draw, you cannot change:" in asked_before.content.decode()
