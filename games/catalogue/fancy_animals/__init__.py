"""Fancy Animals: rummy on a table that everybody rebuilds; long runs buy clothes for your animal."""

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
    slug="fancy-animals",
    order=40,
    emblem="a peacock",
    picture_styles=("css/fancy-animals-picture.css",),
    colour="violet",
    name=gettext_noop("Fancy Animals"),
    tagline=gettext_noop(
        "Rummy on a table that everyone rebuilds: long runs buy hats, coats and boots for your animal."
    ),
    duration=gettext_noop("30–45 minutes"),
    deal_word=pgettext_noop("a game from beginning to end", "Game"),
    rules=f"{__name__}.rules",
    bots=f"{__name__}.bots.players",
    presenter=f"{__name__}.presenter.board",
    bot_levels=("random", "steady", "sharp"),
    has_hints=True,
    turn_seconds=120,
    feat=Feat(gettext_noop("Fanciest animal"), "score"),
    lesson=f"{__name__}.lesson",
    guide=(
        GuideTip(
            OTHERS_TURN,
            gettext_noop("Everyone dresses an animal. Long runs on the table pay for hats, coats and boots."),
        ),
        GuideTip(
            MY_TURN,
            gettext_noop(
                "Tap cards in your hand, then “New meld”: a run of one material, or a set of one "
                "number. Or draw a card."
            ),
        ),
        GuideTip(
            'body:has(#action.mine):has(#hand [aria-pressed="true"])',
            gettext_noop(
                "You may rebuild the whole table, as long as every meld is valid in the end. In unrated "
                "games, “Hint” shows you one way."
            ),
        ),
        FIRST_GAME_OVER,
    ),
)
