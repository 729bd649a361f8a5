"""The pages of lessons: what a move does, whose progress is kept, where it goes on, and to whom a lesson is offered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.play import lessons
from games.play.seats import player_changes
from games.rules import registry
from games.rules.lessons import Lesson
from tests.cast import NOW, browser, open_table, person, start_table

pytestmark = pytest.mark.django_db

GAME = "karriere-poker"
GAMES = pytest.mark.parametrize("slug", [slug for slug in registry.slugs() if registry.find_lesson(slug)])


def lesson_of(slug: str = GAME) -> Lesson:
    found = registry.find_lesson(slug)
    assert found is not None
    return found


def play(client: Client, step: str, move: Any, game: str = GAME) -> Any:
    body = json.dumps({"step": step, "move": move})
    return client.post(reverse("lesson_moves", args=[game]), body, content_type="application/json")


def read_page(client: Client, game: str = GAME, **query: str) -> str:
    answer = client.get(reverse("lesson", args=[game]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def shows(page: str, step: str) -> bool:
    return f'data-slug="{step}"' in page


def test_the_first_step_is_the_first_page() -> None:
    page = read_page(Client())
    assert shows(page, "lead")
    assert "You lead: tap your 3s, then the big button." in page
    assert 'data-n="3"' in page
    assert models.Player.objects.count() == 0


def test_the_right_move_brings_what_follows_and_the_next_step() -> None:
    answer = play(Client(), "lead", {"play": ["3", "3", "3"]})
    assert answer.status_code == 200
    body = answer.json()
    assert len(body["updates"]) == 4
    assert "guide done" in body["updates"][-1]
    assert not any("guide done" in update for update in body["updates"][:-1])
    assert shows(body["next"], "beat")
    assert 'data-full="1"' in body["next"]


def test_a_legal_move_that_misses_the_idea_is_answered(ana: models.Player) -> None:
    answer = play(browser(ana), "lead", {"play": ["8", "8", "8"]})
    assert (answer.status_code, answer.json()["sentence"]) == (
        422,
        "That is allowed, but it breaks up good cards. Lead all three 3s.",
    )
    assert not models.LessonProgress.objects.exists()


def test_an_illegal_move_is_answered_by_the_engine(ana: models.Player) -> None:
    answer = play(browser(ana), "beat", {"play": ["2"]})
    assert answer.status_code == 422
    assert answer.json()["sentence"]
    assert not models.LessonProgress.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{}, {"step": "lead"}, {"step": "lead", "move": "x"}, {"step": "nowhere", "move": {}}, {"step": 1, "move": {}}, []],
)
def test_what_is_no_move_is_refused(body: Any) -> None:
    answer = Client().post(
        reverse("lesson_moves", args=[GAME]),
        json.dumps(body),
        content_type="application/json",
        HTTP_ACCEPT="application/json",
    )
    assert answer.status_code == 400


def test_a_wrong_move_makes_no_guest() -> None:
    play(Client(), "lead", {"play": ["2", "2"]})
    assert models.Player.objects.count() == 0


def test_a_stranger_becomes_a_guest_whose_progress_is_kept() -> None:
    stranger = Client()
    read_page(stranger)
    assert play(stranger, "lead", {"play": ["3", "3", "3"]}).status_code == 200
    assert models.Player.objects.count() == 1
    assert shows(read_page(stranger), "beat")


def test_a_lesson_can_be_left_and_resumed(ana: models.Player) -> None:
    play(browser(ana), "lead", {"play": ["3", "3", "3"]})
    page = read_page(browser(ana))
    assert shows(page, "beat")
    assert 'data-number="5"' in page  # what lay there when they left


def test_an_earlier_step_again_changes_no_progress(ana: models.Player) -> None:
    client = browser(ana)
    play(client, "lead", {"play": ["3", "3", "3"]})
    play(client, "beat", {"play": ["8", "8", "8"]})
    assert shows(read_page(client, step="lead"), "lead")
    play(client, "lead", {"play": ["3", "3", "3"]})
    assert shows(read_page(client), "pass")


def test_the_progress_of_somebody_else_stays(ana: models.Player, ben: models.Player) -> None:
    play(browser(ana), "lead", {"play": ["3", "3", "3"]})
    play(browser(ben), "beat", {"play": ["8", "8", "8"]})
    progress = dict(models.LessonProgress.objects.values_list("player__name", "step"))
    assert progress == {ana.name: "beat", ben.name: "pass"}


@GAMES
def test_each_lesson_can_be_done_to_its_end(slug: str, ana: models.Player) -> None:
    client, lesson = browser(ana), lesson_of(slug)
    for step in lesson.steps:
        assert shows(read_page(client, slug), step.slug)
        answer = play(client, step.slug, dict(step.right), slug)
        assert answer.status_code == 200, answer.content
    assert answer.json()["next"] is None
    row = models.LessonProgress.objects.get()
    assert (row.game, row.step, row.finished_at is None) == (slug, "", False)
    page = read_page(client, slug)
    assert "Play your first game" in page
    assert 'id="lesson"' not in page
    assert shows(read_page(client, slug, step=lesson.steps[0].slug), lesson.steps[0].slug)


def test_the_last_step_alone_finishes_nothing_twice(ana: models.Player) -> None:
    lesson = lesson_of()
    last = len(lesson.steps) - 1
    lessons.note_done(ana.pk, GAME, lesson, last, now=NOW)
    lessons.note_done(ana.pk, GAME, lesson, 0, now=NOW + 5)
    row = models.LessonProgress.objects.get()
    assert (row.step, row.at, row.finished_at) == ("", NOW, NOW)


def test_a_step_that_is_gone_begins_anew(ana: models.Player) -> None:
    models.LessonProgress.objects.create(player=ana, game=GAME, step="of-an-older-version", at=NOW)
    assert shows(read_page(browser(ana)), "lead")


@pytest.mark.parametrize("game", ["chess", "lead"])
def test_there_is_no_lesson_of_another_game(game: str) -> None:
    assert Client().get(reverse("lesson", args=[game])).status_code == 404
    assert play(Client(), "lead", {}, game).status_code == 404


def test_the_first_game_is_against_bots_that_play_sensibly(ana: models.Player) -> None:
    answer = browser(ana).post(reverse("play_now", args=[GAME]), {"first": "1"})
    assert answer["Location"].endswith("?first=1")
    assert set(models.Seat.objects.filter(player=None).values_list("bot", flat=True)) == {"steady"}
    assert not models.Table.objects.get().is_rated


# --- offers ------------------------------------------------------------------------------------------


def list_offered(client: Client) -> set[str]:
    page = client.get(reverse("lobby")).content.decode()
    return {
        slug for slug in registry.slugs() if f'class="to-lesson"><a href="{reverse("lesson", args=[slug])}"' in page
    }


def test_lessons_are_offered_to_strangers() -> None:
    assert list_offered(Client()) == set(registry.slugs())


def test_no_lesson_of_a_game_that_they_have_played(ana: models.Player) -> None:
    start_table(ana, game=GAME)
    assert list_offered(browser(ana)) == set(registry.slugs()) - {GAME}


def test_no_lesson_that_they_have_finished_and_a_begun_one_goes_on(ana: models.Player) -> None:
    lesson = lesson_of()
    lessons.note_done(ana.pk, GAME, lesson, 2, now=NOW)
    page = browser(ana).get(reverse("lobby")).content.decode()
    assert f"Continue the lesson (3 of {len(lesson.steps)} steps done)" in page
    lessons.note_done(ana.pk, GAME, lesson, len(lesson.steps) - 1, now=NOW)
    assert list_offered(browser(ana)) == set(registry.slugs()) - {GAME}


def test_a_table_of_somebody_else_has_one_line_for_people_who_have_not_played(
    ana: models.Player, ben: models.Player
) -> None:
    table = open_table(ana, game=GAME)
    line = "New to Karriere Poker? Learn by playing"
    pages = [
        one.get(reverse("table", args=[table.id])).content.decode() for one in (Client(), browser(ben), browser(ana))
    ]
    assert [line in page for page in pages] == [True, True, False]
    start_table(ben, game=GAME)
    assert line not in browser(ben).get(reverse("table", args=[table.id])).content.decode()


# --- people ------------------------------------------------------------------------------------------


def test_the_lessons_of_a_guest_follow_them_to_their_account(ana: models.Player) -> None:
    guest = person("Gil")
    lessons.note_done(guest.pk, GAME, lesson_of(), 3, now=NOW)
    lessons.note_done(guest.pk, "animal-poker", lesson_of("animal-poker"), 3, now=NOW)
    lessons.note_done(ana.pk, GAME, lesson_of(), 0, now=NOW)
    player_changes.merge_guest(guest.pk, ana.pk, now=NOW)
    progress = dict(models.LessonProgress.objects.filter(player=ana).values_list("game", "step"))
    assert progress == {GAME: "beat", "animal-poker": lesson_of("animal-poker").steps[4].slug}
    assert models.LessonProgress.objects.count() == 2


def test_people_who_leave_leave_no_lesson(ana: models.Player) -> None:
    lessons.note_done(ana.pk, GAME, lesson_of(), 3, now=NOW)
    player_changes.delete_player(ana.pk, now=NOW)
    assert not models.LessonProgress.objects.exists()


def test_an_engine_names_cards_in_the_language_of_the_learner(ana: models.Player) -> None:
    right = lesson_of("fancy-animals").steps[0].right
    short = {"play": right["play"][:2], "table": [right["table"][-1][:2]]}
    client = browser(ana)
    client.cookies["django_language"] = "de"
    assert play(client, "run", short, "fancy-animals").json()["sentence"] == (
        "Reihe und Satz haben mindestens 3 Karten. Diese Kombination ist zu klein: 4 Leder, 5 Leder."
    )
