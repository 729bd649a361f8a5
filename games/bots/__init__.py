"""Bots: pure players. A `GameInfo` names the module of its bots, which has `choose(view, legal, rng, level)`.

It should have `complete_view(view, rng)`, too, see search.py, and `explain(view, legal, move)`, see hints.py.
"""

from games.bots.choosing import Question, answer, choose, is_slow, list_bot_levels, stays_silent
from games.bots.hints import Hint, Reason, find_hint

__all__ = [
    "Hint",
    "Question",
    "Reason",
    "answer",
    "choose",
    "find_hint",
    "is_slow",
    "list_bot_levels",
    "stays_silent",
]
