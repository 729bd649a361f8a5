"""The doctor's findings about monitoring, and about backups that leave this machine."""

from __future__ import annotations

import shlex
import shutil

from django.conf import settings


def say_hook() -> str:
    """Whether backups leave this machine."""
    if not settings.BACKUP_HOOK:
        return "Backups stay on this machine. Set BACKUP_HOOK to a program that copies each one elsewhere."
    return f"BACKUP_HOOK copies each backup elsewhere: {_find_program()}."


def find_hook_fault() -> str:
    """The problem with BACKUP_HOOK; empty if there is none."""
    if not settings.BACKUP_HOOK:
        return ""
    program = _find_program()
    if program and shutil.which(program):
        return ""
    return f"BACKUP_HOOK is {program or 'no program'}. It cannot be found or run, so no backup leaves this machine."


def _find_program() -> str:
    """The program without its arguments, which may hold passwords; empty where the setting cannot be read."""
    try:
        words = shlex.split(settings.BACKUP_HOOK)
    except ValueError:
        return ""
    return words[0] if words else ""


def say_metrics() -> str:
    """The finding about who may read the metrics."""
    if settings.METRICS_TOKEN:
        return "Prometheus may read /metrics with METRICS_TOKEN."
    if not settings.METRICS_ALLOW:
        return "Nobody may read /metrics, so there are no alerts. Set METRICS_TOKEN or METRICS_ALLOW for Prometheus."
    return f"Prometheus may read /metrics from {', '.join(settings.METRICS_ALLOW)}."
