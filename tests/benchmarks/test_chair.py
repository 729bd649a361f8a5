"""A simulated person at a table plays as a browser would."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks.load import chair as module
from benchmarks.load.chair import Chair, Notes
from benchmarks.load.socket_client import Socket


class Wire:
    """A socket that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, data: bytes) -> None:
        self.sent.append(json.loads(data))


async def test_no_second_move_is_made_on_the_picture_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "THINK", 0.0)
    chair, wire = Chair(Notes(), "http://127.0.0.1:1", "t", "session"), Wire()
    chair.socket, chair.ply = cast(Socket, wire), 4
    chair.screen = cast(Any, SimpleNamespace(is_my_turn=True, choose=lambda: None))
    chair.play()
    await asyncio.sleep(0.01)
    assert [(move["ply"], move["key"]) for move in wire.sent] == [(4, "1")]
    chair.hear(b'{"type":"answer","key":"1","status":200}')
    await asyncio.sleep(0.01)
    assert len(wire.sent) == 1  # the next picture has not come yet
    chair.ply = 6
    chair._think()
    await asyncio.sleep(0.01)
    assert [(move["ply"], move["key"]) for move in wire.sent] == [(4, "1"), (6, "2")]
    assert chair.notes.accepted == [("t", "1")]
