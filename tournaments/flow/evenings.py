"""Timed sessions (evenings): opened by a member of a club, at one or more tables, until their bell.

A change is a conditional UPDATE that raises the session's version, so it is made once, however many clicks and
sweepers there are; what it promises to the tables is carried out afterwards and, if that was interrupted, by
`look_after`. Times are seconds since 1970.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F
from django.urls import reverse

from games import models as played
from games.models import Player
from games.play import arranged, store
from games.play.errors import BadInput, NotAllowed, NotFound, Refusal, Stale
from games.play.permissions import FREE_TALK, PHRASES_ONLY
from games.play.table import PLAYING, WAITING
from tournaments.flow.permissions import is_at_least, list_members, require_role, role_of
from tournaments.flow.tokens import draw_id
from tournaments.models import Club, Membership, Role, SessionTable, TimedSession

logger = logging.getLogger(__name__)

GAMES = ("animal-poker", "karriere-poker")
"""Games that are played for an agreed time and give everybody a job."""
MINUTES = range(5, 721)
MOST_TABLES = 12
FEWEST, MOST = 4, 8
GRACE = 300.0
"""Seconds after the start (of the evening or of the table) until bots sit in for whoever has not come."""
MINUTE = 60.0
BOTS = ("Bruno", "Cleo", "Dago")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is agreed. starts_at: None for now."""

    name: str
    game: str
    minutes: int
    starts_at: float | None = None


def open_evening(club: Club, player: Player | None, plan: Plan, *, now: float) -> TimedSession:
    """A new evening, whose owner is this member. Raises NotAllowed, BadInput."""
    require_role(club, player.pk if player else None, Role.MEMBER)
    name = " ".join(plan.name.split())
    if not 2 <= len(name) <= 80 or not name.isprintable():
        raise BadInput("An evening has a name of 2 to 80 characters.")
    if plan.game not in GAMES:
        raise BadInput("An evening is played with Animal Poker or Karriere Poker.")
    if plan.minutes not in MINUTES:
        raise BadInput("An evening lasts 5 minutes to 12 hours.")
    starts_at = now if plan.starts_at is None else plan.starts_at
    if not now - 60 * MINUTE <= starts_at <= now + 366 * 24 * 60 * MINUTE:
        raise BadInput("An evening begins now or within a year.")
    return TimedSession.objects.create(
        id=draw_id(), club=club, owner=player, name=name, game=plan.game,
        starts_at=starts_at, ends_at=starts_at + plan.minutes * MINUTE,
    )  # fmt: skip


def find(evening_id: str) -> TimedSession:
    """The evening as it is now. Raises NotFound."""
    found = TimedSession.objects.select_related("club", "owner").filter(pk=evening_id).first()
    if found is None:
        raise NotFound("There is no such evening. Perhaps the link is incomplete.")
    return found


def can_see(evening: TimedSession, player_id: int | None) -> bool:
    """The evening of a public club is for everybody, another for members and whoever plays in it."""
    return evening.club is None or evening.club.is_public or belongs(evening, player_id)


def belongs(evening: TimedSession, player_id: int | None) -> bool:
    """Whether this person is a member of its club or plays in it: such people may watch all its tables."""
    if player_id is None:
        return False
    if evening.club is not None and role_of(evening.club, player_id) is not None:
        return True
    return played.Seat.objects.filter(table__session_table__timed_session=evening, player_id=player_id).exists()


def list_readers(evening: TimedSession) -> frozenset[int] | None:
    """Everybody whom `can_see` lets in; None: all the world."""
    if evening.club is None or evening.club.is_public:
        return None
    seats = played.Seat.objects.filter(table__session_table__timed_session=evening).exclude(player=None)
    sitting = frozenset(found for found in seats.values_list("player", flat=True) if found is not None)
    return list_members(evening.club.pk) | sitting


def can_steer(evening: TimedSession, player_id: int | None) -> bool:
    """Whoever opened it, as long as he is a member, and the organisers of the club."""
    role = role_of(evening.club, player_id) if evening.club is not None else None
    return is_at_least(role, Role.ORGANISER) or (role is not None and evening.owner_id == player_id)


def _require_steer(evening: TimedSession, actor: Player | None) -> None:
    if not can_steer(evening, actor.pk if actor else None):
        raise NotAllowed("Only who opened this evening, or an organiser of the club, does that.")


