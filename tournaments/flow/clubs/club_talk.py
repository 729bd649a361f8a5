"""Talk of a club: its members say something to each other; in words of their own where the club allows it."""

from __future__ import annotations

from django.db.models import Max

from games.models import Player
from games.play.errors import NotAllowed
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.talk import remarks
from games.play.talk.remarks import RemarkList, RemarkStore, ShownRemark
from tournaments.flow.permissions import require_organiser, require_role
from tournaments.models import Club, ClubRemark, ClubReport, Role


def say(club: Club, player: Player, *, phrase: str = "", words: str = "", now: float) -> ShownRemark:
    """Say a phrase of the list, or words of one's own.

    Raises NotAllowed (no member, or only phrases), BadInput (unknown phrase, nothing, too much), Busy.
    """
    require_talk(club, player)
    if not phrase and not club.can_talk:
        raise NotAllowed("In this club, you can only send phrases from the list.")
    remarks.check(phrase, words)
    return remarks.read(remarks.append(_rows(club), player, phrase=phrase, words=words, now=now))


def hear(club: Club) -> RemarkList:
    """The last 60 remarks since they were last cleared. Raises Busy."""
    return remarks.list_remarks(_rows(club), _everybody)


def clear(club: Club, player: Player | None, *, now: float) -> None:
    """Hide all that was said so far. Raises NotAllowed (no organiser), Busy."""
    require_organiser(club, player)
    clear_for_staff(club, player, now=now)


def clear_for_staff(club: Club, player: Player | None, *, now: float) -> None:
    """The same, for who looks after the whole installation. Raises Busy."""
    remarks.append(_rows(club), player, is_clearing=True, now=now)


def report(club: Club, number: int, player: Player, *, now: float) -> None:
    """Tell the staff about a remark; twice is once. Raises NotFound, NotAllowed (no member, one's own), Busy."""
    require_talk(club, player)
    remarks.report_remark(_rows(club), ClubReport, number, player, _everybody, now=now)


def require_talk(club: Club, player: Player | None) -> None:
    """Raises NotAllowed for who is no member."""
    require_role(club, player.pk if player else None, Role.MEMBER)


def version_of(club: Club) -> str:
    """Another one whenever something was said, or what was said is cleared."""
    return str(ClubRemark.objects.filter(club=club).aggregate(last=Max("number"))["last"] or 0)


def forget(player_id: int) -> None:
    """Take away the name and the words of who has left for good."""
    ClubRemark.objects.filter(player=player_id).update(name=ANONYMOUS_NAME, words="")


def merge(guest_id: int, player_id: int) -> None:
    """What a guest has said and reported is this person's."""
    ClubRemark.objects.filter(player=guest_id).update(player=player_id)
    mine_too = ClubReport.objects.filter(player=player_id).values("remark")
    ClubReport.objects.filter(player=guest_id).exclude(remark__in=mine_too).update(player=player_id)


def _everybody(_row: ClubRemark) -> bool:
    return True


def _rows(club: Club) -> RemarkStore:
    return RemarkStore(ClubRemark, {"club": club}, _nobody_waits)


def _nobody_waits() -> None:
    """Pages that follow a club's talk look for its version themselves."""
