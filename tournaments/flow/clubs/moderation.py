"""Moderation of a club by its organisers: every action is logged and can be undone.

An organiser acts on members, an owner on everybody else as well; nobody acts on themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games.models import Player, Remark, Report
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.talk import table_talk
from tournaments.flow.clubs import membership
from tournaments.flow.names_in_club import find_numbered_names
from tournaments.flow.permissions import is_at_least, list_club_tables, require_organiser, role_of
from tournaments.models import Club, ClubRemark, ClubReport, Invitation, Membership, ModerationStep, Removal, Role

Kind = ModerationStep.Kind
HOURS: Final = (1, 24, 7 * 24)
"""Hours for which somebody can be silenced."""
HOUR_SECONDS: Final = 3600.0
SHOWN: Final = 50
"""Lines of the log on a page."""
MAX_OFFERED: Final = 500
"""Members in the list from which an organiser chooses."""


def hide_remark(club: Club, actor: Player | None, number: int, *, now: float) -> None:
    """Remove one message of the club's chat from everybody's view. Idempotent. Raises NotAllowed, NotFound."""
    require_organiser(club, actor)
    remark = ClubRemark.objects.filter(club=club, number=number, is_clearing=False).first()
    _hide(club, actor, remark, now=now)


def hide_table_remark(club: Club, actor: Player | None, remark_id: int, *, now: float) -> None:
    """The same with a message at a table of the club."""
    require_organiser(club, actor)
    remark = Remark.objects.filter(pk=remark_id, table__in=list_club_tables(club), is_clearing=False).first()
    _hide(club, actor, remark, now=now)


def _hide(club: Club, actor: Player | None, remark: ClubRemark | Remark | None, *, now: float) -> None:
    if remark is None:
        raise NotFound("This message was not found. Reload the page.")
    if remark.player_id is not None:
        require_power(club, actor, remark.player_id, is_about_self_allowed=True)
    with transaction.atomic():
        if not _rows_of(remark).filter(hidden_at=None).update(hidden_at=now):
            return
        _settle_reports(remark, now=now)
        _log(club, actor, Kind.HIDE, player_id=remark.player_id, now=now, about=remark)
    _notify_pages(remark)


def settle_reports(club: Club, actor: Player | None, remark_id: int, *, is_at_table: bool, now: float) -> None:
    """Dismiss the reports of a message: nothing needs to be done. Raises NotAllowed, NotFound."""
    require_organiser(club, actor)
    remark: ClubRemark | Remark | None
    if is_at_table:
        remark = Remark.objects.filter(pk=remark_id, table__in=list_club_tables(club)).first()
    else:
        remark = ClubRemark.objects.filter(pk=remark_id, club=club).first()
    if remark is None:
        raise NotFound("This message was not found. Reload the page.")
    if remark.player_id is not None and actor is not None and remark.player_id == actor.pk:
        raise NotAllowed("Somebody else has to decide about your own message.")
    with transaction.atomic():
        if _settle_reports(remark, now=now):
            _log(club, actor, Kind.SETTLE, player_id=remark.player_id, now=now, about=remark)


def silence(club: Club, actor: Player | None, player_id: int, *, hours: int, now: float) -> None:
    """A member cannot write in the club's chat and at its tables for so long. Raises NotAllowed, BadInput, NotFound."""
    require_organiser(club, actor)
    if hours not in HOURS:
        raise BadInput("Choose for how long.")
    require_power(club, actor, player_id)
    until = now + hours * HOUR_SECONDS
    with transaction.atomic():
        if not Membership.objects.filter(club=club, player=player_id).update(silenced_until=until):
            raise NotFound("This person is not in the club any more.")
        _log(club, actor, Kind.SILENCE, player_id=player_id, now=now, until=until)


def remove(club: Club, actor: Player | None, player_id: int, *, is_kept_out: bool, now: float) -> None:
    """Take a member out of the club. Links that were made before do not let them in again.

    is_kept_out: later links do not either, nobody new comes in from their device, and the link by which they came lets
    nobody in any more. Raises NotAllowed, NotFound, Stale.
    """
    require_organiser(club, actor)
    require_power(club, actor, player_id)
    with transaction.atomic():
        member = Membership.objects.filter(club=club, player=player_id).first()
        if member is None:
            raise NotFound("This person is not in the club any more.")
        membership.leave(club, actor, member.pk)
        Removal.objects.filter(club=club, player=player_id).update(is_kept_out=is_kept_out, device=member.device)
        if is_kept_out and member.invitation_id is not None:
            Invitation.objects.filter(pk=member.invitation_id).update(withdrawn=True)
        kind = Kind.KEEP_OUT if is_kept_out else Kind.REMOVE
        _log(club, actor, kind, player_id=player_id, now=now, role=member.role)


