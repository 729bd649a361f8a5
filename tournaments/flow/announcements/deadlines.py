"""Deadlines of rounds over days: of tables, of a person, and which rounds are near theirs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.play.storage.table import PLAYING, WAITING
from games.rules.day_pace import DAY_SECONDS, WARNING_SHARE
from tournaments.models import Pod, PodSeat, Result, Round


def query_ending() -> QuerySet[Round]:
    """The rounds over days that are being played and have time left, with their tournaments."""
    running = Round.objects.filter(
        status=Round.Status.RELEASED, has_rung=False, paused_at=None, ends_at__isnull=False,
        tournament__turn_seconds__gte=DAY_SECONDS,
    )  # fmt: skip
    return running.select_related("tournament").order_by("ends_at", "pk")


def find_table_deadlines(table_ids: Collection[str]) -> Mapping[str, float]:
    """When the rounds of these tables end, as far as their games are not over."""
    pods = Pod.objects.filter(table__in=table_ids, table__status__in=(WAITING, PLAYING), round__in=query_ending())
    rows = pods.values_list("table", "round__ends_at")
    return {table_id: ends_at for table_id, ends_at in rows if table_id is not None and ends_at is not None}


def list_own(player_id: int) -> list[Pod]:
    """The pods of this person whose round has a deadline and whose game is not over."""
    plays = PodSeat.objects.filter(pod=OuterRef("pk"), fate=PodSeat.Fate.PLAYS)
    me = Q(substitute=player_id) | Q(substitute=None, substitute_name="", entrant__player=player_id)
    pods = Pod.objects.filter(Exists(plays.filter(me)), table__status__in=(WAITING, PLAYING))
    return list(pods.filter(round__in=query_ending()).select_related("round__tournament", "table").order_by("pk"))


def is_near(played: Round, *, now: float) -> bool:
    """Whether a fifth of the time of this round is left, or less."""
    if played.ends_at is None or played.released_at is None:
        return False
    return now >= played.ends_at - WARNING_SHARE * (played.ends_at - played.released_at)


def list_unfinished(played: Round) -> list[tuple[int, int, str | None]]:
    """The people who still have a game to play in this round: person, number of the table, id of the online table."""
    decided = Result.objects.filter(pod__round=played, status=Result.Status.ACCEPTED)
    seats = PodSeat.objects.filter(pod__round=played, fate=PodSeat.Fate.PLAYS).exclude(pod__in=decided.values("pod"))
    rows = seats.select_related("entrant", "pod").order_by("pod__number", "index")
    return [(seat.player_id, seat.pod.number, seat.pod.table_id) for seat in rows if seat.player_id is not None]
