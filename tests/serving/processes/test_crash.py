"""A server that is killed at any moment and started again has lost nothing."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.guest import Guest
from tests.servers import Installation
from tests.serving.playing import BROKEN, Person, read_plies

KILLS = 4


def test_a_game_is_killed_again_and_again_and_played_to_its_end(club: Installation, tmp_path: Path) -> None:
    rng = random.Random(7)
    person = _sit_down(club)
    for _ in range(KILLS):
        _play_until_killed(club, person, after=rng.uniform(0.1, 1.0))
        plies = read_plies(club.folder, person.table)
        assert [number for number, _key in plies] == list(range(1, len(plies) + 1))
        assert [key for _number, key in plies if key] == _keys_of(plies, person)
    with club.serve():
        assert person.play()["status"] == "over"
        record = person.guest.get(f"/tables/{person.table}/record.json").text
    _assert_verified(club, tmp_path / "game.json", record)


def _sit_down(club: Installation) -> Person:
    with club.serve() as server:
        guest = Guest(server.address)
        return Person(guest, guest.play_now())


def _play_until_killed(club: Installation, person: Person, *, after: float) -> None:
    with club.serve() as server:
        killer = threading.Timer(after, server.kill)
        killer.start()
        with suppress(*BROKEN):
            person.play()
        killer.join()


def _keys_of(plies: list[tuple[int, str | None]], person: Person) -> list[str]:
    """The keys that must be in the log: all that were answered, and the last one if it was saved and not answered."""
    keys = [f"{person.seat}:{sent.key}" for sent in person.accepted]
    last = person.unanswered
    if last is not None and f"{person.seat}:{last.key}" in [key for _number, key in plies]:
        keys.append(f"{person.seat}:{last.key}")
    return keys


def _assert_verified(club: Installation, file: Path, record: str) -> None:
    file.write_text(record)
    done = club.manage("verify_record", str(file))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize("night", [3, 8])
def test_table_hand_turn_and_time_are_the_same_after_the_night(club: Installation, night: int) -> None:
    began = time.monotonic()
    with club.serve() as server:
        guest = Guest(server.address)
        person = Person(guest, guest.open_table(turn_seconds=300))
        guest.post(f"/tables/{person.table}/start/")
        person.play(moves=1)
        before = person.await_turn()
        server.kill()
    evening = time.monotonic() - began
    time.sleep(night)
    began = time.monotonic()
    with club.serve():
        after = guest.view(person.table)
    morning = time.monotonic() - began
    assert -morning < _remaining(after) - _remaining(before) < evening  # not a second of the night
    for view in (before, after):
        del view["now"], view["deadlines"], view["version"]
    assert after == before


def _remaining(view: dict[str, object]) -> float:
    """Seconds until the turn runs out."""
    deadlines, now = view["deadlines"], view["now"]
    assert isinstance(deadlines, list)
    assert isinstance(now, float)
    return float(deadlines[0]["due"]) - now


def test_bots_that_were_thinking_go_on_after_the_start(club: Installation) -> None:
    with club.serve(BOT_DELAY="2") as server:
        guest = Guest(server.address)
        person = Person(guest, guest.play_now())
        server.kill()
    with club.serve():
        assert person.await_turn()["to_act"] == [person.seat]
