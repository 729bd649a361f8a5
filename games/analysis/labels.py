"""How good a decision was, in one word."""

from __future__ import annotations

from typing import Final

BEST: Final = "best"
GOOD: Final = "good"
INACCURATE: Final = "inaccurate"
MISTAKE: Final = "mistake"
LABELS: Final = (BEST, GOOD, INACCURATE, MISTAKE)

MIN_INACCURATE: Final = 0.05
"""Loss from which on a decision is inaccurate. Unit: share of the others; at four players a place is 0.33."""
MIN_MISTAKE: Final = 0.15
"""Loss from which on it is a mistake: nearly half a place at four players."""


def label_loss(loss: float) -> str:
    """The label of a decision that lost so much; nothing lost is best."""
    if loss <= 0:
        return BEST
    if loss < MIN_INACCURATE:
        return GOOD
    return INACCURATE if loss < MIN_MISTAKE else MISTAKE
