"""The figures as a table for people, and the ratios that count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from benchmarks.live import Row
from benchmarks.peer import PeerRow

HEAD = f"{'server':<22}{'tables':>7}{'pace':>10}{'moves/s':>9}{'p50':>8}{'p95':>8}{'p99':>8}{'max':>8}"
HEAD_ROW = f"{HEAD}{'CPU %':>7}{'ms/move':>9}{'MB':>6}{'B/update':>10}{'errors':>8}{'driver %':>10}"


class Claim(NamedTuple):
    """One ratio or limit of the requirements. is_at_least: more is better."""

    what: str
    value: float
    must: float
    aim: float
    is_at_least: bool

    @property
    def verdict(self) -> str:
        """Whether it is reached."""
        for word, wanted in (("aim reached", self.aim), ("reached", self.must)):
            if self.value >= wanted if self.is_at_least else self.value <= wanted:
                return word
        return "MISSED"


def write_rows(rows: Iterable[Row], peers: Mapping[str, PeerRow]) -> list[str]:
    """One line a case."""
    lines = [HEAD_ROW]
    for row in rows:
        errors = len(row["errors"]) + row["stalled"]
        lines.append(
            f"{row['server']:<22}{row['tables']:>7}{_pace(row['think'])}{_speeds(row)}{row['cpu']['server']:>7.0f}"
            f"{row['cpu_ms_move']:>9.2f}{row['memory_mb']['server']:>6.0f}{row['bytes_update']:>10.0f}"
            f"{errors:>8}{row['driver_cpu']:>10.0f}"
        )
    for name, peer in peers.items():
        lines.append(
            f"{'boardgame.io ' + name.split()[0]:<22}{peer['M']:>7}{_pace(peer['think'])}{_speeds(peer)}"
            f"{peer['server_cpu']:>7.0f}{10 * peer['server_cpu'] / peer['moves_s']:>9.2f}"
            f"{peer['server_rss_mb'][0]:>6.0f}{peer['B_per_update']:>10.0f}{peer['errors']:>8}"
        )
    return lines


def _pace(think: float) -> str:
    return f"{'paced' if think else 'saturated':>10}"


def _speeds(row: Row | PeerRow) -> str:
    return f"{row['moves_s']:>9.0f}{row['p50']:>8.1f}{row['p95']:>8.1f}{row['p99']:>8.1f}{row['max']:>8.0f}"


def judge(ours: Mapping[tuple[str, int, bool], Row], peers: Mapping[str, PeerRow]) -> list[Claim]:
    """The claims that these figures allow. ours: by set-up, tables, and whether it was paced."""
    claims: list[Claim] = []
    big, small = ours.get(("production", 50, False)), ours.get(("embedded", 50, False))
    two, paced = ours.get(("two-servers", 50, False)), ours.get(("production", 50, True))
    if big and "pg saturated" in peers:
        ratio = big["moves_s"] / peers["pg saturated"]["moves_s"]
        claims.append(Claim("PostgreSQL + Redis, moves/s ÷ peer on PostgreSQL", ratio, 1.5, 4, True))
    if two and "pg saturated" in peers:
        ratio = two["moves_s"] / peers["pg saturated"]["moves_s"]
        claims.append(Claim("the same with two servers", ratio, 1.5, 4, True))
    if small and "flat saturated" in peers:
        ratio = small["moves_s"] / peers["flat saturated"]["moves_s"]
        claims.append(Claim("embedded, moves/s ÷ peer on files", ratio, 1, 3, True))
    if paced and "pg paced" in peers:
        peer = peers["pg paced"]
        claims.append(Claim("paced p50 ÷ peer on PostgreSQL", paced["p50"] / peer["p50"], 2, 1, False))
        claims.append(Claim("paced p99 ÷ peer on PostgreSQL", paced["p99"] / peer["p99"], 1.5, 1, False))
    if small:
        claims.append(Claim("bytes per update per client", small["bytes_update"], 3000, 1000, False))
    for most, must in ((200, 1.3), (1000, 1.3)):
        few, many = ours.get(("embedded", 10, False)), ours.get(("embedded", most, False))
        if few and many:
            ratio = many["cpu_ms_move"] / few["cpu_ms_move"]
            claims.append(Claim(f"CPU per move, {most} tables ÷ 10", ratio, must, 1, False))
    return claims


def write_claims(claims: Iterable[Claim]) -> list[str]:
    """One line a claim."""
    lines = [f"{'':<50}{'measured':>10}{'must':>8}{'aim':>8}"]
    for claim in claims:
        lines.append(f"{claim.what:<50}{claim.value:>10.2f}{claim.must:>8g}{claim.aim:>8g}  {claim.verdict}")
    return lines