def close_chat(club: Club, actor: Player | None, *, now: float) -> None:
    """Close the club's chat: only organisers can write until it is opened again. Raises NotAllowed."""
    require_organiser(club, actor)
    with transaction.atomic():
        if Club.objects.filter(pk=club.pk, is_chat_closed=False).update(is_chat_closed=True):
            _log(club, actor, Kind.CLOSE, now=now)


def open_chat(club: Club, actor: Player | None, *, now: float) -> None:
    """Everybody can write in the club's chat again. Raises NotAllowed."""
    _undo_latest(club, actor, Kind.CLOSE, now=now)


def undo_clearing(club: Club, actor: Player | None, *, now: float) -> None:
    """Show again what the last clearing has hidden. Raises NotAllowed."""
    _undo_latest(club, actor, Kind.CLEAR, now=now)


def let_in(club: Club, actor: Player | None, player_id: int, *, now: float) -> None:
    """Make a banned person a member again. Raises NotAllowed, NotFound, Stale."""
    _undo_latest(club, actor, Kind.KEEP_OUT, now=now, player=player_id)


def _undo_latest(club: Club, actor: Player | None, kind: str, *, now: float, **about: int) -> None:
    require_organiser(club, actor)
    step = ModerationStep.objects.filter(club=club, kind=kind, undone_at=None, **about).order_by("-pk").first()
    if step is not None:
        undo(club, actor, step.pk, now=now)


def log_clearing(club: Club, actor: Player | None, row: ClubRemark, *, now: float) -> None:
    """Log that this row has hidden all messages."""
    _log(club, actor, Kind.CLEAR, now=now, about=row)


def undo(club: Club, actor: Player | None, step_id: int, *, now: float) -> None:
    """Undo a step. Idempotent. Raises NotAllowed, NotFound, Stale (something newer is in force)."""
    require_organiser(club, actor)
    with transaction.atomic():
        step = ModerationStep.objects.filter(club=club, pk=step_id).first()
        if step is None:
            raise NotFound("This step was not found. Reload the page.")
        if step.player_id is not None:
            require_power(club, actor, step.player_id, is_about_self_allowed=step.kind == Kind.HIDE)
        if step.kind in UNDO_BY_ITSELF:
            whole = UNDO_BY_ITSELF[step.kind]
        elif not ModerationStep.objects.filter(pk=step.pk, undone_at=None).update(undone_at=now, undone_by=actor):
            return
        else:
            whole = None
            _UNDO[step.kind](step, role_of(club, actor.pk if actor else None))
    if whole is not None:
        whole(step, actor, now)
        return
    for remark in (step.remark, step.table_remark):
        _notify_pages(remark)


def _unhide(step: ModerationStep, _mine: Role | None) -> None:
    remark = step.remark or step.table_remark
    if remark is not None:
        _rows_of(remark).update(hidden_at=None)
        _reopen_reports(remark, step.at)


def _unclear(step: ModerationStep, _mine: Role | None) -> None:
    if step.remark is not None:
        _rows_of(step.remark).update(hidden_at=step.at)


def _unsilence(step: ModerationStep, _mine: Role | None) -> None:
    members = Membership.objects.filter(club=step.club_id, player=step.player_id, silenced_until=step.until)
    if not members.update(silenced_until=None):
        raise Stale("This has ended, or somebody has silenced this person again since. Reload the page.")


def _let_in(step: ModerationStep, mine: Role | None) -> None:
    """Make them a member again, in their former role if an owner does it."""
    if step.player_id is None or not Player.objects.filter(pk=step.player_id, left_at=None).exists():
        raise Stale("This person has deleted their account.")
    Removal.objects.filter(club=step.club_id, player=step.player_id).delete()
    if not Membership.objects.filter(club=step.club_id, player=step.player_id).exists():
        role = Role(step.role) if step.role and mine == Role.OWNER else Role.MEMBER
        membership.take_in(step.club_id, step.player_id, role)


