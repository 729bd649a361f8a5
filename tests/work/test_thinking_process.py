"""Processes for what bots compute: the same results, whatever happens to a process, and none is left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest

from games import bots
from games.bots import hints
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance
from games.work.thinking_process import ComputationFailed, ServerEnded, ThinkingProcesses
from tests.servers import ROOT

SECONDS = 60.0
"""For which a test waits for a process: it takes a second on a quiet machine."""
deaths: list[None] = []


def ask(game: str, level: str = "sharp", *, seed: int = 7) -> bots.Question:
    """A question with a choice, in the first moves of a game."""
    rules, rng = registry.find(game), random.Random(seed)
    state = rules.start(Config(4, {}), Chance(b"x" * 32))
    while True:
        seat = rules.to_act(state)[0]
        legal = rules.legal_moves(state, seat) or [rules.legal_sample(state, seat, rng) for _ in range(16)]
        if len(legal) > 1:
            return bots.Question(game, rules.view(state, seat), legal, level, seed)
        state, _ = rules.apply(state, seat, legal[0])


def await_that(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether there is such a process, one that nobody has waited for not counted."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def die_once(file: str) -> int:
    """End this process, and not a second time."""
    if not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def die_elsewhere(pid: int) -> str:
    """End any process but this one."""
    if os.getpid() != pid:
        os.kill(os.getpid(), signal.SIGKILL)
    return "computed"


def note(file: str, word: str, seconds: float = 0.0) -> str:
    """Write a word, and take so long for it."""
    with Path(file).open("a") as out:
        out.write(f"{word} ")
    time.sleep(seconds)
    return word


def fill_memory() -> int:
    """Need more than a process may have."""
    return len(bytearray(2 * 1024**3))


@pytest.fixture
def processes() -> Iterator[ThinkingProcesses]:
    deaths.clear()
    made = ThinkingProcesses(1, note_death=lambda: deaths.append(None))
    yield made
    made.close()


def test_every_bot_and_hint_is_the_same_in_a_process(processes: ThinkingProcesses) -> None:
    for game, info in registry.infos().items():
        for level in info.bot_levels:
            question = ask(game, level)
            assert processes.submit(bots.answer, question).result(SECONDS) == bots.answer(question)
        args = question.game, question.view, question.legal
        assert processes.submit(hints.find_hint, *args).result(SECONDS) == hints.find_hint(*args)


def test_a_process_is_started_with_its_first_computation_and_stays(processes: ThinkingProcesses) -> None:
    assert processes.list_pids() == []
    pids = {processes.submit(os.getpid).result(SECONDS) for _ in range(3)}
    assert pids == set(processes.list_pids())
    assert os.getpid() not in pids


def test_a_process_has_a_low_priority_and_bounded_memory(processes: ThinkingProcesses) -> None:
    assert processes.submit(os.nice, 0).result(SECONDS) == os.nice(0) + 5
    with pytest.raises(ComputationFailed, match="MemoryError"):
        processes.submit(fill_memory).result(SECONDS)
    assert processes.submit(len, "four").result(SECONDS) == 4


def test_a_process_that_dies_is_started_again_and_computes_again(processes: ThinkingProcesses, tmp_path: Path) -> None:
    first = processes.submit(os.getpid).result(SECONDS)
    assert processes.submit(die_once, str(tmp_path / "died")).result(SECONDS) not in (first, os.getpid())
    os.kill(processes.list_pids()[0], signal.SIGKILL)
    question = ask("karriere-poker")
    assert processes.submit(bots.answer, question).result(SECONDS) == bots.answer(question)
    assert len(deaths) == 2


def test_what_kills_every_process_is_computed_in_the_server(processes: ThinkingProcesses) -> None:
    assert processes.submit(die_elsewhere, os.getpid()).result(SECONDS) == "computed"
    assert len(deaths) == 3


def test_what_cannot_be_sent_is_computed_in_the_server(processes: ThinkingProcesses) -> None:
    assert processes.submit(lambda: (os.getpid(), "here")[0]).result(SECONDS) == os.getpid()


def test_an_exception_is_told_with_its_traceback(processes: ThinkingProcesses) -> None:
    with pytest.raises(ComputationFailed, match="KeyError: 'brilliant'"):
        processes.submit(bots.answer, ask("karriere-poker", "brilliant")).result(SECONDS)


def test_urgent_work_goes_first_and_cancelled_work_is_never_begun(processes: ThinkingProcesses, tmp_path: Path) -> None:
    file = tmp_path / "words"
    first = processes.submit(note, str(file), "first", 0.5)
    await_that(file.exists)
    second, third = (processes.submit(note, str(file), word) for word in ("second", "third"))
    urgent = processes.submit(note, str(file), "urgent", is_urgent=True)
    assert processes.count_waiting() == 3
    assert second.cancel()
    wait([first, third, urgent], SECONDS)
    assert file.read_text() == "first urgent third "


def test_closing_ends_what_is_computed_and_what_waits(processes: ThinkingProcesses, tmp_path: Path) -> None:
    file = tmp_path / "words"
    running = processes.submit(note, str(file), "running", SECONDS)
    await_that(file.exists)
    waiting, pids, began = processes.submit(len, ""), processes.list_pids(), time.monotonic()
    processes.close()
    assert time.monotonic() - began < SECONDS / 10
    with pytest.raises(ServerEnded):
        running.result(SECONDS)
    with pytest.raises(CancelledError):
        waiting.result(SECONDS)
    with pytest.raises(ServerEnded):
        processes.submit(len, "")
    assert [pid for pid in pids if is_alive(pid)] == []
    assert deaths == []


PROGRAM = """
import os, time
from games.work.thinking_process import ThinkingProcesses
if __name__ == "__main__":
    processes = ThinkingProcesses(1, note_death=print)
    print(processes.submit(os.getpid).result(), flush=True)
    time.sleep(100)
"""


def test_a_server_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "server.py"
    file.write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, file], stdout=subprocess.PIPE, env=environment, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert is_alive(pid)
        server.kill()
    await_that(lambda: not is_alive(pid))
