"""A replay as html: one moment of a game, through one seat's eyes, a watcher's, or with all hands open.

It draws with the game's own presenter, and knows of no game itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from games.accounts.animal_pictures import AVATARS
from games.live.table_regions import BEFORE_ALL
from games.models.spelling import mend
from games.play.signals import RESULTS
from games.play.storage.codec import lines_of
from games.play.storage.table import Line
from games.presenters import BoardPage, end_screen, find_presenter
from games.presenters.render import macro, use_language
from games.presenters.screen import Chair, Screen
from games.records.playback import Playback
from games.records.stand_ins import build_decision_log, read_deciders
from games.rules.base import View

FILE = "replay.jinja"
OPEN, WATCHER = "all", "watcher"
"""Eyes that are nobody's: every hand open, or none."""
LOG_PLIES = 80
_ITEM = re.compile(r"(<li\b[^>]*>)")
_CONTROL = re.compile(r"<(button|input|select|textarea)\b(?![^>]*\sdisabled\b)")


class Scene(NamedTuple):
    """One moment, drawn; nothing on it can be pressed, but each line of the log has a way to its ply.

    hands: (name, html) by seat, where all are open.
    """

    board: str
    hands: tuple[tuple[str, str], ...]
    kind: str = ""
    """The class of the game's board, on which the colours of its cards hang."""


def chairs_of(watched: Playback, avatars: Mapping[int, str]) -> tuple[Chair, ...]:
    """Who sat where; a record knows no pictures, so each seat gets one if `avatars` has none for it."""
    players = watched.record.players
    people = {seat for seat, player in enumerate(players) if not player.bot}
    stood_in = build_decision_log(read_deciders(watched.record.source["events"], people), len(players)).list_stand_ins()
    chairs = []
    for seat, player in enumerate(players):
        avatar = avatars.get(seat) or AVATARS[7 * seat % len(AVATARS)]
        name, bot = _readable(player.name)[:32], player.bot or ""
        chairs.append(Chair(seat, name, avatar, taken=True, bot=bot, stood_in=stood_in.get(seat)))
    return tuple(chairs)


def _readable(name: str) -> str:
    """A name from elsewhere, without what turns a line round, cannot be seen or stacks up over the lines above."""
    return mend(name, instead="\N{REPLACEMENT CHARACTER}")


def chapters(watched: Playback) -> tuple[int, ...]:
    """Plies at which a deal, or the game, was over."""
    return tuple(moment.ply for moment in watched.moments if any(event.kind in RESULTS for event in moment.events))


def draw(watched: Playback, chairs: tuple[Chair, ...], ply: int, eyes: str, *, language: str, link: str) -> Scene:
    """The scene at this ply (0 … last). eyes: a seat's number, OPEN or WATCHER; link: address for `ply`."""
    seat = int(eyes) if eyes.isdigit() else None
    screen = _screen(watched, chairs, ply)
    moment, rules = watched.moments[ply], watched.rules
    shared = rules.view(moment.state, None)
    presenter = find_presenter(screen.game)
    with use_language(language):
        log = _draw_log(watched, screen, shared, seat, link)
        if rules.outcome(moment.state) is not None:
            return Scene(_draw_end(screen, shared, log), ())
        view = rules.view(moment.state, seat)
        regions = presenter.shared_regions(screen, shared) | presenter.private_regions(screen, view, seat, None)
        if eyes == OPEN:
            regions |= presenter.reveal_regions(screen, shared, rules.expected(moment.state))
        board = presenter.board(screen, view, seat, BoardPage(regions, log, now=0))
        hands = _open_hands(watched, screen, ply) if eyes == OPEN else ()
    return Scene(_CONTROL.sub(r"<\1 disabled", str(board)), hands, presenter.KIND)


def _screen(watched: Playback, chairs: tuple[Chair, ...], ply: int) -> Screen:
    record = watched.record
    lines: list[Line] = []
    for moment in watched.moments[max(0, ply - LOG_PLIES) : ply + 1]:
        lines += lines_of(moment.ply, moment.events)
    return Screen(
        table_id="replay",
        game=record.game,
        options=record.options,
        status="playing",
        is_public=True,
        host_seat=None,
        turn_seconds=0,
        ply=ply,
        version=ply,
        chairs=chairs,
        due=None,
        bell=None,
        commitment="",
        log=tuple(lines),
    )


def _draw_log(watched: Playback, screen: Screen, view: View, seat: int | None, link: str) -> list[str]:
    """The log of the last plies; each line leads to its ply."""
    presenter = find_presenter(screen.game)
    items: list[str] = []
    for ply in sorted({line.ply for line in screen.log}):
        lines = tuple(line for line in screen.log if line.ply == ply)
        way = str(macro(FILE, "way")(f"{link}&ply={ply}", ply))
        drawn = presenter.log_lines(replace(screen, log=lines), view, seat, BEFORE_ALL)
        items += [_ITEM.sub(lambda found, way=way: found[1] + way, item, count=1) for item in drawn]  # type: ignore[misc]
    return items


def _draw_end(screen: Screen, view: View, log: list[str]) -> str:
    regions = end_screen.shared_regions(screen, view) | end_screen.private_regions(screen, view, None, None)
    return macro(FILE, "end")(screen.game, end_screen.say_winner(screen, view, None), regions, "".join(log))


def _open_hands(watched: Playback, screen: Screen, ply: int) -> tuple[tuple[str, str], ...]:
    """What every seat holds: its name, and the game's own drawing of an open hand."""
    presenter, state = find_presenter(screen.game), watched.moments[ply].state
    views = [watched.rules.view(state, chair.index) for chair in screen.chairs]
    return tuple((chair.name, presenter.open_hand(screen, views[chair.index], chair.index)) for chair in screen.chairs)
