"""Tells every process that a table has changed, or a session has ended. Runs after the commit, on any thread."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.dispatch import receiver

from games.accounts.session import session_ended
from games.live import channel_layer
from games.live.hub import find_hub
from games.live.process_channel import SESSIONS, name_group
from games.live.session_sockets import find_session_sockets
from games.live.streams.account_watch import find_watch
from games.operation import spans
from games.play.signals import challenge_made, remark_made, table_changed
from games.play.storage.table import LoadedTable

_lock = threading.Lock()
_own_loop: asyncio.AbstractEventLoop | None = None


@receiver(table_changed)
def publish(table: LoadedTable, **_kwargs: Any) -> None:
    """Show the table's new version in every browser that has it open."""
    hub = find_hub()
    spans.mark(table.id)
    if hub is not None:
        # The sockets of this process need no detour; the in-memory layer is not thread-safe anyway.
        hub.notify(table.id, table.version)
        if (watch := find_watch()) is not None:
            watch.note_table(table)
        if hub.other_processes.has_no_viewers_of(table.id):
            return
    message = {"type": "changed", "table": table.id, "version": table.version}
    _send_to_others(name_group(table.id), message | ({"trace": spans.format_traceparent()} if spans.is_on() else {}))


@receiver(challenge_made)
def publish_challenge(player_id: int, **_kwargs: Any) -> None:
    """Tell the challenged player's streams of this process now; those of others look every second."""
    if (watch := find_watch()) is not None:
        watch.note_player(player_id)


@receiver(remark_made)
def publish_remark(table_id: str, **_kwargs: Any) -> None:
    """Send a new remark to every page that shows the table."""
    hub = find_hub()
    if hub is not None:
        hub.loop.call_soon_threadsafe(hub.notice_remark, table_id)
    _send_to_others(name_group(table_id), {"type": "said", "table": table_id})


@receiver(session_ended)
def publish_sign_out(key: str, **_kwargs: Any) -> None:
    """Close all sockets of a browser session that has signed out."""
    session_sockets = find_session_sockets()
    if session_sockets is not None:
        asyncio.run_coroutine_threadsafe(session_sockets.dismiss_session(key), session_sockets.loop)
    _send_to_others(SESSIONS, {"type": "signed_out", "session": key})


def _send_to_others(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is None or isinstance(layer, InMemoryChannelLayer):
        return
    asyncio.run_coroutine_threadsafe(channel_layer.send(group, message), _get_loop())


def _get_loop() -> asyncio.AbstractEventLoop:
    """The loop of this process's sockets, or one of its own in a worker."""
    global _own_loop
    hub = find_hub()
    if hub is not None:
        return hub.loop
    with _lock:
        if _own_loop is None:
            _own_loop = asyncio.new_event_loop()
            threading.Thread(target=_own_loop.run_forever, name="publish", daemon=True).start()
        return _own_loop
