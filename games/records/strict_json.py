"""JSON as the standard has it (RFC 8259): everything that leaves this site as JSON is written here.

Python by itself also writes `Infinity` and `NaN`, which no other program can read. Here they are an error.
"""

from __future__ import annotations

import json
from typing import Any, Final

COMPACT: Final = (",", ":")
"""Separators without spaces, for what stands in an attribute."""


def write(value: object, **options: Any) -> str:
    """JSON text. options: those of `json.dumps`. Raises ValueError for a number that JSON does not have."""
    return json.dumps(value, allow_nan=False, **options)  # noqa: TID251 - the one place
