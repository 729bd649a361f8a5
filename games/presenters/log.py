"""Renders the log of a table as list items: who may read a line, and which are headings. Games give the sentences."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from types import MappingProxyType

from django.urls import reverse
from django.utils.translation import gettext as _
from markupsafe import Markup, escape

from games.presenters.screen import LogLine, Screen

NO_SOUNDS: Mapping[str, str] = MappingProxyType({})


def render_log(
    screen: Screen,
    seat: int | None,
    since_ply: int,
    say: Callable[[LogLine], str],
    *,
    heads: Container[str],
    sounds: Mapping[str, str] = NO_SOUNDS,
    render_cards: Callable[[LogLine], str] | None = None,
) -> list[str]:
    """The lines after this ply that this seat may know.

    say: its sentence, or "" where others tell as well; render_cards: html of its cards, hidden from screen readers;
    sounds: by kind of event, which of the sounds of static/js/table/sounds.js a new line makes.
    """
    lines = []
    for line in screen.lines_after(since_ply):
        if line.to is not None and seat not in line.to:
            continue
        if sentence := say(line):
            head = ' class="head"' if line.kind in heads else ""
            cards = render_cards(line) if render_cards is not None else ""
            lines.append(render_line(screen, line, sentence, marks=head, sound=sounds.get(line.kind, ""), cards=cards))
    return lines


def render_line(
    screen: Screen, line: LogLine, sentence: str, *, marks: str = "", sound: str = "", cards: str = ""
) -> str:
    """One line; once the game is over it leads to that moment of the replay. marks, cards: html."""
    html = escape(sentence)
    if screen.has_replay:
        html = Markup('<a href="{}?ply={}">{}</a>').format(reverse("replay", args=[screen.table_id]), line.ply, html)
        return f"<li{marks}>{html}{cards}</li>"
    who = "" if line.seat is None else f' data-who="{line.seat}"'
    heard = f' data-sound="{sound}"' if sound else ""
    return f"<li{marks}{who}{heard}>{html}{cards}</li>"


def name_seat(screen: Screen, seat: int | None, reader: int | None) -> str:
    """Who sits there; marked where that is the reader. Empty for no seat."""
    if seat is None:
        return ""
    name = screen.chairs[seat].name
    return _("%(name)s (you)") % {"name": name} if seat == reader else name
