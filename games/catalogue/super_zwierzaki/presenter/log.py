"""The log of Super Zwierzaki: one sentence an event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.catalogue.super_zwierzaki.presenter.faces import describe_kind
from games.catalogue.super_zwierzaki.presenter.names import COLOUR_NAMES, name_cards, name_copies, name_kind
from games.presenters.log import name_seat, render_line
from games.presenters.render import macro
from games.presenters.screen import LogLine, Screen
from games.rules.base import View

MARKS = dict.fromkeys(("dealt", "turn", "bell", "game_over"), "head") | {"called": "cry", "forgot": "shame"}
"""What sets a line apart: a head, or something that is shown at the player's seat, too."""
SOUNDS = {"played": "play", "nine": "play", "reacted": "play", "drew": "pass", "declined": "pass", "bell": "bell"}
_PICTURED = {
    "dealt": "top",
    "played": "card",
    "nine": "cards",
    "drawn": "cards",
    "reacted": "card",
    "named": "card",
    "buried": "cards",
    "gift": "cards",
    "half": "cards",
    "dueled": "card",
    "prevented": "card",
}
"""Kind of event → where its data has the cards that its line names."""
FILE = "super_zwierzaki.jinja"
ONE_CARD_CALL = "Codziennie niskie ceny!"
"""What is said with one card left, in every language."""


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """The lines after this ply that this seat may know, as list items."""
    lines = []
    for line in screen.lines_after(since_ply):
        if line.to is not None and seat not in line.to:
            continue
        if sentence := say(screen, line, seat):
            sound = SOUNDS.get(line.kind, "")
            lines.append(
                render_line(screen, line, sentence, marks=_mark_line(line), sound=sound, cards=_render_cards(line))
            )
    return lines


def _render_cards(line: LogLine) -> str:
    """The cards that the line names, for eyes only; each kind once."""
    if line.kind not in _PICTURED:
        return ""
    found = line.data[_PICTURED[line.kind]]
    kinds = [found] if isinstance(found, str) else list(dict.fromkeys(found))
    return macro(FILE, "log_cards")([describe_kind(kind) for kind in kinds]) if kinds else ""


def _mark_line(line: LogLine) -> str:
    mark = MARKS.get(line.kind)
    if mark is None:
        return ""
    return f' class="{mark}"' if mark == "head" else f' class="{mark}" data-seat="{line.seat}"'


def say(screen: Screen, line: LogLine, seat: int | None) -> str:
    """What a line says to this seat; nothing for events that others tell as well."""
    tell = _SAY.get(line.kind)
    return str(tell(_ReadLine(screen, line, seat))) if tell else ""


class _ReadLine:
    """An event with its names at hand."""

    def __init__(self, screen: Screen, line: LogLine, reader: int | None) -> None:
        self.screen, self.seat, self.data, self.reader = screen, line.seat, line.data, reader
        self.who = self.name(line.seat)

    def name(self, seat: int | None) -> str:
        return name_seat(self.screen, seat, self.reader)

    @property
    def is_mine(self) -> bool:
        """Whether the reader is who it is told of."""
        return self.seat is not None and self.seat == self.reader


def _dealt(line: _ReadLine) -> str:
    names = _(", ").join(line.name(seat) for seat in line.data["order"])
    return _("Playing order: %(names)s. First card: %(card)s.") % {
        "names": names,
        "card": name_kind(line.data["top"]),
    }


def _turn(line: _ReadLine) -> str:
    return (_("Turn %(number)s: you.") if line.is_mine else _("Turn %(number)s: %(name)s.")) % {
        "number": line.data["number"],
        "name": line.who,
    }


def _empty_turn(line: _ReadLine) -> str:
    left = line.data["left"]
    if not left:
        return (_("You lose this turn.") if line.is_mine else _("%(name)s loses this turn.")) % {"name": line.who}
    if line.is_mine:
        words = ngettext("You lose this turn, and %(count)d more.", "You lose this turn, and %(count)d more.", left)
    else:
        words = ngettext(
            "%(name)s loses this turn, and %(count)d more.", "%(name)s loses this turn, and %(count)d more.", left
        )
    return words % {"name": line.who, "count": left}


def _played(line: _ReadLine) -> str:
    cards = name_copies(line.data["card"], line.data["count"])
    return (_("You play %(cards)s.") if line.is_mine else _("%(name)s plays %(cards)s.")) % {
        "name": line.who,
        "cards": cards,
    }


def _nine(line: _ReadLine) -> str:
    return (
        _("You play the nine colours: %(cards)s.") if line.is_mine else _("%(name)s plays the nine colours: %(cards)s.")
    ) % {
        "name": line.who,
        "cards": name_cards(line.data["cards"]),
    }


