"""The result of a campaign, as lines to read and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chaos.campaign import Campaign
from chaos.verdict import SHOWN, Point


def write(campaign: Campaign, points: Sequence[Point]) -> Iterator[str]:
    """The lines of one setup."""
    numbers = count(campaign)
    played = f"{numbers['games']} games, {numbers['under_fire']} under fire, {numbers['seconds']} s"
    yield f"== {campaign.options.setup}: {played}"
    struck = ", ".join(f"{name} {times}" for name, times in campaign.struck.items())
    yield f"faults: {struck or 'none'}" + "".join(f"; left out {what}" for what in campaign.left_out)
    yield f"plies {numbers['plies']}, moves of people {numbers['moves']}: accepted {numbers['accepted']}"
    yield f"sockets lost {numbers['lost_sockets']}, requests repeated {numbers['retries']}"
    yield from (f"{name}: {value}" for name, value in campaign.notes.items())
    yield f"longest stand {numbers['stuck']} s, latest deadline {numbers['late']} s"
    for name, (seconds, awaited) in sorted(campaign.findings.after.items()):
        yield f"    {seconds:5.2f} s  after {name}: {awaited}"
    yield from list_points(points)


def list_points(points: Sequence[Point], *, most: int = SHOWN) -> Iterator[str]:
    """A line for each point: whether it held, over how many, what it is; below it the first faults."""
    for point in points:
        yield f"{'FAIL' if point.faults else 'ok  '}  {point.looked_at:>8}  {point.name}"
        yield from (f"      {fault}" for fault in point.faults[:most])
        if len(point.faults) > most > 0:
            yield f"      and {len(point.faults) - most} more"


def count(campaign: Campaign) -> dict[str, Any]:
    """The numbers of one setup."""
    sent = campaign.evidence.sent
    return {
        "games": len(campaign.book.ended),
        "under_fire": campaign.under_fire(),
        "seconds": round(campaign.seconds),
        "plies": len(campaign.plies),
        "moves": len(sent),
        "accepted": sum(one.status == 200 for one in sent),
        "lost_sockets": campaign.evidence.lost_sockets,
        "retries": campaign.evidence.retries,
        "stuck": round(campaign.findings.stuck, 2),
        "late": round(campaign.findings.late, 2),
        "struck": dict(campaign.struck),
        "after": {name: round(seconds, 2) for name, (seconds, _awaited) in campaign.findings.after.items()},
        "notes": {name: str(value) for name, value in campaign.notes.items()},
        "left_out": campaign.left_out,
    }


def to_json(campaign: Campaign, points: Sequence[Point]) -> dict[str, Any]:
    """Everything of one setup."""
    found = [{"name": one.name, "looked_at": one.looked_at, "faults": list(one.faults)} for one in points]
    return {"setup": campaign.options.setup, **count(campaign), "points": found}
