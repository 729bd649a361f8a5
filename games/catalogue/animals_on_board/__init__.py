"""Animals on Board: split a group or take it; pairs are Noah's."""

from __future__ import annotations

from typing import Final

from games.rules.info import FIRST_GAME_OVER, MY_TURN, OTHERS_TURN, Feat, GameInfo, GuideTip, gettext_noop

INFO: Final = GameInfo(
    slug="animals-on-board",
    order=30,
    name=gettext_noop("Animals on Board"),
    tagline=gettext_noop("Split a group or take it: the ark has ten brackets, and pairs are Noah's."),
    duration=gettext_noop("20–30 minutes"),
    deal_word=gettext_noop("Round"),
    usual_length=gettext_noop("until an ark has ten animals"),
    rules=f"{__name__}.rules",
    bots=f"{__name__}.bots",
    presenter=f"{__name__}.presenter.board",
    bot_levels=("random", "steady", "sharp"),
    feat=Feat(gettext_noop("Highest ark"), "score"),
    guide=(
        GuideTip(
            OTHERS_TURN,
            gettext_noop(
                "Everybody fills an ark: split a group and earn a crate, or pay crates and take the whole group."
            ),
        ),
        GuideTip(
            MY_TURN,
            gettext_noop(
                "Your turn: tap tiles of a group to split them off, or the price of a group to take all of it."
            ),
        ),
        GuideTip(
            "body:has(#action.mine):not(:has(#islands .island))",
            gettext_noop("Keep one of your three tiles. The other two go to the quay, where everybody may take them."),
        ),
        GuideTip(
            "body:has(#action.mine):has(#islands .island:nth-child(2))",
            gettext_noop("A group costs a crate a tile. Split what is too dear; take what fits your ark."),
        ),
        FIRST_GAME_OVER,
    ),
)
