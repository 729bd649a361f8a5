"""A replay as HTML: one moment of a game as one seat sees it, as a spectator does, or with all hands open.

It renders with the game's own presenter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from typing import NamedTuple

from games.accounts.animal_pictures import AVATARS
from games.live.tables.regions import BEFORE_FIRST_PLY
from games.models.skeletons import MAX_SEAT_NAME
from games.models.spelling import clean_foreign_name
from games.play.signals import RESULT_KINDS
from games.play.storage.codec import build_log_lines
from games.play.storage.table import LogLine
from games.presenters import BoardPage, end_screen, find_presenter
from games.presenters.render import macro, use_language
from games.presenters.screen import Chair, Screen
from games.records.playback import Playback
from games.records.stand_ins import build_decision_log, read_deciders
from games.rules.base import View

FILE = "replay.jinja"
ALL_HANDS, WATCHER = "all", "watcher"
"""Points of view that are no seat: all hands open, or a spectator's view."""
LOG_PLIES = 80
"""Plies whose log a scene shows."""
_TAG = re.compile(r"<[^>]*>")
_ITEM = re.compile(r"(<li\b[^>]*>)")
_CONTROL = re.compile(r"<(button|input|select|textarea)\b(?![^>]*\sdisabled\b)")


class Scene(NamedTuple):
    """One moment as HTML without active controls; each line of the log links to its ply.

    hands: (name, HTML) by seat, if all are open.
    """

    board: str
    hands: tuple[tuple[str, str], ...]
    kind: str = ""
    """The CSS class of the game's board."""


def build_chairs(
    watched: Playback, avatars: Mapping[int, str], marks: Mapping[int, tuple[str, bool]] | None = None
) -> tuple[Chair, ...]:
    """Who sat where. avatars: seat → avatar; seats without one get a default, as records contain none.

    marks: seat → role and whether they have an account; none for records that were brought.
    """
    players = watched.record.players
    people = {seat for seat, player in enumerate(players) if not player.bot}
    stood_in = build_decision_log(read_deciders(watched.record.source["events"], people), len(players)).list_stand_ins()
    chairs = []
    for seat, player in enumerate(players):
        avatar = avatars.get(seat) or AVATARS[7 * seat % len(AVATARS)]
        name, bot = _clean_name(player.name)[:MAX_SEAT_NAME], player.bot or ""
        role, has_account = (marks or {}).get(seat, ("", False))
        chairs.append(
            Chair(
                seat,
                name,
                avatar,
                taken=True,
                bot=bot,
                stood_in=stood_in.get(seat),
                role=role,
                has_account=has_account,
            )
        )
    return tuple(chairs)


def _clean_name(name: str) -> str:
    """A name from a foreign record without invisible, direction-changing or stacked characters."""
    return clean_foreign_name(name, instead="\N{REPLACEMENT CHARACTER}")


class Chapter(NamedTuple):
    """A deal, a round or the game that is over at this ply, with its result in words."""

    ply: int
    result: str


CHAPTER_KINDS = (RESULT_KINDS, frozenset({"round_won", "round_over"}))
"""Kinds of events that end a chapter; a game of a single deal is divided by rounds."""


def list_chapters(watched: Playback, chairs: tuple[Chair, ...], *, language: str) -> tuple[Chapter, ...]:
    """Where deals ended, in a game of one deal its rounds, each with its result as the log says it."""
    presenter, rules = find_presenter(watched.record.game), watched.rules
    marks = _list_plies(watched, CHAPTER_KINDS[0])
    kinds = CHAPTER_KINDS[0] if len(marks) > 1 else CHAPTER_KINDS[0] | CHAPTER_KINDS[1]
    chapters = []
    with use_language(language):
        for ply in _list_plies(watched, kinds):
            moment = watched.moments[ply]
            events = tuple(event for event in moment.events if event.kind in kinds)
            screen = replace(build_screen(watched, chairs, ply), log=tuple(build_log_lines(ply, events)))
            drawn = presenter.log_lines(screen, rules.view(moment.state, None), None, BEFORE_FIRST_PLY)
            chapters.append(Chapter(ply, " ".join(unescape(_TAG.sub(" ", " ".join(map(str, drawn)))).split())))
    return tuple(chapters)


