"""People that a change concerns are told first; the others so many at a time, and of the latest version only."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable
from typing import Any

import pytest

from games.live import version_sockets
from games.live.base_socket import NOT_FOUND, REFUSED
from games.live.version_sockets import CurrentVersion, VersionSocket, VersionWatch, choose_sockets
from games.play.errors import NotFound


class Ear(VersionSocket):
    """A socket that notes what it is told."""

    topic = "the thing"

    def __init__(self, player_id: int | None = None, *, is_always_concerned: bool = False, present: Any = None) -> None:
        super().__init__()
        self.player_id, self.is_always_concerned, self.heard, self.codes = (
            player_id,
            is_always_concerned,
            list[str](),
            list[int](),
        )
        self._present = present

    def enter(self) -> Callable[[], CurrentVersion]:
        return lambda: CurrentVersion(str(self._present["version"]), self._present.get("readers"))

    async def deliver(self, frame: str) -> None:
        self.heard.append(frame)

    async def dismiss(self, code: int = REFUSED) -> None:
        self.codes.append(code)


async def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so() and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    assert is_so()


def names(chosen: list[VersionSocket]) -> list[int | None]:
    return [one.player_id for one in chosen]


def test_who_it_concerns_comes_first_and_then_the_longest_untold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_sockets, "OTHERS_PER_LOOK", 2)
    room = [Ear(number) for number in range(6)]
    for number, ear in enumerate(room):
        ear.sent_version, ear.sent_version_at = "1", 10.0 - number
    room[0].is_concerned = True
    room[3].sent_version = "2"
    assert names(choose_sockets(room, "2")) == [0, 5, 4]
    monkeypatch.setattr(version_sockets, "CONCERNED_PER_LOOK", 1)
    room[1].is_always_concerned = True
    assert names(choose_sockets(room, "2")) == [1, 5, 4]


async def test_everybody_hears_the_latest_and_nobody_what_is_past(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_sockets, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(version_sockets, "OTHERS_PER_LOOK", 10)
    present: dict[str, Any] = {"version": 1, "marks": dict.fromkeys(range(40), "waits")}
    watch = VersionWatch()
    room = [Ear(number, present=present) for number in range(40)] + [
        Ear(None, is_always_concerned=True, present=present)
    ]
    for ear in room:
        ear.marks = lambda: dict[int, Hashable](present["marks"])
        await watch.join(ear, ear.enter())
    await wait_until(lambda: all(ear.heard for ear in room))
    before = [len(ear.heard) for ear in room]
    assert before == [1] * 41  # those that were there when it was read, a few at a time; the others as they came
    present["marks"][7] = "plays"
    present["version"] = 2
    await wait_until(lambda: room[7].sent_version == "2")
    for version in (3, 4):
        present["version"] = version
        await asyncio.sleep(0.06)
    await wait_until(lambda: all(ear.sent_version == "4" for ear in room))
    heard = [[frame for frame in ear.heard if '"1"' not in frame] for ear in room]
    assert '{"version": "2"}' in heard[7]  # it concerned them, so they were told at once
    assert sum(map(len, heard)) < 3 * len(room)  # the others missed versions that were past by then
    for ear in room:
        watch.leave(ear)
    await wait_until(lambda: watch._looking == {})


async def test_who_may_not_look_any_more_is_told_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_sockets, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(version_sockets, "REPEAT_SECONDS", 0.02)
    present: dict[str, Any] = {"version": 1, "readers": None}
    watch = VersionWatch()
    stranger, member, former, guest = room = [Ear(number, present=present) for number in (None, 1, 2, 3)]
    guest.has_link = True
    for ear in room:
        await watch.join(ear, ear.enter())
    await wait_until(lambda: all(ear.heard for ear in room))
    present["readers"] = frozenset({1})
    await wait_until(lambda: watch.sockets() == 2)
    assert [ear.codes for ear in room] == [[REFUSED], [], [REFUSED], []]
    before = [len(ear.heard) for ear in room]
    present["version"] = 2
    await wait_until(lambda: member.sent_version == guest.sent_version == "2")
    assert [len(ear.heard) for ear in (stranger, former)] == [before[0], before[2]]
    for ear in room:
        watch.leave(ear)


async def test_where_nothing_is_left_to_follow_everybody_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_sockets, "LOOK_SECONDS", 0.02)

    def look() -> CurrentVersion:
        raise NotFound("There is no such thing.")

    watch = VersionWatch()
    room = [Ear(number) for number in range(3)]
    for ear in room:
        await watch.join(ear, look)
    await wait_until(lambda: watch.sockets() == 0)
    assert [ear.codes for ear in room] == [[NOT_FOUND]] * 3
    await wait_until(lambda: watch._looking == {})
