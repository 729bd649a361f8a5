"""The engine, bots and presenter of climbing games, shared by Karriere Poker and Animal Poker."""

from __future__ import annotations

from typing import Final

from games.rules.info import FIRST_GAME_OVER, MY_TURN, OTHERS_TURN, GuideTip, gettext_noop

GUIDE: Final = (
    GuideTip(
        OTHERS_TURN,
        gettext_noop(
            "Get rid of your cards before the others do. The glowing seat is next to play. The cards "
            "in the middle are the ones to beat."
        ),
    ),
    GuideTip(
        MY_TURN,
        gettext_noop(
            "You lead: tap a stack in your hand, then the big button. It is a good habit to play low cards first."
        ),
    ),
    GuideTip(
        "body:has(#action.mine[data-pass])",
        gettext_noop(
            "Play the same number of cards, all of one higher number, or pass. Cards you cannot play "
            "are dimmed. Tap one to see why."
        ),
    ),
    GuideTip(
        'body:has(#action.mine):has(#hand .s[aria-pressed="true"])',
        gettext_noop("Good choice. The big button shows what it will do. Press it."),
    ),
    FIRST_GAME_OVER,
)
"""Remarks for somebody's first climbing game."""