def _list_plies(watched: Playback, kinds: frozenset[str]) -> tuple[int, ...]:
    return tuple(moment.ply for moment in watched.moments if any(event.kind in kinds for event in moment.events))


def list_result_plies(watched: Playback) -> tuple[int, ...]:
    """Plies at which a deal or the game was over."""
    return _list_plies(watched, RESULT_KINDS)


def render_scene(
    watched: Playback, chairs: tuple[Chair, ...], ply: int, viewpoint: str, *, language: str, link: str
) -> Scene:
    """The scene at this ply (0 … last). viewpoint: a seat's number, ALL_HANDS or WATCHER; link: address for `ply`."""
    seat = int(viewpoint) if viewpoint.isdigit() else None
    screen = build_screen(watched, chairs, ply)
    moment, rules = watched.moments[ply], watched.rules
    shared = rules.view(moment.state, None)
    presenter = find_presenter(screen.game)
    with use_language(language):
        log = _render_log(watched, screen, shared, seat, link)
        if rules.outcome(moment.state) is not None:
            return Scene(_render_end(screen, shared, log), ())
        view = rules.view(moment.state, seat)
        regions = presenter.shared_regions(screen, shared) | presenter.private_regions(screen, view, seat, None)
        if viewpoint == ALL_HANDS:
            regions |= presenter.reveal_regions(screen, shared, rules.expected(moment.state))
        board = presenter.board(screen, view, seat, BoardPage(regions, log, now=0))
        hands = _render_hands(watched, screen, ply) if viewpoint == ALL_HANDS else ()
    return Scene(_CONTROL.sub(r"<\1 disabled", str(board)), hands, presenter.KIND)


def build_screen(watched: Playback, chairs: tuple[Chair, ...], ply: int) -> Screen:
    """The table at this ply, with the log of the last `LOG_PLIES`."""
    record = watched.record
    lines: list[LogLine] = []
    for moment in watched.moments[max(0, ply - LOG_PLIES) : ply + 1]:
        lines += build_log_lines(moment.ply, moment.events)
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


def _render_log(watched: Playback, screen: Screen, view: View, seat: int | None, link: str) -> list[str]:
    """The log of the last plies; each line leads to its ply."""
    presenter = find_presenter(screen.game)
    items: list[str] = []
    for ply in sorted({line.ply for line in screen.log}):
        lines = tuple(line for line in screen.log if line.ply == ply)
        anchor = str(macro(FILE, "way")(f"{link}&ply={ply}", ply))
        drawn = presenter.log_lines(replace(screen, log=lines), view, seat, BEFORE_FIRST_PLY)
        items += [_ITEM.sub(lambda found, anchor=anchor: found[1] + anchor, item, count=1) for item in drawn]  # type: ignore[misc]
    return items


def _render_end(screen: Screen, view: View, log: list[str]) -> str:
    regions = end_screen.shared_regions(screen, view) | end_screen.private_regions(screen, view, None, None)
    return macro(FILE, "end")(
        game=screen.game, headline=end_screen.say_winner(screen, view, None), regions=regions, log="".join(log)
    )


def _render_hands(watched: Playback, screen: Screen, ply: int) -> tuple[tuple[str, str], ...]:
    """Every seat's name and open hand as HTML."""
    presenter, state = find_presenter(screen.game), watched.moments[ply].state
    views = [watched.rules.view(state, chair.index) for chair in screen.chairs]
    return tuple((chair.name, presenter.open_hand(screen, views[chair.index], chair.index)) for chair in screen.chairs)
