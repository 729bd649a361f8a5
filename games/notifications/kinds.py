"""The kinds of notifications: what each is called, how it is usually sent, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models.texts import join_with_and
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


class Moment(NamedTuple):
    """A time that a notification names, as a clock shows it: it may be read hours after it was sent.

    text: in the present language, with `TIME` where the time stands; at: seconds since 1970.
    """

    text: str
    at: float


class Message(NamedTuple):
    """What a notification says in the present language: one line, one sentence, and for some a time.

    The time is written by who shows the message, in the reader's time zone.
    """

    title: str
    body: str
    moment: Moment | None = None

    def write_body(self, zone: tzinfo) -> str:
        """The sentence with its time as a clock in this zone shows it."""
        if self.moment is None:
            return self.body
        at = datetime.fromtimestamp(self.moment.at, tz=zone)
        shown = f"{date_format(at, 'SHORT_DATETIME_FORMAT')} {at.tzname()}"
        return " · ".join(part for part in (self.body, self.moment.text.replace(TIME, shown)) if part)


TIME = "%(time)s"
"""Placeholder for the time in a moment's text; static/js/worker/service-worker.js fills it in."""

Details = Mapping[str, Any]
"""What a kind's sentences are made of. Under "moment", if there is one, seconds since 1970: later it is not told."""


@dataclass(frozen=True)
class KindOfNotice:
    """label: on the settings page. usual: channels for people who have chosen nothing. lasts: seconds for which it is
    worth telling. for_organisers: only they can get it."""

    label: str | Promise
    write: Callable[[Details], Message]
    usual: frozenset[Channel] = frozenset({Channel.PUSH})
    lasts: float = 3600.0
    for_organisers: bool = False


def _write_turn(details: Details) -> Message:
    others = join_with_and(details["names"])
    game = name_game(details["game"])
    body = _("%(game)s with %(names)s") % {"game": game, "names": others} if others else game
    return Message(_("It is your turn"), body)


def _find_moment(details: Details, text: str) -> Moment | None:
    """The time of these details. Messages that an earlier version left in the outbox have none."""
    at = details.get("moment")
    return Moment(text, float(at)) if at else None


def _write_day_turn(details: Details) -> Message:
    return _write_turn(details)._replace(moment=_find_moment(details, _("until %(time)s")))


def _write_ending(details: Details) -> Message:
    return _write_day_turn(details)._replace(title=_("Your time is running out"))


def _write_table(details: Details) -> Message:
    table = {"table": details["table"], "names": join_with_and(details["names"])}
    body = _("Table %(table)s, with %(names)s") % table if details["names"] else _("Table %(table)s") % table
    title = _("Your table is ready: %(event)s") % {"event": details["event"]}
    return Message(title, body, _find_moment(details, _("until %(time)s")))


def _write_round(details: Details) -> Message:
    return Message(_("Round %(round)s has begun: %(event)s") % details, _("You have a bye in this round."))


def _write_round_end(details: Details) -> Message:
    title = _("Round %(round)s ends soon: %(event)s") % details
    body = _("Your game at table %(table)s is not over.") % details
    return Message(title, body, _find_moment(details, _("until %(time)s")))


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
    title = _("Coming up: %(event)s") % details
    return Message(title, details.get("club", ""), _find_moment(details, _("begins %(time)s")))


def _write_report(details: Details) -> Message:
    return Message(_("A message was reported"), _("%(place)s: look at it and decide what to do.") % details)


def _write_waiting(details: Details) -> Message:
    values = {"name": details["name"], "game": name_game(details["game"])}
    return Message(_("%(name)s has opened a table") % values, _("%(game)s. There is a free seat.") % values)


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
        gettext_lazy("A round over days in a tournament that I run is complete"),
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
"""The kinds of the settings page, in its order."""

ORGANISER_CHECKS: list[Callable[[int], bool]] = []
"""Called with a player's id: whether they run a club. Apps built on tables register here."""


def list_choosable(player_id: int) -> list[Kind]:
    """The kinds that this person can choose."""
    is_organiser = any(check(player_id) for check in ORGANISER_CHECKS)
    return [kind for kind in CHOOSABLE if is_organiser or not KINDS[kind].for_organisers]
