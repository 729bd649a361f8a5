"""Webhook messages of what happens without a step: online tables are ready, games are over, evenings begin and end.

A message is stored in the transaction of what it tells of, once: its `id` is made of the table or the evening. It names
people by their ids, so that no name has to be replaced in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import CharField, Exists, F, OuterRef, Value
from django.db.models.functions import Concat

from games.models import Table
from games.play.storage.codec import read_outcome
from tournaments.flow.steps import signals
from tournaments.flow.steps.webhook_events import (
    EVENING_BEGUN,
    EVENING_ENDED,
    GAME_OVER,
    TABLE_READY,
    WITHDRAWN,
    Message,
    describe_tournament,
    list_active,
    store,
)
from tournaments.models import Delivery, Pod, SessionTable, TimedSession, Webhook

LATE_SECONDS: Final = 3600.0
"""How late the beginning of an evening is still told, if the site was down at its start."""


def tell_table_ready(pod: Pod, *, now: float) -> None:
    """A pod of a released round has its online table."""
    if _has_subscriber(pod.round.tournament.club_id, TABLE_READY):
        _tell_of_pod(pod, TABLE_READY, f"table/{pod.table_id}", _describe_pod(pod), now=now)


def tell_evening_table_ready(row: SessionTable, *, now: float) -> None:
    """An evening has another table."""
    evening = row.timed_session
    if evening.club_id is not None and _has_subscriber(evening.club_id, TABLE_READY):
        _tell_of_evening(evening, TABLE_READY, f"table/{row.table_id}", _describe_table(row), now=now)


def tell_game_over(table: Table, *, now: float) -> None:
    """A game has a result, at an online table of a tournament or an evening; called once for each."""
    outcome = read_outcome(table.result)
    pod = Pod.objects.select_related("round__tournament__club").filter(table=table).first()
    row = None if pod else SessionTable.objects.select_related("timed_session__club").filter(table=table).first()
    if outcome is None:
        return
    result = {"places": list(outcome.places), "scores": None if outcome.scores is None else list(outcome.scores)}
    if pod is not None and _has_subscriber(pod.round.tournament.club_id, GAME_OVER):
        _tell_of_pod(pod, GAME_OVER, f"game/{table.pk}", _describe_pod(pod) | result, now=now)
    if row is not None and row.timed_session.club_id and _has_subscriber(row.timed_session.club_id, GAME_OVER):
        _tell_of_evening(row.timed_session, GAME_OVER, f"game/{table.pk}", _describe_table(row) | result, now=now)


def tell_begun(*, now: float) -> None:
    """Tell of every evening that has begun and has not been told of; for the sweeper, in one query if there is none."""
    deliveries = Delivery.objects.filter(
        event=EVENING_BEGUN, key=Concat(OuterRef("pk"), Value("/begun"), output_field=CharField())
    )
    begun = TimedSession.objects.filter(
        starts_at__lte=now, starts_at__gt=now - LATE_SECONDS, ended_at=None, ends_at__gte=F("starts_at"),
        club__webhooks__is_active=True, club__webhooks__events__contains=EVENING_BEGUN,
    )  # fmt: skip
    for evening in begun.exclude(Exists(deliveries)).select_related("club").distinct():
        with transaction.atomic():
            _tell_of_evening(evening, EVENING_BEGUN, "begun", _describe_evening(evening), now=now)


def tell_ended(evening: TimedSession, *, now: float) -> None:
    """Within the transaction in which an evening ended or was cancelled."""
    if evening.club_id is not None and _has_subscriber(evening.club_id, EVENING_ENDED):
        details = _describe_evening(evening) | {"is_called_off": evening.is_called_off}
        _tell_of_evening(evening, EVENING_ENDED, f"ended/{evening.version}", details, now=now)


def withdraw_ended(evening: TimedSession, *, now: float) -> None:
    """Within an undo: an evening that had ended goes on. Its last message of the end is withdrawn."""
    delivery = (
        Delivery.objects.filter(event=EVENING_ENDED, key__startswith=f"{evening.pk}/ended/").order_by("-pk").first()
    )
    if delivery is None or evening.club_id is None:
        return
    details = {"event": EVENING_ENDED, "id": delivery.key}
    _tell_of_evening(evening, WITHDRAWN, f"withdrawn/{evening.version}", details, now=now)


def _has_subscriber(club_id: int, event: str) -> bool:
    """Whether anybody has chosen this event: else nothing is read for it."""
    return Webhook.objects.filter(club=club_id, is_active=True, events__contains=event).exists()


def _tell_of_pod(pod: Pod, event: str, part: str, details: Mapping[str, Any], *, now: float) -> None:
    tournament = pod.round.tournament
    about = {"tournament": describe_tournament(tournament), "evening": None}
    _queue_message(
        tournament.club_id, Message(event, f"{tournament.pk}/{part}", tournament.club.slug, about, details), now=now
    )


def _tell_of_evening(evening: TimedSession, event: str, part: str, details: Mapping[str, Any], *, now: float) -> None:
    if evening.club is None:
        return
    about = {
        "tournament": None,
        "evening": {"id": evening.pk, "name": evening.name, "version": evening.version},
    }
    _queue_message(evening.club.pk, Message(event, f"{evening.pk}/{part}", evening.club.slug, about, details), now=now)


def _queue_message(club_id: int, message: Message, *, now: float) -> None:
    hooks = store(list_active(club_id), [message], now=now)
    tell = partial(signals.messages_stored.send_robust, sender=Delivery, webhooks=hooks)
    transaction.on_commit(tell)


def _describe_pod(pod: Pod) -> dict[str, Any]:
    seats = list(pod.seats.select_related("entrant").order_by("index"))
    return {
        "round": pod.round.number,
        "table": pod.number,
        "online_table": pod.table_id,
        "entrants": [seat.entrant.number for seat in seats],
        "people": [seat.player_id for seat in seats],
    }


def _describe_table(row: SessionTable) -> dict[str, Any]:
    people: Sequence[int | None] = list(row.table.seats.order_by("index").values_list("player", flat=True))
    return {"round": None, "table": row.number, "online_table": row.table_id, "entrants": [], "people": people}


def _describe_evening(evening: TimedSession) -> dict[str, Any]:
    return {"game": evening.game, "starts_at": evening.starts_at, "ends_at": evening.ends_at}
