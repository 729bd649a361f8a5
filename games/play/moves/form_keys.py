"""A form that is sent twice makes one thing.

A finger that taps twice, a phone that asks again because the answer was lost: the page gave its form a key, and whoever
comes with it again is told what it made the first time. The note of it and the thing itself are one transaction, so
there is never one without the other, and two requests at the same moment wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError, IntegrityError, transaction

from games.models import Made
from games.play.errors import Busy

KEPT_SECONDS = 2 * 86_400
"""How long a page may lie open between the first time and the second."""


def make_once(player_id: int | None, key: str, make: Callable[[], str], *, now: float) -> str:
    """The name of what `make` makes, or made when this person came with this key before.

    Without a key, or for somebody we do not know, it is made anew each time.
    Raises what `make` raises, and nothing is noted then; Busy.
    """
    if not key or player_id is None:
        return make()
    try:
        return _find(player_id, key) or _make(player_id, key, make, now=now)
    except IntegrityError:
        # The other of two at the same moment has made it.
        name = _find(player_id, key)
        if name:
            return name
        raise
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error


def _find(player_id: int, key: str) -> str:
    return Made.objects.filter(player_id=player_id, key=key).values_list("name", flat=True).first() or ""


def _make(player_id: int, key: str, make: Callable[[], str], *, now: float) -> str:
    with transaction.atomic():
        note = Made.objects.create(player_id=player_id, key=key, at=now)
        note.name = make()
        note.save(update_fields=["name"])
        Made.objects.filter(at__lt=now - KEPT_SECONDS).delete()
    return note.name
