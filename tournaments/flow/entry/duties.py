"""Duties for one night: an organiser makes a link, one person takes the duty by it, an organiser withdraws it."""

from __future__ import annotations

from django.db.models import QuerySet

from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow.entry.entrant_names import clean_name
from tournaments.flow.entry.entry_deadline import require_not_over
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import take_step
from tournaments.flow.tokens import make_token
from tournaments.models import Duty, NightDuty, Tournament

MAX_DUTIES = 30
"""Links in one tournament."""


def give_duty(tournament: Tournament, actor: Player | None, duty: str, *, name: str, now: float) -> NightDuty:
    """A link for one person to take this duty. name: which person the organiser means. Raises NotAllowed, BadInput."""
    require_organiser(tournament.club, actor)
    if duty not in Duty.values:
        raise BadInput("There is no such duty.")
    name = clean_name(name)
    with take_step(tournament.pk, Kind.GIVE_DUTY, actor=actor, now=now, name=name, rule=duty) as step:
        require_not_over(step.tournament)
        if NightDuty.objects.filter(tournament=step.tournament).count() >= MAX_DUTIES:
            raise BadInput("This tournament has too many links for helpers. Withdraw one that is no longer needed.")
        step.is_always_logged = True
        return NightDuty.objects.create(
            tournament=step.tournament, duty=duty, token=make_token(), name=name, made_by=actor
        )


def list_given(tournament: Tournament) -> QuerySet[NightDuty]:
    """The links of a tournament and who took them, the oldest first."""
    return NightDuty.objects.filter(tournament=tournament).select_related("player").order_by("pk")


def find_duty(tournament_id: str, token: str) -> NightDuty:
    """The duty of a link. Raises NotFound if it was withdrawn."""
    rows = NightDuty.objects.select_related("tournament__club", "player", "made_by")
    found = rows.filter(tournament=tournament_id, token=token).first()
    if found is None:
        raise NotFound("This link is no longer valid. Ask an organiser for a new one.")
    return found


def require_free(duty: NightDuty, player_id: int | None) -> None:
    """Raises Stale if another person has taken the duty of this link."""
    if duty.player_id not in (None, player_id):
        raise Stale("Somebody else has used this link. Ask an organiser for one of your own.")


def take_duty(tournament: Tournament, player: Player, token: str, *, now: float) -> None:
    """Give the duty of a link to a person. Idempotent. Raises NotFound, Stale if another person has taken it."""
    with take_step(tournament.pk, Kind.TAKE_DUTY, actor=player, now=now) as step:
        require_not_over(step.tournament)
        found = find_duty(step.tournament.pk, token)
        require_free(found, player.pk)
        if found.player_id == player.pk:
            return
        if NightDuty.objects.filter(tournament=step.tournament, duty=found.duty, player=player).exists():
            return
        step.is_always_logged = True
        step.details["rule"] = found.duty
        NightDuty.objects.filter(pk=found.pk, player=None).update(player=player)


def withdraw_duty(tournament: Tournament, actor: Player | None, duty_id: int, *, now: float) -> None:
    """Withdraw a link; who took it loses the duty at once. Idempotent. Raises NotAllowed."""
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.END_DUTY, actor=actor, now=now) as step:
        found = NightDuty.objects.filter(tournament=step.tournament, pk=duty_id).first()
        if found is None:
            return
        step.is_always_logged = True
        step.details |= {"name": found.name, "rule": found.duty}
        found.delete()
