"""How a bot that searches slows down another thread: in the same process, and in a separate one (BOT_PROCESSES).

One thread does every 20 ms what a move makes the server do: a little computing and six calls of the kernel, each of
which lets another thread have the interpreter. Beside it nobody thinks, a thread of the same process decides as `sharp`
without a pause, or a process does. Printed are the milliseconds that this work takes.

    python -m benchmarks.beside_bots [--seconds S] [--runs N]
"""

from __future__ import annotations

import argparse
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from games import bots
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance
from games.work.thinking_process import ThinkingProcesses

GAME, SEATS, LEVEL = "karriere-poker", 4, "sharp"
QUESTIONS: Final = 20
PAUSE_SECONDS: Final = 0.02
SENDS: Final = 6
"""Calls of the kernel a move: five screens, and the answer."""
FRAME: Final = b"x" * 900
WORK: Final = 3000
"""Numbers that are added up before each call: about 50 µs."""


def main() -> None:
    """Measure the three in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement (default 5)")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    questions = ask_questions()
    processes = ThinkingProcesses(1, note_death=lambda: None)
    decide_there: Callable[[bots.Question], object] = lambda asked: processes.submit(bots.answer, asked).result()  # noqa: E731
    for question in questions:  # warm-up: the process starts and loads its modules
        decide_there(question)
    for _ in range(options.runs):
        print(f"nobody thinks: {describe(time_moves(options.seconds))}")
        for name, decide in (("in the server", bots.answer), ("in a process", decide_there)):
            with deciding(questions, decide) as count:
                taken = time_moves(options.seconds)
            print(f"{name}: {describe(taken)}; {len(count)} decisions", flush=True)
    processes.close()


def ask_questions() -> list[bots.Question]:
    """Decisions with a choice, one after the other in a game."""
    rules, rng, found = registry.find(GAME), random.Random(1), list[bots.Question]()
    state = rules.start(Config(SEATS, {}), Chance(b"x" * 32))
    while len(found) < QUESTIONS:
        seat = rules.to_act(state)[0]
        legal = rules.legal_moves(state, seat) or ()
        if len(legal) > 1:
            found.append(bots.Question(GAME, rules.view(state, seat), tuple(legal), LEVEL, len(found)))
        state, _ = rules.apply(state, seat, rng.choice(list(legal)))
    return found


@contextmanager
def deciding(questions: list[bots.Question], decide: Callable[[bots.Question], object]) -> Iterator[list[None]]:
    """A thread that decides one after the other, until the end. Gives what grows with every decision."""
    done, is_over = list[None](), threading.Event()

    def run() -> None:
        while not is_over.is_set():
            decide(questions[len(done) % len(questions)])
            done.append(None)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield done
    finally:
        is_over.set()
        thread.join()


def time_moves(seconds: float) -> list[float]:
    """How many milliseconds each piece of work took, least first."""
    ours, theirs = socket.socketpair()
    taken, end = list[float](), time.perf_counter() + seconds
    with ours, theirs:
        while time.perf_counter() < end:
            time.sleep(PAUSE_SECONDS)
            began = time.perf_counter()
            for _ in range(SENDS):
                sum(range(WORK))
                ours.send(FRAME)
                theirs.recv(len(FRAME))
            taken.append(1000 * (time.perf_counter() - began))
    return sorted(taken)


def describe(taken: list[float]) -> str:
    """The middle and the worst of these."""
    return ", ".join(f"p{percent} {taken[len(taken) * percent // 100]:.1f}" for percent in (50, 95, 99)) + " ms"


if __name__ == "__main__":
    main()
