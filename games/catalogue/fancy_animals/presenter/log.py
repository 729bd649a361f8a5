"""The log of Fancy Animals: one sentence an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from games.catalogue.fancy_animals.presenter.faces import describe_card, describe_clothing
from games.catalogue.fancy_animals.presenter.names import RULE_NAMES, name_card, name_clothing
from games.presenters.log import name_seat, render_log
from games.presenters.names import Text
from games.presenters.render import macro
from games.presenters.screen import LogLine, Screen
from games.rules.base import View

FILE = "fancy_animals.jinja"
DRESSED: dict[str, Text] = {
    "tiger": pgettext_lazy("somebody dresses …", "the tiger"),
    "pig": pgettext_lazy("somebody dresses …", "the pig"),
    "fox": pgettext_lazy("somebody dresses …", "the fox"),
    "owl": pgettext_lazy("somebody dresses …", "the owl"),
}
"""Animals as the object of a sentence: languages change the word there."""
HEADS = frozenset({"dealt", "dressed", "bell", "game_over"})
SOUNDS = {"played": "play", "claimed": "win", "drew": "pass", "got": "pass", "passed": "pass", "bell": "bell"}


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """The lines after this ply that this seat may know, as list items."""
    return render_log(
        screen,
        seat,
        since_ply,
        lambda line: _say_line(screen, line, seat),
        heads=HEADS,
        sounds=SOUNDS,
        render_cards=_render_cards,
    )


def _render_cards(line: LogLine) -> str:
    """The cards or the clothing that the line tells of."""
    if line.kind in ("claimed", "returned"):
        return macro(FILE, "log_clothing")(describe_clothing(line.data["clothing"]))
    cards = line.data.get("cards", ()) if line.kind in ("played", "got", "activated") else ()
    return macro(FILE, "log_pieces")([describe_card(card) for card in cards]) if cards else ""


def _say_line(screen: Screen, line: LogLine, reader: int | None) -> str:
    tell = _SAY.get(line.kind)
    return tell(screen, line, reader) if tell else ""


def _names_cards(line: LogLine) -> str:
    return _(", ").join(name_card(card) for card in line.data["cards"])


def _dealt(screen: Screen, line: LogLine, reader: int | None) -> str:
    animals = [
        _("%(name)s dresses %(animal)s") % {"name": name_seat(screen, chair.index, reader), "animal": DRESSED[animal]}
        for chair, animal in zip(screen.chairs, line.data["animals"], strict=False)
    ]
    return (_("%(animals)s. You begin.") if line.data["leader"] == reader else _("%(animals)s. %(leader)s begins.")) % {
        "animals": _(", ").join(animals),
        "leader": name_seat(screen, line.data["leader"], reader),
    }


def _played(screen: Screen, line: LogLine, reader: int | None) -> str:
    words = {"name": name_seat(screen, line.seat, reader), "cards": _names_cards(line)}
    sentences = [(_("You play %(cards)s.") if line.seat == reader else _("%(name)s plays %(cards)s.")) % words]
    if line.data["wilds"]:
        wilds = _(", ").join(name_clothing(word) for word in line.data["wilds"])
        sentences.append(_("As a wild: %(clothing)s.") % {"clothing": wilds})
    if line.data["moved"] > 1:
        count = line.data["moved"]
        sentences.append(
            ngettext("%(count)d meld is rebuilt.", "%(count)d melds are rebuilt.", count) % {"count": count}
        )
    return " ".join(sentences)


def _claimed(screen: Screen, line: LogLine, reader: int | None) -> str:
    words = {"name": name_seat(screen, line.seat, reader), "clothing": name_clothing(line.data["clothing"])}
    if not line.data["clothing"].startswith(f"{line.data['spot']}-"):
        return (
            _("You take: %(clothing)s. It is worn in a wrong spot.")
            if line.seat == reader
            else _("%(name)s takes: %(clothing)s. It is worn in a wrong spot.")
        ) % words
    return (_("You take: %(clothing)s.") if line.seat == reader else _("%(name)s takes: %(clothing)s.")) % words


def _returned(screen: Screen, line: LogLine, reader: int | None) -> str:
    words = {"name": name_seat(screen, line.seat, reader), "clothing": name_clothing(line.data["clothing"])}
    return (_("You put back: %(clothing)s.") if line.seat == reader else _("%(name)s puts back: %(clothing)s.")) % words


def _drew(screen: Screen, line: LogLine, reader: int | None) -> str:
    if line.seat == reader:
        return ""  # the next line names the card
    return _("%(name)s draws a card.") % {"name": name_seat(screen, line.seat, reader)}


def _got(screen: Screen, line: LogLine, reader: int | None) -> str:
    return _("You draw: %(cards)s.") % {"cards": _names_cards(line)}


def _passed(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (_("You pass.") if line.seat == reader else _("%(name)s passes.")) % {
        "name": name_seat(screen, line.seat, reader)
    }


def _timed_out(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (_("You ran out of time.") if line.seat == reader else _("%(name)s ran out of time.")) % {
        "name": name_seat(screen, line.seat, reader)
    }


def _activated(screen: Screen, line: LogLine, reader: int | None) -> str:
    words = {
        "name": name_seat(screen, line.seat, reader),
        "rule": RULE_NAMES[line.data["rule"]],
        "cards": _names_cards(line),
    }
    return (
        _("You play %(cards)s and activate: %(rule)s.")
        if line.seat == reader
        else _("%(name)s plays %(cards)s and activates: %(rule)s.")
    ) % words


def _dressed(screen: Screen, line: LogLine, reader: int | None) -> str:
    return (
        _("Your animal is fully dressed. Everyone else has one more turn.")
        if line.seat == reader
        else _("%(name)s has fully dressed their animal. Everyone else has one more turn.")
    ) % {"name": name_seat(screen, line.seat, reader)}


def _bell(screen: Screen, line: LogLine, reader: int | None) -> str:
    return _("The bell! Everyone has one more turn.")


def _game_over(screen: Screen, line: LogLine, reader: int | None) -> str:
    winners = [name_seat(screen, seat, reader) for seat, place in enumerate(line.data["places"]) if place == 1]
    return _("The game is over. Won by: %(names)s.") % {"names": _(", ").join(winners)}


_SAY: Mapping[str, Callable[[Screen, LogLine, int | None], Any]] = {
    "dealt": _dealt,
    "played": _played,
    "claimed": _claimed,
    "returned": _returned,
    "drew": _drew,
    "got": _got,
    "passed": _passed,
    "timed_out": _timed_out,
    "activated": _activated,
    "dressed": _dressed,
    "bell": _bell,
    "game_over": _game_over,
}
