"""The draft of a knockout's stage says what has become untrue of it, and nothing is offered that nobody looks at."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, entrant, play_round, release, standing, table_of
from tests.tournaments.flow.standings.test_knockouts import EIGHT, seed
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.rounds import lifecycle
from tournaments.flow.undo import step_undo
from tournaments.models import PairRule, Step, Tournament

CUT: dict[str, Any] = {
    "format": "swiss-cut",
    "rounds_planned": 1,
    "cut_to": 8,
    "advance": 2,
    "most": 4,
    "venue": "real",
}
IN, OUT = "A new draw would also include: {}.", "A new draw would leave out: {}."


def console(owner: models.Player, tournament: Tournament) -> str:
    return browser(owner).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()


def is_draft_announced(owner: models.Player, tournament: Tournament, coming: str, going: str) -> tuple[bool, bool]:
    """Whether the draft says that these would be in it by now, and those would not."""
    page = console(owner, tournament)
    return IN.format(coming) in page, OUT.format(going) in page


def test_a_draft_names_who_goes_on_and_has_come_back_since(ana: models.Player) -> None:
    """Releasing the old draft would eliminate somebody who has won a place in it."""
    tournament = begin(ana, NAMES[:8], **EIGHT, advance=2)
    seed(tournament)
    play_round(ana, tournament, 1)
    assert [name for name, _, _ in standing(tournament)][:5] == ["Ada", "Bea", "Cem", "Dan", "Eli"]
    ada = entrant(tournament, "Ada").pk
    attendance.set_away(tournament, ana, [ada], away=True, now=NOW)
    draw(ana, tournament, 2)
    assert table_of(tournament, 2) == [("Bea", "Cem", "Dan", "Eli")]  # three are too few for this game
    assert "A new draw would" not in console(ana, tournament)
    attendance.set_away(tournament, ana, [ada], away=False, now=NOW)
    assert is_draft_announced(ana, tournament, "Ada", "Eli") == (True, True)
    draw(ana, tournament, 2, again=True)
    assert table_of(tournament, 2) == [("Ada", "Bea", "Cem", "Dan")]
    assert "A new draw would" not in console(ana, tournament)


def test_a_draft_of_a_cut_names_who_a_penalty_puts_out(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], **CUT)
    play_round(ana, tournament, 1)
    order = [name for name, _, _ in standing(tournament)]
    draw(ana, tournament, 2)
    assert "A new draw would" not in console(ana, tournament)
    first = entrant(tournament, order[0]).pk
    organiser_decisions.penalise(tournament, ana, first, points=1680, reason="Late.", key="k", now=NOW)
    assert is_draft_announced(ana, tournament, order[8], order[0]) == (True, True)
    draw(ana, tournament, 2, again=True)
    assert {name for pod in table_of(tournament, 2) for name in pod} == {*order[1:9]}
    assert "A new draw would" not in console(ana, tournament)


def test_a_penalty_stands_once_the_cut_has_been_released(ana: models.Player) -> None:
    """Undoing it would put somebody first who did not make the cut because of it."""
    tournament = begin(ana, NAMES[:12], **CUT)
    play_round(ana, tournament, 1)
    order = [name for name, _, _ in standing(tournament)]
    first = entrant(tournament, order[0]).pk
    organiser_decisions.penalise(tournament, ana, first, points=1680, reason="Late.", key="k", now=NOW)
    given = Step.objects.get(tournament=tournament, kind="penalty")
    release(ana, tournament, 2)
    with pytest.raises(Stale, match="A knockout has been drawn from these points"):
        step_undo.revert(tournament, ana, given.number, now=NOW)
    cut = Step.objects.get(tournament=tournament, kind="release", number__gt=given.number)
    step_undo.revert(tournament, ana, cut.number, now=NOW)
    step_undo.revert(tournament, ana, given.number, now=NOW)
    assert [name for name, _, _ in standing(tournament)] == order
    assert is_draft_announced(ana, tournament, order[0], order[8]) == (True, True)


def test_who_comes_after_the_first_draw_of_a_knockout_is_said_to_be_out_without_another(ana: models.Player) -> None:
    """They cannot play in any round of the knockout, and the console says so."""
    tournament = begin(ana, NAMES[:8], **EIGHT)
    draw(ana, tournament, 1)
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    page = console(ana, tournament)
    assert (IN.format("Zoe") in page, "play from the next round" in page) == (True, False)
    lifecycle.release(tournament, ana, 1, now=NOW)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    assert "Zoe" not in {name for pod in table_of(tournament, 2) for name in pod}
    assert "A new draw would" not in console(ana, tournament)


def test_a_bot_that_cannot_sit_is_not_waited_for_and_it_is_said_why(ana: models.Player) -> None:
    """The draft must not ask for another draw, which would change nothing."""
    tournament = begin(ana, NAMES[:8], **EIGHT | {"venue": "mixed"})
    sign_up.add_bot(tournament, ana, name="Bruno", level="random", now=NOW)
    draw(ana, tournament, 1)
    for _ in range(2):
        page = console(ana, tournament)
        assert ("Bruno: bots play only at online tables" in page, "Draw again to give" in page) == (True, False)
        lifecycle.release(tournament, ana, 1, now=NOW)


def test_once_the_cut_comes_nothing_is_laid_down_about_pairs(ana: models.Player) -> None:
    """Pair rules do not apply to a knockout, so new ones are refused after the cut."""
    tournament = begin(ana, NAMES[:12], **CUT)
    ada, bea = (entrant(tournament, name).pk for name in ("Ada", "Bea"))
    organiser_decisions.rule_pair(tournament, ana, ada, bea, PairRule.Kind.APART, now=NOW)
    draw(ana, tournament, 1)
    assert 'value="pair-rule"' in console(ana, tournament)
    play_round(ana, tournament, 1)
    for do in (lambda: None, lambda: draw(ana, tournament, 2), lambda: release(ana, tournament, 2)):
        do()
        assert 'value="pair-rule"' not in console(ana, tournament)
        with pytest.raises(BadInput, match="The knockout does not use such rules"):
            organiser_decisions.rule_pair(tournament, ana, ada, bea, PairRule.Kind.TOGETHER, now=NOW)
    organiser_decisions.rule_pair(tournament, ana, ada, bea, None, now=NOW)
    assert not PairRule.objects.exists()
