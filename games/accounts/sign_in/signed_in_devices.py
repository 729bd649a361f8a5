"""The browsers in which a person is signed in; they can sign out each of them.

Every page that a person opens notes its browser, at most once an hour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from games.accounts.middleware import find_readers
from games.accounts.session import PLAYER, player_id_of, session_ended
from games.accounts.sign_in.browser_names import describe_agent
from games.memo import Memo
from games.models import Player, SignedInDevice
from games.play.errors import NotFound

NOTED_SECONDS: Final = 3600
"""A browser is noted again after so long; each time is a write."""
SHOWN: Final = 50
"""Devices on the page, those seen last."""
KEPT: Final = 200
"""Devices that are remembered for one person."""
_noted: Memo[tuple[str, int], int] = Memo("signed-in devices", 20_000)
"""The hour in which this process last stored a use, by session key and person."""


class Device(NamedTuple):
    """A browser in which somebody is signed in. key: tells it in a form, and opens nothing."""

    key: str
    name: str
    seen_at: float
    handed_over_by: str
    is_this: bool


class HandOver(NamedTuple):
    """A device that an organiser has signed in as somebody. maker: who, and of which club; at: seconds since 1970."""

    maker: str
    at: float


class ShownHandOver(NamedTuple):
    """The same as its person reads it. device: None if it is no longer signed in."""

    maker: str
    at: float
    device: Device | None


HAND_OVER_LISTS: list[Callable[[int, float], Collection[HandOver]]] = []
"""The hand-overs of a person since a time. Called with (player id, seconds since 1970). Apps built on games register
here."""
SHOWN_DAYS: Final = 30
"""A hand-over stands on its person's page for so many days."""


class SignedInDeviceMiddleware:
    """Records the browser in which a signed-in person opens a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        player: Player | None = getattr(request, "player", None)
        is_page = request.method == "GET" and response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and player is not None and request.session.session_key:
            with suppress(DatabaseError):  # the next page does it
                note(request.session, player, request.headers.get("User-Agent", ""), now=time.time())
        return response


def note(session: SessionBase, player: Player, agent: str, *, now: float) -> None:
    """Record that this person uses this browser now; written at most once an hour."""
    key, hour = session.session_key, int(now // NOTED_SECONDS)
    if key is None or _noted.get((key, player.pk)) == hour:
        return
    row = SignedInDevice(session=key, player=player, name=describe_agent(agent)[:60], since=now, seen_at=now)
    SignedInDevice.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["session"], update_fields=["player", "name", "seen_at"]
    )
    _noted.put((key, player.pk), hour)


def list_devices(player: Player, session_key: str | None) -> list[Device]:
    """Where this person is signed in now, this browser first, then those seen last. Forgets what has ended."""
    rows = list(SignedInDevice.objects.filter(player=player).order_by("-seen_at")[:KEPT])
    readers = find_readers(row.session for row in rows)
    own_keys = {key for key, reader in readers.items() if reader.player is not None and reader.player.pk == player.pk}
    SignedInDevice.objects.filter(pk__in=[row.session for row in rows if row.session not in own_keys]).delete()
    found = [
        Device(digest(row.session), row.name, row.seen_at, row.handed_over_by, row.session == session_key)
        for row in rows
        if row.session in own_keys
    ]
    return sorted(found, key=lambda device: not device.is_this)[:SHOWN]


def list_hand_overs(player: Player, session_key: str | None, *, now: float) -> list[ShownHandOver]:
    """The devices that organisers have signed in as this person in the last days, the newest first."""
    since = now - SHOWN_DAYS * 86_400.0
    found = [hand_over for listed in HAND_OVER_LISTS for hand_over in listed(player.pk, since)]
    if not found:
        return []
    opened = SignedInDevice.objects.filter(player=player).exclude(handed_over_by="").values_list("since", "session")
    keys = {at: digest(session) for at, session in opened}
    devices = {device.key: device for device in list_devices(player, session_key)}
    hand_overs = [
        ShownHandOver(hand_over.maker, hand_over.at, devices.get(keys.get(hand_over.at, ""))) for hand_over in found
    ]
    return sorted(hand_overs, key=lambda hand_over: -hand_over.at)


def count(player_id: int) -> int:
    """The number of browsers in which this person is signed in."""
    return SignedInDevice.objects.filter(player=player_id).count()


def sign_out(player: Player, key: str) -> None:
    """End the session of one of their browsers. Raises NotFound."""
    sessions = SignedInDevice.objects.filter(player=player).values_list("session", flat=True)
    session_key = next((session for session in sessions if digest(session) == key), None)
    if session_key is None:
        raise NotFound("This device is no longer on the list.")
    _end_session(player, session_key)


def sign_out_others(player: Player, session_key: str | None) -> int:
    """End the sessions of all their browsers but this one; returns how many there were."""
    others = SignedInDevice.objects.filter(player=player).exclude(session=session_key or "")
    keys = list(others.values_list("session", flat=True))
    return sum(_end_session(player, key) for key in keys)


def _end_session(player: Player, session_key: str) -> bool:
    """End this session; returns whether it was still this person's."""
    store = SessionStore(session_key)
    is_theirs = player_id_of(store) == player.pk
    if is_theirs:
        store.delete()
        session_ended.send_robust(sender=SessionStore, key=session_key)
    SignedInDevice.objects.filter(session=session_key).delete()
    return is_theirs


def open_session(request: HttpRequest, player: Player, handed_over_by: str, *, now: float) -> None:
    """Sign this person in to this browser, to which an organiser has handed them over."""
    request.session.cycle_key()
    request.session[PLAYER] = player.pk
    request.session.save()
    request.player = player  # type: ignore[attr-defined]
    name = describe_agent(request.headers.get("User-Agent", ""))[:60]
    SignedInDevice.objects.update_or_create(
        session=request.session.session_key,
        defaults={"player": player, "name": name, "since": now, "seen_at": now, "handed_over_by": handed_over_by},
    )


def move(from_id: int, to_id: int, handed_over_by: str) -> list[str]:
    """Move the browsers of one person to another. Returns their digests."""
    keys = list(SignedInDevice.objects.filter(player=from_id).values_list("session", flat=True))
    return [digest(key) for key in keys if _move_session(key, from_id, to_id, handed_over_by)]


def move_back(digests: Collection[str], from_id: int, to_id: int) -> None:
    """Undo `move` for those of these browsers that are still this person's."""
    for key in list(SignedInDevice.objects.filter(player=from_id).values_list("session", flat=True)):
        if digest(key) in digests:
            _move_session(key, from_id, to_id, "")


def _move_session(key: str, from_id: int, to_id: int, handed_over_by: str) -> bool:
    store = SessionStore(key)
    if player_id_of(store) != from_id:
        return False
    store[PLAYER] = to_id
    store.save(must_create=False)
    SignedInDevice.objects.filter(session=key).update(player=to_id, handed_over_by=handed_over_by)
    return True


def digest(session_key: str) -> str:
    """Identifies a session in a form without its key, which would give access to it."""
    return sha256(b"device/" + session_key.encode()).hexdigest()[:32]


@receiver(session_ended)
def forget_session(key: str, **_kwargs: object) -> None:
    """Remove a browser from the list when it signs out."""
    SignedInDevice.objects.filter(session=key).delete()
