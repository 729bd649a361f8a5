"""Tasks that compute analyses one after the other, each in a separate process at low priority: no table waits for them.

The process is `manage.py analyse`, which needs no database. It says how far it is, and is ended when the analysis is
cancelled or takes too long.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import Any, Final

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError

from games.models import GameAnalysis
from games.play.errors import Refusal
from games.play.records import analyses
from games.work import task_sender
from games.work.task_threads import ThreadedTask

logger = logging.getLogger(__name__)

COMMAND: Final = ("manage.py", "analyse", "--json", "--progress", "--nice", "15", "-")
"""What the process runs: reads a record, tells its progress on standard error, and writes the result."""
MAX_SECONDS: Final = 1800.0
"""Seconds after which an analysis is given up."""


class AnalysisTask(ThreadedTask):
    """Queue of analyses: one at a time in each worker."""

    abstract = True
    queue_name = "analyses"


class _AnalysisStopped(Exception):
    """The analysis was cancelled, or is another worker's now."""


def send(digest: str) -> None:
    """Send the message that begins this analysis; `sweep_analyses` makes up for a lost one."""
    task_sender.send_task(lambda: run_analysis.apply_async((digest,), ignore_result=True, expires=600))


@shared_task(name="games.tasks.run_analysis", base=AnalysisTask, ignore_result=True)
def run_analysis(digest: str) -> None:
    """Analyse one game, unless another worker does."""
    job = analyses.claim(digest, now=time.time())
    if job is None:
        return
    try:
        text = analyses.read_record_text(job)
        if text is None:
            analyses.fail(job, "", now=time.time())
            return
        found = _compute(job, text)
        analyses.finish(job, found, now=time.time())
    except _AnalysisStopped:
        logger.info("analysis %s was stopped", digest[:12])
    except (Refusal, RuntimeError) as error:
        logger.warning("analysis %s: %s", digest[:12], error)
        with suppress(DatabaseError):
            analyses.fail(job, "", now=time.time())


def _compute(job: GameAnalysis, text: str) -> dict[str, Any]:
    """The result of the process. Raises _AnalysisStopped, RuntimeError."""
    # The result goes to a file: a pipe holds 64 kB, and the process would wait for a reader who waits for its progress.
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        subprocess.Popen(
            [sys.executable, *COMMAND],
            cwd=settings.BASE_DIR,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        until = time.monotonic() + MAX_SECONDS
        clock = threading.Timer(MAX_SECONDS, process.kill)
        clock.daemon = True  # a server that ends does not wait for it
        clock.start()
        try:
            assert process.stdin and process.stderr  # noqa: S101, PT018 - they are pipes
            with suppress(BrokenPipeError):  # it has ended already, and says why
                process.stdin.write(text)
                process.stdin.close()
            last_line = ""
            for line in process.stderr:
                kind, _, rest = line.partition(" ")
                if kind != "progress":
                    last_line = line.strip()
                    continue
                done, total = (int(word) for word in rest.split())
                if not analyses.note_progress(job, done, total, now=time.time()):
                    raise _AnalysisStopped
            status = process.wait()
        finally:
            clock.cancel()
            process.kill()
        if time.monotonic() > until:
            raise RuntimeError("it took too long")
        out.seek(0)
        result = out.read()
        if status or not result:
            raise RuntimeError(last_line or "no result")
    found: dict[str, Any] = json.loads(result)
    return found


@shared_task(name="games.tasks.sweep_analyses", base=AnalysisTask, ignore_result=True)
def sweep_analyses() -> None:
    """Run the analyses whose message or worker was lost."""
    for digest in analyses.list_lost(now=time.time()):
        run_analysis.run(digest)
