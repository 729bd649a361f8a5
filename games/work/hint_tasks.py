"""Tasks that compute hints on a worker, in a queue of their own, so that no table waits for them.

A hint is kept in the cache under what its seat sees: asked for twice, it is looked for once.
"""

from __future__ import annotations

import hashlib
import random
from typing import Any

from celery import shared_task
from django.core.cache import cache

from games.bots import hints
from games.play.errors import Refusal
from games.play.storage import store
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.base import Seat, View
from games.work import bot_thinking, task_sender
from games.work.task_threads import ThreadedTask
from games.work.thinking_process import ServerEnded

KEPT_SECONDS = 600
"""Seconds for which a finished hint can be fetched."""
ASK_AGAIN_SECONDS = 5
"""Seconds after which a message counts as lost and is sent again when somebody still asks."""
EXPIRES_SECONDS = 10
"""Seconds after which nobody waits for a hint any more."""
SAMPLES = 16
"""Moves that stand for all where they are too many to list."""


class HintTask(ThreadedTask):
    """Queue for hints."""

    abstract = True
    queue_name = "hints"


def name_hint(game: str, view: View) -> str:
    """The cache's name for the hint of this view."""
    return f"hint:{hashlib.sha256(game.encode() + hints.digest_view(view)).hexdigest()}"


def read(name: str) -> hints.Hint | None:
    """The hint, if it has been found."""
    data: dict[str, Any] | None = cache.get(name)
    return None if data is None else hints.read_hint(data)


def ask(table_id: str, seat: Seat, ply: int) -> None:
    """Send the message that looks for a hint."""
    task_sender.send_task(
        lambda: find_hint.apply_async((table_id, seat, ply), ignore_result=True, expires=EXPIRES_SECONDS)
    )


@shared_task(name="games.tasks.find_hint", base=HintTask, ignore_result=True)
def find_hint(table_id: str, seat: Seat, ply: int) -> None:
    """Find a hint for this seat, if the table is still at this ply."""
    try:
        table = store.fetch(table_id)
        if table.ply < ply:
            table = store.reload(table_id)
    except Refusal:
        return
    if table.status != PLAYING or table.ply != ply or seat not in table.rules.to_act(table.state):
        return
    game, view = table.rules.slug, table.rules.view(table.state, seat)
    try:
        hint = bot_thinking.compute(hints.find_hint, game, view, _list_moves(table, seat, view))
    except ServerEnded:
        return
    cache.set(name_hint(game, view), hints.write_hint(hint), timeout=KEPT_SECONDS)


def _list_moves(table: LoadedTable, seat: Seat, view: View) -> list[Any]:
    """The legal moves, or a few of them, the same ones for the same view."""
    legal = table.rules.legal_moves(table.state, seat)
    if legal is not None:
        return list(legal)
    rng = random.Random(hints.digest_view(view))
    return [table.rules.legal_sample(table.state, seat, rng) for _ in range(SAMPLES)]
