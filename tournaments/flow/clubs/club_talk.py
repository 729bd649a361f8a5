"""The chat of a club: phrases, and messages in members' own words where the club allows it."""

from __future__ import annotations

from django.db.models import Count, Max

from games.models import Player
from games.play.errors import NotAllowed
from games.play.permissions import refuse_silenced
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.talk import remarks
from games.play.talk.remarks import RemarkList, RemarkStore, ShownRemark
from tournaments.flow.clubs import moderation
from tournaments.flow.permissions import require_organiser, require_role
from tournaments.models import Club, ClubRemark, ClubReport, Membership, ModerationStep, Role


def say(club: Club, player: Player, *, phrase: str = "", words: str = "", device: str = "", now: float) -> ShownRemark:
    """Write a phrase of the list, or a message of one's own. device: identifies the browser.

    Raises NotAllowed (no member, only phrases, silenced, or the chat is closed), BadInput (unknown phrase, nothing, too
    much), Busy.
    """
    me = require_talk(club, player)
    refuse_silenced((me.silenced_until or 0.0) - now)
    if club.is_chat_closed and me.role == Role.MEMBER:
        raise NotAllowed("An organiser has closed this chat for now.")
    if not phrase and not club.can_talk:
        raise NotAllowed("In this club, you can only send phrases from the list.")
    remarks.check(phrase, words)
    if device and me.device != device:
        Membership.objects.filter(pk=me.pk).update(device=device)
    row = remarks.append(_get_store(club), player, name=me.shown_name, phrase=phrase, words=words, now=now)
    return remarks.read(row)


def read_talk(club: Club) -> RemarkList:
    """The last 60 remarks since they were last cleared. Raises Busy."""
    heard = remarks.list_remarks(_get_store(club), _is_visible_to_all)
    authors = {int(remark.author) for remark in heard.remarks if remark.author}
    leading = Membership.objects.filter(club=club, player__in=authors).exclude(role=Role.MEMBER)
    roles = {str(player): role for player, role in leading.values_list("player", "role")}
    return remarks.give_roles(heard, roles)


def clear(club: Club, player: Player | None, *, now: float) -> None:
    """Hide all messages so far, which can be undone. Raises NotAllowed (no organiser), Busy."""
    require_organiser(club, player)
    clear_for_staff(club, player, now=now)


def clear_for_staff(club: Club, player: Player | None, *, now: float) -> None:
    """The same by the administrator of the site. Raises Busy."""
    row = remarks.append(_get_store(club), player, is_clearing=True, now=now)
    moderation.log_clearing(club, player, row, now=now)


def report(club: Club, number: int, player: Player, *, now: float) -> None:
    """Tell the organisers and the staff about a remark; idempotent.

    Raises NotFound, NotAllowed (no member, one's own), Busy.
    """
    require_talk(club, player)
    remarks.report_remark(_get_store(club), ClubReport, number, player, _is_visible_to_all, now=now)


def require_talk(club: Club, player: Player | None) -> Membership:
    """This person's membership. Raises NotAllowed for somebody who is no member."""
    me = player.pk if player else None
    require_role(club, me, Role.MEMBER)
    return Membership.objects.select_related("player").get(club=club, player=me)


def version_of(club: Club) -> str:
    """A version that changes whenever a message is written, cleared, removed or put back."""
    last = ClubRemark.objects.filter(club=club).aggregate(last=Max("number"))["last"] or 0
    steps = ModerationStep.objects.filter(club=club).aggregate(last=Max("pk"), undone=Count("undone_at"))
    return f"{last}.{steps['last']}.{steps['undone']}" if steps["last"] else str(last)


def forget(player_id: int) -> None:
    """Delete the name and the messages of a deleted person."""
    ClubRemark.objects.filter(player=player_id).update(name=ANONYMOUS_NAME, words="")


def merge(guest_id: int, player_id: int) -> None:
    """Transfer a guest's messages and reports to this person."""
    ClubRemark.objects.filter(player=guest_id).update(player=player_id)
    mine_too = ClubReport.objects.filter(player=player_id).values("remark")
    ClubReport.objects.filter(player=guest_id).exclude(remark__in=mine_too).update(player=player_id)


def _is_visible_to_all(_row: ClubRemark) -> bool:
    return True


def _get_store(club: Club) -> RemarkStore:
    return RemarkStore(ClubRemark, {"club": club}, _nobody_waits)


def _nobody_waits() -> None:
    """Pages that follow a club's talk look for its version themselves."""
