"""Super Zwierzaki: a noisy zoo of shedding, duels and interrupts."""

from __future__ import annotations

from typing import Final

from games.rules.info import (
    FIRST_GAME_OVER,
    MY_TURN,
    OTHERS_TURN,
    Feat,
    GameInfo,
    GuideTip,
    gettext_noop,
    pgettext_noop,
)

INFO: Final = GameInfo(
    slug="super-zwierzaki",
    order=50,
    emblem="a hippo",
    colour="teal",
    name=gettext_noop("Super Zwierzaki"),
    tagline=gettext_noop(
        "A noisy zoo: match colour or class, win duels, veto in time, and shout when you have one card left."
    ),
    duration=gettext_noop("30 minutes, or until somebody has no cards left"),
    deal_word=pgettext_noop("a game from beginning to end", "Game"),
    rules=f"{__name__}.rules",
    bots=f"{__name__}.bots",
    presenter=f"{__name__}.presenter.board",
    bot_levels=("random", "steady", "sharp"),
    has_hints=True,
    feat=Feat(gettext_noop("Longest duel"), "duel"),
    option_labels={
        "reaction_seconds": gettext_noop("Seconds to react"),
        "call_seconds": gettext_noop("Seconds to say “Codziennie niskie ceny!”"),
        "win_seconds": gettext_noop("Seconds to stop a win"),
    },
    option_help={
        "minutes": gettext_noop("When time is up, the current turn is the last. Leave empty for no time limit."),
    },
    option_initial={"minutes": 30},
    template_tags=f"{__name__}.template_tags",
    lesson=f"{__name__}.lesson",
    guide=(
        GuideTip(
            OTHERS_TURN,
            gettext_noop("Get rid of your animals. Each card must match the colour or the class of the top card."),
        ),
        GuideTip(
            MY_TURN,
            gettext_noop("Tap a card that is not dimmed, then the big button. If nothing fits, draw a card."),
        ),
        GuideTip(
            'body:has(#action.mine):has(#hand .k[aria-pressed="true"])',
            gettext_noop(
                "Tap again to add another card of the same kind. Several at once do more. Then press the big button."
            ),
        ),
        GuideTip(
            'body:has(#action[data-phase="reaction"])',
            gettext_noop("Somebody made a play that has an effect. Play a teal to reject it, or press “Allow”."),
        ),
        GuideTip(
            'body:has(#action[data-phase="duel"])',
            gettext_noop("A duel: answer with a card that is not dimmed, or fold."),
        ),
        GuideTip(
            "body:has(.cheap:not([hidden]))",
            gettext_noop(
                "When you are down to one card, you must say it. Press the red button before you play, or right after."
            ),
        ),
        FIRST_GAME_OVER,
    ),
)
