"""Names: what may be one, and people by theirs: ranges of the index of keys (`games/models/spelling.py`)."""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet

from games.models import NameKey, Player, spelling
from games.models.spelling import LAST, MOST_WORDS, Wanted
from games.play.errors import BadInput

MOST_NAME: Final = 24
"""Characters of a player's name."""


def clean_name(text: str, *, most: int, least: int = 1) -> str:
    """A name of a person, club or tournament as it is kept. most, least: characters. Raises BadInput."""
    name = spelling.tidy(text)
    if not least <= len(name) <= most:
        raise BadInput("A name has %(least)s to %(most)s characters.", least=least, most=most)
    flaw = spelling.find_flaw(name)
    if flaw == "unseen":
        raise BadInput("This name contains characters that cannot be seen. Type it again without them.")
    if flaw == "marks":
        raise BadInput(
            "A letter of this name has too many accents or other marks. Use at most %(most)s on a letter.",
            most=spelling.MOST_MARKS,
        )
    return name


def list_listed(wanted: str, *, most: int, besides: int) -> list[Player]:
    """At most so many people whom everybody may see, with these beginnings of words in their names, besides one: first
    who is called just so, then in the order of their names from the word that was found."""
    seen = Q(player__is_listed=True, player__left_at=None) & ~Q(player=besides)
    ids = list_ids(wanted, most=most, among=seen)
    people = Player.objects.in_bulk(ids)
    return [people[one] for one in ids if one in people]


def list_ids(wanted: str, *, most: int, among: Q | None = None) -> list[int]:
    """At most so many people with these beginnings of words in their names. among: of `NameKey`, who is meant."""
    ids: dict[int, None] = {}
    for wish in spelling.read_wish(wanted):
        if len(ids) < most:
            keys = matching(wish).filter(among or Q()).order_by("key", "player")
            ids |= dict.fromkeys(keys.values_list("player", flat=True)[: most * MOST_WORDS])
    return list(ids)[:most]


def matching(wish: Wanted) -> QuerySet[NameKey]:
    """The keys that are meant."""
    keys = NameKey.objects.filter(key__gte=wish.start, key__lt=wish.start + LAST)
    for word in wish.words:
        keys = keys.filter(key__contains=f" {word}")
    return keys
