"""The worker inside the server: what a task costs beside its work."""

from __future__ import annotations

import json
import sys
import threading
import time

from tests.servers import Installation


def test_the_worker_keeps_its_connection_to_sqlite(club: Installation) -> None:
    printed = club.run_module("tests.serving.processes.test_embedded_worker", SWEEP_SECONDS="5")
    assert json.loads(printed.splitlines()[-1]) == 1  # connections opened


def main() -> None:
    """Run ten tasks, and print how many connections their thread has opened."""
    import django

    django.setup()
    from django.db.backends.signals import connection_created

    from games.serving.embedded import EmbeddedWorker
    from games.work.tasks import bot_turn

    opened: list[str] = []
    connection_created.connect(lambda **_: opened.append(threading.current_thread().name), weak=False)
    usual, is_done = bot_turn.run, threading.Event()

    def run(table_id: str, ply: int) -> None:
        usual(table_id, ply)
        if ply == 9:
            is_done.set()

    bot_turn.run = run
    worker = EmbeddedWorker()
    worker.start()
    for ply in range(10):
        bot_turn.apply_async(("nowhere", ply))
    assert is_done.wait(60)
    time.sleep(0.1)
    worker.stop()
    sys.stdout.write(json.dumps(sum("ThreadPoolExecutor" in name for name in opened)))


if __name__ == "__main__":
    main()
