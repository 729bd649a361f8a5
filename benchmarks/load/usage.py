"""Processor time and memory of processes, from /proc."""

from __future__ import annotations

import os
from pathlib import Path

from tests.programs import list_children

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """CPU time of a process with its children that are alive; 0 if it is gone."""
    return sum(_own_cpu(member) for member in [pid, *list_children(pid)])


def memory_mb(pid: int) -> float:
    """Resident memory of one process, in MB; 0 if it is gone."""
    return _status(pid, "VmRSS:") / 1024


def proportional_mb(pid: int, *, with_children: bool = True) -> float:
    """Memory of a process (with its children) in MB, of shared pages its part; resident memory where that is secret."""
    return sum(_proportional_mb(member) for member in [pid, *(list_children(pid) if with_children else ())])


def _proportional_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return memory_mb(pid)
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0) / 1024


def _status(pid: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def _own_cpu(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / _TICKS if fields else 0.0


def _stat(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat after the program's name: state, parent …"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return []
