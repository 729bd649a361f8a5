"""People by their names: ranges of the index of keys (`games/spelling.py`), however many people there are."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games import spelling
from games.models import NameKey, Player
from games.spelling import LAST, MOST_WORDS, Wanted


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
