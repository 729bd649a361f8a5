"""Checks the evidence: what clients received agrees with the log, the records and each client's permissions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from chaos.campaign import Campaign
from chaos.evidence import Seen, digest
from chaos.people import REFUSED
from games.records.faults import Fault
from games.records.format import parse_record
from games.records.playback import Playback, play_back
from games.records.replay import verify

SHOWN = 20
"""Faults of a kind that are told one by one."""


class Point(NamedTuple):
    """One criterion: how many cases were checked, and which ones violated it."""

    name: str
    looked_at: int
    faults: tuple[str, ...]


def judge(campaign: Campaign) -> list[Point]:
    """Every point of the criterion."""
    evidence, findings = campaign.evidence, campaign.findings
    log = {(str(table), str(key)): str(event) for table, _number, event, key in campaign.plies if key is not None}
    accepted = [sent for sent in evidence.sent if sent.status == 200]
    refused = [sent for sent in evidence.sent if sent.status in REFUSED]
    watched = dict(_watch_all(evidence.records))
    return [
        Point("every accepted move is in the log, once, as it was sent", len(accepted), _check_accepted(campaign, log)),
        Point(
            "no refused move is in the log",
            len(refused),
            tuple(f"{sent.table} {sent.name}" for sent in refused if (sent.table, sent.name) in log),
        ),
        Point("no ply is missing, and none is nobody's", len(campaign.plies), tuple(_check_log(campaign))),
        Point("every game that was begun is over", len(campaign.book.games), tuple(_find_unfinished(campaign))),
        Point("every record verifies", len(evidence.records), tuple(_check_records(evidence.records))),
        Point("no table stands still, no deadline is forgotten", findings.looks, tuple(findings.faults.values())),
        Point(
            "nobody sees what they may not know",
            sum(len(looks) for looks in evidence.looks.values()),
            (*_find_leaks(campaign, watched), *evidence.inside),
        ),
        Point(
            "who reads nothing is cut off",
            sum(found.opened for found in campaign.silent),
            tuple(f"{found.cut} of {found.opened} were" for found in campaign.silent if found.cut < found.opened),
        ),
    ]


def judge_run(campaign: Campaign) -> list[Point]:
    """Whether the run was complete: long enough, and with every fault."""
    options, played = campaign.options, campaign.under_fire()
    missing = [name for name in options.faults if not campaign.struck[name]]
    return [
        Point(
            "as many games as were wanted were played under fire",
            played,
            (f"{played} of {options.games}",) if played < options.games else (),
        ),
        Point("every fault struck", campaign.struck.total(), tuple(f"{name} did not" for name in missing)),
    ]


def add_up(verdicts: Sequence[Sequence[Point]]) -> list[Point]:
    """The same points of several setups as one."""
    return [
        Point(same[0].name, sum(one.looked_at for one in same), tuple(fault for one in same for fault in one.faults))
        for same in zip(*verdicts, strict=True)
    ]


def _check_accepted(campaign: Campaign, log: dict[tuple[str, str], str]) -> tuple[str, ...]:
    times = Counter((table, key) for table, _number, _event, key in campaign.plies if key is not None)
    faults = []
    for sent in campaign.evidence.sent:
        if sent.status != 200:
            continue
        found = log.get((sent.table, sent.name))
        if times[sent.table, sent.name] != 1 or found is None:
            faults.append(f"{sent.table} {sent.name}: {times[sent.table, sent.name]} times")
        elif json.loads(found) != {"seat": sent.seat, "move": sent.move}:
            faults.append(f"{sent.table} {sent.name}: {found}")
    return tuple(faults)


def _check_log(campaign: Campaign) -> Iterator[str]:
    """Numbers without a gap, and keys that somebody sent."""
    sent = {(sent.table, sent.name) for sent in campaign.evidence.sent}
    last: dict[str, int] = {}
    for table, number, _event, key in campaign.plies:
        if number != last.get(table, 0) + 1:
            yield f"{table}: {number} after {last.get(table, 0)}"
        last[table] = number
        if key is not None and (table, key) not in sent:
            yield f"{table}: nobody sent {key}"
    for table, _status, ply, _seed, _secret in campaign.games:
        if ply != last.get(table, 0):
            yield f"{table}: it says ply {ply}, and the log ends with {last.get(table, 0)}"


def _find_unfinished(campaign: Campaign) -> Iterator[str]:
    status = {table: status for table, status, *_rest in campaign.games}
    for table in campaign.book.games:
        if status.get(table) != "over":
            yield f"{table} is {status.get(table, 'nowhere')}"
        elif table not in campaign.evidence.records:
            yield f"{table} has no record"


def _check_records(records: dict[str, str]) -> Iterator[str]:
    for table, text in records.items():
        try:
            fault = verify(text.encode()).fault
        except Fault as error:
            fault = error
        if fault is not None:
            yield f"{table}: {fault}"


def _watch_all(records: dict[str, str]) -> Iterator[tuple[str, Playback]]:
    for table, text in records.items():
        try:
            yield table, play_back(parse_record(text.encode()))
        except Fault:  # said by `_check_records`
            continue


def _find_leaks(campaign: Campaign, watched: dict[str, Playback]) -> Iterator[str]:
    for table, _status, _ply, seed, secret in campaign.games:
        shown = campaign.evidence.digits[table] & {seed, secret} - {""}
        yield from (f"{table}: {digits} was shown before the end" for digits in shown)
    for table, looks in campaign.evidence.looks.items():
        if table in watched:
            yield from _compare(table, watched[table], looks)


def _compare(table: str, watched: Playback, looks: Iterable[Seen]) -> Iterator[str]:
    """What was seen against what the rules let this seat see at this ply."""
    for seen in looks:
        if seen.ply > watched.last:
            yield f"{table}: ply {seen.ply} was shown, and the record has {watched.last}"
            continue
        view: Any = watched.rules.view(watched.moments[seen.ply].state, seen.seat)
        if seen.view is not None and seen.view != digest(view):
            yield f"{table}: seat {seen.seat} saw another view at ply {seen.ply}"
        if seen.hand is not None and list(seen.hand) != sorted(view["hand"] or ()):
            yield f"{table}: seat {seen.seat} was shown {seen.hand} at ply {seen.ply}"
