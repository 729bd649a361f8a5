"""Whom a change concerns is told first; the others so many at a time, and of the latest version only."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from typing import Any

import pytest

from games.live import following
from games.live.following import FollowingSocket, Watch, choose


class Ear(FollowingSocket):
    """A socket that notes what it is told."""

    thing = "the thing"

    def __init__(self, player_id: int | None = None, *, is_first: bool = False) -> None:
        super().__init__()
        self.player_id, self.is_first, self.heard = player_id, is_first, list[str]()

    def enter(self) -> Callable[[], str]:
        raise NotImplementedError

    async def deliver(self, frame: str) -> None:
        self.heard.append(frame)


def names(chosen: list[FollowingSocket]) -> list[int | None]:
    return [one.player_id for one in chosen]


def test_whom_it_concerns_comes_first_and_then_the_longest_untold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "OTHERS_AT_ONCE", 2)
    room = [Ear(number) for number in range(6)]
    for number, ear in enumerate(room):
        ear.told, ear.told_at = "1", 10.0 - number
    room[0].is_concerned = True
    room[3].told = "2"
    assert names(choose(room, "2")) == [0, 5, 4]
    monkeypatch.setattr(following, "FIRST_AT_ONCE", 1)
    room[1].is_first = True
    assert names(choose(room, "2")) == [1, 5, 4]


async def test_everybody_hears_the_latest_and_nobody_what_is_past(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(following, "OTHERS_AT_ONCE", 10)
    present: dict[str, Any] = {"version": 1, "marks": dict.fromkeys(range(40), "waits")}
    watch = Watch()
    room = [Ear(number) for number in range(40)] + [Ear(None, is_first=True)]
    for ear in room:
        ear.marks = lambda: dict[int, Hashable](present["marks"])
        await watch.join(ear, lambda: str(present["version"]))
    deadline = time.monotonic() + 5
    while any(not ear.heard for ear in room) and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    before = [len(ear.heard) for ear in room]
    assert before == [1] * 41  # those that were there when it was read, a few at a time; the others as they came
    present["marks"][7] = "plays"
    for version in (2, 3, 4):
        present["version"] = version
        await asyncio.sleep(0.06)
    while any(ear.told != "4" for ear in room) and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    assert {ear.told for ear in room} == {"4"}
    heard = [[frame for frame in ear.heard if '"1"' not in frame] for ear in room]
    assert '{"version": "2"}' in heard[7]  # it concerned him, so he was told at once
    assert sum(map(len, heard)) < 3 * len(room)  # the others missed versions that were past by then
    for ear in room:
        watch.leave(ear)
    await asyncio.sleep(0.15)
    assert watch._looking == {}
