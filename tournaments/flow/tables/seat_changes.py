"""Who sits at the online tables of a round: whoever is to play there, however that came about.

A substitute, a forfeit, a claim, and each of them taken back: all change who plays for a chair of a pod. The chairs at
its table follow here; `due.look_after` lets them follow whatever was interrupted.
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

NOBODY = 0
"""In place of the id of a person where a bot plays."""
TO_PLAY = (Round.Status.DRAFT, Round.Status.RELEASED)


def put_right_all(tournament: Tournament, *, now: float) -> None:
    """At every table of this tournament that waits or plays."""
    for played in Round.objects.filter(tournament=tournament, status=Round.Status.RELEASED):
        put_right(played, now=now)


def put_right(played: Round, *, now: float) -> None:
    """Let those sit at the tables of a round who are to play there. Twice is once; what one refuses stops no other."""
    for seat in _list_wrong(played).select_related("pod", "entrant", "substitute"):
        try:
            seat_one(seat, now=now)
        except Refusal as refusal:
            logger.warning("table %s: %s", seat.pod.table_id, refusal)


def seat_one(seat: PodSeat, *, now: float) -> None:
    """Put whoever plays for this chair on it; a table for which nobody is missing any more begins."""
    if seat.pod.table_id is None:
        return
    table = arranged_tables.replace_player(seat.pod.table_id, seat.index, online_tables.guest_of(seat), now=now)
    if table.status == WAITING and not table.missing():
        arranged_tables.start_without_absent(table.id, now=now)


def require_right(tournament: Tournament) -> None:
    """Within a step, after who plays has changed: nobody plays at two tables, who plays on screens has one, and nobody
    plays there what he has seen at another table.

    Where a result is in nobody has to play any more, and people play elsewhere by now: but nobody sat there twice.
    In a draft somebody plays for somebody else where its release was taken back. Raises BadInput.
    """
    done = Result.objects.filter(pod__round__tournament=tournament, status=Result.Status.ACCEPTED)
    over = set(done.values_list("pod", flat=True))
    seats = PodSeat.objects.filter(
        pod__round__tournament=tournament, pod__round__status__in=TO_PLAY, fate=PodSeat.Fate.PLAYS
    )
    seen, knowing = set[tuple[int | None, int]](), duplicate_tables.list_knowing(tournament)
    for seat in seats.select_related("pod", "entrant__player", "substitute").order_by("pod", "index"):
        here = seat.pod_id if seat.pod_id in over else None
        if here is None and seat.substitute_name and seat.substitute is None and seat.pod.is_online:
            raise without_screen(seat.pod)
        player = seat.substitute or (None if seat.substitute_name else seat.entrant.player)
        if player is not None and (here, player.pk) in seen:
            raise BadInput("%(name)s plays at a table of this round.", name=player.name)
        if player is not None and player.pk in knowing.get(seat.pod_id, ()):
            raise BadInput(
                "%(name)s has seen the cards of table %(table)s: table %(other)s has the same ones.",
                name=player.name, table=seat.pod.number, other=knowing[seat.pod_id][player.pk],
            )  # fmt: skip
        seen |= {(here, player.pk)} if player is not None else set()


def without_screen(pod: Pod) -> BadInput:
    """What is said where somebody of whom only a name is known would play on screens."""
    return BadInput(
        "Table %(table)s plays on screens: there a member of the club can play instead, on a screen of his own. For "
        "anybody else let the table play in the room.",
        table=pod.number,
    )


def _list_wrong(played: Round) -> QuerySet[PodSeat]:
    """The chairs on which somebody else sits than plays for them, as `tables.guest_of` says."""
    there = play_models.Seat.objects.filter(table=OuterRef("pod__table"), index=OuterRef("index"))
    wanted = Case(
        When(~Q(fate=PodSeat.Fate.PLAYS), then=NOBODY),
        When(~Q(substitute=None), then=F("substitute_id")),
        When(~Q(entrant__bot="") | ~Q(substitute_name=""), then=NOBODY),
        default=Coalesce(F("entrant__player_id"), NOBODY),
        output_field=BigIntegerField(),
    )
    seats = PodSeat.objects.filter(pod__round=played, pod__table__status__in=[WAITING, PLAYING])
    sitting = Coalesce(Subquery(there.values("player_id")[:1]), NOBODY, output_field=BigIntegerField())
    return seats.annotate(wanted=wanted, sitting=sitting).exclude(wanted=F("sitting")).order_by("pod", "index")
