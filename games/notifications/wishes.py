"""Notification settings of people: events, channels and quiet hours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils import timezone

from games.accounts import mail, time_zones
from games.models import NoticeWishes, Player
from games.notifications.kinds import CHOOSABLE, KINDS, Channel, Kind
from games.play.errors import BadInput
from games.play.storage import codec

DAY_MINUTES = 24 * 60
Choice = Mapping[Kind, frozenset[Channel]]


class Wishes(NamedTuple):
    """One person's. quiet: from and until, minutes since midnight in `zone`; None without quiet hours."""

    chosen: Choice
    quiet: tuple[int, int] | None = None
    zone: str = ""

    def wants(self, kind: Kind, channel: Channel) -> bool:
        """Whether to tell them of this by this channel."""
        return channel in self.chosen.get(kind, KINDS[kind].usual)


DEFAULT_WISHES = Wishes({})
"""The wishes of people who have chosen nothing."""


def read_all(player_ids: Collection[int]) -> dict[int, Wishes]:
    """The wishes of those of these people who have any."""
    rows = NoticeWishes.objects.filter(player__in=player_ids)
    return {row.player_id: _read(row) for row in rows}


def read(player_id: int) -> Wishes:
    """One person's wishes."""
    return read_all([player_id]).get(player_id, DEFAULT_WISHES)


def _read(row: NoticeWishes) -> Wishes:
    kinds = {kind.value: kind for kind in CHOOSABLE}
    channels = {channel.value: channel for channel in Channel}
    stored = codec.read(row.chosen)
    chosen = {
        kinds[name]: frozenset(channels[item] for item in given if item in channels)
        for name, given in stored.items()
        if name in kinds
    }
    has_quiet = row.quiet_from is not None and row.quiet_until is not None
    quiet = (row.quiet_from or 0, row.quiet_until or 0) if has_quiet else None
    return Wishes(chosen, quiet, row.zone)


def save(player_id: int, wishes: Wishes) -> None:
    """Store a person's wishes. Raises BadInput for an unknown time zone, or quiet hours that never end."""
    if wishes.quiet is not None:
        if time_zones.find_zone(wishes.zone) is None:
            raise BadInput("Choose a time zone from the list.")
        if wishes.quiet[0] == wishes.quiet[1]:
            raise BadInput("Quiet hours need two different times.")
    chosen = {kind.value: sorted(channels) for kind, channels in wishes.chosen.items()}
    quiet_from, quiet_until = wishes.quiet or (None, None)
    values = {
        "chosen": codec.write(chosen), "quiet_from": quiet_from, "quiet_until": quiet_until, "zone": wishes.zone
    }  # fmt: skip
    NoticeWishes.objects.update_or_create(player_id=player_id, defaults=values)


def stop_mail(player_id: int, kind: Kind | None) -> None:
    """No more e-mail of this kind; None: of no kind."""
    wishes = read(player_id)
    kinds = CHOOSABLE if kind is None else (kind,)
    silenced = {muted: wishes.chosen.get(muted, KINDS[muted].usual) - {Channel.MAIL} for muted in kinds}
    save(player_id, wishes._replace(chosen={**wishes.chosen, **silenced}))


def find_zone(player_id: int) -> tzinfo:
    """The time zone that this person chose; the site's if none."""
    return time_zones.find_zone(read(player_id).zone) or timezone.get_default_timezone()


def find_wake(wishes: Wishes, now: float) -> float:
    """When this person may be told something: now, or at the end of their quiet hours (seconds since 1970)."""
    if wishes.quiet is None:
        return now
    start, end = wishes.quiet
    zone = time_zones.find_zone(wishes.zone) or timezone.get_default_timezone()
    local = datetime.fromtimestamp(now, tz=UTC).astimezone(zone)
    minute = local.hour * 60 + local.minute
    is_quiet = start <= minute < end if start < end else minute >= start or minute < end
    if not is_quiet:
        return now
    day = local.date() if minute < end else local.date() + timedelta(days=1)
    wake = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone)  # by the clock on the wall
    return max(now, wake.timestamp())


def find_addresses(player_ids: Iterable[int]) -> dict[int, str]:
    """Confirmed e-mail addresses, by person; none where this site sends no e-mail."""
    if not mail.are_sent():
        return {}
    confirmed = EmailAddress.objects.filter(Q(user__player__in=list(player_ids)), verified=True)
    rows = confirmed.order_by("primary", "pk").values_list("user__player", "email")
    return {player_id: email for player_id, email in rows if player_id is not None}


def list_wanting(kind: Kind, player_ids: Collection[int]) -> list[int]:
    """The people among these whose settings choose this kind for any channel."""
    found = read_all(player_ids)
    return sorted(pk for pk, wishes in found.items() if any(wishes.wants(kind, channel) for channel in Channel))


def find_language(player: Player) -> str:
    """The language in which a person is written to."""
    return player.language or "en"
