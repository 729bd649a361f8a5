"""Finds the person a command is about."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import Q

from games.models import Player

MAX_NAMED = 10
"""People that a sentence lists where several have the same name."""


def add_person(parser: ArgumentParser) -> None:
    """The argument that names the person."""
    parser.add_argument(
        "person", help="the username or email address of the account, the name of a guest, or #ID (of the admin)"
    )


def find_person(reference: str) -> Player:
    """The one person that is meant. Raises CommandError with a sentence that names the ids where there are several."""
    if reference.startswith("#"):
        number = reference.removeprefix("#")
        wanted = Q(pk=int(number)) if number.isascii() and number.isdigit() and len(number) < 19 else Q(pk=None)
    else:
        wanted = Q(user__username__iexact=reference) | Q(user__email__iexact=reference)
        wanted |= Q(user__emailaddress__email__iexact=reference)
    players = Player.objects.filter(left_at=None)
    found = list(players.filter(wanted).distinct()[: MAX_NAMED + 1])
    if not found and not reference.startswith("#"):
        found = list(players.filter(name__iexact=reference).order_by("pk")[: MAX_NAMED + 1])
    if not found:
        raise CommandError(f"There is no person called {reference}.")
    if len(found) > 1:
        ids = ", ".join(f"#{player.pk}" for player in found[:MAX_NAMED])
        raise CommandError(f"Several people are called {reference}: {ids}. Look in the admin, and give the id.")
    return found[0]


def describe_person(player: Player) -> str:
    """Who it is, in words: `Ana (#7, account ana)`."""
    account = f"account {player.user.username}" if player.user is not None else "a guest"
    return f"{player.name} (#{player.pk}, {account})"


def describe_rows(counts: dict[str, int]) -> str:
    """What is stored, a line a list of the export."""
    return "\n".join(f"{count:>9}  {name}" for name, count in counts.items())
