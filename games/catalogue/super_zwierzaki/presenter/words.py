"""What the script of a Super Zwierzaki table says by itself."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.catalogue.super_zwierzaki.presenter.log import ONE_CARD_CALL
from games.catalogue.super_zwierzaki.presenter.names import COLOUR_NAMES
from games.presenters.screen import Screen
from games.presenters.table_texts import table_words


def words(screen: Screen) -> dict[str, Any]:
    """Sentences with named places."""
    return table_words() | {
        "game": screen.game,
        "colours": {colour: str(name) for colour, name in COLOUR_NAMES.items()},
        "pile": _("%(count)s × %(name)s, %(colour)s, %(group)s"),
        "chosen": _("%(count)s chosen"),
        "play": _("Play %(name)s"),
        "play_many": _("Play %(count)s × %(name)s"),
        "nine": _("Nine colours: %(count)s of 9"),
        "nine_all": _("Animals of every colour do not count for the nine colours."),
        "discard": _("Put under the heap: %(count)s of %(all)s"),
        "give": _("Give away: %(count)s of %(all)s"),
        "to_whom": _("Give to:"),
        "enough": _("Exactly %(count)s: take one back first."),
        "sigma": _("Every player must get exactly one hand, and the half must go to somebody else."),
        "choose": _("Choose cards first."),
        "cry": ONE_CARD_CALL,
        "shame": _("Shame! Two cards"),
        "wait": _("Not your turn yet"),
        "bell_now": _("The bell: this is the last turn"),
        "ring": _("Ring the bell: this is the last turn"),
    }
