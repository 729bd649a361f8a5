"""What the script of a Fancy Animals table says by itself: labels, and why something is no meld."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.catalogue.fancy_animals.presenter.names import RULE_HELP, RULE_NAMES, SPOT_NAMES, SUIT_NAMES, list_clothing
from games.presenters.screen import Screen
from games.presenters.table_texts import table_words


def words(screen: Screen) -> dict[str, Any]:
    """Sentences with named places."""
    return table_words() | {
        "game": screen.game,
        "suits": {suit: str(name) for suit, name in SUIT_NAMES.items()},
        "spots": {spot: str(name) for spot, name in SPOT_NAMES.items()},
        "rules": {rule: [str(name), str(RULE_HELP[rule])] for rule, name in RULE_NAMES.items()},
        "clothing": list_clothing(),
        "faults": _faults(),
        "wait": _("Not your turn yet"),
        "draw": _("Draw a card"),
        "pass": _("Pass"),
        "play": [_("Play the card"), _("Play %(count)s cards")],
        "take": _("%(play)s, take: %(clothing)s"),
        "back": _("%(play)s, put back: %(clothing)s"),
        "switch": _("Switch on: %(rule)s"),
        "none": _("Play at least one card from your hand."),
        "choose_spot": _("Choose the spot where your animal wears it."),
        "card": _("%(number)s %(suit)s, or %(other)s"),
        "wild": _("%(clothing)s as %(number)s %(suit)s"),
        "wild_home": _("%(clothing)s, can be a wild"),
        "picked": _("%(card)s, picked up"),
        "mine": _("%(card)s, from your hand"),
        "run": _("Run of %(suit)s, %(from)s to %(to)s"),
        "set": _("Set of %(number)s"),
        "broken": _("No meld yet: %(fault)s"),
        "here": _("Put here"),
        "new": _("New meld"),
        "bare": _("Nothing lies here yet. The first run or set begins the table."),
        "offer": _("%(clothing)s, takes a %(suit)s run of %(length)s"),
        "paid": _("%(offer)s: your table pays for it"),
        "taken": _("%(offer)s: you take it"),
        "returned": _("%(offer)s: goes to the bottom of its deck"),
        "unpaid": _("%(clothing)s takes a %(suit)s run of %(length)s; your longest has %(longest)s."),
        "moved": _("Moved."),
        "flipped": _("Now %(card)s."),
        "undone": _("Undone."),
        "redone": _("Done again."),
        "lost": _("The table has changed, so your draft is gone."),
        "no_hint": _("There is nothing to be found: no card of yours can be laid."),
        "hinted": _("This is one of the best plays. Look at it; “Undo” takes it back."),
        "thinking": _("Looking for a play …"),
        "all_own": _("Only cards of this turn go back to your hand."),
        "bell_now": _("The bell: these are the last turns"),
        "ring": _("Ring the bell: everybody has one more turn"),
    }


def _faults() -> dict[str, str]:
    return {
        "few": _("at least three cards"),
        "twice": _("%(number)s stands twice"),
        "gap": _("%(number)s is missing"),
        "stray": _("%(card)s must be %(suit)s"),
        "same": _("%(suit)s stands twice"),
        "neither": _("one suit, or one number"),
        "wild": _("a card must stand for the %(card)s that the wild left"),
    }
