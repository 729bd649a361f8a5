"""Animal Poker: one turn each, a job for everybody, and a bell that ends the evening."""

from __future__ import annotations

from typing import Final

from games.catalogue.climbing import GUIDE
from games.rules.info import GameInfo, gettext_noop, pgettext_noop

INFO: Final = GameInfo(
    slug="animal-poker",
    order=20,
    emblem="a wolf",
    picture_styles=("css/climbing-cards.css",),
    colour="red",
    name=gettext_noop("Animal Poker"),
    tagline=gettext_noop("One turn each, a job for everyone, and a bell that ends the evening."),
    duration=gettext_noop("30 minutes, or as long as you like"),
    deal_word=gettext_noop("Session"),
    deals_option="sessions",
    usual_length=gettext_noop("30 minutes"),
    rules=f"{__name__}.rules",
    bots="games.catalogue.climbing.bots",
    presenter="games.catalogue.climbing.presenter.board",
    shares=("games.catalogue.climbing",),
    bot_levels=("random", "steady", "sharp"),
    has_hints=True,
    jobs={
        "ceo": gettext_noop("CEO"),
        "director": gettext_noop("Director"),
        "head-of-department": gettext_noop("Head of Department"),
        "team-lead": gettext_noop("Team Lead"),
        "specialist": gettext_noop("Specialist"),
        "clerk": gettext_noop("Clerk"),
        "assistant": gettext_noop("Assistant"),
        "trainee": pgettext_noop("animal-poker", "Trainee"),
    },
    option_labels={"lazy": gettext_noop("Lazy chaotic numbers")},
    option_help={
        "sessions": gettext_noop("If empty: as many as fit into the time limit (30 minutes if that is empty, too)."),
        "lazy": gettext_noop("All eight sets are shuffled together, so nobody can count which cards are gone."),
    },
    option_phrases={"lazy": gettext_noop("lazy chaotic numbers")},
    guide=GUIDE,
    lesson=f"{__name__}.lesson",
)
