"""Celery tasks of notifications. Arguments are primitives; each may run twice, late or never: the outbox decides."""

from __future__ import annotations

import logging
import time

from celery import shared_task

from games.notifications import day_turns, delivery, outbox, turns
from games.play.days import awaited_turns
from games.play.errors import Refusal
from games.work import task_sender
from games.work.task_threads import NoticeRetryTask, NoticeSearchTask, NoticeTask

logger = logging.getLogger(__name__)

TURN_SECONDS = 10.0
"""How long messages go to one service before it is the next one's turn."""


def enqueue() -> None:
    """Queue the sending of what is due. If the message is lost, the beat's next one sends it."""
    task_sender.send_task(lambda: send_notices.apply_async((), ignore_result=True, expires=60))


@shared_task(name="games.tasks.send_notices", base=NoticeSearchTask, ignore_result=True)
def send_notices() -> None:
    """Queue all push services, and the mail server, for which something is due."""
    for origin in delivery.list_origins(time.time()):
        _enqueue(origin)


def _enqueue(origin: str) -> None:
    task = retry_service if delivery.is_silent(origin) else send_to_service
    task_sender.send_task(lambda: task.apply_async((origin,), ignore_result=True, expires=600))


@shared_task(name="games.tasks.send_to_service", base=NoticeTask, ignore_result=True)
def send_to_service(origin: str) -> None:
    """Send what is due to a push service, or by e-mail."""
    _send_due(origin)


@shared_task(name="games.tasks.retry_service", base=NoticeRetryTask, ignore_result=True)
def retry_service(origin: str) -> None:
    """Send what is due to a push service that did not answer the last time."""
    _send_due(origin)


def _send_due(origin: str) -> None:
    began = time.monotonic()
    while True:
        done = delivery.deliver_batch(origin, now=time.time())
        if done.claimed == 0 or done.is_silent:
            return
        if time.monotonic() - began > TURN_SECONDS:
            _enqueue(origin)
            return


@shared_task(name="games.tasks.look_for_turns", base=NoticeSearchTask, ignore_result=True)
def look_for_turns() -> None:
    """Tell those whose turn it is and whose page is closed."""
    try:
        turns.look_for_turns(now=time.time())
    except Refusal as refusal:
        logger.warning("turns: %s", refusal)
    day_turns.tell_awaited(now=time.time())
    if delivery.list_origins(time.time()):
        enqueue()


@shared_task(name="games.tasks.clear_notices", base=NoticeSearchTask, ignore_result=True)
def clear_notices() -> None:
    """Forget what was told long ago. Correct who games over days wait for, where that was not written down."""
    outbox.clear_old(now=time.time())
    awaited_turns.repair_rows()
