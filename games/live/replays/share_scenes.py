"""The share picture of a moment of a finished game: what happened last, as a spectator read it."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from games.live.replays.scenes import build_screen
from games.live.replays.share_picture import SharedChair, render_png
from games.live.tables.regions import BEFORE_FIRST_PLY
from games.memo import Memo
from games.presenters import find_presenter
from games.presenters.names import GAMES
from games.presenters.render import use_language
from games.presenters.screen import Chair
from games.records.playback import Playback

SHOWN_PLIES = 3
"""Plies whose log lines the picture shows."""
KEPT_PICTURES = 64
"""Pictures that each process remembers, of at most about 150 kB each."""
PictureKey = tuple[str, int, int, str]
"""Table, its version, ply, language."""
_pictures: Memo[PictureKey, bytes] = Memo("share pictures", KEPT_PICTURES)


def find_picture(key: PictureKey) -> bytes | None:
    """The picture, if this process has made it before."""
    return _pictures.get(key)


def make_picture(key: PictureKey, watched: Playback, chairs: tuple[Chair, ...]) -> bytes:
    """The picture as PNG: the game, the ply, the seats, and the last lines of the spectators' log."""
    _table, _version, ply, language = key
    with use_language(language):
        screen = build_screen(watched, chairs, ply)
        recent = tuple(line for line in screen.log if line.ply > ply - SHOWN_PLIES)
        view = watched.rules.view(watched.moments[ply].state, None)
        happened = find_presenter(screen.game).log_lines(replace(screen, log=recent), view, None, BEFORE_FIRST_PLY)
        png = render_png(
            game=str(GAMES[screen.game].name),
            place=_("Move %(ply)s of %(last)s") % {"ply": ply, "last": watched.last},
            happened=[str(line) for line in happened],
            chairs=[SharedChair(chair.name, chair.avatar) for chair in chairs],
        )
    return _pictures.put(key, png)
