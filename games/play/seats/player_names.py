"""Checks names of people, clubs and tournaments, and finds people by name with the index of `games.models.spelling`."""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet

from games.models import NameKey, Player, spelling
from games.models.spelling import LAST, MAX_WORDS, NameQuery
from games.play.errors import BadInput

MAX_NAME: Final = 24
"""Characters of a player's name."""
BOT_MARK: Final = " (bot)"
"""How the name of every bot account ends, and no person's."""


def clean_name(text: str, *, most: int, least: int = 1) -> str:
    """A name of a person, club or tournament as it is kept. most, least: characters. Raises BadInput."""
    name = spelling.collapse_spaces(text)
    if not least <= len(name) <= most:
        raise BadInput("Enter a name of %(least)s to %(most)s characters.", least=least, most=most)
    flaw = spelling.find_flaw(name)
    if flaw == "unseen":
        raise BadInput("This name contains invisible characters. Type it again without them.")
    if flaw == "marks":
        raise BadInput(
            "A letter of this name has too many accents or other marks. Use at most %(most)s per letter.",
            most=spelling.MAX_MARKS,
        )
    return name


def clean_person_name(text: str) -> str:
    """As `clean_name`, of a person, who may not look like a bot account. Raises BadInput."""
    name = clean_name(text, most=MAX_NAME)
    if is_marked(name):
        raise BadInput("Only names of bot accounts end with “%(mark)s”. Choose another name.", mark=BOT_MARK.strip())
    return name


def is_marked(name: str) -> bool:
    """Whether this looks like the name of a bot account, in capitals or with other spaces, too."""
    return "".join(name.casefold().split()).endswith(BOT_MARK.strip())


def mark_bot(text: str) -> str:
    """The name of a bot account; the mark may be there already. Raises BadInput."""
    name = clean_name(text, most=MAX_NAME)
    while is_marked(name):
        name = name[: name.rindex("(")].rstrip()
    return clean_name(name, most=MAX_NAME - len(BOT_MARK)) + BOT_MARK


def search_listed(wanted: str, *, most: int, besides: int) -> list[Player]:
    """At most `most` listed people whose names contain words that begin like this, without the person `besides`: first
    exact names, then by name from the matched word on."""
    seen = Q(player__is_listed=True, player__left_at=None) & ~Q(player=besides)
    ids = search_ids(wanted, most=most, among=seen)
    people = Player.objects.in_bulk(ids)
    return [people[pk] for pk in ids if pk in people]


def search_ids(wanted: str, *, most: int, among: Q | None = None) -> list[int]:
    """Ids of at most `most` people whose names contain words that begin like this. among: a filter of `NameKey`."""
    ids: dict[int, None] = {}
    for query in spelling.parse_name_query(wanted):
        if len(ids) < most:
            keys = filter_keys(query).filter(among or Q()).order_by("key", "player")
            ids |= dict.fromkeys(keys.values_list("player", flat=True)[: most * MAX_WORDS])
    return list(ids)[:most]


def filter_keys(query: NameQuery) -> QuerySet[NameKey]:
    """The name keys that match."""
    keys = NameKey.objects.filter(key__gte=query.start, key__lt=query.start + LAST)
    for word in query.words:
        keys = keys.filter(key__contains=f" {word}")
    return keys
