"""The waiting room: the screen of a table before its game begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.bots import list_bot_levels
from games.presenters.contract import BoardPage, Legal
from games.presenters.names import name_level
from games.presenters.registry import find_presenter
from games.presenters.render import macro
from games.presenters.screen import Chair, Screen
from games.presenters.table_texts import describe_options, say_turn_time
from games.rules.base import View

FILE = "waiting.jinja"


def layout(screen: Screen, view: View | None) -> str:
    """One layout for the room, one for the moment in which the deal is made, one where no game began."""
    return "closed" if screen.is_closed else "starting" if screen.is_starting else "waiting"


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Chairs, what we wait for, and what is played."""
    return {
        "chairs": _render_chairs(screen),
        "wait": macro(FILE, "wait")(_say_wait(screen)),
        "facts": macro(FILE, "facts")(_list_facts(screen)),
    }


def private_regions(screen: Screen, view: View | None, seat: int | None, legal: Legal) -> dict[str, str]:
    """Sit down, start, get up: whatever this person can do."""
    free = _count_free(screen)
    if screen.is_closed:
        return {"seatbar": macro(FILE, "closed")(), "chairs": _render_chairs(screen)}
    if screen.is_starting:
        return {"seatbar": macro(FILE, "starting")(), "chairs": _render_chairs(screen, me=seat)}
    if seat is None:
        bar = macro(FILE, "sit")(screen.table_id) if free else macro(FILE, "full")()
        return {"seatbar": bar, "chairs": _render_chairs(screen, can_choose=True)}
    if screen.missing is not None:
        return {"seatbar": macro(FILE, "arranged")(), "chairs": _render_chairs(screen, me=seat)}
    is_host = seat == screen.host_seat
    levels = [(level, name_level(level)) for level in list_bot_levels(screen.game)]
    missing = ngettext("Start with %(count)d bot", "Start with %(count)d bots", free) % {"count": free}
    bar = macro(FILE, "seated")(table_id=screen.table_id, is_host=is_host, free=free, levels=levels, missing=missing)
    regions = {"seatbar": bar, "chairs": _render_chairs(screen, me=seat)}
    return regions | {"wait": macro(FILE, "wait")(_say_free(free, is_host=is_host))} if free else regions


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """Nothing has happened yet."""
    return []


def board(screen: Screen, view: View | None, seat: int | None, page: BoardPage) -> str:
    """The whole room."""
    return macro(FILE, "board")(screen, seat, page)


def words(screen: Screen) -> dict[str, Any]:
    """The words of the game that will be played here: the page stays, the board changes."""
    return find_presenter(screen.game).words(screen)


def _render_chairs(screen: Screen, *, can_choose: bool = False, me: int | None = None) -> str:
    """can_choose: a free chair is a button; me: the reader's seat."""
    rows = [_describe_chair(screen, chair, is_me=chair.index == me) for chair in screen.chairs]
    return macro(FILE, "chairs")(rows, _("Seats"), screen.table_id if can_choose else "")


def _count_free(screen: Screen) -> int:
    return sum(not chair.taken for chair in screen.chairs)


def _describe_chair(screen: Screen, chair: Chair, *, is_me: bool) -> dict[str, Any]:
    tag = ""
    if chair.bot:
        tag = _("bot, %(level)s") % {"level": name_level(chair.bot)}
    elif screen.missing is not None and not screen.is_closed:
        is_missing = chair.index in screen.missing
        tag = pgettext("at a table", "not here yet") if is_missing else pgettext("at a table", "here")
    elif chair.taken and chair.index == screen.host_seat:
        tag, chair = _("host"), replace(chair, role="")  # said once
    picture = f"chair j{min(8, chair.index + 1)}"
    tags = [pgettext("of the reader's own seat", "you"), tag] if is_me else [tag]
    return {
        "name": chair.name,
        "chair": chair,
        "picture": picture,
        "tag": " · ".join(filter(None, tags)),
        "is_me": is_me,
    }


def _say_wait(screen: Screen) -> str:
    if screen.is_closed and screen.ending:
        return _("The players have ended this game without a result.")
    if screen.is_closed and screen.ply:
        return _("This table was closed because nobody came back. Its finished deals count.")
    if screen.is_closed:
        return _("This table was closed before its game began.")
    if screen.is_starting:
        return _("The game is being prepared. It begins in a moment.")
    if screen.missing is not None:
        names = _(", ").join(screen.chairs[seat].name for seat in sorted(screen.missing))
        if screen.is_paused and not names:
            return _("Everybody is here. The game begins after the pause.")
        if screen.is_paused:
            sentence = _("The game begins after the pause, as soon as everybody is here. Still missing: %(names)s.")
            return sentence % {"names": names}
        return _("The game begins as soon as everybody is here. Still missing: %(names)s.") % {"names": names}
    free = _count_free(screen)
    if free:
        return ngettext("%(count)d seat is free.", "%(count)d seats are free.", free) % {"count": free}
    return _("Everybody is here. Anyone at the table can start the game.")


def _say_free(free: int, *, is_host: bool) -> str:
    """The wait for more people, to somebody who has a seat."""
    if is_host:
        sentence = ngettext(
            "%(count)d seat is free. Send the link below to your friends.",
            "%(count)d seats are free. Send the link below to your friends.",
            free,
        )
    else:
        sentence = ngettext(
            "%(count)d seat is free. The host can start with a bot.",
            "%(count)d seats are free. The host can start with bots.",
            free,
        )
    return sentence % {"count": free}


def _list_facts(screen: Screen) -> list[str]:
    people = ngettext("%(count)d player", "%(count)d players", len(screen.chairs)) % {"count": len(screen.chairs)}
    return [
        people,
        *describe_options(screen.game, screen.options),
        _("No time limit per turn") if screen.is_untimed else say_turn_time(screen.turn_seconds),
        *_say_pace(screen),
        _say_access(screen),
        *([] if screen.missing is not None else [_("Seats are drawn by lot at the start")]),
    ]


def _say_pace(screen: Screen) -> list[str]:
    """How the bots play, unless that is as usual."""
    sentences = {"quick": _("The bots play quickly"), "slow": _("The bots play slowly")}
    has_bots = any(chair.bot for chair in screen.chairs)
    return [sentences[screen.pace]] if has_bots and screen.pace in sentences else []


def _say_access(screen: Screen) -> str:
    """Who may come in; at an arranged table, whose chairs are all taken, to look on."""
    if screen.missing is not None:
        return _("Anyone can watch") if screen.is_public else _("Not public")
    return _("Open to everybody in the lobby") if screen.is_public else _("Only with the link")
