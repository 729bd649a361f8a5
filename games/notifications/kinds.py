"""The kinds of notifications: what each is called, how it is usually sent, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.presenters.names import name_game
from games.rules.day_pace import DAY_SECONDS


class Channel(StrEnum):
    """How somebody is told."""

    PUSH = "push"
    MAIL = "mail"


class Kind(StrEnum):
    """What somebody is told of. The values are stored."""

    YOUR_TURN = "your-turn"
    DAY_TURN = "day-turn"
    TURN_ENDS = "turn-ends"
    TABLE_READY = "table-ready"
    ROUND_RELEASED = "round-released"
    ROUND_ENDS = "round-ends"
    ROUND_COMPLETE = "round-complete"
    RESULT_DISPUTED = "result-disputed"
    CHECK_IN_OPEN = "check-in-open"
    MOVED_UP = "moved-up"
    EVENING_TOMORROW = "evening-tomorrow"
    REPORT_CAME = "report-came"
    TABLE_WAITS = "table-waits"
    GONE = "gone"
    """No notification: closes one that is no longer true."""


class Message(NamedTuple):
    """What a notification says in the present language: one line, and one sentence."""

    title: str
    body: str


Details = Mapping[str, Any]


@dataclass(frozen=True)
class KindOfNotice:
    """label: on the settings page. usual: channels for people who have chosen nothing. lasts: seconds for which it is
    worth telling. for_organisers: only they can get it."""

    label: str | Promise
    write: Callable[[Details], Message]
    usual: frozenset[Channel] = frozenset({Channel.PUSH})
    lasts: float = 3600.0
    for_organisers: bool = False


def list_names(names: Sequence[str]) -> str:
    """Names in a sentence: "Ana", "Ana and Ben", "Ana, Ben and Cem"."""
    if len(names) < 2:
        return "".join(names)
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def _write_turn(details: Details) -> Message:
    others = list_names(details["names"])
    game = name_game(details["game"])
    body = _("%(game)s with %(names)s") % {"game": game, "names": others} if others else game
    return Message(_("It is your turn"), body)


def _write_day_turn(details: Details) -> Message:
    told = _write_turn(details)
    hours = max(1, details["hours"])
    left = ngettext("%(hours)d hour left", "%(hours)d hours left", hours) % {"hours": hours}
    return Message(told.title, f"{told.body} · {left}")


def _write_ending(details: Details) -> Message:
    return Message(_("Your time is running out"), _write_day_turn(details).body)


def _write_table(details: Details) -> Message:
    table = {"table": details["table"], "names": list_names(details["names"])}
    body = _("Table %(table)s, with %(names)s") % table if details["names"] else _("Table %(table)s") % table
    if days := details.get("days"):
        body += " · " + ngettext("deadline in %(days)d day", "deadline in %(days)d days", days) % {"days": days}
    return Message(_("Your table is ready: %(event)s") % {"event": details["event"]}, body)


def _write_round(details: Details) -> Message:
    return Message(_("Round %(round)s has begun: %(event)s") % details, _("You have a bye in this round."))


def _write_round_end(details: Details) -> Message:
    body = ngettext(
        "Your game at table %(table)s is not over. The round ends in %(hours)d hour.",
        "Your game at table %(table)s is not over. The round ends in %(hours)d hours.",
        details["hours"],
    )
    return Message(_("Round %(round)s ends soon: %(event)s") % details, body % details)


def _write_complete(details: Details) -> Message:
    return Message(_("Round %(round)s is complete: %(event)s") % details, _("All results are in."))


def _write_dispute(details: Details) -> Message:
    body = _("The result of table %(table)s is disputed by %(name)s.") % details
    return Message(_("Disputed result: %(event)s") % {"event": details["event"]}, body)


def _write_check_in(details: Details) -> Message:
    return Message(
        _("Check-in is open: %(event)s") % {"event": details["event"]}, _("Check in so that you get a seat.")
    )


def _write_moved_up(details: Details) -> Message:
    return Message(
        _("You have a place: %(event)s") % {"event": details["event"]}, _("You moved up from the waiting list.")
    )


def _write_evening(details: Details) -> Message:
    return Message(_("Tomorrow: %(event)s") % {"event": details["event"]}, details.get("club", ""))


def _write_report(details: Details) -> Message:
    return Message(_("A message was reported"), _("%(place)s: look at it and decide what to do.") % details)


def _write_waiting(details: Details) -> Message:
    said = {"name": details["name"], "game": name_game(details["game"])}
    return Message(_("%(name)s has opened a table") % said, _("%(game)s. There is a free seat.") % said)


def _write_nothing(_details: Details) -> Message:
    return Message("", "")


KINDS: Mapping[Kind, KindOfNotice] = {
    Kind.YOUR_TURN: KindOfNotice(gettext_lazy("It is my turn, and I am not at the table"), _write_turn, lasts=900.0),
    Kind.DAY_TURN: KindOfNotice(gettext_lazy("It is my turn in a game over days"), _write_day_turn, lasts=DAY_SECONDS),
    Kind.TURN_ENDS: KindOfNotice(
        gettext_lazy("Only a fifth of my time is left in a game over days"),
        _write_ending,
        usual=frozenset({Channel.PUSH, Channel.MAIL}),
        lasts=DAY_SECONDS,
    ),
    Kind.TABLE_READY: KindOfNotice(gettext_lazy("My table is ready"), _write_table),
    Kind.ROUND_RELEASED: KindOfNotice(gettext_lazy("A round begins and I have a bye"), _write_round),
    Kind.ROUND_ENDS: KindOfNotice(
        gettext_lazy("A round over days ends soon and my game is not over"),
        _write_round_end,
        usual=frozenset({Channel.PUSH, Channel.MAIL}),
        lasts=DAY_SECONDS,
    ),
    Kind.ROUND_COMPLETE: KindOfNotice(
        gettext_lazy("A round over days that I run is complete"),
        _write_complete,
        usual=frozenset({Channel.PUSH, Channel.MAIL}),
        lasts=7 * 24 * 3600.0,
        for_organisers=True,
    ),
    Kind.RESULT_DISPUTED: KindOfNotice(gettext_lazy("A result is disputed"), _write_dispute),
    Kind.CHECK_IN_OPEN: KindOfNotice(gettext_lazy("Check-in is open"), _write_check_in, lasts=6 * 3600.0),
    Kind.MOVED_UP: KindOfNotice(gettext_lazy("I move up from a waiting list"), _write_moved_up, lasts=24 * 3600.0),
    Kind.EVENING_TOMORROW: KindOfNotice(
        gettext_lazy("A tournament or evening is tomorrow"), _write_evening, lasts=24 * 3600.0
    ),
    Kind.REPORT_CAME: KindOfNotice(
        gettext_lazy("A message was reported in a club that I run"),
        _write_report,
        lasts=7 * 24 * 3600.0,
        for_organisers=True,
    ),
    Kind.TABLE_WAITS: KindOfNotice(
        gettext_lazy("Somebody from my clubs has opened a table"), _write_waiting, usual=frozenset(), lasts=600.0
    ),
    Kind.GONE: KindOfNotice("", _write_nothing, usual=frozenset()),
}

CHOOSABLE: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != Kind.GONE)
"""Those of the settings page, in its order."""

ORGANISER_CHECKS: list[Callable[[int], bool]] = []
"""Called with a player's id: whether they run a club. Apps built on tables register here."""


def list_choosable(player_id: int) -> list[Kind]:
    """The kinds that this person can choose."""
    is_organiser = any(check(player_id) for check in ORGANISER_CHECKS)
    return [kind for kind in CHOOSABLE if is_organiser or not KINDS[kind].for_organisers]
