"""A draw that cannot be made: what was kept by hand is not lost by it, and is let go of where it says so."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import models
from games.play.errors import Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, play_round, table_of
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import attendance, organiser_decisions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle
from tournaments.models import PairRule, Phase, Pod, PodSeat, Tournament


def kept_apart(owner: models.Player) -> tuple[Tournament, list[int]]:
    """A draw that failed, since two at a table that is kept may not meet; and these two."""
    tournament = begin(owner, NAMES[:8], venue="real", most=4)
    draw(owner, tournament, 1)
    pod = Pod.objects.get(number=2)
    drafts.keep_pod(tournament, owner, pod.pk, locked=True, now=NOW)
    pair = list(PodSeat.objects.filter(pod=pod).values_list("entrant", flat=True)[:2])
    organiser_decisions.rule_pair(tournament, owner, pair[0], pair[1], PairRule.Kind.APART, now=NOW)
    assert draw(owner, tournament, 1, again=True).trouble
    return tournament, pair


def test_a_table_that_was_kept_is_kept_by_the_next_draw_too(ana: models.Player) -> None:
    tournament, pair = kept_apart(ana)
    [together] = table_of(tournament, 1)
    assert draw(ana, tournament, 1, again=True).trouble
    organiser_decisions.rule_pair(tournament, ana, pair[0], pair[1], None, now=NOW)
    assert not draw(ana, tournament, 1, again=True).trouble
    tables = table_of(tournament, 1)
    assert (len(tables), together in tables) == (2, True)


def test_a_table_that_was_kept_is_let_go_of(ana: models.Player) -> None:
    tournament, pair = kept_apart(ana)
    console = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert "The tables you kept are below" in console
    assert "To change the table sizes, undo this draw first" in console
    assert console.count("Do not keep") == 1
    drafts.keep_pod(tournament, ana, Pod.objects.get(number=2).pk, locked=False, now=NOW)
    assert not draw(ana, tournament, 1, again=True).trouble
    for pod in Pod.objects.all():
        assert not set(pair) <= set(pod.seats.values_list("entrant", flat=True))


def test_once_a_round_was_played_nobody_is_told_to_change_the_plan(ana: models.Player) -> None:
    """Sizes are settled by then: with too few people, or rules that cannot be kept, it ends earlier."""
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    play_round(ana, tournament, 1)
    people = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    attendance.withdraw(tournament, ana, people[:4], now=NOW)
    organiser_decisions.rule_pair(tournament, ana, people[4], people[5], PairRule.Kind.APART, now=NOW)
    assert draw(ana, tournament, 2).trouble
    console = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert ("undo this draw and end the tournament early" in console, "table sizes" in console) == (
        True,
        False,
    )
    undo(ana, tournament, "draw")
    attendance.withdraw(tournament, ana, people[4:5], now=NOW)
    with pytest.raises(Stale, match=r"Checked in: 3\. A table needs 4\. .*, or finish the tournament early"):
        draw(ana, tournament, 2)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)


def test_what_was_kept_alone_is_not_released(ana: models.Player) -> None:
    tournament, _ = kept_apart(ana)
    with pytest.raises(Stale, match="no draw to release"):
        lifecycle.release(tournament, ana, 1, now=NOW)


def test_a_failed_draw_taken_back_gives_all_tables_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    draw(ana, tournament, 1)
    before = table_of(tournament, 1)
    drafts.keep_pod(tournament, ana, Pod.objects.get(number=2).pk, locked=True, now=NOW)
    pair = list(PodSeat.objects.filter(pod__number=2).values_list("entrant", flat=True)[:2])
    organiser_decisions.rule_pair(tournament, ana, pair[0], pair[1], PairRule.Kind.APART, now=NOW)
    draw(ana, tournament, 1, again=True)
    undo(ana, tournament, "draw")
    assert table_of(tournament, 1) == before
