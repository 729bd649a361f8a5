"""A log speaks to its reader: of what this person has done as “you”, in every game and language."""

from __future__ import annotations

import html
import re

import pytest
from django.utils.translation import override

from games import memo, models
from games.live.tables import regions
from games.live.tables.regions import BEFORE_FIRST_PLY
from games.play.records import game_record
from games.play.storage.table import LoadedTable
from games.rules import registry
from tests.cast import finish, start_table

YOU = {"en": r"\b[Yy]our?s?\b", "de": r"\b([Dd]u|[Dd]ir|[Dd]ich|[Dd]ein)\b", "pl": r"sz\b|\b([Tt]y|ciebie|ci|Twój)\b"}
"""What a sentence says that is about its reader."""
LINES = 200
"""Of the end of a long log, that are looked at for every reader."""


def short(game: str) -> dict[str, int]:
    """Options of a game that ends after two deals."""
    return {one.name: 2 for one in registry.find(game).options if one.name in ("deals", "sessions")}


def read(table: LoadedTable, seat: int | None, language: str) -> list[str]:
    """The whole log as this seat reads it."""
    with override(language):
        drawn = regions.render_table(table, language)
        screen = drawn.screen_with_log(game_record.read_whole_log(table))
        lines = drawn.presenter.log_lines(screen, drawn.view, seat, BEFORE_FIRST_PLY)
    return [html.unescape(re.sub("<[^>]+>", "", line)) for line in lines]


@pytest.mark.parametrize("game", registry.slugs())
def test_the_reader_is_you_and_nobody_else_is(ana: models.Player, game: str) -> None:
    table = finish(start_table(ana, game=game, options=short(game)))
    for language in YOU:
        memo.forget_all()
        check_who_is_you(table, table.seat_of(ana.pk), language)


def check_who_is_you(table: LoadedTable, seat: int | None, language: str) -> None:
    """Ana, who sits here, and in what she reads only."""
    assert seat is not None
    mine, others = read(table, seat, language), read(table, None, language)
    of_ana = [line for line in mine if re.search(r"\bAna\b", line)]
    marks = {"en": "Ana (you)", "de": "Ana (du)", "pl": "Ana (ty)"}
    assert [line for line in of_ana if marks[language] not in line] == []
    assert sum(bool(re.search(YOU[language], line)) for line in mine) > 3
    assert any(re.search(r"\bAna\b", line) for line in others)
    assert not any(marks[language] in line for line in others)


@pytest.mark.parametrize("game", registry.slugs())
def test_a_line_that_does_not_concern_a_reader_is_the_same_for_them_as_for_all(ana: models.Player, game: str) -> None:
    table = finish(start_table(ana, game=game, options=short(game)))
    for language in YOU:
        memo.forget_all()
        check_shared_lines(table, language)


def check_shared_lines(table: LoadedTable, language: str) -> None:
    """What concerns nobody reads alike for all."""
    shared = 0
    with override(language):
        drawn = regions.render_table(table, language)
        for line in game_record.read_whole_log(table)[-LINES:]:
            screen = drawn.screen_with_log((line,))
            lines = [drawn.presenter.log_lines(screen, drawn.view, seat, BEFORE_FIRST_PLY) for seat in (None, 0, 1, 2)]
            concerned = regions.list_concerned((line,))
            for seat in (0, 1, 2):
                if concerned is not None and seat not in concerned:
                    assert lines[seat + 1] == lines[0], line
                    shared += bool(lines[0])
    assert shared > 10


def test_the_reader_finds_their_own_place_at_the_end(ana: models.Player) -> None:
    table = finish(start_table(ana, game="karriere-poker", options={"deals": 1}))
    drawn = regions.render_table(table, "en")
    mine, others = (
        drawn.presenter.private_regions(drawn.screen, drawn.view, seat, None)["places"]
        for seat in (table.seat_of(ana.pk), None)
    )
    assert re.findall(r"<b>([^<]*)<small class=\"soft you\">\(you\)</small>", mine) == ["Ana "]
    assert "(you)" not in others
