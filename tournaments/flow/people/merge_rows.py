"""Transfers a guest's rows in tournaments to a known person: entries, seats as a substitute, log lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec
from django.db.models import Q, QuerySet

from games.models import Player, Seat
from games.play.signals import SeatChanges
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable
from tournaments.flow.evenings import evening_sweeper
from tournaments.flow.steps.recorder import RECORDED_MODELS, Values, read_changes
from tournaments.flow.tables import online_tables
from tournaments.models import Entrant, PodSeat, Result, Round, Step, TimedSession

PEOPLE = {
    kind: frozenset(field.attname for field in model._meta.concrete_fields if field.related_model is Player)
    for kind, model in RECORDED_MODELS.items()
}
"""The columns that say who somebody is, by the kind of row."""


def merge_entries(guest_id: int, player_id: int) -> frozenset[int]:
    """What the guest has entered the person has. Who stands on a list as both is there once: as the one who has played
    more, or else has come; where that is the same, as the person. Returns the entries that were the person's and are
    nobody's."""
    own = {person.tournament_id: person for person in Entrant.objects.filter(player=player_id)}
    left = set[int]()
    for entrant in Entrant.objects.filter(player=guest_id):
        other = own.get(entrant.tournament_id)
        if other is not None and _rank_entrant(entrant) <= _rank_entrant(other):
            continue
        if other is not None:
            Entrant.objects.filter(pk=other.pk).update(player_id=None)
            left.add(other.pk)
        Entrant.objects.filter(pk=entrant.pk).update(player_id=player_id)
    Entrant.objects.filter(pk__in=left).update(player_id=guest_id)
    return frozenset(left)


def _rank_entrant(entrant: Entrant) -> tuple[int, bool]:
    """How often this entry has been seated, and whether the person is present."""
    times = sum(seat.fate == PodSeat.Fate.PLAYS and _is_own(seat) for seat in entrant.seats.all())
    return times, entrant.status == Entrant.Status.PRESENT


def _is_own(seat: PodSeat) -> bool:
    """Whether the entrant plays on this seat without a substitute."""
    return seat.substitute_id is None and not seat.substitute_name


def merge_chairs(guest_id: int, player_id: int) -> frozenset[int]:
    """The guest's entries are the person's already. Who played for somebody as either of them is this person; where
    that puts them on two chairs of a table, or at two tables that play, it is nobody: the guest, who is gone. Returns
    the chairs that were the person's and are nobody's."""
    # By their entries alone: asked for chairs without a substitute, too, SQLite would read all that there ever were.
    own = [seat for seat in PodSeat.objects.filter(entrant__player=player_id) if _is_own(seat)]
    lent = PodSeat.objects.filter(substitute__in=(guest_id, player_id)).select_related("pod").order_by("pk")
    pods = {seat.pod_id for seat in own} | {seat.pod_id for seat in lent}
    done = set(Result.objects.filter(pod__in=pods, status=Result.Status.ACCEPTED).values_list("pod", flat=True))
    rounds = dict(PodSeat.objects.filter(pod__in=pods).values_list("pod", "pod__round"))
    left = set[int]()
    taken = {_seat_scope(seat, rounds, done) for seat in own if seat.fate == PodSeat.Fate.PLAYS}
    for seat in sorted(lent, key=lambda lent_seat: (lent_seat.substitute_id != player_id, lent_seat.pk)):
        scope = _seat_scope(seat, rounds, done)
        who = guest_id if scope in taken else player_id
        if seat.substitute_id != who:
            PodSeat.objects.filter(pk=seat.pk).update(substitute_id=who)
            left |= {seat.pk} if who == guest_id else set()
        taken.add(scope)
    return frozenset(left)


def _seat_scope(seat: PodSeat, rounds: dict[int, int], done: Collection[int]) -> tuple[str, int]:
    """Within which somebody can have one seat only: the round while it is played, later the table."""
    return ("pod", seat.pod_id) if seat.pod_id in done else ("round", rounds[seat.pod_id])


def list_chairs(guest_id: int, player_id: int) -> SeatChanges:
    """Who of the two sits where, at tables that are not over, once their entries are one person's. Tables from which
    the person gets up come first: at no moment do they sit at two."""
    found = dict(_list_of_rounds({guest_id, player_id}))
    for chairs in _list_of_evenings(guest_id, player_id):
        own = max(chairs, key=lambda chair: (*_weigh_chair(*chair), chair[0].seat_of(player_id) == chair[1]))
        for chair in chairs:
            found.setdefault(chair[0].id, {})[chair[1]] = player_id if chair == own else guest_id
    rises = {
        row.table_id
        for row in Seat.objects.filter(player=player_id, table__in=found)
        if found[row.table_id].get(row.index) == guest_id
    }
    return {table_id: found[table_id] for table_id in sorted(found, key=lambda key: (key not in rises, key))}


