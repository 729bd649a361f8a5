"""Idempotency keys of forms: a form that is sent twice creates one object.

A double tap, or a phone that repeats a request because the answer was lost, sends the same key again and gets what the
first request made. Key and object are saved in one transaction, so two simultaneous requests wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError, IntegrityError, transaction

from games.models import SentForm
from games.play.errors import Busy

KEPT_SECONDS = 2 * 86_400
"""Seconds for which a key counts: a page may stay open for two days between the two requests."""


def make_once(player_id: int | None, key: str, make: Callable[[], str], *, now: float) -> str:
    """The name of what `make` creates now, or created when this person sent this key before.

    Without a key, or for a stranger, `make` runs each time. Raises Busy, and what `make` raises (the key stays unused).
    """
    if not key or player_id is None:
        return make()
    try:
        return _find_result(player_id, key) or _make_once(player_id, key, make, now=now)
    except IntegrityError:
        # The other of two at the same moment has made it.
        name = _find_result(player_id, key)
        if name:
            return name
        raise
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error


def _find_result(player_id: int, key: str) -> str:
    return SentForm.objects.filter(player_id=player_id, key=key).values_list("name", flat=True).first() or ""


def _make_once(player_id: int, key: str, make: Callable[[], str], *, now: float) -> str:
    with transaction.atomic():
        note = SentForm.objects.create(player_id=player_id, key=key, at=now)
        note.name = make()
        note.save(update_fields=["name"])
        SentForm.objects.filter(at__lt=now - KEPT_SECONDS).delete()
    return note.name
