"""A table's socket as a person uses it: wait until the screen shows something."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from websockets.sync.client import ClientConnection

_PLY = re.compile(r'<div data-ply="(\d+)"')
_ACTION = re.compile(r'<div id="action".*?</div></div>', re.DOTALL)
TIMEOUT_SECONDS = 60.0


class Watcher:
    """What one socket has said so far. action: the region with the button, as html; answers: by key."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.ply = -1
        self.action = ""
        self.presence: dict[str, Any] = {}
        self.answers: dict[str, dict[str, Any]] = {}

    @property
    def is_my_turn(self) -> bool:
        """Whether the button waits for me."""
        return 'class="mine"' in self.action

    @property
    def is_bot_playing(self) -> bool:
        """Whether a bot stands in for me, and I am asked to come back."""
        return 'data-command="here"' in self.action

    def send(self, **message: object) -> None:
        """Send one message."""
        self.connection.send(json.dumps(message))

    def until(self, is_shown: Callable[[], bool], *, within: float = TIMEOUT_SECONDS) -> float:
        """Read until this holds; returns the seconds it took. Raises TimeoutError."""
        began = time.monotonic()
        while not is_shown():
            left = began + within - time.monotonic()
            self._hear(self.connection.recv(timeout=max(0.0, left)))
        return time.monotonic() - began

    def _hear(self, frame: str | bytes) -> None:
        assert isinstance(frame, str)
        if found := _PLY.match(frame):
            self.ply = int(found[1])
            if action := _ACTION.search(frame):
                self.action = action[0]
            return
        message = json.loads(frame)
        if message["type"] == "presence":
            self.presence = message
        elif message["type"] == "answer":
            self.answers[message["key"]] = message