def _list_of_rounds(both: Collection[int]) -> Iterator[tuple[str, dict[int, int]]]:
    """The seats of rounds, as drawn."""
    seats_now = Seat.objects.filter(player__in=both, table__status__in=(WAITING, PLAYING))
    seats_now = seats_now.filter(table__pod__round__status=Round.Status.RELEASED)
    for table_id in set(seats_now.values_list("table", flat=True)):
        seats = PodSeat.objects.filter(pod__table=table_id).select_related("entrant", "substitute")
        wanted = {seat.index: online_tables.guest_of(seat).player_id for seat in seats}
        sitting = seats_now.filter(table=table_id).values_list("index", flat=True)
        yield table_id, {index: who for index in sitting if (who := wanted[index]) is not None and who in both}


def _list_of_evenings(guest_id: int, player_id: int) -> Iterator[list[tuple[LoadedTable, int]]]:
    """The chairs of each evening at which the two sit, where there are several; also at tables that its early end has
    closed, and that taken back opens again."""
    is_open = Q(table__status__in=(WAITING, PLAYING)) | Q(table__status=OVER, table__started_at=None)
    shared = TimedSession.objects.filter(tables__table__seats__player=guest_id)
    seats = Seat.objects.filter(
        is_open, player__in=(guest_id, player_id), table__session_table__timed_session__in=shared
    )
    chairs = defaultdict(list)
    for evening, table_id, index in seats.order_by("table__session_table__number", "index").values_list(
        "table__session_table__timed_session", "table", "index"
    ):
        if evening_sweeper.is_own_table(table := store.refresh(table_id)):
            chairs[evening].append((table, index))
    yield from (found for found in chairs.values() if len(found) > 1)


def _weigh_chair(table: LoadedTable, seat: int) -> tuple[bool, bool]:
    """The priority of a seat: whether they play there, or have arrived."""
    has_come = table.runtime.arranged is not None and seat in table.runtime.arranged.arrived
    return table.status == PLAYING and seat not in table.runtime.stand_ins, has_come


def rewrite(guest_id: int, player_id: int, left: Mapping[str, Collection[int]]) -> None:
    """Say in the log that it was the person, so that their steps can be taken back like any; not of rows that have
    stayed the guest's. left: rows that were the person's and are nobody's, by their kind."""
    stayed = {kind: _list_leftovers(kind, guest_id) for kind in PEOPLE}
    for step in list_steps(guest_id, player_id, is_about_both=any(left.values())):
        changes = []
        for kind, pk, before, after in read_changes(step):
            swap = {} if pk in stayed.get(kind, ()) else {guest_id: player_id}
            if pk in left.get(kind, ()):
                swap = {player_id: guest_id}
            changes.append((kind, pk, _swap_players(kind, before, swap), _swap_players(kind, after, swap)))
        text = msgspec.json.encode(changes).decode()
        if text != step.changes:
            Step.objects.filter(pk=step.pk).update(changes=text)


def list_steps(guest_id: int, player_id: int, *, is_about_both: bool = False) -> QuerySet[Step]:
    """Steps in the logs that name the guest, or either of the two."""
    about = Q(changes__contains=f'_id":{guest_id}')
    if is_about_both:
        about |= Q(changes__contains=f'_id":{player_id}')
    return Step.objects.filter(about, tournament__in=_list_logs(guest_id, player_id))


def _list_logs(guest_id: int, player_id: int) -> set[str]:
    """The tournaments that tell of the guest, who was in them, did something there, or was put on a chair by somebody
    else: that is a member of the club, and matters while the round is played."""
    both = (guest_id, player_id)
    rows = (
        Entrant.objects.filter(player__in=both).values_list("tournament", flat=True),
        PodSeat.objects.filter(substitute__in=both).values_list("pod__round__tournament", flat=True),
        Result.objects.filter(Q(entered_by__in=both) | Q(confirmed_by__in=both)).values_list(
            "pod__round__tournament", flat=True
        ),
        Step.objects.filter(actor=guest_id).exclude(tournament=None).values_list("tournament", flat=True),
        Round.objects.filter(status=Round.Status.RELEASED, tournament__club__memberships__player=player_id).values_list(
            "tournament", flat=True
        ),
    )
    return {tournament_id for part in rows for tournament_id in part if tournament_id is not None}


def _list_leftovers(kind: str, guest_id: int) -> set[Any]:
    """Rows of this kind that still say that somebody is the guest."""
    rows = RECORDED_MODELS[kind]._base_manager
    return {pk for column in PEOPLE[kind] for pk in rows.filter(**{column: guest_id}).values_list("pk", flat=True)}


def _swap_players(kind: str, values: Values | None, swap: dict[int, int]) -> Values | None:
    if values is None:
        return None
    return {name: swap.get(value, value) if name in PEOPLE[kind] else value for name, value in values.items()}
