"""Names in a tournament: clean, and each of them once."""

from __future__ import annotations

from collections.abc import Sequence

from games.models.spelling import clean_foreign_name, collapse_spaces, fold
from games.play.seats import player_names
from tournaments.models import Entrant, Tournament

LONGEST = 40
"""Characters of a name."""


def clean_words(text: str) -> str:
    """What was typed in one line, without signs that cannot be seen."""
    return collapse_spaces(clean_foreign_name(text, instead=" "))


def clean_name(name: str) -> str:
    """A name in one line of 1 to 40 characters that can be seen. Raises BadInput."""
    return player_names.clean_name(name, most=LONGEST)


def list_taken(tournament: Tournament, names: Sequence[str]) -> set[str]:
    """Those of these names that somebody in the tournament has, however they are written: folded."""
    there = Entrant.objects.filter(tournament=tournament).values_list("name", flat=True)
    return {fold(name) for name in names} & {fold(name) for name in there}


def find_free(tournament: Tournament, name: str) -> str:
    """This name, or with a number if somebody has it already. Raises BadInput."""
    name = clean_name(name)
    tries = [name, *(f"{name[:36]} {number}" for number in range(2, 1000))]
    taken = list_taken(tournament, tries)
    return next(one for one in tries if fold(one) not in taken)
