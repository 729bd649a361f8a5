"""Karriere Poker: shed your cards and be the boss of the next deal."""

from __future__ import annotations

from typing import Final

from games.catalogue.climbing import GUIDE
from games.rules.info import GameInfo, gettext_noop, pgettext_noop

INFO: Final = GameInfo(
    slug="karriere-poker",
    order=10,
    emblem="chair j1",
    picture_styles=("css/climbing-cards.css",),
    name=gettext_noop("Karriere Poker"),
    tagline=gettext_noop("Get rid of your cards, climb the ladder, and let the dishwasher deal."),
    duration=gettext_noop("20–40 minutes"),
    deal_word=gettext_noop("Deal"),
    deals_option="deals",
    usual_length=gettext_noop("3 deals"),
    rules=f"{__name__}.rules",
    bots="games.catalogue.climbing.bots",
    presenter="games.catalogue.climbing.presenter.board",
    shares=("games.catalogue.climbing",),
    bot_levels=("random", "steady", "sharp"),
    has_hints=True,
    jobs={
        "boss": gettext_noop("Boss"),
        "managing-director": gettext_noop("Managing Director"),
        "manager": gettext_noop("Manager"),
        "department-head": gettext_noop("Department Head"),
        "supervisor": gettext_noop("Supervisor"),
        "journeyman": gettext_noop("Journeyman"),
        "trainee": pgettext_noop("karriere-poker", "Trainee"),
        "dishwasher": gettext_noop("Dishwasher"),
    },
    option_labels={"positions": gettext_noop("Positions, top to bottom")},
    option_help={
        "deals": gettext_noop("If empty: 3 deals, or as many as fit into the time limit."),
        "positions": gettext_noop(
            "One per line, as many as there are players, from Boss to Dishwasher. If empty: the usual ones."
        ),
    },
    guide=GUIDE,
    lesson=f"{__name__}.lesson",
)
