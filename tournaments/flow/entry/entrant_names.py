"""Names of entrants: cleaned, and no two look alike in a tournament."""

from __future__ import annotations

from games.models.skeletons import collect_skeletons, list_skeletons, number_name
from games.models.spelling import clean_foreign_name, collapse_spaces
from games.play.seats import player_names
from tournaments.models import Entrant, Tournament

LONGEST = 40
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


def find_free(tournament: Tournament, name: str) -> str:
    """This name, or with a number if somebody has one that looks like it. Raises BadInput."""
    return number_name(clean_name(name), list_skeletons_there(tournament), most=LONGEST)
