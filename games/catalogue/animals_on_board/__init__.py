"""Animals on Board: split a group or take it; pairs are Noah's."""

from __future__ import annotations

from typing import Final

from games.rules.info import FIRST_GAME_OVER, MY_TURN, OTHERS_TURN, Feat, GameInfo, GuideTip, gettext_noop

INFO: Final = GameInfo(
    slug="animals-on-board",
    order=30,
    emblem="a giraffe",
    picture_styles=("css/animals-on-board-tiles.css",),
    colour="blue",
    name=gettext_noop("Animals on Board"),
    tagline=gettext_noop("Split a group or take it. Your ark has room for ten animals, and pairs belong to Noah."),
    duration=gettext_noop("20–30 minutes"),
    deal_word=gettext_noop("Round"),
    usual_length=gettext_noop("until an ark has ten animals"),
    rules=f"{__name__}.rules",
    bots=f"{__name__}.bots",
    presenter=f"{__name__}.presenter.board",
    bot_levels=("random", "steady", "sharp"),
    has_hints=True,
    feat=Feat(gettext_noop("Best ark (points)"), "score"),
    option_labels={
        "species": gettext_noop("Species in play"),
        "start": gettext_noop("Seat with the starting flag"),
    },
    option_help={
        "species": gettext_noop(
            "If you choose none, they are drawn by lot. Otherwise choose 8 for two players, 10 for three, "
            "all 12 for four."
        ),
    },
    option_phrases={"start": gettext_noop("seat %(number)s begins")},
    lesson=f"{__name__}.lesson",
    guide=(
        GuideTip(
            OTHERS_TURN,
            gettext_noop(
                "Everybody fills an ark. On your turn, split a group and earn a crate, or pay crates "
                "and take a whole group."
            ),
        ),
        GuideTip(
            MY_TURN,
            gettext_noop(
                "Your turn. Tap tiles to split them off their group, or tap the price of a group to take all of it."
            ),
        ),
        GuideTip(
            "body:has(#action.mine):not(:has(#islands .island))",
            gettext_noop("Keep one of your three tiles. The other two go to the quay, where everybody may take them."),
        ),
        GuideTip(
            "body:has(#action.mine):has(#islands .island:nth-child(2))",
            gettext_noop("A group costs one crate per tile. Split what is too expensive, and take what fits your ark."),
        ),
        FIRST_GAME_OVER,
    ),
)
