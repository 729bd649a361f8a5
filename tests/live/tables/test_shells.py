"""An open page shows what one shows that is loaded now: around its regions nothing changes but with the layout."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games import models
from games.live.tables.regions import render_table
from games.play.seats import sitting
from games.presenters import BoardPage, choose_presenter
from games.presenters.screen import Screen
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance
from tests import cast
from tests.live.boards import NOW, make_screen

MAX_MOVES = 120
VIEWERS = (None, 0, 2)
TURNS = re.compile(r'\sdata-(ply|version)="\d+"')
OTHER = {"host_seat": 2, "void_reason": "A card was seen.", "rematch_id": "abc", "is_paused": True, "due": None}
"""What may change at a table without a move."""


def walk(slug: str) -> Iterator[Any]:
    """The states of a game at random, as far as it goes."""
    rules, rng = registry.find(slug), random.Random(slug)
    state = rules.start(Config(4, {}), Chance(bytes(32)))
    for _ in range(MAX_MOVES):
        yield state
        if rules.outcome(state) or not (acting := rules.to_act(state)):
            return
        seat = rng.choice(acting)
        state, _ = rules.apply(state, seat, rules.legal_sample(state, seat, rng))


def peel(screen: Screen, state: Any, seat: int | None) -> tuple[str, str]:
    """The layout of a board, and what of it stands around its regions."""
    rules = registry.find(screen.game)
    presenter = choose_presenter(screen)
    shared, view = rules.view(state, None), rules.view(state, seat)
    legal = rules.legal_moves(state, seat) if seat is not None and seat in rules.to_act(state) else None
    regions = presenter.shared_regions(screen, shared) | presenter.private_regions(screen, view, seat, legal)
    named = {name: f"[{name}]" for name in regions}
    return presenter.layout(screen, shared), TURNS.sub(
        "", presenter.board(screen, view, seat, BoardPage(named, [], NOW))
    )


@pytest.mark.parametrize("seat", VIEWERS)
@pytest.mark.parametrize("slug", registry.slugs())
def test_what_stands_around_the_regions_changes_only_with_the_layout(slug: str, seat: int | None) -> None:
    screen = make_screen(game=slug, options={}, chairs=make_screen().chairs[:4])
    shells: dict[str, set[str]] = {}
    for ply, state in enumerate(walk(slug)):
        status = "over" if registry.find(slug).outcome(state) else "playing"
        now = replace(screen, status=status, ply=ply, version=ply)
        renamed = tuple(replace(chair, name=f"{chair.name}a", bot="steady") for chair in screen.chairs)
        changes: tuple[dict[str, Any], ...] = (
            {},
            {"chairs": renamed},
            *({name: value} for name, value in OTHER.items()),
        )
        for change in changes if status == "over" or ply % 20 == 0 else changes[:1]:
            layout, shell = peel(replace(now, **change), state, seat)
            shells.setdefault(layout, set()).add(shell)
    assert {layout: sorted(each) for layout, each in shells.items() if len(each) > 1} == {}


@pytest.mark.django_db
def test_who_becomes_the_host_is_told_on_their_open_page(ana: models.Player, ben: models.Player) -> None:
    table, host = cast.start_table(ana, ben), '<i id="host" class="me"'
    before = render_table(table, "en")
    assert (host in before.render_above(0), host in before.render_above(1)) == (True, False)
    after = render_table(sitting.leave(table.id, ana.pk, now=cast.NOW), "en")
    assert (host in after.render_update(before, 1, now=cast.NOW), host in after.render_above(0)) == (True, False)
