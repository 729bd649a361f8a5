"""Texts of the Super Zwierzaki script."""

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
        "nine_all": _("Big Five cards do not count towards the nine colours."),
        "discard": _("Put under the heap: %(count)s of %(all)s"),
        "give": _("Give away: %(count)s of %(all)s"),
        "to_whom": _("Choose a player"),
        "enough": _("Choose exactly %(count)s. Tap a chosen card to put it back."),
        "sigma": _("Every player must get exactly one hand. The random half must go to a different player."),
        "choose": _("Choose cards first."),
        "plan": _("On my turn: %(name)s"),
        "plan_many": _("On my turn: %(count)s × %(name)s"),
        "planned": _("Planned: %(name)s. Take back"),
        "planned_many": _("Planned: %(count)s × %(name)s. Take back"),
        "planned_draw": _("Planned: draw. Take back"),
        "plan_lost": _("Your planned move was not possible any more, so it was not made."),
        "plan_call": _("Your planned move was not made: say “%(cry)s” first.") % {"cry": ONE_CARD_CALL},
        "held": _("You let it pass. Waiting for the others …"),
        "tells": _("%(mark)s: %(does)s"),
        "cry": ONE_CARD_CALL,
        "shame": _("Shame! Two cards"),
        "wait": _("Not your turn yet"),
        "bell_now": _("The bell has rung: this is the last turn"),
        "ring": _("Ring the bell: this is the last turn"),
    }
