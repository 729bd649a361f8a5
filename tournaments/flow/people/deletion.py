"""Deletes a person: their name leaves clubs and tournaments; what others played with them stays complete."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime

import msgspec
from django.db import transaction
from django.db.models import Q

from games.models import Player
from games.play.errors import NotFound, Stale
from games.play.seats import player_changes
from games.play.seats.player_changes import ANONYMOUS_AVATAR, ANONYMOUS_NAME
from tournaments.flow.clubs import club_talk
from tournaments.flow.clubs.membership import take_out
from tournaments.flow.entry import attendance
from tournaments.flow.people.name_replacement import NameReplacement, replace
from tournaments.flow.people.season_deletion import forget_in_seasons
from tournaments.flow.rounds import result_photos
from tournaments.flow.steps.recorder import bump_version, lock_tournament, read_changes
from tournaments.flow.tables.duplicate_tables import SUBSTITUTE_LEAVES
from tournaments.models import (
    ApiKey,
    BackgroundJob,
    Club,
    Delivery,
    Entrant,
    EveningGuest,
    Invitation,
    Membership,
    NightDuty,
    Phase,
    Pod,
    PodSeat,
    Removal,
    Role,
    Round,
    Step,
    TimedSession,
    Tournament,
)

LONGEST_REQUEST_SECONDS = 120.0
"""Seconds after which no request or task that began before is still running."""


def forget(player_id: int) -> None:
    """Delete this person's name, roles and keys. Idempotent; only for deleted players. Raises Busy.

    They leave what is not over yet: nobody would be drawn, and waited for. The sweeper does it again (`settle`).
    """
    gone = Player.objects.filter(pk=player_id).first()
    if gone is None or gone.left_at is None:
        return
    _leave_tournaments(gone, now=gone.left_at.timestamp())
    ApiKey.objects.filter(made_by=player_id).delete()
    Invitation.objects.filter(made_by=player_id).update(made_by=None, withdrawn=True)
    Removal.objects.filter(player=player_id).delete()
    NightDuty.objects.filter(player=player_id).delete()
    result_photos.forget(player_id)
    EveningGuest.objects.filter(player=player_id).delete()
    club_talk.forget(player_id)
    TimedSession.objects.filter(owner=player_id).update(owner=None)
    Step.objects.filter(actor=player_id, evening__isnull=False).update(actor_name=ANONYMOUS_NAME)
    BackgroundJob.objects.filter(player=player_id, kind=BackgroundJob.Kind.PERSON).delete()
    BackgroundJob.objects.filter(player=player_id).update(player=None, name="")
    forget_in_seasons(player_id, _all_names_of(player_id))
    for tournament_id in _tournaments_of(player_id):
        with lock_tournament(tournament_id) as tournament:
            if _forget_in(tournament, player_id):
                bump_version(tournament_id)
                _delete_archives(tournament)
    _rename_bots(player_id)
    _leave_clubs(player_id)


def _rename_bots(player_id: int) -> None:
    """Rename the bots that play under the person's name after a no-show or forfeit."""
    given_up = PodSeat.objects.filter(entrant__player=player_id).exclude(fate=PodSeat.Fate.PLAYS)
    for seat in given_up.exclude(pod__table=None).select_related("pod", "entrant"):
        if seat.pod.table_id is not None:
            player_changes.rename_bot_seat(seat.pod.table_id, seat.index, seat.entrant.name)


def finish_deletion(player_id: int, *, now: float) -> None:
    """Forget somebody again: a process that was killed over it, or was answering them, has left their name somewhere.

    Once no process can be answering them any more it is the last time. Raises Busy.
    """
    player_changes.anonymise_tables(player_id, now=now)
    forget(player_id)
    long_ago = datetime.fromtimestamp(now - LONGEST_REQUEST_SECONDS, tz=UTC)
    Player.objects.filter(pk=player_id, is_leaving=True, left_at__lt=long_ago).update(is_leaving=False)


def _delete_archives(tournament: Tournament) -> None:
    """Delete archives of the tournament and its season that have the old name; a worker that makes one stops."""
    about = Q(tournament=tournament) | Q(season=tournament.season_id, season__isnull=False)
    BackgroundJob.objects.filter(about, kind__in=(BackgroundJob.Kind.ARCHIVE, BackgroundJob.Kind.SEASON)).delete()


def list_unfinished_deletions() -> list[int]:
    """Who has just gone, or has and is still a member of a club, or stands in a tournament by name: something came in
    between."""
    gone = Player.objects.filter(left_at__isnull=False).values("pk")  # few, however many have played
    named = Entrant.objects.filter(player__in=gone).exclude(name__startswith=ANONYMOUS_NAME)
    members = Membership.objects.filter(player__in=gone)
    leaving = Player.objects.filter(is_leaving=True).values_list("pk", flat=True)
    found = (*leaving, *named.values_list("player", flat=True), *members.values_list("player", flat=True))
    return sorted({pk for pk in found if pk is not None})


def _leave_tournaments(gone: Player, *, now: float) -> None:
    entries = Entrant.objects.filter(player=gone).exclude(status=Entrant.Status.WITHDRAWN)
    for entrant in entries.exclude(tournament__phase__in=(Phase.FINISHED, Phase.ARCHIVED)).select_related("tournament"):
        with suppress(Stale, NotFound):  # it is over by now, or cancelled; they are off its list
            attendance.withdraw(entrant.tournament, gone, [entrant.pk], now=now)


def _leave_clubs(player_id: int) -> None:
    for member in Membership.objects.filter(player=player_id).select_related("club"):
        with transaction.atomic():
            take_out(member)
            _hand_over_club(member.club)


