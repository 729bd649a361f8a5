"""The log of a table as list items: who may know a line, and which are headings. What it says is each game's own."""

from __future__ import annotations

from collections.abc import Callable, Container

from django.utils.translation import gettext as _
from markupsafe import escape

from games.presenters.screen import LogLine, Screen


def render_log(
    screen: Screen, seat: int | None, since_ply: int, say: Callable[[LogLine], str], *, heads: Container[str]
) -> list[str]:
    """The lines after this ply that this seat may know. say: its sentence, or "" where others tell as well."""
    lines = []
    for line in screen.lines_after(since_ply):
        if line.to is not None and seat not in line.to:
            continue
        if sentence := say(line):
            head = ' class="head"' if line.kind in heads else ""
            lines.append(f"<li{head}>{escape(sentence)}</li>")
    return lines


def name_seat(screen: Screen, seat: int | None, reader: int | None) -> str:
    """Who sits there; marked where that is the reader. Empty for no seat."""
    if seat is None:
        return ""
    name = screen.chairs[seat].name
    return _("%(name)s (you)") % {"name": name} if seat == reader else name
