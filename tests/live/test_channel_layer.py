"""Messages to other processes are sent one after the other; the circuit breaker opens only if Redis hangs."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from games.live import channel_layer
from games.work import circuit_breaker


async def test_a_long_line_is_no_redis_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_layer, "ANSWER_SECONDS", 0.5)
    layer = asyncio.Lock()  # as the layer does: a word is sent when the one before it has arrived

    async def say(number: int) -> int:
        async with layer:
            await asyncio.sleep(0.1)
        return number

    results = await asyncio.gather(*(channel_layer.call(partial(say, number)) for number in range(8)))
    assert results == list(range(8))
    assert circuit_breaker.redis.may_ask()


async def test_who_waits_behind_a_word_that_hangs_is_told_that_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_layer, "ANSWER_SECONDS", 0.05)
    asked = []

    async def hang() -> None:
        asked.append(True)
        await asyncio.Event().wait()

    found = await asyncio.gather(*(channel_layer.call(hang) for _ in range(8)), return_exceptions=True)
    assert ([type(error) for error in found], len(asked)) == ([channel_layer.UnavailableError] * 8, 1)
