"""Merges two members who are the same person: preview, merge, and undo by an organiser.

One of the two, without an account, is dissolved into the other, who keeps name, animal and account. Ratings are
computed again. Until a table of theirs has been counted since, the club's log undoes it.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Q

from games.accounts.sign_in import signed_in_devices
from games.models import Player, Remark, Seat, Table
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.seats import player_changes
from games.play.signals import SeatChanges, person_changed
from tournaments.flow.counting import ledger, place_counts, real_tables, recomputing
from tournaments.flow.people import merge_journal
from tournaments.flow.people.merge_journal import Journal
from tournaments.flow.people.representing import name_maker, require_guest, require_member
from tournaments.models import (
    CareerEntry,
    Club,
    ClubRemark,
    Entrant,
    Membership,
    ModerationStep,
    PersonMerge,
    PersonResult,
    Phase,
    PodSeat,
)

Kind = ModerationStep.Kind
OVER: Final = (Phase.FINISHED, Phase.ARCHIVED)


class Preview(NamedTuple):
    """What moves from one to the other. games: by slug, how many results; deals: how many deals of careers."""

    guest: Membership
    player: Membership
    games: dict[str, int]
    deals: int
    tournaments: list[str]
    clubs: list[tuple[str, str]]
    messages: int
    devices: int
    refusal: NotAllowed | None


def preview(club: Club, actor: Player | None, guest_member_id: int, member_id: int, *, now: float) -> Preview:
    """What merging these two members would move, and why it is refused if it is. Raises NotAllowed, NotFound."""
    guest, player = _require_both(club, actor, guest_member_id, member_id, now=now)
    who = guest.player_id
    results = PersonResult.objects.filter(player=who).order_by().values("game").annotate(count=Count("pk"))
    memberships = Membership.objects.filter(player=who).select_related("club").order_by("club__name")
    devices = signed_in_devices.count(who) if player.player.user_id is None else 0
    return Preview(
        guest, player,
        dict(sorted(results.values_list("game", "count"))),
        CareerEntry.objects.filter(player=who).count(),
        list(Entrant.objects.filter(player=who).order_by("pk").values_list("tournament__name", flat=True)),
        [(membership.club.name, membership.role) for membership in memberships],
        Remark.objects.filter(player=who).count() + ClubRemark.objects.filter(player=who).count(),
        devices,
        _find_refusal(who, player.player_id),
    )  # fmt: skip


def merge(club: Club, actor: Player | None, guest_member_id: int, member_id: int, *, now: float) -> ModerationStep:
    """Merge one member into another. Run it again after an interruption. Raises NotAllowed, NotFound, Busy.

    guest_member_id, member_id: the keys of their memberships.
    """
    guest, player = _require_both(club, actor, guest_member_id, member_id, now=now)
    if refusal := _find_refusal(guest.player_id, player.player_id):
        raise refusal
    places = _list_places(guest.player_id)
    with transaction.atomic():
        step = ModerationStep.objects.create(club=club, kind=Kind.MERGE, actor=actor, player=player.player, at=now)
        row = PersonMerge.objects.create(step=step, guest=guest.player, name=guest.player.name)
    before = merge_journal.take(guest.player_id, player.player_id)
    _detach_doubles(guest.player_id, player.player_id)
    devices: list[str] = []
    if player.player.user_id is None:
        devices = signed_in_devices.move(guest.player_id, player.player_id, name_maker(club, actor))
    player_changes.merge_guest(guest.player_id, player.player_id, now=now)
    changes = merge_journal.compare(before, merge_journal.take(guest.player_id, player.player_id))
    PersonMerge.objects.filter(pk=row.pk).update(
        journal=merge_journal.write(Journal(places, devices, changes)), done_at=now
    )
    return step


def undo(step: ModerationStep, actor: Player | None, now: float) -> None:
    """Undo a merge. Idempotent. Raises Stale if a table of theirs was counted since, Busy."""
    row = PersonMerge.objects.filter(step=step).first()
    if row is None or row.done_at is None or step.player_id is None:
        raise Stale("This merge was interrupted. Ask the administrator of this site.")
    if step.undone_at is not None:
        return
    if not Player.objects.filter(pk=step.player_id, left_at=None).exists():
        raise Stale("This person has deleted their account.")
    if PersonResult.objects.filter(player=step.player_id, ended_at__gt=step.at).exists():
        raise Stale("They have played a game that counts since. This cannot be undone any more.")
    journal = merge_journal.read(row.journal)
    player_changes.seat_people(journal.places)
    with transaction.atomic():
        if not ModerationStep.objects.filter(pk=step.pk, undone_at=None).update(undone_at=now, undone_by=actor):
            return
        ledger.lock()
        before = _members_of(row.guest_id, step.player_id)
        merge_journal.restore(journal.changes)
        _count_members(before, _members_of(row.guest_id, step.player_id))
        recomputing.merge(step.player_id, row.guest_id)
        for person_id in (step.player_id, row.guest_id):
            real_tables.follow_again(person_id)
    signed_in_devices.move_back(journal.devices, step.player_id, row.guest_id)
    person_changed.send_robust(sender=Player, player_id=row.guest_id)


def _require_both(
    club: Club, actor: Player | None, guest_member_id: int, member_id: int, *, now: float
) -> tuple[Membership, Membership]:
    if guest_member_id == member_id:
        raise BadInput("Choose two different people.")
    guest = require_guest(club, actor, guest_member_id, now=now)
    player = require_member(club, actor, member_id)
    if player.player.user_id is None:
        require_guest(club, actor, member_id, now=now)
    return guest, player


def _find_refusal(guest_id: int, player_id: int) -> NotAllowed | None:
    theirs = Seat.objects.filter(player=guest_id)
    if theirs.filter(table__in=Seat.objects.filter(player=player_id).values("table")).exists():
        return NotAllowed("These two have played at the same table, so they are not one person.")
    if theirs.exclude(table__status=Table.Status.OVER).exists():
        return NotAllowed("The duplicate sits at a table now. Wait until the game is over.")
    pods = [
        PodSeat.objects.filter(Q(entrant__player=person_id) | Q(substitute=person_id))
        for person_id in (guest_id, player_id)
    ]
    if pods[0].filter(pod__in=pods[1].values("pod")).exists():
        return NotAllowed("These two have played at the same table, so they are not one person.")
    for mine, other in _list_doubles(guest_id, player_id):
        if not any(map(_can_detach, (mine, other))):
            return NotAllowed("Both are on the list of the same tournament. Withdraw one of the two entries first.")
    return None


def _list_doubles(guest_id: int, player_id: int) -> list[tuple[Entrant, Entrant]]:
    """Tournaments in which both are entered: the guest's entry and the other's."""
    own = {
        entrant.tournament_id: entrant
        for entrant in Entrant.objects.filter(player=player_id).select_related("tournament")
    }
    mine = Entrant.objects.filter(player=guest_id, tournament__in=own).order_by("pk").select_related("tournament")
    return [(entrant, own[entrant.tournament_id]) for entrant in mine]


def _can_detach(entrant: Entrant) -> bool:
    """Whether this entry has never been seated and never will be."""
    is_out = entrant.status == Entrant.Status.WITHDRAWN or entrant.tournament.phase in OVER
    return is_out and not entrant.seats.exists()


def _detach_doubles(guest_id: int, player_id: int) -> None:
    """Detach from its person the entry that was never played with, of two in a tournament."""
    for mine, other in _list_doubles(guest_id, player_id):
        Entrant.objects.filter(pk=(mine if _can_detach(mine) else other).pk).update(player=None)


def _list_places(player_id: int) -> SeatChanges:
    """The seats that this person has had."""
    places: SeatChanges = {}
    for table_id, index in Seat.objects.filter(player=player_id).values_list("table", "index"):
        places.setdefault(table_id, {})[index] = player_id
    return places


def _members_of(*player_ids: int) -> Counter[tuple[int, int]]:
    return Counter(Membership.objects.filter(player__in=player_ids).values_list("club", "player"))


def _count_members(before: Counter[tuple[int, int]], after: Counter[tuple[int, int]]) -> None:
    """Update the leaderboards of clubs to their present members."""
    for club_id, player_id in before - after:
        place_counts.join(club_id, player_id, -1)
    for club_id, player_id in after - before:
        place_counts.join(club_id, player_id)
