"""What a presenter renders of a table: the table's row, chairs and clocks as a `Screen`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from games.play import permissions
from games.play.moves.interludes import list_unready
from games.play.moves.window_answers import find_holds, get_standing_answer
from games.play.seats import seat_roles
from games.play.storage.table import OVER, PLAYING, LoadedTable, SeatedPlayer
from games.presenters.holiday_texts import list_shown_holidays
from games.presenters.screen import Chair, Screen, ShownInterlude
from games.records.stand_ins import StandIn
from games.rules import registry

KEPT_CHAIRS = 2048
"""Lists of chairs that a process remembers: one for each table that is rendered at the moment."""


class EarlierScreen(Protocol):
    """An earlier version of a table, and the screen that was built of it."""

    table: LoadedTable
    screen: Screen


def build_screen(table: LoadedTable, before: EarlierScreen | None = None) -> Screen:
    """What a presenter renders. before: an earlier version, whose chairs are taken over if nothing there changed."""
    is_paused = table.runtime.paused_at is not None and table.status != OVER
    running = () if is_paused else tuple(clock for clock in table.runtime.clocks if clock.left is None)
    dues = {_name_clock(clock.event): round(clock.due * 1000) for clock in running if table.has_limit(clock)}
    return Screen(
        table_id=table.id,
        game=table.rules.slug,
        options=table.options,
        status=table.status,
        is_public=table.is_public,
        host_seat=table.seat_of(table.host_id),
        turn_seconds=table.turn_seconds,
        ply=table.ply,
        version=table.version,
        chairs=_list_chairs(table, before),
        due=dues.get("turn"),
        bell=dues.get("time-up"),
        commitment=table.commitment,
        contributions=_list_contributions(table, before),
        log=table.log,
        auto_pass=table.runtime.standing_passes,
        has_standing_answers=bool(table.rules.standing_answers),
        standing_answers=_list_standing_answers(table),
        holds={seat: round(until * 1000) for seat, until in find_holds(table).items()},
        rematch_id=table.rematch_id,
        missing=frozenset(table.missing()) if table.runtime.arranged else None,
        is_called=table.runtime.is_called,
        is_starting=table.begins_at is not None,
        has_own_deal=table.has_own_deal,
        is_closed=table.status == OVER and table.state is None,
        is_paused=is_paused,
        is_standing=is_paused and table.runtime.is_standing,
        is_held=is_paused and table.runtime.is_held,
        ending=table.runtime.ending,
        is_untimed=table.is_untimed,
        is_rated=table.is_rated,
        pace=table.pace,
        interlude=None if is_paused else _show_interlude(table),
        has_hints=registry.infos()[table.rules.slug].has_hints and table.allows_hints,
        has_replay=table.outcome is not None and permissions.is_published(table),
        is_sealed=table.runtime.arranged is not None and table.runtime.arranged.is_sealed,
        void_reason=table.void_reason,
        dues=dues,
        holidays=list_shown_holidays(table.runtime.holidays, now=time.time()) if table.runtime.holidays else (),
    )


def _show_interlude(table: LoadedTable) -> ShownInterlude | None:
    interlude = table.runtime.interlude
    if interlude is None or table.status != PLAYING:
        return None
    return ShownInterlude(round(interlude.since * 1000), round(interlude.until * 1000), list_unready(table))


def _name_clock(event: Mapping[str, Any]) -> str:
    """ "turn", "reaction", "call-2"."""
    name = str(event.get("clock"))
    return f"{name}-{event['seat']}" if "seat" in event else name


@lru_cache(maxsize=KEPT_CHAIRS)
def _build_chairs(
    places: tuple[SeatedPlayer, ...],
    stand_ins: frozenset[int],
    stood_in: tuple[tuple[int, StandIn], ...],
    roles: tuple[tuple[int, str], ...],
    seats: int,
) -> tuple[Chair, ...]:
    """All seats, the free ones too. Cached, as they change seldom."""
    taken, stand_in_by_seat, role_by_seat = {place.seat: place for place in places}, dict(stood_in), dict(roles)
    return tuple(
        Chair(
            seat,
            place.name,
            place.avatar,
            taken=True,
            bot=place.bot,
            stand_in=seat in stand_ins,
            stood_in=stand_in_by_seat.get(seat),
            role=role_by_seat.get(seat, ""),
            has_account=place.has_account,
        )
        if (place := taken.get(seat)) is not None
        else Chair(seat, "", "", taken=False)
        for seat in range(seats)
    )


def _list_chairs(table: LoadedTable, before: EarlierScreen | None) -> tuple[Chair, ...]:
    runtime, roles = table.runtime, seat_roles.list_seat_roles(table)
    if before is not None and before.table.places is table.places:
        old, chairs = before.table.runtime, before.screen.chairs
        is_same = old.stand_ins == runtime.stand_ins and old.decisions.stretches == runtime.decisions.stretches
        if is_same and all(chair.role == roles.get(chair.index, "") for chair in chairs):
            return chairs
    stand_ins = tuple(table.list_stand_ins().items())
    return _build_chairs(table.places, runtime.stand_ins, stand_ins, tuple(roles.items()), table.seat_count)


def _list_contributions(table: LoadedTable, before: EarlierScreen | None) -> tuple[str | None, ...]:
    if before is not None and before.table.places is table.places:
        return before.screen.contributions
    entropy: list[str | None] = [None] * table.seat_count
    for place in table.places:
        entropy[place.seat] = place.entropy
    return tuple(entropy)


def _list_standing_answers(table: LoadedTable) -> Mapping[int, str]:
    if not table.rules.standing_answers:
        return {}
    return {place.seat: get_standing_answer(table, place.seat) for place in table.places}
