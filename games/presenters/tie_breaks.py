"""Whose tie the rules of a game have broken."""

from __future__ import annotations

from collections.abc import Sequence


def list_tied_behind(places: Sequence[int], results: Sequence[int], seat: int) -> list[int]:
    """The seats with the same result as this one that a rule has placed behind it. All by seat; places from 1."""
    return [
        other
        for other, place in enumerate(places)
        if place > places[seat] and results[other] == results[seat] and other != seat
    ]
