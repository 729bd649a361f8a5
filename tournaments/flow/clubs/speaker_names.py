"""What somebody who watches a table of a tournament or an evening is called in its chat."""

from __future__ import annotations

from games.models import Player
from games.models.skeletons import MAX_SEAT_NAME, number_name
from tournaments.flow.entry.entrant_names import list_skeletons_there
from tournaments.flow.names_in_club import collect_leading_skeletons, name_in_club
from tournaments.flow.permissions import find_club_of_table
from tournaments.models import Entrant, Tournament


def name_speaker(table_id: str, player: Player) -> str:
    """Their name in the tournament, else in the club, with a number if an entrant or somebody who runs the club has
    one that looks like it."""
    tournament = Tournament.objects.filter(rounds__pods__table=table_id).first()
    entered = Entrant.objects.filter(tournament=tournament, player=player) if tournament else Entrant.objects.none()
    name = entered.values_list("name", flat=True).first()
    if name is not None:
        return name
    club_id = find_club_of_table(table_id)
    taken = collect_leading_skeletons(club_id, besides=player.pk) if club_id is not None else set()
    if tournament is not None:
        taken |= list_skeletons_there(tournament)
    return number_name(name_in_club(club_id, player), taken, most=MAX_SEAT_NAME)