def list_free(evening: TimedSession) -> list[Player]:
    """The members of the club who do not sit at a table of this evening that is not over."""
    busy = played.Seat.objects.filter(
        table__session_table__timed_session=evening, table__status__in=[WAITING, PLAYING]
    ).exclude(player=None)
    rows = Membership.objects.filter(club=evening.club).exclude(player__in=busy.values("player"))
    return [one.player for one in rows.select_related("player").order_by("player__name", "player_id")[:300]]


def add_table(
    evening: TimedSession, actor: Player | None, player_ids: Sequence[int], *, version: int, now: float
) -> int:
    """Another table for these members; bots on the chairs that four people leave free. The table's number.

    version: what the actor saw, so that it is one table however often it is asked for. Raises NotAllowed, BadInput,
    Stale.
    """
    _require_steer(evening, actor)
    chosen = [one for one in list_free(evening) if one.pk in set(player_ids)]
    if not chosen or len(chosen) != len(set(player_ids)) or len(chosen) > MOST:
        raise BadInput("Choose one to eight members who do not sit at another table of this evening.")
    guests = [arranged.Guest(one.name, one.avatar, one.pk) for one in chosen]
    guests += [arranged.Guest(name, "bear", bot="steady") for name in BOTS[: max(0, FEWEST - len(guests))]]
    with store.together():
        _change(evening, version=version)
        table = arranged.arrange(_plan_table(evening, guests), now=now)
        return _enlist(evening, table.id)


def _plan_table(evening: TimedSession, guests: Sequence[arranged.Guest]) -> arranged.Plan:
    minutes = max(1, round((evening.ends_at - evening.starts_at) / MINUTE))
    return arranged.Plan(
        game=evening.game,
        guests=guests,
        options={"minutes": min(minutes, 1440)},
        is_public=evening.club is None or evening.club.is_public,
        talk=FREE_TALK if evening.club is not None and evening.club.can_talk else PHRASES_ONLY,
        home=reverse("tournaments:evening", args=[evening.pk]),
    )


def _enlist(evening: TimedSession, table_id: str) -> int:
    number = SessionTable.objects.filter(timed_session=evening).count() + 1
    if number > MOST_TABLES:
        raise BadInput("An evening has at most %(most)s tables.", most=MOST_TABLES)
    SessionTable.objects.create(timed_session=evening, table_id=table_id, number=number)
    return number


def bring_table(evening: TimedSession, actor: Player | None, table_id: str, *, version: int) -> int:
    """A table that is there already, brought by its host: from now on it ends with the evening. Its number.

    Raises NotAllowed, NotFound, BadInput, Stale.
    """
    if evening.club is not None:
        require_role(evening.club, actor.pk if actor else None, Role.MEMBER)
    table = store.refresh(table_id)
    if actor is None or table.host_id != actor.pk:
        raise NotAllowed("A table is brought along by its host.")
    if table.rules.slug != evening.game or table.desk.arranged is not None or table.status not in (WAITING, PLAYING):
        raise BadInput("Only a table of this evening's game that is not over can be brought along.")
    if not table.is_public and (evening.club is None or evening.club.is_public):
        raise BadInput("Everybody can look at this evening; a table by link is not shown to everybody.")
    with store.together():
        _change(evening, version=version)
        if SessionTable.objects.filter(table_id=table_id).exists():
            raise Stale("This table belongs to an evening already.")
        return _enlist(evening, table_id)


def _change(evening: TimedSession, *, version: int | None = None, **changes: object) -> None:
    """Change an evening that is under way, if it still is as its reader saw it. Raises Stale."""
    rows = TimedSession.objects.filter(pk=evening.pk, has_rung=False)
    if version is not None:
        rows = rows.filter(version=version)
    if not rows.update(version=F("version") + 1, **changes):
        raise Stale("The evening is over, or somebody has changed it a moment ago. Look again.")


def extend(evening: TimedSession, actor: Player | None, minutes: int, *, version: int, now: float) -> None:
    """More minutes, or fewer, before the bell. version: as in `add_table`. Raises NotAllowed, BadInput, Stale."""
    _require_steer(evening, actor)
    if not minutes or not -240 <= minutes <= 240:
        raise BadInput("An evening is made longer or shorter by up to 240 minutes.")
    ends_at = evening.ends_at + minutes * MINUTE
    if ends_at <= max(now, evening.starts_at) or ends_at - evening.starts_at > 24 * 60 * MINUTE:
        raise BadInput("The evening would be over already, or last longer than a day. End it if it is to be over.")
    _change(evening, version=version, ends_at=ends_at)
    keep_up(find(evening.pk), now=now)


