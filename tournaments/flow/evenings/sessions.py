"""Timed sessions (evenings): opened by a member of a club, at one or more tables, until their bell.

A change is a step, as of a tournament: applied once and logged. Its effects on the tables are applied afterwards by
`evening_sweeper`, also if that was interrupted. Times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.urls import reverse

from games import models as played
from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.permissions import FREE_TALK, PHRASES_ONLY
from games.play.seats import arranged_tables
from games.play.seats.player_names import clean_name
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING
from games.rules import registry
from tournaments.flow.evenings import candidates, evening_sweeper
from tournaments.flow.evenings.evening_sweeper import MINUTE
from tournaments.flow.evenings.guest_list import is_guest, list_guests
from tournaments.flow.permissions import is_at_least, list_members, require_role, role_of
from tournaments.flow.steps import happenings
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import EveningStep, take_evening_step
from tournaments.flow.tokens import make_id, make_token
from tournaments.models import Club, Role, SessionTable, Step, TimedSession

GAMES = tuple(
    sorted(
        (slug for slug in registry.slugs() if registry.find(slug).has_jobs),
        key=lambda slug: not registry.find(slug).ends_by_clock,
    )
)
"""Games that give everybody a job, which is what an evening shows; those that end by the clock come first."""
MINUTES = range(5, 721)
MAX_TABLES = 40
FEWEST_SEATS, MAX_SEATS = 4, 8
BOT_NAMES = ("Bruno", "Cleo", "Dago")


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """The plan of an evening. game: its slug; starts_at: seconds since 1970, None for now."""

    name: str
    game: str
    minutes: int
    starts_at: float | None = None


def open_evening(club: Club, player: Player | None, plan: EveningPlan, *, now: float) -> TimedSession:
    """A new evening, whose owner is this member. Raises NotAllowed, BadInput."""
    require_role(club, player.pk if player else None, Role.MEMBER)
    name = clean_name(plan.name, least=2, most=80)
    if plan.game not in GAMES:
        raise BadInput("An evening needs a game in which everybody gets a job. Choose another game.")
    if plan.minutes not in MINUTES:
        raise BadInput("An evening lasts 5 minutes to 12 hours.")
    starts_at = now if plan.starts_at is None else plan.starts_at
    if not now - 60 * MINUTE <= starts_at <= now + 366 * 24 * 60 * MINUTE:
        raise BadInput("An evening must begin now or within a year.")
    if starts_at + plan.minutes * MINUTE <= now:
        raise BadInput("This evening would already be over. Choose a later start or a longer time.")
    with transaction.atomic():
        made = TimedSession.objects.create(
            id=make_id(), club=club, owner=player, name=name, game=plan.game,
            starts_at=starts_at, ends_at=starts_at + plan.minutes * MINUTE, guest_token=make_token(),
        )  # fmt: skip
        who = player.name if player else ""
        Step.objects.create(evening=made, number=0, kind=Step.Kind.OPEN, actor=player, actor_name=who, at=now)
    return made


def find(evening_id: str) -> TimedSession:
    """The evening as it is now. Raises NotFound."""
    found = TimedSession.objects.select_related("club", "owner").filter(pk=evening_id).first()
    if found is None:
        raise NotFound("This evening does not exist. The link may be incomplete.")
    return found


def can_see(evening: TimedSession, player_id: int | None) -> bool:
    """Whether this person can see the evening: everybody in a public club, else members and people who play in it."""
    return evening.club is None or evening.club.is_public or is_participant(evening, player_id)


def is_participant(evening: TimedSession, player_id: int | None) -> bool:
    """Whether this person is a member of its club, a guest, or plays in it: such people may watch all its tables."""
    if player_id is None:
        return False
    if evening.club is not None and role_of(evening.club, player_id) is not None:
        return True
    seats = played.Seat.objects.filter(table__session_table__timed_session=evening, player_id=player_id)
    return is_guest(evening, player_id) or seats.exists()


def list_readers(evening: TimedSession) -> frozenset[int] | None:
    """The ids of everybody who can see the evening; None for anybody."""
    if evening.club is None or evening.club.is_public:
        return None
    seats = played.Seat.objects.filter(table__session_table__timed_session=evening).exclude(player=None)
    sitting = frozenset(found for found in seats.values_list("player", flat=True) if found is not None)
    return list_members(evening.club.pk) | sitting | list_guests(evening)


def can_manage(evening: TimedSession, player_id: int | None) -> bool:
    """Whether this person can change the evening: organisers of the club, and its owner while they are a member."""
    return is_managed_by(evening, role_of(evening.club, player_id) if evening.club is not None else None, player_id)


def is_managed_by(evening: TimedSession, role: Role | None, player_id: int | None) -> bool:
    """As `can_manage`, for a known role in the club."""
    return is_at_least(role, Role.ORGANISER) or (role is not None and evening.owner_id == player_id)


def require_manage(evening: TimedSession, actor: Player | None) -> None:
    if not can_manage(evening, actor.pk if actor else None):
        raise NotAllowed("Only the person who opened this evening or an organiser of the club can do this.")


def add_table(
    evening: TimedSession, actor: Player | None, player_ids: Sequence[int], *, version: int, now: float
) -> int:
    """Another table for these members; bots on the chairs that four people leave free. The table's number.

    version: what the actor saw, so that it is one table however often it is asked for. Raises NotAllowed, BadInput,
    Stale.
    """
    require_manage(evening, actor)
    chosen = candidates.pick(evening, player_ids)
    if not chosen or len(chosen) != len(set(player_ids)) or len(chosen) > MAX_SEATS:
        raise BadInput("Choose one to eight members who are not at another table of this evening.")
    guests = [arranged_tables.SeatAssignment(candidate.name, candidate.avatar, candidate.pk) for candidate in chosen]
    guests += [
        arranged_tables.SeatAssignment(name, "bear", bot="steady")
        for name in BOT_NAMES[: max(0, FEWEST_SEATS - len(guests))]
    ]
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with store.save_together(), _change_evening(evening, Kind.TABLE, actor, version=version, now=now) as step:
        table = arranged_tables.arrange(_plan_table(evening, guests), now=now)
        return _add_row(step, table.id, now=now)


def _plan_table(evening: TimedSession, guests: Sequence[arranged_tables.SeatAssignment]) -> arranged_tables.TablePlan:
    minutes = max(1, round((evening.ends_at - evening.starts_at) / MINUTE))
    return arranged_tables.TablePlan(
        game=evening.game,
        guests=guests,
        options={"minutes": min(minutes, 1440)},
        is_public=evening.club is None or evening.club.is_public,
        talk=FREE_TALK if evening.club is not None and evening.club.can_talk else PHRASES_ONLY,
        home=reverse("tournaments:evening", args=[evening.pk]),
    )


def _add_row(step: EveningStep, table_id: str, *, now: float) -> int:
    rows = SessionTable.objects.filter(timed_session=step.evening)
    if rows.count() >= MAX_TABLES:
        raise BadInput("An evening has at most %(most)s tables.", most=MAX_TABLES)
    number: int = 1 + (rows.aggregate(last=Max("number"))["last"] or 0)
    row = step.create(SessionTable(timed_session=step.evening, table_id=table_id, number=number))
    happenings.tell_evening_table_ready(row, now=now)
    step.details["table"] = number
    return number


def bring_table(evening: TimedSession, actor: Player | None, table_id: str, *, version: int, now: float) -> int:
    """A table that is there already, brought by its host: from now on it ends with the evening. Its number.

    Raises NotAllowed, NotFound, BadInput, Stale.
    """
    if evening.club is not None:
        require_role(evening.club, actor.pk if actor else None, Role.MEMBER)
    table = store.refresh(table_id)
    if actor is None or table.host_id != actor.pk:
        raise NotAllowed("Only the host of a table can add it to an evening.")
    if table.rules.slug != evening.game or table.runtime.arranged is not None or table.status not in (WAITING, PLAYING):
        raise BadInput("Only a table with this evening's game that is not over can be added.")
    if table.is_over_days:
        raise BadInput("A game over days cannot be added to an evening.")
    if not table.is_public and (evening.club is None or evening.club.is_public):
        raise BadInput(
            "Everybody can see this evening, but this table is open by link only. Choose a table that "
            "everybody can see."
        )
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with store.save_together(), _change_evening(evening, Kind.BRING, actor, version=version, now=now) as step:
        if SessionTable.objects.filter(table_id=table_id).exists():
            raise Stale("This table already belongs to an evening.")
        number = _add_row(step, table_id, now=now)
    evening_sweeper.sync_tables(evening.pk, now=now)
    return number


@contextmanager
def _change_evening(
    evening: TimedSession, kind: str, actor: Player | None, *, now: float, version: int | None = None, **details: object
) -> Iterator[EveningStep]:
    """A step of an evening that is under way and (version) as its reader saw it. Raises Stale."""
    with take_evening_step(evening.pk, kind, actor=actor, now=now, **details) as step:
        current = step.evening
        if current.has_rung or (version is not None and current.version != version + 1):
            raise Stale("The evening is over, or somebody has just changed it. Reload the page.")
        yield step


def extend(evening: TimedSession, actor: Player | None, minutes: int, *, version: int, now: float) -> None:
    """More minutes, or fewer, before the bell. version: as in `add_table`. Raises NotAllowed, BadInput, Stale."""
    require_manage(evening, actor)
    if not minutes or not -240 <= minutes <= 240:
        raise BadInput("You can make an evening longer or shorter by at most 240 minutes.")
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with _change_evening(evening, Kind.EXTEND, actor, version=version, now=now, minutes=minutes) as step:
        current = step.evening
        ends_at = current.ends_at + minutes * MINUTE
        require_time_left(current, ends_at, now=now)
        if ends_at - current.starts_at > 24 * 60 * MINUTE:
            raise BadInput("An evening can last at most 24 hours.")
        step.change(current, ends_at=ends_at)
    evening_sweeper.sync_tables(evening.pk, now=now)


def require_time_left(evening: TimedSession, ends_at: float, *, now: float) -> None:
    """Raises BadInput if a bell at this moment would have rung already. In a pause no time passes."""
    if ends_at <= max(now if evening.paused_at is None else evening.paused_at, evening.starts_at):
        raise BadInput("The evening would already be over. To stop now, end the evening instead.")


def pause(evening: TimedSession, actor: Player | None, *, now: float) -> None:
    """Pause all tables. Idempotent. Raises NotAllowed, Stale."""
    require_manage(evening, actor)
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with _change_evening(evening, Kind.PAUSE, actor, now=now) as step:
        if step.evening.paused_at is None:
            step.change(step.evening, paused_at=now)
    evening_sweeper.sync_tables(evening.pk, now=now)


def resume(evening: TimedSession, actor: Player | None, *, now: float) -> None:
    """Go on, all clocks as they were; the bell rings later by the pause, as far as that was in the evening's time.

    Idempotent. Raises NotAllowed, Stale.
    """
    require_manage(evening, actor)
    with _change_evening(evening, Kind.RESUME, actor, now=now) as step:
        current = step.evening
        if current.paused_at is not None:
            lost = max(0.0, now - max(current.paused_at, current.starts_at))
            step.change(current, paused_at=None, ends_at=current.ends_at + lost)
    evening_sweeper.sync_tables(evening.pk, now=now)


def end(evening: TimedSession, actor: Player | None, *, now: float) -> None:
    """Ring the bell now: the deal under way at each table is the last. Idempotent. Raises NotAllowed.

    Before its start an evening at which nobody plays is cancelled: it keeps its hour.
    """
    require_manage(evening, actor)
    with take_evening_step(evening.pk, Kind.END, actor=actor, now=now) as step:
        current = step.evening
        if not current.has_rung:
            first = evening_sweeper.find_first_game(current)
            starts_at = current.starts_at if first is None else min(current.starts_at, first)
            evening_sweeper.return_tables(step)
            step.change(current, has_rung=True, paused_at=None, starts_at=starts_at, ends_at=now)
            if current.is_called_off:
                step.details["is_called_off"] = True
    evening_sweeper.sync_tables(evening.pk, now=now)


def begin_table(evening: TimedSession, actor: Player | None, number: int, *, now: float) -> None:
    """Start a waiting table without its missing players. Idempotent. Raises NotAllowed, Stale."""
    require_manage(evening, actor)
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with store.save_together(), _change_evening(evening, Kind.BEGIN, actor, now=now, table=number) as step:
        rows = SessionTable.objects.filter(timed_session=step.evening, number=number, table__status=WAITING)
        for row in rows:
            arranged_tables.start_without_absent(row.table_id, now=now)
            step.is_always_logged = True
    evening_sweeper.sync_tables(evening.pk, now=now)


def close_table(evening: TimedSession, actor: Player | None, number: int, *, now: float) -> None:
    """Take a table away: closed if its game has not begun; one that was brought along goes on without the evening.

    Its host may take their own away again. Idempotent. Raises NotAllowed, Stale if its game has begun.
    """
    rows = SessionTable.objects.filter(timed_session=evening, number=number)
    if actor is None or not rows.filter(table__host=actor).exists():
        require_manage(evening, actor)
    evening_sweeper.ring_if_due(evening.pk, now=now)
    with store.save_together(), _change_evening(evening, Kind.CLOSE, actor, now=now, table=number) as step:
        for row in rows:
            evening_sweeper.remove_table(step.evening, row.table_id, now=now)
            step.delete(row)
