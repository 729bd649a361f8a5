"""Random ids, tokens and seeds."""

from __future__ import annotations

import secrets

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def make_id() -> str:
    """The id of a tournament: short enough to be read aloud."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


def make_token() -> str:
    """The secret part of a link."""
    return "".join(secrets.choice(LETTERS) for _ in range(20))


def make_seed() -> str:
    """A random seed: 64 hexadecimal digits."""
    return secrets.token_hex(32)
