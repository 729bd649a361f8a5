"""People by their names: ranges of the index of keys (`games/spelling.py`), however many people there are."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games import spelling
from games.models import NameKey, Player
from games.spelling import LAST, MOST_WORDS, Wanted


def list_listed(wanted: str, *, most: int, besides: int) -> list[Player]:
    """At most so many people whom everybody may see, with these beginnings of words in their names, besides one: first
    who is called just so, then in the order of their names from the word that was found."""
    ids: dict[int, None] = {}
    for wish in spelling.read_wish(wanted):
        if len(ids) < most:
            keys = matching(wish).filter(player__is_listed=True, player__left_at=None).exclude(player=besides)
            ids |= dict.fromkeys(keys.order_by("key", "player").values_list("player", flat=True)[: most * MOST_WORDS])
    people = Player.objects.in_bulk(list(ids)[:most])
    return [people[one] for one in ids if one in people]


def among(wanted: str) -> Q:
    """Of players: those with these beginnings of words in their names; nobody if there is no word in it."""
    found = Q(pk__in=[])
    for wish in spelling.read_wish(wanted):
        found |= Q(pk__in=matching(wish).values("player"))
    return found


def matching(wish: Wanted) -> QuerySet[NameKey]:
    """The keys that are meant."""
    keys = NameKey.objects.filter(key__gte=wish.start, key__lt=wish.start + LAST)
    for word in wish.words:
        keys = keys.filter(key__contains=f" {word}")
    return keys
