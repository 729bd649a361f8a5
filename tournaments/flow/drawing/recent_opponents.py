"""The last games of an arena as the history of its next draw; older games do not count as meetings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tournaments import draw
from tournaments.draw.problem.solution import NOBODY_MET
from tournaments.flow.drawing.draw_input import list_attending
from tournaments.flow.standings.book import Book
from tournaments.models import Round
from tournaments.scoring.arena import RECENT_GAMES

NO_RECENT_MEETING: Final = "nobody here has met in the last games"
RECENT_MEETING: Final = "%(one)s and %(other)s meet again (in the last games: %(times)d)"


def list_recent_rounds(book: Book, played: Round, people: Sequence[str]) -> tuple[draw.PastRound, ...]:
    """The last `RECENT_GAMES` games of each of these people, oldest first, as the history of a draw problem."""
    left = dict.fromkeys(people, RECENT_GAMES)
    found: list[draw.PastRound] = []
    for pod in reversed(book.pods.get(played.pk, ())):
        seated = list_attending(book, pod)
        if any(left.get(name) for name in seated):
            found.append(draw.PastRound(pods=(seated,)))
            for name in seated:
                left[name] = max(0, left.get(name, 0) - 1)
    return tuple(reversed(found))


def describe_reasons(reason: Sequence[draw.Sentence]) -> list[list[Any]]:
    """The reasons of a pod as JSON [template, values], worded for a history of recent games only."""
    return [[_describe_meeting(sentence), dict(sentence.values)] for sentence in reason]


def _describe_meeting(sentence: draw.Sentence) -> str:
    if "times" in sentence.values:
        return RECENT_MEETING
    return NO_RECENT_MEETING if sentence.template == NOBODY_MET else sentence.template
