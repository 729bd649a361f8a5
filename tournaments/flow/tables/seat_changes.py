"""Keeps the seats of online tables in line with the seats of their pods.

Substitutes, forfeits, claims and their undos change who plays for the seat of a pod. The seat at its table follows
here; `rounds.sweeper` repeats what was interrupted.
"""

from __future__ import annotations

import logging

from django.db.models import BigIntegerField, Case, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from games import models as play_models
from games.play.errors import BadInput, Refusal
from games.play.seats import arranged_tables
from games.play.storage.table import PLAYING, WAITING
from tournaments.flow.tables import duplicate_tables, online_tables
from tournaments.models import Pod, PodSeat, Result, Round, Tournament

logger = logging.getLogger(__name__)

BOT_ID = 0
"""Stands for a bot where an id of a person is expected."""
UNFINISHED = (Round.Status.DRAFT, Round.Status.RELEASED)


def sync_all_seats(tournament: Tournament, *, now: float) -> None:
    """`sync_seats` for all rounds of this tournament that are being played."""
    for played in Round.objects.filter(tournament=tournament, status=Round.Status.RELEASED):
        sync_seats(played, now=now)


def sync_seats(played: Round, *, now: float) -> None:
    """Seat those who should play at the tables of a round. Idempotent; a refusal at one table is logged."""
    for seat in _list_wrong(played).select_related("pod", "entrant", "substitute"):
        try:
            sync_seat(seat, now=now)
        except Refusal as refusal:
            logger.warning("table %s: %s", seat.pod.table_id, refusal)


def sync_seat(seat: PodSeat, *, now: float) -> None:
    """Seat the person or bot who plays for this seat; the table begins if nobody is missing any more."""
    if seat.pod.table_id is None:
        return
    table = arranged_tables.replace_player(seat.pod.table_id, seat.index, online_tables.guest_of(seat), now=now)
    if table.status == WAITING and not table.missing():
        arranged_tables.start_without_absent(table.id, now=now)


def require_valid_seats(tournament: Tournament) -> None:
    """Within a step that changed who plays: check that nobody plays at two tables, that everybody at an online table
    has an account, and that nobody gets duplicate deals they have seen at another table. Raises BadInput.

    At a pod with an accepted result nobody has to play any more, so its people may play elsewhere; but nobody may sit
    there twice. Drafts are checked, too: after an undone release they can have substitutes.
    """
    done = Result.objects.filter(pod__round__tournament=tournament, status=Result.Status.ACCEPTED)
    over = set(done.values_list("pod", flat=True))
    seats = PodSeat.objects.filter(
        pod__round__tournament=tournament, pod__round__status__in=UNFINISHED, fate=PodSeat.Fate.PLAYS
    )
    seen, knowing = set[tuple[int | None, int]](), duplicate_tables.list_deal_knowledge(tournament)
    for seat in seats.select_related("pod", "entrant__player", "substitute").order_by("pod", "index"):
        pod_id = seat.pod_id if seat.pod_id in over else None
        if pod_id is None and seat.substitute_name and seat.substitute is None and seat.pod.is_online:
            raise build_no_device_error(seat.pod)
        player = seat.substitute or (None if seat.substitute_name else seat.entrant.player)
        if player is not None and (pod_id, player.pk) in seen:
            raise BadInput("%(name)s plays at a table of this round.", name=player.name)
        if player is not None and player.pk in knowing.get(seat.pod_id, ()):
            raise BadInput(
                "%(name)s has seen the cards of table %(table)s because table %(other)s has the same ones.",
                name=player.name, table=seat.pod.number, other=knowing[seat.pod_id][player.pk],
            )  # fmt: skip
        seen |= {(pod_id, player.pk)} if player is not None else set()


def build_no_device_error(pod: Pod) -> BadInput:
    """The refusal of a substitute without an account at an online table."""
    return BadInput(
        "Table %(table)s is an online table. A substitute there must be a member of the club with a device "
        "of their own. For anybody else, make it a real table.",
        table=pod.number,
    )


def _list_wrong(played: Round) -> QuerySet[PodSeat]:
    """The seats whose table has somebody else on them than `online_tables.guest_of` says, found in one query."""
    seats_there = play_models.Seat.objects.filter(table=OuterRef("pod__table"), index=OuterRef("index"))
    wanted = Case(
        When(~Q(fate=PodSeat.Fate.PLAYS), then=BOT_ID),
        When(~Q(substitute=None), then=F("substitute_id")),
        When(~Q(entrant__bot="") | ~Q(substitute_name=""), then=BOT_ID),
        default=Coalesce(F("entrant__player_id"), BOT_ID),
        output_field=BigIntegerField(),
    )
    seats = PodSeat.objects.filter(pod__round=played, pod__table__status__in=[WAITING, PLAYING])
    sitting = Coalesce(Subquery(seats_there.values("player_id")[:1]), BOT_ID, output_field=BigIntegerField())
    return seats.annotate(wanted=wanted, sitting=sitting).exclude(wanted=F("sitting")).order_by("pod", "index")
