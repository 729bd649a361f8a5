"""Names of entrants: cleaned, and no two look alike in a tournament."""

from __future__ import annotations

from games.models import Player
from games.models.skeletons import MAX_SEAT_NAME, collect_skeletons, list_skeletons, number_name
from games.models.spelling import clean_foreign_name, collapse_spaces
from games.play.seats import player_names, reserved_names
from tournaments.flow.names_in_club import collect_leading_skeletons, name_in_club
from tournaments.models import Entrant, PodSeat, Round, Tournament

LONGEST = MAX_SEAT_NAME
"""Characters of a name."""


def clean_words(text: str) -> str:
    """A typed text as one line, without invisible characters."""
    return collapse_spaces(clean_foreign_name(text, instead=" "))


def clean_name(name: str) -> str:
    """A name as one line of 1 to 40 visible characters. Raises BadInput."""
    return player_names.clean_name(name, most=LONGEST)


def list_skeletons_there(tournament: Tournament, *, besides: int | None = None) -> set[str]:
    """The skeletons of the names in the tournament. besides: an entrant who does not count."""
    entrants = Entrant.objects.filter(tournament=tournament)
    if besides is not None:
        entrants = entrants.exclude(pk=besides)
    return collect_skeletons(entrants.values_list("name", flat=True))


def is_taken(tournament: Tournament, name: str, *, besides: int | None = None) -> bool:
    """Whether somebody in the tournament has this name, or one that looks like it."""
    return not list_skeletons_there(tournament, besides=besides).isdisjoint(list_skeletons(name))


def find_free(tournament: Tournament, name: str, player_id: int) -> str:
    """This name for this person, or with a number if an entrant or somebody who runs the club has one that looks like
    it. Raises BadInput."""
    leading = collect_leading_skeletons(tournament.club_id, besides=player_id)
    return number_name(clean_name(name), list_skeletons_there(tournament) | leading, most=LONGEST)


def clean_own_name(tournament: Tournament, player: Player, name: str = "") -> str:
    """The name under which somebody enters: what they typed, else what the club calls them.

    Raises BadInput for what is no name, or one of the site, of a role or of a bot that is not their own already.
    """
    usual = clean_words(name_in_club(tournament.club_id, player))
    if not name or player.is_bot:
        return clean_name(usual)
    name = clean_name(name)
    if name not in (usual, clean_words(player.name)):
        reserved_names.require_free(name)
    return name


def number_substitute(played: Round, seat: PodSeat, name: str) -> str:
    """The name of a substitute without an account, or with a number if it looks like that of somebody who plays in this
    round, or of another substitute. Somebody on the list who rests in this round may play for another. Raises BadInput.
    """
    seats = PodSeat.objects.filter(pod__round=played)
    names = list(seats.values_list("entrant__name", flat=True))
    names += seats.exclude(pk=seat.pk).exclude(substitute_name="").values_list("substitute_name", flat=True)
    return number_name(clean_name(name), collect_skeletons(names), most=LONGEST)
