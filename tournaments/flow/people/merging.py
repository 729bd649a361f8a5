"""Merges a guest into a known person: what they have in clubs and tournaments becomes that person's."""

from __future__ import annotations

from django.db import transaction

from tournaments.flow.counting import ledger, place_counts
from tournaments.flow.people import merge_rows
from tournaments.flow.permissions import is_at_least
from tournaments.flow.steps.recorder import bump_version
from tournaments.models import (
    ApiKey,
    BackgroundJob,
    Entrant,
    EveningGuest,
    Invitation,
    Membership,
    ModerationStep,
    NightDuty,
    PodSeat,
    Removal,
    Result,
    ResultPhoto,
    Role,
    Step,
    TimedSession,
)


def merge(guest_id: int, player_id: int) -> None:
    """Transfer everything of the guest. Where the person has the same already, their own stays. Idempotent."""
    with transaction.atomic():
        for tournament_id in _tournaments_of(guest_id):
            bump_version(tournament_id)  # first: locks the tournament against steps until the transaction ends
        _merge_memberships(guest_id, player_id)
        entries = merge_rows.merge_entries(guest_id, player_id)
        chairs = merge_rows.merge_chairs(guest_id, player_id)
        Invitation.objects.filter(made_by_id=guest_id).update(made_by_id=player_id)
        barred = Removal.objects.filter(player_id=player_id).values("club")
        Removal.objects.filter(player_id=guest_id).exclude(club__in=barred).update(player_id=player_id)
        _merge_duties(guest_id, player_id)
        evenings = EveningGuest.objects.filter(player_id=player_id).values("evening")
        EveningGuest.objects.filter(player_id=guest_id).exclude(evening__in=evenings).update(player_id=player_id)
        ApiKey.objects.filter(made_by_id=guest_id).update(made_by_id=player_id)
        BackgroundJob.objects.filter(player_id=guest_id, kind=BackgroundJob.Kind.PERSON).delete()
        BackgroundJob.objects.filter(player_id=guest_id).update(player_id=player_id)
        Result.objects.filter(entered_by_id=guest_id).update(entered_by_id=player_id)
        Result.objects.filter(confirmed_by_id=guest_id).update(confirmed_by_id=player_id)
        ResultPhoto.objects.filter(added_by_id=guest_id).update(added_by_id=player_id)
        merge_rows.rewrite(guest_id, player_id, {"Entrant": entries, "PodSeat": chairs})
        Step.objects.filter(actor_id=guest_id).update(actor_id=player_id)
        TimedSession.objects.filter(owner_id=guest_id).update(owner_id=player_id)
        for column in ("actor", "player", "undone_by"):
            ModerationStep.objects.filter(**{column: guest_id}).update(**{column: player_id})


def _tournaments_of(player_id: int) -> list[str]:
    """The tournaments whose pages show this person."""
    rows = (
        Entrant.objects.filter(player=player_id).values_list("tournament", flat=True),
        PodSeat.objects.filter(substitute=player_id).values_list("pod__round__tournament", flat=True),
        Result.objects.filter(entered_by=player_id).values_list("pod__round__tournament", flat=True),
    )
    return sorted({tournament_id for part in rows for tournament_id in part})


def _merge_duties(guest_id: int, player_id: int) -> None:
    own = set(NightDuty.objects.filter(player_id=player_id).values_list("tournament", "duty"))
    for duty in NightDuty.objects.filter(player_id=guest_id):
        if (duty.tournament_id, duty.duty) not in own:
            NightDuty.objects.filter(pk=duty.pk).update(player_id=player_id)
    NightDuty.objects.filter(made_by_id=guest_id).update(made_by_id=player_id)


def _merge_memberships(guest_id: int, player_id: int) -> None:
    own = {member.club_id: member for member in Membership.objects.filter(player_id=player_id)}
    for membership in Membership.objects.filter(player_id=guest_id):
        mine = own.get(membership.club_id)
        if mine is None:
            ledger.lock()
            Membership.objects.filter(pk=membership.pk).update(player_id=player_id, alias=None)
            place_counts.join(membership.club_id, guest_id, -1)
            place_counts.join(membership.club_id, player_id)
        elif not is_at_least(Role(mine.role), Role(membership.role)):
            Membership.objects.filter(pk=mine.pk).update(role=membership.role)
