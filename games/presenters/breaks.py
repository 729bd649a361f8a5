"""The controls for leaving, pausing and ending a game under way, with what each of them means."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.presenters.names import isolate
from games.presenters.render import cache_by_language, macro
from games.presenters.screen import Chair, Screen
from games.rules import registry

FILE = "breaks.jinja"


class BreakTexts(NamedTuple):
    """What it means to leave, to pause and to end, one sentence or two each; pause and end are empty if impossible."""

    leave: str
    pause: str
    end: str
    note: str
    """Why this player can neither pause nor end."""


class Situation(NamedTuple):
    """What the meanings depend on: a part of a screen that hardly ever changes from move to move."""

    game: str
    chairs: tuple[Chair, ...]
    is_arranged: bool
    is_rated: bool
    ending: frozenset[int]
    """Seats whose people agree to end the game without a result."""

    @classmethod
    def of(cls, screen: Screen) -> Situation:
        """The situation at this table."""
        return cls(screen.game, screen.chairs, screen.missing is not None, screen.is_rated, screen.ending)


def render_ways(screen: Screen, seat: int | None) -> str:
    """The region `ways`: hidden unless this reader plays a game that is under way."""
    if screen.status != "playing" or seat is None:
        return macro(FILE, "no_ways")()
    return _render_ways(screen.table_id, seat, screen.is_held, Situation.of(screen))


@cache_by_language
def _render_ways(table_id: str, seat: int, is_held: bool, situation: Situation) -> str:
    is_away, has_agreed = situation.chairs[seat].stand_in, seat in situation.ending
    return macro(FILE, "ways")(
        table_id=table_id,
        meanings=say_meanings(situation, seat),
        is_held=is_held,
        is_away=is_away,
        has_agreed=has_agreed,
    )


def say_meanings(situation: Situation, seat: int) -> BreakTexts:
    """What this player's choices mean: who is waiting, and whether the game counts."""
    others = [chair for chair in situation.chairs if not chair.bot and chair.index != seat]
    present = [chair for chair in others if not chair.stand_in]
    stand_in = _("A bot plays for you until you come back.")
    leave = f"{stand_in} {_say_counting(situation, is_alone=not others)}"
    if situation.is_arranged:
        return BreakTexts(leave, "", "", _("Only an organiser can pause or end this game."))
    return BreakTexts(leave, _say_pause(present), _say_end(situation, seat, present), "")


def _say_counting(situation: Situation, *, is_alone: bool) -> str:
    if is_alone:
        return _("Nobody is waiting for you, and games against bots are not rated.")
    if situation.is_rated:
        return _("The others play on. This game is rated, and its result counts for you.")
    return _("The others play on. This game is not rated.")


def _say_pause(present: list[Chair]) -> str:
    if not present:
        return _("Everything stands still until you resume. Nobody is waiting for you.")
    sentence = _("Everything stands still until one of you resumes. These players are waiting meanwhile: %(names)s.")
    return sentence % {"names": _join_names(present)}


def _say_end(situation: Situation, seat: int, present: list[Chair]) -> str:
    missing = [chair for chair in present if chair.index not in situation.ending]
    if not present:
        sentence = _("The game ends now, without a result.")
    elif missing and seat in situation.ending:
        sentence = _("You have agreed. The game ends when these players agree, too: %(names)s.")
    elif missing and len(missing) < len(present):
        sentence = _(
            "Other players want to end this game. It ends without a result when you and these players agree, too: "
            "%(names)s."
        )
    elif missing:
        sentence = _("The game ends without a result when these players agree, too: %(names)s.")
    else:
        sentence = _("All other players want to end this game. If you agree, it ends now, without a result.")
    sentence = sentence % {"names": _join_names(missing)} if missing else sentence
    return f"{sentence} {_say_loss(situation.game)}"


def _say_loss(game: str) -> str:
    if registry.find(game).has_jobs:
        return _("No rating changes. Deals that are finished stay in your career.")
    return _("No rating changes.")


def _join_names(chairs: list[Chair]) -> str:
    return _(", ").join(isolate(chair.name) for chair in chairs)