def _hand_over_club(club: Club) -> None:
    """Give a club without an owner a new one: the longest-serving organiser, else member."""
    members = Membership.objects.filter(club=club)
    if not members.filter(role=Role.OWNER).exists():
        heirs = [*members.filter(role=Role.ORGANISER).order_by("since", "pk")[:1], *members.order_by("since", "pk")[:1]]
        Membership.objects.filter(pk__in=[heir.pk for heir in heirs[:1]]).update(role=Role.OWNER)


def _tournaments_of(player_id: int) -> list[str]:
    played = Entrant.objects.filter(player=player_id).values_list("tournament", flat=True)
    helped = PodSeat.objects.filter(substitute=player_id).values_list("pod__round__tournament", flat=True)
    acted = Step.objects.filter(actor=player_id).values_list("tournament", flat=True)
    ends = Q(changes__contains=f'"substitute_id":{player_id},') | Q(changes__contains=f'"substitute_id":{player_id}}}')
    was_to_help = Step.objects.filter(ends, kind__in=SUBSTITUTE_LEAVES).values_list("tournament", flat=True)
    return sorted(
        {tournament_id for tournament_id in (*played, *helped, *acted, *was_to_help) if tournament_id is not None}
    )


def _forget_in(tournament: Tournament, player_id: int) -> int:
    """Replace the person's names in a tournament; returns how many rows had one."""
    steps = Step.objects.filter(tournament=tournament)
    count = steps.filter(actor=player_id).exclude(actor_name=ANONYMOUS_NAME).update(actor_name=ANONYMOUS_NAME)
    for entrant in Entrant.objects.filter(tournament=tournament, player=player_id):
        name = entrant.name if _is_nobody(entrant.name) else _free_name(tournament)
        count += _rename(tournament, {*_list_names(entrant, steps)} - {name}, name)
        nameless = {"name": name, "avatar": ANONYMOUS_AVATAR, "club_name": ""}
        count += Entrant.objects.filter(pk=entrant.pk).exclude(**nameless).update(**nameless)
    helped = PodSeat.objects.filter(substitute=player_id, pod__round__tournament=tournament)
    once = {*helped.values_list("substitute_name", flat=True), *_names_before(player_id, steps)}
    taken = set(Entrant.objects.filter(tournament=tournament).values_list("name", flat=True))
    count += _rename(tournament, once - taken - {"", ANONYMOUS_NAME}, ANONYMOUS_NAME)
    return count + helped.exclude(substitute_name=ANONYMOUS_NAME).update(substitute_name=ANONYMOUS_NAME)


def _names_before(player_id: int, steps: Iterable[Step]) -> Iterator[str]:
    """The names somebody has in a log only: on chairs where they were to play for others, on a list they were taken
    off again."""
    changes = [(step, change) for step in steps for change in read_changes(step)]
    off_list = {
        pk
        for _, (kind, pk, *both) in changes
        if kind == "Entrant" and any((values or {}).get("player_id") == player_id for values in both)
    }
    off_list -= set(Entrant.objects.filter(pk__in=off_list).values_list("pk", flat=True))
    for step, (kind, pk, before, after) in changes:
        for values in (before or {}, after or {}):
            if kind == "Entrant" and pk in off_list:
                yield values.get("name", "")
            elif kind == "PodSeat" and values.get("substitute_id") == player_id:
                yield values.get("substitute_name", "")
        if kind == "PodSeat" and (after or {}).get("substitute_id") == player_id:
            yield msgspec.json.decode(step.details).get("by", "")


def _is_nobody(name: str) -> bool:
    return re.fullmatch(rf"{ANONYMOUS_NAME}( \d+)?", name) is not None


def _free_name(tournament: Tournament) -> str:
    taken = set(Entrant.objects.filter(tournament=tournament).values_list("name", flat=True))
    tries = (ANONYMOUS_NAME, *(f"{ANONYMOUS_NAME} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in tries if name not in taken)


def _list_names(entrant: Entrant, steps: Iterable[Step]) -> Iterator[str]:
    """The present and former names of an entrant."""
    yield entrant.name
    for step in steps:
        for kind, pk, before, _after in msgspec.json.decode(step.changes):
            if kind == "Entrant" and pk == entrant.pk and before and "name" in before:
                yield before["name"]


def _all_names_of(player_id: int) -> set[str]:
    """The present and former names of a person in all tournaments."""
    mine = Entrant.objects.filter(player=player_id)
    return {
        name for entrant in mine for name in _list_names(entrant, Step.objects.filter(tournament=entrant.tournament_id))
    }


def _rename(tournament: Tournament, names: set[str], new: str) -> int:
    """Replace names in everything that is written down of a tournament: its log, its draws and their reasons, and what
    webhooks are told of it. How many rows bore one."""
    if not names:
        return 0
    words = NameReplacement(frozenset(names), new)
    messages = Delivery.objects.filter(webhook__club=tournament.club_id, key__startswith=f"{tournament.pk}/")
    written: tuple[tuple[Iterable[Step | Round | Pod | Delivery], Mapping[str, bool]], ...] = (
        (Step.objects.filter(tournament=tournament), {"details": False, "changes": False}),
        (Round.objects.filter(tournament=tournament), {"solution": True, "trouble": True}),
        (Pod.objects.filter(round__tournament=tournament), {"reason": True, "trouble": True}),
        (messages, {"body": False}),
    )
    return sum(replace(row, columns, words) for rows, columns in written for row in rows)
