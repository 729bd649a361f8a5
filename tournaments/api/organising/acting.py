"""Who acts as an organiser, what they act on, and that each idempotency key counts once."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest

from games.accounts import access_tokens
from games.models import Player
from games.play.errors import NotFound
from games.play.moves.form_keys import make_once
from tournaments.api.readers import Token, find_tournament
from tournaments.flow.standings import book_cache
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Pod, Tournament

can_organise: Final = Token(access_tokens.TOURNAMENTS)
can_decide: Final = Token(access_tokens.RESULTS)
ORGANISE: Final = ["organise"]
"""The tag of these operations."""
KEY_LETTERS: Final = 48
"""Letters of a stored key."""
DONE: Final = "done"


def find_actor(request: HttpRequest) -> Player:
    """The player who acts, as `Token` has found them."""
    player: Player = request.auth  # type: ignore[attr-defined]
    return player


def find_led(request: HttpRequest, tournament_id: str, *, scope: str = access_tokens.TOURNAMENTS) -> Tournament:
    """A tournament that the player may see. What they may change there is up to its steps.

    Raises NotFound, NotAllowed.
    """
    return find_tournament(request, tournament_id, scope=scope)


def read_fresh(tournament: Tournament) -> Book:
    """The tournament as it is after a change."""
    return book_cache.read(Tournament.objects.select_related("club").get(pk=tournament.pk))


def digest_key(request: HttpRequest, key: str) -> str:
    """The key as it is stored: of this address only. A new one if none was sent."""
    return sha256(f"api {request.path} {key}".encode()).hexdigest()[:KEY_LETTERS] if key else secrets.token_hex(12)


def do_once(request: HttpRequest, key: str, act: Callable[[], object]) -> None:
    """Do this unless the player has sent this key to this address before. Raises what `act` raises; then the key is
    still unused."""

    def make() -> str:
        act()
        return DONE

    make_once_here(request, key, make)


def make_once_here(request: HttpRequest, key: str, make: Callable[[], str]) -> str:
    """The name of what `make` makes, or made when the player sent this key to this address before. All of it or
    nothing is made.
    """

    def make_whole() -> str:
        with transaction.atomic():
            return make()

    stored = digest_key(request, key) if key else ""
    return make_once(find_actor(request).pk, stored, make_whole, now=time.time())


def find_entrant_ids(tournament: Tournament, numbers: Collection[int]) -> list[int]:
    """The ids of the entrants with these numbers, in this order. Raises NotFound."""
    rows = Entrant.objects.filter(tournament=tournament, number__in=numbers).values_list("number", "pk")
    ids: dict[int, Any] = dict(rows)
    if missing := [number for number in numbers if number not in ids]:
        raise NotFound("There is no entrant with the number %(number)s.", number=missing[0])
    return [ids[number] for number in numbers]


def find_pod(tournament: Tournament, number: int, table: int) -> Pod:
    """A table of a round. Raises NotFound."""
    pods = Pod.objects.select_related("round").filter(round__tournament=tournament, round__number=number, number=table)
    pod = pods.first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    return pod
