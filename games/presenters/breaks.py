"""How a player leaves, pauses or ends the game under way, and what each of that means."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from games.presenters.names import isolate
from games.presenters.render import macro
from games.presenters.screen import Chair, Screen
from games.rules import registry

FILE = "breaks.jinja"


class Meanings(NamedTuple):
    """What it means to leave, to pause and to end, one sentence or two each; pause and end are empty if impossible."""

    leave: str
    pause: str
    end: str
    note: str
    """Why this player can neither pause nor end."""


def render_ways(screen: Screen, seat: int | None) -> str:
    """The region `ways`: hidden unless this reader plays a game that is under way."""
    if screen.status != "playing" or seat is None:
        return macro(FILE, "no_ways")()
    return macro(FILE, "ways")(
        screen.table_id,
        say_meanings(screen, seat),
        screen.is_held,
        screen.chairs[seat].stand_in,
        seat in screen.ending,
    )


def say_meanings(screen: Screen, seat: int) -> Meanings:
    """What this player's choices mean: who is waiting, and whether the game counts."""
    others = [chair for chair in screen.chairs if not chair.bot and chair.index != seat]
    here = [chair for chair in others if not chair.stand_in]
    stand_in = _("A bot plays for you until you come back.")
    leave = f"{stand_in} {_say_counting(screen, is_alone=not others)}"
    if screen.missing is not None:  # an arranged table
        return Meanings(leave, "", "", _("Only an organiser can pause or end this game."))
    return Meanings(leave, _say_pause(here), _say_end(screen, seat, here), "")


def _say_counting(screen: Screen, *, is_alone: bool) -> str:
    if is_alone:
        return _("Nobody is waiting for you, and games against bots are not rated.")
    if screen.is_rated:
        return _("The others play on. This game is rated, and its result counts for you.")
    return _("The others play on. This game is not rated.")


def _say_pause(here: list[Chair]) -> str:
    if not here:
        return _("Everything stands still until you resume. Nobody is waiting for you.")
    said = _("Everything stands still until one of you resumes. These players are waiting meanwhile: %(names)s.")
    return said % {"names": _join_names(here)}


def _say_end(screen: Screen, seat: int, here: list[Chair]) -> str:
    missing = [chair for chair in here if chair.index not in screen.ending]
    if not here:
        said = _("The game ends now, without a result.")
    elif missing and seat in screen.ending:
        said = _("You have agreed. The game ends when these players agree, too: %(names)s.")
    elif missing and len(missing) < len(here):
        said = _(
            "Other players want to end this game. It ends without a result when you and these players agree, too: "
            "%(names)s."
        )
    elif missing:
        said = _("The game ends without a result when these players agree, too: %(names)s.")
    else:
        said = _("All other players want to end this game. If you agree, it ends now, without a result.")
    said = said % {"names": _join_names(missing)} if missing else said
    return f"{said} {_say_loss(screen.game)}"


def _say_loss(game: str) -> str:
    if registry.find(game).has_jobs:
        return _("No rating changes. Deals that are finished stay in your career.")
    return _("No rating changes.")


def _join_names(chairs: list[Chair]) -> str:
    return _(", ").join(isolate(chair.name) for chair in chairs)
