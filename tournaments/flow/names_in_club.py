"""What a club calls its members: by their name, with a number where somebody else's looks like it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from games.models import Player
from games.models.skeletons import collect_skeletons
from tournaments.models import Membership, Role


def find_numbered_names(club_id: int | None, player_ids: Collection[int]) -> Mapping[int, str]:
    """The names with numbers of those of these people who have one in this club, by player."""
    if club_id is None or not player_ids:
        return {}
    numbered = Membership.objects.filter(club=club_id, player__in=player_ids).exclude(alias=None).exclude(alias="")
    return {player: alias for player, alias in numbered.values_list("player", "alias") if alias}


def name_in_club(club_id: int | None, player: Player) -> str:
    """What this club calls a person; the name of somebody who is no member is their own."""
    return find_numbered_names(club_id, [player.pk]).get(player.pk, player.name)


def collect_leading_skeletons(club_id: int, *, besides: int | None = None) -> set[str]:
    """The skeletons of the names of a club's owners and organisers. besides: a person who does not count."""
    leading = Membership.objects.filter(club=club_id, role__in=[Role.ORGANISER, Role.OWNER]).exclude(player=besides)
    return collect_skeletons(membership.shown_name for membership in leading.select_related("player"))
