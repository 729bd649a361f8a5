"""Matches entrants of a season's tournaments to people, by account and by name. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from games.models.skeletons import list_skeletons
from games.models.spelling import fold


class Entry(NamedTuple):
    """An entrant of a counted tournament. account: their account's name; assigned_name: as the organiser typed it."""

    pk: int
    tournament_id: str
    number: int
    name: str
    player_id: int | None
    account: str
    assigned_name: str
    avatar: str = ""


class EntrantIdentity(NamedTuple):
    """The facts by which an entry is matched; regulars have the same ones in every tournament."""

    name: str
    player_id: int | None
    account: str
    assigned_name: str


Key: TypeAlias = tuple[str, str]
"""Whose an entry is: an account's, a name's, or only its own."""


def match(entries: Sequence[Entry]) -> dict[int, str]:
    """Entrant → the name under which they stand in the season; equal names are one person.

    The organiser's word decides; else the account, where one has claimed the place; else the name: it is that of
    the one account that played under it, if that sat at no other chair of the same tournament, or simply the name.
    """
    numbers: dict[tuple[str | int | None, ...], int] = {}
    identity_of = [numbers.setdefault(entry[3:7], len(numbers)) for entry in entries]
    identities = [EntrantIdentity._make(number) for number in numbers]
    accounts: dict[str, set[int]] = defaultdict(set)
    for who in identities:
        if who.player_id is not None and not who.assigned_name:
            accounts[fold(who.name)].add(who.player_id)
            accounts[fold(who.account)].add(who.player_id)
    claims = [_find_account(who, accounts) for who in identities]
    identity_keys: list[Key] = [
        ("name", fold(who.assigned_name or who.name)) if player is None else ("account", str(player))
        for who, player in zip(identities, claims, strict=True)
    ]
    keys = [identity_keys[number] for number in identity_of]
    _leave_taken(entries, keys, identity_of, identities, claims)
    _part_doubles(entries, keys)
    shown = _name_everybody(keys, identity_of, identities)
    return dict(zip(map(itemgetter(0), entries), map(shown.__getitem__, keys), strict=True))


def _find_account(who: EntrantIdentity, accounts: Mapping[str, set[int]]) -> int | None:
    if who.player_id is not None and not who.assigned_name:
        return who.player_id
    owners = accounts.get(fold(who.assigned_name or who.name), set())
    return next(iter(owners)) if len(owners) == 1 else None


def _leave_taken(
    entries: Sequence[Entry],
    keys: list[Key],
    identity_of: Sequence[int],
    identities: Sequence[EntrantIdentity],
    claims: Sequence[int | None],
) -> None:
    """An entrant with the name of an account is not its owner where that account sits elsewhere in the tournament."""
    by_name = {
        number: player
        for number, (who, player) in enumerate(zip(identities, claims, strict=True))
        if player is not None and player != who.player_id
    }
    if not by_name:
        return
    wanted = set(by_name.values())
    there = {(entry.tournament_id, entry.player_id) for entry in entries if entry.player_id in wanted}
    for at, number in enumerate(identity_of):
        if number in by_name and (entries[at].tournament_id, by_name[number]) in there:
            keys[at] = "name", fold(identities[number].assigned_name or identities[number].name)


def _part_doubles(entries: Sequence[Entry], keys: list[Key]) -> None:
    """Two chairs of one tournament are two people, however alike their names."""
    chairs = list(zip(map(itemgetter(1), entries), keys, strict=True))
    if len(set(chairs)) == len(chairs):
        return
    seen: set[tuple[str, Key]] = set()
    for at, one in enumerate(entries):
        if (one.tournament_id, keys[at]) in seen:
            keys[at] = "entrant", str(one.pk)
        seen.add((one.tournament_id, keys[at]))


def _name_everybody(
    keys: Sequence[Key], identity_of: Sequence[int], identities: Sequence[EntrantIdentity]
) -> dict[Key, str]:
    """A name for everybody, no two alike: the organiser's, the account's, else the latest one."""
    latest = reversed(dict.fromkeys(reversed(list(zip(keys, identity_of, strict=True)))))
    identified = [(key, identities[number]) for key, number in latest]
    names: dict[Key, str] = {}
    for key, who in sorted(identified, key=lambda pair: (bool(pair[1].assigned_name), bool(pair[1].account))):
        names[key] = who.assigned_name or who.account or who.name
    shown: dict[Key, str] = {}
    used: set[str] = set()
    for key in dict.fromkeys(keys):
        more = (f"{names[key][:34]} ({times})" for times in range(2, len(keys) + 2))
        shown[key] = next(name for name in chain((names[key],), more) if used.isdisjoint(_list_looks(name)))
        used |= _list_looks(shown[key])
    return shown


def _list_looks(name: str) -> set[str]:
    """By what a name is taken for another one: without capitals and accents, or by what it looks like."""
    return {fold(name), *list_skeletons(name)}