def _drew(line: _ReadLine) -> str:
    if line.reader == line.seat and line.data["count"]:
        return ""  # the next line names the cards
    count = line.data["count"]
    if not count:
        return (
            _("You cannot draw: no cards are left.") if line.is_mine else _("%(name)s cannot draw: no cards are left.")
        ) % {"name": line.who}
    words = ngettext("%(name)s draws %(count)d card.", "%(name)s draws %(count)d cards.", count)
    return words % {"name": line.who, "count": count}


def _drawn(line: _ReadLine) -> str:
    return _("You draw: %(cards)s.") % {"cards": name_cards(line.data["cards"])}


def _reacted(line: _ReadLine) -> str:
    return (_("You react with %(card)s!") if line.is_mine else _("%(name)s reacts with %(card)s!")) % {
        "name": line.who,
        "card": name_kind(line.data["card"]),
    }


def _counter(line: _ReadLine) -> str:
    words = {"value": line.data["value"]}
    if line.data["name"] == "red":
        return _("Red points: %(value)s.") % words
    if line.data["name"] == "orc":
        return _("Orca points: %(value)s.") % words
    if line.data["name"] == "stop":
        return _("Stop points: %(value)s.") % words
    return _("Demand points: %(value)s.") % words


def _colour(line: _ReadLine) -> str:
    return (_("You name a colour: %(colour)s.") if line.is_mine else _("%(name)s names a colour: %(colour)s.")) % {
        "name": line.who,
        "colour": COLOUR_NAMES[line.data["colour"]],
    }


def _named(line: _ReadLine) -> str:
    return (_("You demand: %(card)s.") if line.is_mine else _("%(name)s demands: %(card)s.")) % {
        "name": line.who,
        "card": name_kind(line.data["card"]),
    }


def _expired(line: _ReadLine) -> str:
    return _("Nobody raised the demand for %(card)s. It ends.") % {"card": name_kind(line.data["card"])}


def _reversed(line: _ReadLine) -> str:
    names = _(", ").join(line.name(seat) for seat in line.data["order"])
    return _("The playing order is reversed: %(names)s.") % {"names": names}


def _swapped(line: _ReadLine) -> str:
    first, second = (line.name(seat) for seat in line.data["seats"])
    return (
        _("You choose who swaps hands: %(first)s and %(second)s.")
        if line.is_mine
        else _("%(name)s chooses who swaps hands: %(first)s and %(second)s.")
    ) % {
        "name": line.who,
        "first": first,
        "second": second,
    }


def _permuted(line: _ReadLine) -> str:
    ways = [
        _("%(giver)s → %(taker)s") % {"giver": line.name(giver), "taker": line.name(taker)}
        for giver, taker in enumerate(line.data["sigma"])
        if giver != taker
    ]
    count = line.data["count"]
    half = ngettext(
        "%(giver)s gives %(taker)s %(count)d random card.",
        "%(giver)s gives %(taker)s %(count)d random cards.",
        count,
    ) % {"giver": line.name(line.data["giver"]), "taker": line.name(line.data["taker"]), "count": count}
    moved = (
        _("Then the hands move: %(ways)s.") % {"ways": _(", ").join(ways)}
        if ways
        else _("The hands stay where they are.")
    )
    return f"{half} {moved}"


def _half(line: _ReadLine) -> str:
    return _gift_words(line, line.seat, line.data["taker"])


def _discarded(line: _ReadLine) -> str:
    if line.reader == line.seat:
        return ""
    count = line.data["count"]
    words = ngettext(
        "%(name)s puts %(count)d card under the heap.", "%(name)s puts %(count)d cards under the heap.", count
    )
    return words % {"name": line.who, "count": count}


def _buried(line: _ReadLine) -> str:
    return _("You put under the heap: %(cards)s.") % {"cards": name_cards(line.data["cards"])}


def _gave(line: _ReadLine) -> str:
    if line.reader in (line.seat, line.data["to"]):
        return ""
    count = line.data["count"]
    words = ngettext("%(giver)s gives %(taker)s %(count)d card.", "%(giver)s gives %(taker)s %(count)d cards.", count)
    return words % {"giver": line.who, "taker": line.name(line.data["to"]), "count": count}


def _gift(line: _ReadLine) -> str:
    return _gift_words(line, line.seat, line.data["to"])


def _gift_words(line: _ReadLine, giver: int | None, taker: int) -> str:
    words = {"giver": line.name(giver), "taker": line.name(taker), "cards": name_cards(line.data["cards"])}
    if line.reader == giver:
        return _("You give %(taker)s: %(cards)s.") % words
    return _("%(giver)s gives you: %(cards)s.") % words


