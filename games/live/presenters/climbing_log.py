"""The log of the two climbing games: one sentence an event."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import escape

from games.live.presenters.card_words import name_play
from games.live.screen import LogLine, Screen
from games.names import GAMES, name_rank
from games.rules.base import View


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """The lines after this ply that this seat may know, as list items."""
    lines = []
    for line in screen.log:
        if line.ply > since_ply and (line.to is None or seat in line.to):
            sentence = _say(screen, line)
            if sentence:
                lines.append(f"<li>{escape(sentence)}</li>")
    return lines


def _say(screen: Screen, line: LogLine) -> str:
    name = screen.chairs[line.seat].name if line.seat is not None else ""
    data = line.data
    if line.kind == "played":
        return _("%(name)s plays %(cards)s.") % {"name": name, "cards": name_play(data["cards"], data.get("number"))}
    if line.kind == "passed":
        return _("%(name)s passes.") % {"name": name}
    return ""
