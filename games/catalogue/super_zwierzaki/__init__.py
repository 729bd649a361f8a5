"""Super Zwierzaki: a noisy zoo of shedding, duels and interrupts."""

from __future__ import annotations

from typing import Final

from games.rules.info import FIRST_GAME_OVER, MY_TURN, OTHERS_TURN, Feat, GameInfo, GuideTip, gettext_noop

INFO: Final = GameInfo(
    slug="super-zwierzaki",
    order=50,
    name=gettext_noop("Super Zwierzaki"),
    tagline=gettext_noop(
        "A noisy zoo: match colour or class, win duels, object in time, and shout with one card left."
    ),
    duration=gettext_noop("30 minutes, or until somebody has no card left"),
    deal_word=gettext_noop("Game"),
    rules=f"{__name__}.rules",
    bots=f"{__name__}.bots",
    presenter=f"{__name__}.presenter.board",
    bot_levels=("random", "steady", "sharp"),
    feat=Feat(gettext_noop("Longest duel"), "duel"),
    option_help={
        "minutes": gettext_noop(
            "When the bell rings, the turn under way is the last. Empty: until somebody has no card left."
        ),
    },
    option_initial={"minutes": 30},
    template_tags=f"{__name__}.template_tags",
    guide=(
        GuideTip(
            OTHERS_TURN,
            gettext_noop("Be rid of your animals. Each card must have the colour or the class of the one on top."),
        ),
        GuideTip(
            MY_TURN,
            gettext_noop("Tap a card that is not dimmed, then the big button; if nothing fits, draw a card."),
        ),
        GuideTip(
            'body:has(#action.mine):has(#hand .k[aria-pressed="true"])',
            gettext_noop(
                "Tap again for more of the same kind: several at once can do more. Then press the big button."
            ),
        ),
        GuideTip(
            'body:has(#action[data-phase="reaction"])',
            gettext_noop(
                "Somebody has played a card that does something. With a teal you could reject it; otherwise let it be."
            ),
        ),
        GuideTip(
            'body:has(#action[data-phase="duel"])',
            gettext_noop("A duel: answer with a card that is not dimmed, or fold."),
        ),
        GuideTip(
            "body:has(.cheap:not([hidden]))",
            gettext_noop("With one card left you must say it: the red button, before or with your move."),
        ),
        FIRST_GAME_OVER,
    ),
)
