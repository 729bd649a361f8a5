"""Ten thousand push messages of one tournament: how much worker time they take, and whether clocks run late meanwhile.

A push service of this machine takes the messages and says 201. First one process sends all of them by itself: its
processor time is the worker time. Then a server with tables, at which turns run out all the time, gets the same number.

    python -m benchmarks.clubs.notifications [--devices N] [--tables N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks import timers
from tests.servers import Installation

SECONDS = 45.0
MUST_SECONDS = 30.0
ROWS = 1000


def main() -> None:
    """Prepare, measure both, print two lines and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--address", default="", help=argparse.SUPPRESS)
    parser.add_argument("--since", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("--inside", choices=["prepare", "send", "queue", "measure"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        import django

        django.setup()
        print(json.dumps(_run_inside(options)))
        return
    found = run(options.devices, options.tables)
    verdict = "ok" if found["cpu_s"] < MUST_SECONDS else "MISSED"
    print(f"{found['sent']} messages: {found['cpu_s']:.1f} s of the processor, {found['wall_s']:.1f} s {verdict}")
    late = found["late_ms"]
    verdict = "ok" if late["p99"] < timers.MUST_MS else "MISSED"
    print(
        f"{found['sent_live']} messages beside {options.tables} tables in {found['live_s']:.1f} s; timers late by, ms: "
        + "  ".join(f"{name} {late[name]:.0f}" for name in ("p50", "p95", "p99", "max")),
        verdict,
    )
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def run(devices: int, tables: int) -> dict[str, Any]:
    """The figures of one run on fresh data."""
    ours, theirs = multiprocessing.Pipe()
    service = multiprocessing.Process(target=_take_messages, args=(theirs,), daemon=True)
    service.start()
    address = f"http://127.0.0.1:{ours.recv()}"
    try:
        with tempfile.TemporaryDirectory(prefix="menagerie-bench-") as folder:
            club = Installation(Path(folder), {**timers.SETTINGS, "WEBHOOKS_MAY_BE_LOCAL": "1"})
            club.migrate()
            _inside(club, "prepare", devices, tables, address)
            found: dict[str, Any] = _inside(club, "send", devices, tables, address)
            with club.serve():
                since = time.time() + timers.WARM_SECONDS
                _inside(club, "queue", devices, tables, address, since)
                time.sleep(max(0.0, since + SECONDS - time.time()))
            live: dict[str, Any] = _inside(club, "measure", devices, tables, address, since)
    finally:
        service.terminate()
    cuts = statistics.quantiles(live["late"], n=100)
    late = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(live["late"])}
    return {**found, "sent_live": live["sent"], "live_s": live["seconds"], "timers": len(live["late"]), "late_ms": late}


def _inside(club: Installation, what: str, devices: int, tables: int, address: str, since: float = 0.0) -> Any:
    args = ["--inside", what, "--devices", str(devices), "--tables", str(tables), "--address", address]
    return json.loads(club.run_module("benchmarks.clubs.notifications", *args, "--since", str(since)))


def _run_inside(options: argparse.Namespace) -> Any:
    if options.inside == "prepare":
        timers.prepare(options.tables)
        return _make_devices(options.devices, options.address)
    if options.inside == "send":
        return _send(options.devices)
    if options.inside == "queue":
        return _queue("live", options.since + 5.0)
    from games.models import Notice

    rows = Notice.objects.filter(key="live", sent_at__isnull=False)
    times = [at for at in rows.values_list("sent_at", flat=True) if at is not None]
    seconds = max(times) - min(times) if times else 0.0
    return {"late": timers.measure(options.since), "sent": len(times), "seconds": seconds}


def _make_devices(count: int, address: str) -> int:
    """People with a session and a device each."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    from games.models import Player, PushDevice
    from games.operation.signing_keys import encode
    from tests.notifications.push_service import make_session

    point = (
        ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )
    from django.db import transaction

    with transaction.atomic():
        players = Player.objects.bulk_create(Player(name=f"P{one}", avatar="fox") for one in range(count))
        PushDevice.objects.bulk_create(
            [
                PushDevice(
                    player=player, endpoint=f"{address}/{number}", origin=address, digest=f"{number:064}",
                    p256dh=encode(point), auth=encode(b"0123456789abcdef"), name="Firefox", language="en",
                    session=make_session(player), made_at=0.0,
                )
                for number, player in enumerate(players)
            ],
            batch_size=ROWS,
        )  # fmt: skip
    return len(players)


def _queue(key: str, due_at: float) -> int:
    """Tell everybody with a device that their table is ready."""
    from games.models import Notice, PushDevice
    from games.notifications import outbox
    from games.notifications.kinds import Kind
    from games.notifications.outbox import Recipient

    details = {"event": "Open", "table": 5, "names": ["Ana", "Ben", "Cem"]}
    people = [
        Recipient(pk, details, "/tables/abc/")
        for pk in PushDevice.objects.order_by("pk").values_list("player", flat=True)
    ]
    now = time.time()
    outbox.tell(Kind.TABLE_READY, key, people, tag=f"event/{key}", now=now, wait=max(0.0, due_at - now))
    return Notice.objects.filter(key=key).count()


def _send(count: int) -> dict[str, float]:
    """Write and send a message to everybody, with this process alone."""
    from games.models import Notice
    from games.notifications import delivery

    began, used = time.monotonic(), time.process_time()
    _queue("alone", time.time())
    for origin in delivery.list_origins(time.time() + 1.0):
        while delivery.deliver_batch(origin, now=time.time() + 1.0).claimed:
            pass
    sent = Notice.objects.filter(key="alone", sent_at__isnull=False).count()
    assert sent == count, f"{sent} of {count} were sent"
    return {"sent": sent, "cpu_s": time.process_time() - used, "wall_s": time.monotonic() - began}


def _take_messages(channel: Connection) -> None:
    """A push service that reads each message and says 201."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(
                    int(line.partition(b":")[2])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-l")
                )
                await reader.readexactly(length)
                writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        channel.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
