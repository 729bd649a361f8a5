"""The end of a game: who sits where, how it came to that, and what now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.live.screen import Screen
from games.rules.base import Move, View


def layout(screen: Screen, view: View | None) -> str:
    """One layout while this lasts."""
    return screen.status


def shared_regions(screen: Screen, view: View | None) -> dict[str, str]:
    """Nothing yet."""
    return {}


def private_regions(
    screen: Screen, view: View | None, seat: int | None, legal: Sequence[Move] | None
) -> dict[str, str]:
    """Nothing yet."""
    return {}


def log_lines(screen: Screen, view: View | None, seat: int | None, since_ply: int) -> list[str]:
    """Nothing yet."""
    return []


def board(
    screen: Screen,
    view: View | None,
    seat: int | None,
    regions: Mapping[str, str],
    log: Sequence[str],
    *,
    now: int,
    fair: Mapping[str, str] | None = None,
) -> str:
    """The board."""
    return (
        f'<div id="board" data-status="{screen.status}" data-ply="{screen.ply}" data-version="{screen.version}"'
        f' data-now="{now}" data-layout="{screen.status}"></div>'
    )


def words(screen: Screen) -> dict[str, Any]:
    """Nothing yet."""
    return {}
