"""Computes slow decisions of bots in separate processes, if the server is a single process (`BOT_PROCESSES`).

A slow decision is asked for once a ply, and the bot's turn comes again when it is there. Overtaken by a move, it is
dropped. Nothing is stored: after a restart it is made again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, NamedTuple, TypeVar

from django.dispatch import receiver

from games import bots
from games.operation import metrics
from games.play.moves.submission import ask_bot, choose_bot_move
from games.play.signals import table_changed
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.base import Move, Seat
from games.work.thinking_process import ServerEnded, ThinkingProcesses

logger = logging.getLogger(__name__)

T = TypeVar("T")


class _Decision(NamedTuple):
    """What a bot was asked, and the future of its move."""

    ply: int
    seat: Seat
    level: str | None
    move: Future[Move]


_processes: ThinkingProcesses | None = None
_decisions: dict[str, _Decision] = {}
"""The decision under way, by table id: one bot thinks at a time."""
_lock = threading.Lock()


def start(count: int) -> None:
    """Make slow decisions in this many processes, which start with the first decision; 0: in this one."""
    global _processes
    _processes = ThinkingProcesses(count, note_death=metrics.BOT_DEATHS.inc) if count else None
    if _processes is not None:
        metrics.DECISIONS.set_function(_processes.count_waiting)


def stop() -> None:
    """End the processes at once. Decisions that were under way are made after the next start."""
    global _processes
    processes, _processes = _processes, None
    if processes is not None:
        processes.close()
    with _lock:
        _decisions.clear()


def choose_or_ask(table: LoadedTable, seat: Seat, *, when_decided: Callable[[], object]) -> Move | None:
    """The move of the bot that plays for this seat; None as long as a process thinks about it.

    when_decided: called on another thread as soon as the move can be asked for again. Raises what the bot raised.
    """
    processes = _processes
    if processes is None:
        return choose_bot_move(table, seat)
    asked = table.ply, seat, table.bot_level(seat)
    decision = _decisions.get(table.id)
    if decision is None or decision[:3] != asked:
        question = ask_bot(table, seat)
        if not bots.is_slow(question):
            return bots.answer(question)
        try:
            move = processes.submit(bots.answer, question._replace(legal=tuple(question.legal)))
        except ServerEnded:
            return None
        decision = _Decision(*asked, move)
        with _lock:
            _drop_decision(table.id)
            _decisions[table.id] = decision
        decision.move.add_done_callback(partial(_call_when_decided, when_decided))
    if not decision.move.done():
        return None
    try:
        return decision.move.result()
    except CancelledError:  # overtaken in this moment
        return None
    except Exception:
        with _lock:
            _drop_decision(table.id)
        raise


def compute(work: Callable[..., T], *args: object) -> T:
    """What this computes from plain data, before what bots wait for: a person waits for it. Raises Ended, Failed."""
    processes = _processes
    return work(*args) if processes is None else processes.submit(work, *args, is_urgent=True).result()


@receiver(table_changed)
def drop_overtaken(table: LoadedTable, **_kwargs: Any) -> None:
    """Drop a decision that the table does not wait for any more; one that waits for a process is not even begun."""
    decision = _decisions.get(table.id)
    if decision is not None and (decision.ply < table.ply or table.status != PLAYING):
        with _lock:
            _drop_decision(table.id)


def _drop_decision(table_id: str) -> None:
    decision = _decisions.pop(table_id, None)
    if decision is not None:
        decision.move.cancel()


def _call_when_decided(when_decided: Callable[[], object], move: Future[Move]) -> None:
    if not move.cancelled() and not isinstance(move.exception(), ServerEnded):
        when_decided()
