"""What Karriere Poker and Animal Poker share: the engine of a climbing game, its bots and its presenter."""

from __future__ import annotations

from typing import Final

from games.rules.info import FIRST_GAME_OVER, MY_TURN, OTHERS_TURN, GuideTip, gettext_noop

GUIDE: Final = (
    GuideTip(
        OTHERS_TURN,
        gettext_noop(
            "Be rid of your cards before the others. The glowing chair plays; what lies in the middle is to be beaten."
        ),
    ),
    GuideTip(
        MY_TURN,
        gettext_noop("You lead: tap a stack of your hand, then the big button. Low cards first is a good habit."),
    ),
    GuideTip(
        "body:has(#action.mine[data-pass])",
        gettext_noop(
            "Play just as many cards of a higher number, or pass. Cards that do not go are dimmed; tap one to hear why."
        ),
    ),
    GuideTip(
        'body:has(#action.mine):has(#hand .s[aria-pressed="true"])',
        gettext_noop("Well chosen. The big button says what it will do: press it."),
    ),
    FIRST_GAME_OVER,
)
"""Remarks for somebody's first climbing game."""