def _loses_turns(line: _ReadLine) -> str:
    count = line.data["count"]
    if not count:
        return (_("You lose this turn.") if line.is_mine else _("%(name)s loses this turn.")) % {"name": line.who}
    if line.is_mine:
        words = ngettext("You will lose %(count)d more turn.", "You will lose %(count)d more turns.", count)
    else:
        words = ngettext("%(name)s will lose %(count)d more turn.", "%(name)s will lose %(count)d more turns.", count)
    return words % {"name": line.who, "count": count}


def _duel_begun(line: _ReadLine) -> str:
    return (
        _("You begin a duel. Duel points: %(points)s.")
        if line.is_mine
        else _("%(name)s begins a duel. Duel points: %(points)s.")
    ) % {
        "name": line.who,
        "points": line.data["points"],
    }


def _dueled(line: _ReadLine) -> str:
    return (
        _("You answer with %(card)s. Duel points: %(points)s.")
        if line.is_mine
        else _("%(name)s answers with %(card)s. Duel points: %(points)s.")
    ) % {
        "name": line.who,
        "card": name_kind(line.data["card"]),
        "points": line.data["points"],
    }


def _duel_over(line: _ReadLine) -> str:
    if line.seat is None:
        return _("The duel ends without a winner.")
    return (
        _("You win the duel. Duel points: %(points)s.")
        if line.is_mine
        else _("%(name)s wins the duel. Duel points: %(points)s.")
    ) % {
        "name": line.who,
        "points": line.data["points"],
    }


def _called(line: _ReadLine) -> str:
    return (_("You: “%(cry)s”") if line.is_mine else _("%(name)s: “%(cry)s”")) % {
        "name": line.who,
        "cry": ONE_CARD_CALL,
    }


def _forgot(line: _ReadLine) -> str:
    return (
        _("You did not say “%(cry)s”. Shame! Two cards.")
        if line.is_mine
        else _("%(name)s did not say “%(cry)s”. Shame! Two cards.")
    ) % {"name": line.who, "cry": ONE_CARD_CALL}


def _prevented(line: _ReadLine) -> str:
    return (_("%(by)s stops you with %(card)s.") if line.is_mine else _("%(by)s stops %(name)s with %(card)s.")) % {
        "by": line.name(line.data["by"]),
        "name": line.who,
        "card": name_kind(line.data["card"]),
    }


def _game_over(line: _ReadLine) -> str:
    winners = [seat for seat, place in enumerate(line.data["places"]) if place == 1]
    names = _(", ").join(line.name(seat) for seat in winners)
    if len(winners) > 1:
        return _("The game is over. Won by: %(names)s.") % {"names": names}
    if winners == [line.reader]:
        return _("The game is over. You have won.")
    return _("The game is over. %(name)s has won.") % {"name": names}


def _plainly(template: str, yours: str = "") -> Callable[[_ReadLine], str]:
    """yours: the sentence for the person it is about; empty where it is about nobody."""
    return lambda line: _(yours if yours and line.is_mine else template) % {"name": line.who}


_SAY: Mapping[str, Callable[[_ReadLine], Any]] = {
    "dealt": _dealt,
    "timed_out": _plainly(gettext_noop("%(name)s ran out of time."), gettext_noop("You ran out of time.")),
    "turn": _turn,
    "empty_turn": _empty_turn,
    "played": _played,
    "nine": _nine,
    "drew": _drew,
    "drawn": _drawn,
    "reacted": _reacted,
    "rejected": _plainly(gettext_noop("The play is rejected and does nothing.")),
    "stands": _plainly(gettext_noop("The rejections cancel each other out. The play takes effect.")),
    "counter": _counter,
    "zeroed": _plainly(gettext_noop("All counters are zero.")),
    "colour": _colour,
    "named": _named,
    "expired": _expired,
    "reversed": _reversed,
    "swapped": _swapped,
    "permuted": _permuted,
    "half": _half,
    "discarded": _discarded,
    "buried": _buried,
    "gave": _gave,
    "gift": _gift,
    "loses_turns": _loses_turns,
    "declined": _plainly(gettext_noop("%(name)s declines."), gettext_noop("You decline.")),
    "duel_begun": _duel_begun,
    "dueled": _dueled,
    "folded": _plainly(gettext_noop("%(name)s folds."), gettext_noop("You fold.")),
    "duel_over": _duel_over,
    "called": _called,
    "forgot": _forgot,
    "reshuffled": _plainly(gettext_noop("The heap is shuffled into a new draw pile.")),
    "win_window": _plainly(
        gettext_noop("%(name)s has no cards left! Can anyone stop them?"),
        gettext_noop("You have no cards left! Can anyone stop you?"),
    ),
    "prevented": _prevented,
    "bell": _plainly(gettext_noop("The bell! The current turn is the last.")),
    "game_over": _game_over,
}