def _open_chat(step: ModerationStep, _mine: Role | None) -> None:
    Club.objects.filter(pk=step.club_id).update(is_chat_closed=False)


def _reopen(step: ModerationStep, _mine: Role | None) -> None:
    remark = step.remark or step.table_remark
    if remark is not None:
        _reopen_reports(remark, step.at)


_UNDO: Final[dict[str, Callable[[ModerationStep, Role | None], None]]] = {
    Kind.HIDE: _unhide,
    Kind.CLEAR: _unclear,
    Kind.SILENCE: _unsilence,
    Kind.REMOVE: _let_in,
    Kind.KEEP_OUT: _let_in,
    Kind.CLOSE: _open_chat,
    Kind.SETTLE: _reopen,
}

UNDO_BY_ITSELF: Final[dict[str, Callable[[ModerationStep, Player | None, float], None]]] = {}
"""Kinds whose undoing needs more than one transaction, or something of `tournaments.flow.people`."""


def list_steps(club: Club, *, before: int | None = None) -> list[ModerationStep]:
    """The newest steps first, one more than a page shows. before: only those before this id."""
    steps = ModerationStep.objects.filter(club=club).select_related("actor", "player", "undone_by", "remark", "merge")
    if before is not None:
        steps = steps.filter(pk__lt=before)
    found = list(steps.select_related("table_remark", "device_link").order_by("-pk")[: SHOWN + 1])
    people = {pk for step in found for pk in (step.actor_id, step.player_id, step.undone_by_id) if pk is not None}
    names = find_numbered_names(club.pk, people)
    for one in found:
        one.numbered_names = names
    return found


def list_silenced(club: Club, *, now: float) -> QuerySet[Membership]:
    """Silenced members, the longest silence first."""
    silenced = Membership.objects.filter(club=club, silenced_until__gt=now)
    return silenced.select_related("player").order_by("-silenced_until")


def list_kept_out(club: Club) -> QuerySet[Removal]:
    """Banned people, the latest first."""
    return Removal.objects.filter(club=club, is_kept_out=True).select_related("player").order_by("-at")


def require_power(club: Club, actor: Player | None, player_id: int, *, is_about_self_allowed: bool = False) -> None:
    """Raises NotAllowed for oneself, and for an organiser about another organiser or an owner."""
    if actor is not None and actor.pk == player_id:
        if is_about_self_allowed:
            return
        raise NotAllowed("Somebody else has to do this for you.")
    mine, theirs = role_of(club, actor.pk if actor else None), role_of(club, player_id)
    if theirs not in (None, Role.MEMBER) and not is_at_least(mine, Role.OWNER):
        raise NotAllowed("Only an owner of this club can do this.")


def _rows_of(remark: ClubRemark | Remark) -> QuerySet[ClubRemark] | QuerySet[Remark]:
    if isinstance(remark, ClubRemark):
        return ClubRemark.objects.filter(pk=remark.pk)
    return Remark.objects.filter(pk=remark.pk)


def _reports_of(remark: ClubRemark | Remark) -> QuerySet[ClubReport] | QuerySet[Report]:
    if isinstance(remark, ClubRemark):
        return ClubReport.objects.filter(remark=remark)
    return Report.objects.filter(remark=remark)


def _settle_reports(remark: ClubRemark | Remark, *, now: float) -> int:
    return _reports_of(remark).filter(settled_at=None).update(settled_at=now)


def _reopen_reports(remark: ClubRemark | Remark, at: float) -> None:
    _reports_of(remark).filter(settled_at=at).update(settled_at=None)


def _notify_pages(remark: ClubRemark | Remark | None) -> None:
    """Notify pages of the table that show the message; pages of a club poll."""
    if isinstance(remark, Remark):
        table_talk.notify(remark.table_id)


def _log(
    club: Club,
    actor: Player | None,
    kind: str,
    *,
    now: float,
    player_id: int | None = None,
    about: ClubRemark | Remark | None = None,
    until: float | None = None,
    role: str = "",
) -> None:
    ModerationStep.objects.create(
        club=club, kind=kind, actor=actor, player_id=player_id, until=until, role=role, at=now,
        remark=about if isinstance(about, ClubRemark) else None,
        table_remark=about if isinstance(about, Remark) else None,
    )  # fmt: skip
