"""Every change of a tournament or an evening is a step: made once, written down, and able to be taken back.

A step begins by raising the version of what it changes. That holds every other step back until this one is durable,
so what it looks at stays true while it acts. What it changes is noted row by row, with the values before and
after, which is at once the audit log and all that is needed to take it back.
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
    TimedSession,
    Tournament,
)

KINDS: dict[str, type[models.Model]] = {
    kind.__name__: kind
    for kind in (
        Tournament, Entrant, PairRule, Penalty, Round, Pod, PodSeat, Rest, Result,
        TimedSession, SessionTable, Season, SeasonName,
    )
}  # fmt: skip
"""What steps change."""

Row = TypeVar("Row", bound=models.Model)
Values = dict[str, Any]
Change = tuple[str, Any, Values | None, Values | None]
"""Kind, id, values before (None: it was not there), values after (None: it is gone)."""

UNSAID = frozenset({"version"})
"""Fields that are no part of what a step changes."""


@dataclass(slots=True, kw_only=True)
class Changing:
    """A step being taken. details: words for the log."""

    details: dict[str, Any] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    reverts: Step | None = None
    is_repeat: bool = False
    """Whether a step with this key has been taken before: then there is nothing to do."""
    is_told: bool = False
    """Whether the log tells of it although it changes no row of ours: somebody has acted at a table."""

    def create(self, row: Row) -> Row:
        """Insert a row. Raises Stale if somebody else has made the same."""
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError as error:
            raise Stale("Somebody else has done this a moment ago. Look again.") from error
        return self.note_created(row)

    def create_all(self, rows: Sequence[Row]) -> list[Row]:
        """Insert rows of one kind."""
        if not rows:
            return []
        made = type(rows[0])._base_manager.bulk_create(rows)
        return [self.note_created(row) for row in made]

    def note_created(self, row: Row) -> Row:
        """Write down that a row is new which was there before the step."""
        self.changes.append((type(row).__name__, row.pk, None, values_of(row)))
        return row

    def change(self, row: models.Model, **fields: Any) -> bool:
        """Set fields of a row where they are still what `row` says. False if nothing is different. Raises Stale."""
        known = values_of(row)
        after = {name: value for name, value in fields.items() if known[name] != value}
        if not after:
            return False
        before = {name: known[name] for name in after}
        if not _rows(row).filter(pk=row.pk, **before).update(**after):
            raise Stale("Somebody else has changed this a moment ago. Look again.")
        for name, value in after.items():
            setattr(row, name, value)
        self.changes.append((type(row).__name__, row.pk, before, after))
        return True

    def change_all(self, rows: Sequence[models.Model], **fields: Any) -> None:
        """Set the same fields of rows of one kind that are alike in them. Raises Stale."""
        known = values_of(rows[0])
        after = {name: value for name, value in fields.items() if known[name] != value}
        before = {name: known[name] for name in after}
        if not after:
            return
        if _rows(rows[0]).filter(pk__in=[row.pk for row in rows], **before).update(**after) != len(rows):
            raise Stale("Somebody else has changed this a moment ago. Look again.")
        for row in rows:
            self.changes.append((type(row).__name__, row.pk, before, after))

    def delete(self, row: models.Model) -> None:
        """Take a row away that nothing refers to."""
        self.delete_all([row])

    def delete_all(self, rows: Sequence[models.Model]) -> None:
        """Take rows of one kind away that nothing refers to."""
        self.changes += [(type(row).__name__, row.pk, values_of(row), None) for row in rows]
        _rows(rows[0]).filter(pk__in=[row.pk for row in rows]).delete()


@dataclass(slots=True, kw_only=True)
class Taking(Changing):
    """A step of a tournament, which is here as it is now."""

    tournament: Tournament


@dataclass(slots=True, kw_only=True)
class Steering(Changing):
    """A step of an evening, which is here as it is now."""

    evening: TimedSession


@dataclass(slots=True, kw_only=True)
class SeasonStep(Changing):
    """A step of a season, which is here as it is now."""

    season: Season


AnyStep = TypeVar("AnyStep", bound=Changing)


def _rows(row: models.Model) -> models.QuerySet[Any]:
    return type(row)._base_manager.all()


def values_of(row: models.Model) -> Values:
    """The row's columns by attribute name."""
    return {
        column.attname: getattr(row, column.attname)
        for column in row._meta.concrete_fields
        if column.name not in UNSAID
    }


