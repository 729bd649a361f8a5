"""Rounds over days: people who still have a game to play are told when a fifth of the time is left."""

from __future__ import annotations

from django.urls import reverse

from games.models import Notice, SentAnnouncement
from games.notifications import outbox
from games.notifications.kinds import Kind
from games.notifications.outbox import Recipient
from tournaments.flow.announcements import deadlines
from tournaments.flow.announcements.steps import make_tag
from tournaments.models import Round

KEYS, KEYS_END = "round-ends/", "round-ends0"
"""How the keys begin under which this is announced, and the first text after all of them."""


def announce_deadlines(*, now: float) -> None:
    """Tell people whose round ends soon, and take it back once their game or the round is over."""
    for played in deadlines.query_ending():
        key = _make_key(played)
        if deadlines.is_near(played, now=now) and outbox.list_unannounced([key]):
            recipients = [
                Recipient(player_id, _describe(played, number), _find_page(played, table_id))
                for player_id, number, table_id in deadlines.list_unfinished(played)
            ]
            outbox.tell_once(Kind.ROUND_ENDS, key, recipients, tag=make_tag(played.tournament_id), now=now)
    _take_back(now=now)


def _make_key(played: Round) -> str:
    return f"{KEYS}{played.pk}/{played.ends_at or 0:.0f}"


def _describe(played: Round, number: int) -> dict[str, object]:
    return {"event": played.tournament.name, "round": played.number, "table": number, "moment": played.ends_at}


def _find_page(played: Round, table_id: str | None) -> str:
    if table_id is not None:
        return reverse("table", args=[table_id])
    return reverse("tournaments:tournament", args=[played.tournament_id])


def _take_back(*, now: float) -> None:
    announced = SentAnnouncement.objects.filter(key__gte=KEYS, key__lt=KEYS_END, at__gt=now - outbox.KEPT_SECONDS)
    if not announced.exists():  # by its index; notices have none by their kind
        return
    shown = Notice.objects.filter(kind=Kind.ROUND_ENDS, closed_at=None, at__gt=now - outbox.KEPT_SECONDS)
    by_round: dict[int, set[int]] = {}
    for player_id, key in shown.values_list("player", "key"):
        by_round.setdefault(int(key.split("/")[1]), set()).add(player_id)
    open_rounds = deadlines.query_ending().in_bulk(list(by_round))
    for pk, people in by_round.items():
        playing = deadlines.list_unfinished(open_rounds[pk]) if pk in open_rounds else []
        over = people - {player_id for player_id, _number, _table in playing}
        if over:
            outbox.withdraw(shown.filter(player__in=over, key__startswith=f"{KEYS}{pk}/"), now=now)
    moved = {_make_key(played) for played in open_rounds.values()}
    if shown.exclude(key__in=moved).exists():  # they name another deadline
        outbox.withdraw(shown.exclude(key__in=moved), now=now)
