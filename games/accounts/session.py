"""Who a session belongs to, and which invitations it has opened. Reads and writes plain session keys."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from games.models import SignedInDevice

PLAYER, INVITED, GUEST, SEEN = "player", "invited", "guest", "seen"
KEPT_INVITATIONS = 200
RENEW_SECONDS = 30 * 86_400
"""How often a session that is used is given all its time again; each time is a write."""
MAX_CLEARED = 500
"""Sessions that are thrown away at a time: nobody's move waits for more."""

session_ended = Signal()
"""session_ended(key: str): somebody has signed out; the browser session with this key is over."""


def player_id_of(session: SessionBase | Mapping[str, Any]) -> int | None:
    """The player's id, or None for somebody we do not know yet."""
    player_id = session.get(PLAYER)
    return player_id if isinstance(player_id, int) else None


def fill(session: SessionBase, data: Mapping[str, Any]) -> None:
    """Fill an unread session with data that was read for several sessions at once."""
    session._session_cache = dict(data)  # type: ignore[attr-defined]


def renew(session: SessionBase, *, now: float) -> None:
    """Extend a session that is used: it expires some time after it was last written, and a guest with it."""
    if session.get(SEEN) != (period := int(now // RENEW_SECONDS)):
        session[SEEN] = period


def query_expired(*, now: float) -> QuerySet[Session]:
    """Expired sessions: their browsers have not come back for so long."""
    return Session.objects.filter(expire_date__lt=datetime.fromtimestamp(now, tz=UTC))


def clear_expired(*, now: float) -> int:
    """Delete a batch of expired sessions; returns how many."""
    keys = list(query_expired(now=now).values_list("pk", flat=True)[:MAX_CLEARED])
    if keys:  # an empty DELETE would block other writers, too
        Session.objects.filter(pk__in=keys).delete()
        SignedInDevice.objects.filter(pk__in=keys).delete()
    return len(keys)


def invited_tables(session: SessionBase | Mapping[str, Any]) -> frozenset[str]:
    """Ids of tables by invitation whose link this session has opened."""
    return frozenset(session.get(INVITED, ()))


def remember_invitation(session: SessionBase, table_id: str) -> None:
    """Note that this session has opened the link of a table."""
    table_ids: list[str] = [table_ids for table_ids in session.get(INVITED, []) if table_ids != table_id]
    session[INVITED] = [*table_ids, table_id][-KEPT_INVITATIONS:]


def language_of(scope: Mapping[str, Any]) -> str:
    """The language of a socket's reader: what its page names (`?language=`), else the cookie, else the browser's.

    Browsers need not send a socket the languages that they sent for its page.
    """
    supported = dict(settings.LANGUAGES)
    named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("language", ())
    for chosen in (*named, scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME)):
        if chosen in supported:
            return str(chosen)
    header = next((value for name, value in scope.get("headers", ()) if name == b"accept-language"), b"")
    for code, _weight in parse_accept_lang_header(header.decode("latin-1").lower()):
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
