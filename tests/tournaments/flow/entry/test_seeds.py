"""Seeds that an organiser gives to entrants, however they entered."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Refusal, Stale
from tests.cast import NOW, browser, person
from tests.tournaments.cast import NAMES, begin, check_in, draw, entrant, play_round, standing, table_of
from tests.tournaments.cast import plan as plan_one
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing.draw_context import BookDrawContext
from tournaments.flow.entry import organiser_decisions, sign_up
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.formats.ladder import list_rungs
from tournaments.models import Step, Tournament
from tournaments.words.step_words import say_step


def seed(tournament: Tournament, actor: models.Player, name: str, place: int | None) -> None:
    organiser_decisions.seed(tournament, actor, entrant(tournament, name).pk, place, now=NOW)


def test_who_entered_alone_is_seeded_by_the_organiser(ana: models.Player) -> None:
    """People who signed up themselves can be seeded, too, not only imported names."""
    tournament = plan_one(ana, format="knockout", most=4, venue="real", advance=2)
    check_in(ana, tournament, NAMES[:7])
    sign_up.enter(tournament, person("Xenia"), now=NOW)
    rulings_for = ("Xenia", NAMES[3], NAMES[0], NAMES[6])
    for place, name in enumerate(rulings_for, start=1):
        seed(tournament, ana, name, place)
    draw(ana, tournament, 1)
    first, second = (set(names) for names in table_of(tournament, 1))
    assert {"Xenia", NAMES[6]} <= first
    assert {NAMES[3], NAMES[0]} <= second
    undo(ana, tournament)
    play_round(ana, tournament, 1)
    assert [name for name, *_ in standing(tournament)][:1] == ["Xenia"]


def test_a_ladder_begins_with_the_seeds(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], format="ladder", most=4, venue="real", round_minutes=30)
    for place, name in enumerate((NAMES[5], NAMES[2]), start=1):
        seed(tournament, ana, name, place)
    book = open_book(tournament)
    assert [book.by_key[key].name for key in list_rungs(BookDrawContext(book))][:2] == [NAMES[5], NAMES[2]]


def test_a_seed_is_said_seen_and_taken_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], format="knockout", most=4, venue="real")
    client, page = browser(ana), reverse("tournaments:console", args=[tournament.pk])

    def press(sentence: str) -> int | None:
        form = {"action": "seed", "entrant": entrant(tournament, "Bea").pk, "seed": sentence}
        client.post(reverse("tournaments:do", args=[tournament.pk]), form)
        return entrant(tournament, "Bea").rank_hint

    assert [press(remark) for remark in ("3", "3", "0", "-1", "1.5", "100000")] == [3] * 6
    for url in (page, reverse("tournaments:tournament", args=[tournament.pk])):
        assert re.search(r"Bea(</(span|a)>)? ?<small.*?>(here · )?seed 3<", client.get(url).content.decode()), url
    assert '<details id="seeding" open>' in client.get(page).content.decode()  # for the next one
    assert press("") is None
    assert '<details id="seeding">' in client.get(page).content.decode()
    assert "seed 3" not in client.get(page).content.decode()
    steps = Step.objects.filter(tournament=tournament, kind="seed").order_by("number")
    assert [say_step(step, format_slug="knockout") for step in steps] == [
        "set the seed of Bea: 3",
        "removed the seed of Bea",
    ]
    undo(ana, tournament)
    assert entrant(tournament, "Bea").rank_hint == 3
    undo(ana, tournament)
    assert entrant(tournament, "Bea").rank_hint is None


def test_seeds_are_settled_with_the_first_draw(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], format="knockout", most=4, venue="real")
    page = reverse("tournaments:console", args=[tournament.pk])
    assert 'value="seed"' in browser(ana).get(page).content.decode()
    seed(tournament, ana, "Bea", 1)
    number = Step.objects.latest("number").number
    draw(ana, tournament, 1)
    assert 'value="seed"' not in browser(ana).get(page).content.decode()
    with pytest.raises(Stale, match="cannot change after the first draw"):
        seed(tournament, ana, "Ada", 1)
    with pytest.raises(Stale, match="cannot change after the first draw"):
        step_undo.revert(tournament, ana, number, now=NOW)
    undo(ana, tournament)
    drawn = Step.objects.latest("number").number
    seed(tournament, ana, "Ada", 1)
    with pytest.raises(Stale):
        step_undo.revert(tournament, ana, drawn, now=NOW)  # that draw did not know this seed
    undo(ana, tournament)
    step_undo.revert(tournament, ana, drawn, now=NOW)
    assert table_of(tournament, 1)


@pytest.mark.parametrize("kind", ["swiss", "round-robin", "swiss-cut", "arena"])
def test_where_nobody_looks_at_seeds_none_are_set(ana: models.Player, kind: str) -> None:
    tournament = begin(ana, NAMES[:8], format=kind, most=4, round_minutes=60)
    with pytest.raises(BadInput, match="does not use seeds"):
        seed(tournament, ana, "Ada", 1)
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk]))
    assert 'value="seed"' not in page.content.decode()


def test_only_an_organiser_sets_them_and_only_of_their_own(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], format="knockout", most=4)
    other = begin(ana, NAMES[:4], format="knockout", most=4)
    with pytest.raises(NotAllowed):
        seed(tournament, ben, "Ada", 1)
    with pytest.raises(Refusal, match="not in this tournament"):
        organiser_decisions.seed(other, ana, entrant(tournament, "Ada").pk, 1, now=NOW)