@contextmanager
def take(
    tournament_id: str, kind: str, *, actor: Player | None, now: float, key: str | None = None, **details: Any
) -> Iterator[Taking]:
    """Take one step of a tournament, all of it or nothing; without any change it leaves no trace.

    actor: None for the house itself; key: makes it once only, however often it is sent. Raises what the body
    raises, NotFound, Stale, Busy.
    """

    def begin() -> Taking:
        if not Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1):
            raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
        known = Tournament.objects.select_related("club").get(pk=tournament_id)
        repeats = Step.objects.filter(tournament=tournament_id, key=key)
        return Taking(tournament=known, details=dict(details), is_repeat=bool(key) and repeats.exists())

    def write(taking: Taking) -> None:
        tournament = taking.tournament
        taking.details |= duplicate_commitments.keep(tournament.pk, now=now)
        _write(taking, tournament.version, kind, actor, now=now, key=key, tournament=tournament)
        _tell(tournament, kind, taking, now=now)

    with _whole(begin, write) as taking:
        yield taking


@contextmanager
def take_in_season(
    season_id: str, kind: str, *, actor: Player | None, now: float, **details: Any
) -> Iterator[SeasonStep]:
    """Take one step of a season, as `take`."""

    def begin() -> SeasonStep:
        if not Season.objects.filter(pk=season_id).update(version=F("version") + 1):
            raise NotFound("There is no such season.")
        return SeasonStep(season=Season.objects.select_related("club").get(pk=season_id), details=dict(details))

    def write(taking: SeasonStep) -> None:
        _write(taking, taking.season.version, kind, actor, now=now, season=taking.season)
        _tell(taking.season, kind, taking, now=now)

    with _whole(begin, write) as taking:
        yield taking


def _tell(of: Tournament | Season, kind: str, taking: Changing, *, now: float) -> None:
    """What the club's webhooks, and once it is durable the rest of the site, are told of a step."""
    hooks = webhook_events.note(of, kind, taking.details, reverts=taking.reverts, now=now)
    tell = partial(signals.step_taken.send_robust, sender=Step, tournament_id=of.pk, kind=kind)
    transaction.on_commit(partial(tell, webhooks=hooks))


@contextmanager
def steer(evening_id: str, kind: str, *, actor: Player | None, now: float, **details: Any) -> Iterator[Steering]:
    """Take one step of an evening, as `take`."""

    def begin() -> Steering:
        if not TimedSession.objects.filter(pk=evening_id).update(version=F("version") + 1):
            raise NotFound("There is no such evening. Perhaps the link is incomplete.")
        known = TimedSession.objects.select_related("club", "owner").get(pk=evening_id)
        return Steering(evening=known, details=dict(details))

    def write(taking: Steering) -> None:
        _write(taking, taking.evening.version, kind, actor, now=now, evening=taking.evening)

    with _whole(begin, write) as taking:
        yield taking


@contextmanager
def _whole(begin: Callable[[], AnyStep], write: Callable[[AnyStep], None]) -> Iterator[AnyStep]:
    """All of a step or nothing."""
    try:
        with transaction.atomic():
            taking = begin()
            yield taking
            if not taking.changes and taking.reverts is None and not taking.is_told:
                raise _Nothing
            write(taking)
    except _Nothing:
        return
    except (Refusal, DataError):
        raise
    except IntegrityError as error:
        raise Stale("Somebody else has done this a moment ago. Look again.") from error
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error


@contextmanager
def hold(tournament_id: str) -> Iterator[Tournament]:
    """The tournament, while no step is taken in it: for what is no step itself. Raises NotFound, Busy."""
    try:
        with transaction.atomic():
            if not Tournament.objects.filter(pk=tournament_id).update(version=F("version")):
                raise NotFound("There is no such tournament. Perhaps the link is incomplete.")
            yield Tournament.objects.select_related("club").get(pk=tournament_id)
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error


@contextmanager
def hold_season(season_id: str) -> Iterator[Season]:
    """The season, while no step is taken in it, as `hold`. Raises NotFound, Busy."""
    try:
        with transaction.atomic():
            if not Season.objects.filter(pk=season_id).update(version=F("version")):
                raise NotFound("There is no such season.")
            yield Season.objects.select_related("club").get(pk=season_id)
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error


def stir_season(season_id: str) -> None:
    """As `stir`: who has read the season before reads all of it again."""
    Season.objects.filter(pk=season_id).update(version=F("version") + 1)


def stir(tournament_id: str) -> None:
    """Something is changed past all steps: whoever has read the tournament before reads all of it again."""
    Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)


class _Nothing(Exception):
    """The step changed nothing."""


def _write(
    taking: Changing, number: int, kind: str, actor: Player | None, *, now: float, key: str | None = None, **whose: Any
) -> None:
    Step.objects.create(
        number=number,
        kind=kind,
        key=key,
        actor=actor,
        actor_name=actor.name if actor else "",
        at=now,
        details=msgspec.json.encode(taking.details).decode(),
        changes=msgspec.json.encode(taking.changes).decode(),
        reverts=taking.reverts,
        **whose,
    )


def read_changes(step: Step) -> list[Change]:
    """What a step changed."""
    return decode_changes(step.changes)


def decode_changes(text: str) -> list[Change]:
    """The changes of a step from its column."""
    return [(kind, pk, before, after) for kind, pk, before, after in msgspec.json.decode(text)]
