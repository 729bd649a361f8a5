"""Every change of a tournament, an evening or a season is a step: applied once, logged, and able to be undone.

A step begins by incrementing the version of the row it belongs to. This locks the row, so every other step waits
until this one is committed, and what it reads stays true while it acts. Each changed row is recorded with its values
before and after: that is the audit log, and all an undo needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import msgspec
from django.db import DatabaseError, DataError, IntegrityError, models, transaction
from django.db.models import F

from games.models import Player
from games.play.errors import Busy, NotFound, Refusal, Stale
from tournaments.flow import duplicate_commitments
from tournaments.flow.names_in_club import name_in_club
from tournaments.flow.steps import signals, webhook_events
from tournaments.models import (
    Entrant,
    PairRule,
    Penalty,
    Pod,
    PodSeat,
    Rest,
    Result,
    Round,
    Season,
    SeasonName,
    SessionTable,
    Step,
    Team,
    TeamMember,
    TimedSession,
    Tournament,
)

RECORDED_MODELS: dict[str, type[models.Model]] = {
    kind.__name__: kind
    for kind in (
        Tournament, Entrant, PairRule, Penalty, Round, Pod, PodSeat, Rest, Result,
        TimedSession, SessionTable, Season, SeasonName, Team, TeamMember,
    )
}  # fmt: skip
"""The models whose rows steps change, by class name, as stored in `Step.changes`."""

Row = TypeVar("Row", bound=models.Model)
Values = dict[str, Any]
Change = tuple[str, Any, Values | None, Values | None]
"""Model name, id, values before (None: the row was created), values after (None: the row was deleted)."""

UNRECORDED_FIELDS = frozenset({"version"})
"""Fields that are not recorded: every step changes them."""


@dataclass(slots=True, kw_only=True)
class OpenStep:
    """A step being taken. details: values for the log, as JSON; changes: recorded so far; reverts: the undone step."""

    details: dict[str, Any] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    reverts: Step | None = None
    is_repeat: bool = False
    """Whether a step with this idempotency key was taken before: the body then does nothing."""
    is_always_logged: bool = False
    """Whether it is logged even if it changes no row, because it acted on tables of `games`."""

    def create(self, row: Row) -> Row:
        """Insert a row. Raises Stale if it violates a unique constraint: somebody else has inserted the same."""
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError as error:
            raise Stale("Somebody else has just done this. Reload the page.") from error
        return self.note_created(row)

    def create_all(self, rows: Sequence[Row]) -> list[Row]:
        """Insert rows of one model."""
        if not rows:
            return []
        made = type(rows[0])._base_manager.bulk_create(rows)
        return [self.note_created(row) for row in made]

    def note_created(self, row: Row) -> Row:
        """Record a row as created by this step although it was inserted elsewhere."""
        self.changes.append((type(row).__name__, row.pk, None, read_columns(row)))
        return row

    def change(self, row: models.Model, **fields: Any) -> bool:
        """Set fields of a row. False if they have these values already.

        Raises Stale if the stored values of these fields are no longer those of `row`.
        """
        values = read_columns(row)
        after = {name: value for name, value in fields.items() if values[name] != value}
        if not after:
            return False
        before = {name: values[name] for name in after}
        if not _select_row(row).filter(pk=row.pk, **before).update(**after):
            raise Stale("Somebody else has just changed this. Reload the page.")
        for name, value in after.items():
            setattr(row, name, value)
        self.changes.append((type(row).__name__, row.pk, before, after))
        return True

    def change_all(self, rows: Sequence[models.Model], **fields: Any) -> None:
        """Set the same fields of rows of one model that share their present values. Raises Stale as `change`."""
        values = read_columns(rows[0])
        after = {name: value for name, value in fields.items() if values[name] != value}
        before = {name: values[name] for name in after}
        if not after:
            return
        if _select_row(rows[0]).filter(pk__in=[row.pk for row in rows], **before).update(**after) != len(rows):
            raise Stale("Somebody else has just changed this. Reload the page.")
        for row in rows:
            self.changes.append((type(row).__name__, row.pk, before, after))

    def delete(self, row: models.Model) -> None:
        """Delete a row that no other row refers to."""
        self.delete_all([row])

    def delete_all(self, rows: Sequence[models.Model]) -> None:
        """Delete rows of one model that no other row refers to."""
        self.changes += [(type(row).__name__, row.pk, read_columns(row), None) for row in rows]
        _select_row(rows[0]).filter(pk__in=[row.pk for row in rows]).delete()


@dataclass(slots=True, kw_only=True)
class TournamentStep(OpenStep):
    """A step of a tournament, read after it was locked."""

    tournament: Tournament


@dataclass(slots=True, kw_only=True)
class EveningStep(OpenStep):
    """A step of an evening, read after it was locked."""

    evening: TimedSession


@dataclass(slots=True, kw_only=True)
class SeasonStep(OpenStep):
    """A step of a season, read after it was locked."""

    season: Season


AnyStep = TypeVar("AnyStep", bound=OpenStep)


def _select_row(row: models.Model) -> models.QuerySet[Any]:
    return type(row)._base_manager.all()


def read_columns(row: models.Model) -> Values:
    """The values of a row by attribute name, without `UNRECORDED_FIELDS`."""
    return {
        column.attname: getattr(row, column.attname)
        for column in row._meta.concrete_fields
        if column.name not in UNRECORDED_FIELDS
    }


@contextmanager
def take_step(
    tournament_id: str, kind: str, *, actor: Player | None, now: float, key: str | None = None, **details: Any
) -> Iterator[TournamentStep]:
    """Take one step of a tournament in one transaction; a step that changes nothing is not logged.

    actor: None for the site itself (clocks, finished games); key: idempotency key, see `OpenStep.is_repeat`.
    Raises what the body raises, NotFound, Stale, Busy.
    """

    def begin() -> TournamentStep:
        if not Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1):
            raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
        tournament = Tournament.objects.select_related("club").get(pk=tournament_id)
        repeats = Step.objects.filter(tournament=tournament_id, key=key)
        return TournamentStep(tournament=tournament, details=dict(details), is_repeat=bool(key) and repeats.exists())

    def write(taking: TournamentStep) -> None:
        tournament = taking.tournament
        taking.details |= duplicate_commitments.update_commitments(tournament.pk, now=now)
        name = _name_actor(tournament.club_id, actor, tournament)
        _write(taking, tournament.version, kind, actor, name, now=now, key=key, tournament=tournament)
        _announce(tournament, kind, taking, now=now)

    with _run_atomically(begin, write) as taking:
        yield taking


@contextmanager
def take_season_step(
    season_id: str, kind: str, *, actor: Player | None, now: float, **details: Any
) -> Iterator[SeasonStep]:
    """Take one step of a season, as `take_step`."""

    def begin() -> SeasonStep:
        if not Season.objects.filter(pk=season_id).update(version=F("version") + 1):
            raise NotFound("There is no such season.")
        return SeasonStep(season=Season.objects.select_related("club").get(pk=season_id), details=dict(details))

    def write(taking: SeasonStep) -> None:
        name = _name_actor(taking.season.club_id, actor)
        _write(taking, taking.season.version, kind, actor, name, now=now, season=taking.season)
        _announce(taking.season, kind, taking, now=now)

    with _run_atomically(begin, write) as taking:
        yield taking


def _announce(subject: Tournament | Season, kind: str, taking: OpenStep, *, now: float) -> None:
    """Store the webhook messages of a step, and send `signals.step_taken` after the commit."""
    hooks = webhook_events.write_deliveries(subject, kind, taking.details, reverts=taking.reverts, now=now)
    tell = partial(signals.step_taken.send_robust, sender=Step, tournament_id=subject.pk, kind=kind)
    transaction.on_commit(partial(tell, webhooks=hooks))


@contextmanager
def take_evening_step(
    evening_id: str, kind: str, *, actor: Player | None, now: float, **details: Any
) -> Iterator[EveningStep]:
    """Take one step of an evening, as `take_step`."""

    def begin() -> EveningStep:
        if not TimedSession.objects.filter(pk=evening_id).update(version=F("version") + 1):
            raise NotFound("This evening does not exist. The link may be incomplete.")
        evening = TimedSession.objects.select_related("club", "owner").get(pk=evening_id)
        return EveningStep(evening=evening, details=dict(details))

    def write(taking: EveningStep) -> None:
        name = _name_actor(taking.evening.club_id, actor)
        _write(taking, taking.evening.version, kind, actor, name, now=now, evening=taking.evening)

    with _run_atomically(begin, write) as taking:
        yield taking


@contextmanager
def _run_atomically(begin: Callable[[], AnyStep], write: Callable[[AnyStep], None]) -> Iterator[AnyStep]:
    """Run a step in one transaction, and turn database errors into refusals."""
    try:
        with transaction.atomic():
            taking = begin()
            yield taking
            if not taking.changes and taking.reverts is None and not taking.is_always_logged:
                raise _NothingChanged
            write(taking)
    except _NothingChanged:
        return
    except (Refusal, DataError):
        raise
    except IntegrityError as error:
        raise Stale("Somebody else has just done this. Reload the page.") from error
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error


@contextmanager
def lock_tournament(tournament_id: str) -> Iterator[Tournament]:
    """Lock a tournament against steps, for changes that are not steps themselves. Raises NotFound, Busy."""
    try:
        with transaction.atomic():
            if not Tournament.objects.filter(pk=tournament_id).update(version=F("version")):
                raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
            yield Tournament.objects.select_related("club").get(pk=tournament_id)
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error


@contextmanager
def lock_season(season_id: str) -> Iterator[Season]:
    """Lock a season against steps, as `lock_tournament`. Raises NotFound, Busy."""
    try:
        with transaction.atomic():
            if not Season.objects.filter(pk=season_id).update(version=F("version")):
                raise NotFound("There is no such season.")
            yield Season.objects.select_related("club").get(pk=season_id)
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error


def bump_season_version(season_id: str) -> None:
    """Invalidate what was cached of a season, as `bump_version`."""
    Season.objects.filter(pk=season_id).update(version=F("version") + 1)


def bump_version(tournament_id: str) -> None:
    """Invalidate what was cached of a tournament after a change that is not a step: all of it is read again."""
    Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)


class _NothingChanged(Exception):
    """Rolls back a step that changed nothing."""


def _name_actor(club_id: int | None, actor: Player | None, tournament: Tournament | None = None) -> str:
    """What the log calls somebody: their name in the tournament, else in the club; empty for the site itself."""
    if actor is None:
        return ""
    entered = Entrant.objects.filter(tournament=tournament, player=actor) if tournament else Entrant.objects.none()
    return entered.values_list("name", flat=True).first() or name_in_club(club_id, actor)


def _write(
    taking: OpenStep,
    number: int,
    kind: str,
    actor: Player | None,
    actor_name: str,
    *,
    now: float,
    key: str | None = None,
    **whose: Any,
) -> None:
    Step.objects.create(
        number=number,
        kind=kind,
        key=key,
        actor=actor,
        actor_name=actor_name,
        at=now,
        details=msgspec.json.encode(taking.details).decode(),
        changes=msgspec.json.encode(taking.changes).decode(),
        reverts=taking.reverts,
        **whose,
    )


def read_changes(step: Step) -> list[Change]:
    """The changes of a step, in the order in which they were made."""
    return decode_changes(step.changes)


def decode_changes(text: str) -> list[Change]:
    """The changes of a step, from its column `changes`."""
    return [(kind, pk, before, after) for kind, pk, before, after in msgspec.json.decode(text)]