def pause(evening: TimedSession, actor: Player | None, *, now: float) -> None:
    """Let all tables stand still. Twice is once. Raises NotAllowed."""
    _require_steer(evening, actor)
    running = TimedSession.objects.filter(pk=evening.pk, has_rung=False, paused_at=None)
    running.update(version=F("version") + 1, paused_at=now)
    keep_up(find(evening.pk), now=now)


def resume(evening: TimedSession, actor: Player | None, *, now: float) -> None:
    """Go on, all clocks as they were; the bell rings later by the pause. Twice is once. Raises NotAllowed."""
    _require_steer(evening, actor)
    since = find(evening.pk).paused_at
    if since is not None:
        paused = TimedSession.objects.filter(pk=evening.pk, has_rung=False, paused_at=since)
        paused.update(version=F("version") + 1, paused_at=None, ends_at=F("ends_at") + max(0.0, now - since))
    keep_up(find(evening.pk), now=now)


def end(evening: TimedSession, actor: Player | None, *, now: float) -> None:
    """Ring the bell now: the deal under way at each table is the last. Twice is once. Raises NotAllowed."""
    _require_steer(evening, actor)
    TimedSession.objects.filter(pk=evening.pk, has_rung=False).update(
        version=F("version") + 1, has_rung=True, paused_at=None, ends_at=now
    )
    keep_up(find(evening.pk), now=now)


def begin_table(evening: TimedSession, actor: Player | None, number: int, *, now: float) -> None:
    """Do not wait any longer for the absent of a table. Twice is once. Raises NotAllowed, Stale."""
    _require_steer(evening, actor)
    if evening.has_rung:
        raise Stale("The bell has rung already.")
    for one in SessionTable.objects.filter(timed_session=evening, number=number):
        arranged.begin(one.table_id, now=now)
    keep_up(find(evening.pk), now=now)


def look_after(*, now: float) -> None:
    """Make happen whatever is due in evenings. What one refuses stops no other."""
    for evening in TimedSession.objects.filter(ended_at=None):
        try:
            _ring_if_due(evening, now=now)
            keep_up(find(evening.pk), now=now)
        except Refusal as refusal:
            logger.warning("evening %s: %s", evening.pk, refusal)


def _ring_if_due(evening: TimedSession, *, now: float) -> None:
    TimedSession.objects.filter(pk=evening.pk, has_rung=False, paused_at=None, ends_at__lte=now).update(
        version=F("version") + 1, has_rung=True
    )


def keep_up(evening: TimedSession, *, now: float) -> None:
    """Bring every table to what the evening has promised: it stands still, goes on, rings, is closed."""
    rows = SessionTable.objects.filter(timed_session=evening).select_related("table")
    for one in rows.filter(table__status__in=[WAITING, PLAYING]):
        try:
            _keep_table(evening, one.table, now=now)
        except Refusal as refusal:
            logger.warning("table %s: %s", one.table_id, refusal)
    if evening.has_rung and not rows.filter(table__status=PLAYING).exists():
        over = TimedSession.objects.filter(pk=evening.pk, has_rung=True, ended_at=None)
        over.update(version=F("version") + 1, ended_at=now)


def _keep_table(evening: TimedSession, table: played.Table, *, now: float) -> None:
    if evening.has_rung:
        _finish(table, now=now)
    elif table.status == PLAYING:
        _keep_pace(evening, table, now=now)
    elif evening.paused_at is None and max(evening.starts_at, table.created_at) + GRACE <= now:
        arranged.begin(table.pk, now=now)


def _keep_pace(evening: TimedSession, table: played.Table, *, now: float) -> None:
    """A running game without a clock that is due stands still."""
    stands_still = table.wake_at is None
    if evening.paused_at is not None:
        if not stands_still:
            arranged.pause(table.pk, now=now)
        return
    if stands_still:
        arranged.resume(table.pk, now=now)
    arranged.set_bell(table.pk, evening.ends_at, now=now)


def _finish(table: played.Table, *, now: float) -> None:
    if table.status == PLAYING:
        arranged.resume(table.pk, now=now)
        arranged.time_up(table.pk, now=now)
    elif store.refresh(table.pk).desk.arranged is not None:
        arranged.close(table.pk, now=now)
