"""Whom somebody met in the last games of an arena; of those before, its draws know nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tournaments import draw
from tournaments.draw.problem.solution import NOBODY_MET
from tournaments.flow.drawing.draw_input import list_came
from tournaments.flow.standings.book import Book
from tournaments.models import Round
from tournaments.scoring.arena import RECENT_GAMES

NOBODY_LATELY: Final = "nobody here has met in the last games"
MET_LATELY: Final = "%(one)s and %(other)s meet again (in the last games: %(times)d)"


def list_games(book: Book, played: Round, people: Sequence[str]) -> tuple[draw.PastRound, ...]:
    """The last games of these people, oldest first: whom they have met there is not met lately again."""
    left = dict.fromkeys(people, RECENT_GAMES)
    found: list[draw.PastRound] = []
    for pod in reversed(book.pods.get(played.pk, ())):
        seated = list_came(book, pod)
        if any(left.get(name) for name in seated):
            found.append(draw.PastRound(pods=(seated,)))
            for name in seated:
                left[name] = max(0, left.get(name, 0) - 1)
    return tuple(reversed(found))


def tell(reason: Sequence[draw.Sentence]) -> list[list[Any]]:
    """Why these people sit together, as it is kept: nothing is said of games that the draw was not told of."""
    return [[_tell_meeting(one), dict(one.values)] for one in reason]


def _tell_meeting(sentence: draw.Sentence) -> str:
    if "times" in sentence.values:
        return MET_LATELY
    return NOBODY_LATELY if sentence.template == NOBODY_MET else sentence.template
