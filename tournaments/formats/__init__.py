"""The formats: one module each behind the contract in `base`. Nothing else lists them. Pure.

`docs/adding-a-format.md` says how to add one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from tournaments.formats import arena, knockout, ladder, round_robin, swiss, swiss_cut
from tournaments.formats.base import Format

FORMATS: Final[Mapping[str, Format]] = {
    format_.slug: format_
    for format_ in (
        swiss.FORMAT,
        round_robin.FORMAT,
        knockout.FORMAT,
        swiss_cut.FORMAT,
        ladder.FORMAT,
        arena.FORMAT,
    )
}
"""The formats by slug, in the order of the form."""
DEFAULT: Final[Format] = swiss.FORMAT


class HasFormat(Protocol):
    """A tournament or an agreement."""

    @property
    def format(self) -> str: ...


def of(planned: HasFormat) -> Format:
    """The format of a tournament."""
    return find(planned.format)


def find(slug: str) -> Format:
    """The format of this slug. Raises KeyError."""
    return FORMATS[slug]
