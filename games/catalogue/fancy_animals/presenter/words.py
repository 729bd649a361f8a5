"""Texts of the Fancy Animals scripts: labels, and why something is not a meld."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.catalogue.fancy_animals.presenter.names import (
    RULE_HELP,
    RULE_NAMES,
    SPOT_NAMES,
    SUIT_NAMES,
    list_clothing,
    name_card,
    name_clothing,
)
from games.presenters.screen import Screen
from games.presenters.table_texts import table_words
from games.rules.base import Move, View


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
        "lay": [_("Lay the card as a new meld"), _("Lay %(count)s as a new meld")],
        "select": _("Select cards to play"),
        "begun": _("You have begun to play. To do this instead, start over first."),
        "play": [_("Play the card"), _("Play %(count)s cards")],
        "take": _("%(play)s, take: %(clothing)s"),
        "back": _("%(play)s, put back: %(clothing)s"),
        "switch": _("Activate: %(rule)s"),
        "none": _("Play at least one card from your hand."),
        "choose_spot": _("Choose the spot for this clothing."),
        "card": _("%(number)s %(suit)s, or %(other)s"),
        "wild": _("%(clothing)s as %(number)s %(suit)s"),
        "wild_home": _("%(clothing)s, can be a wild"),
        "picked": _("%(card)s, picked up"),
        "mine": _("%(card)s, from your hand"),
        "run": _("Run of %(suit)s, %(from)s to %(to)s"),
        "set": _("Set of %(number)s"),
        "broken": _("Not a meld yet: %(fault)s"),
        "here": _("Put here"),
        "new": _("New meld"),
        "bare": _("No melds yet. The first run or set will appear here."),
        "offer": _("%(clothing)s, needs a %(suit)s run of %(length)s"),
        "paid": _("%(offer)s: you can take it"),
        "taken": _("%(offer)s: you take it"),
        "returned": _("%(offer)s: goes to the bottom of its deck"),
        "unpaid": _("%(clothing)s needs a %(suit)s run of %(length)s. The longest on the table has %(longest)s."),
        "moved": _("Moved."),
        "flipped": _("Now %(card)s."),
        "undone": _("Undone."),
        "redone": _("Redone."),
        "lost": _("The table has changed, so your draft is gone."),
        "no_hint": _("No play found: none of your cards can be played."),
        "hinted": _("This is one of the best plays. “Undo” takes it back."),
        "thinking": _("Looking for a play …"),
        "sort_suit": _("Sort the hand by material"),
        "sort_number": _("Sort the hand by number"),
        "sorted_suit": _("Sorted by material."),
        "sorted_number": _("Sorted by number."),
        "zoomed": _("Size of the cards on the table: %(percent)s percent."),
        "all_own": _("Only cards you played this turn can go back to your hand."),
        "bell_now": _("The bell has rung: these are the last turns"),
        "ring": _("Ring the bell: everyone has one more turn"),
    }


def _faults() -> dict[str, str]:
    return {
        "few": _("at least three cards"),
        "twice": _("%(number)s appears twice"),
        "gap": _("%(number)s is missing"),
        "stray": _("%(card)s must be %(suit)s"),
        "same": _("%(suit)s appears twice"),
        "neither": _("use one material or one number"),
        "wild": _("a card must replace the wild as %(card)s"),
    }


def say_move(view: View, move: Move) -> str:
    """A move in words, without the table that it leaves."""
    if "play" not in move:
        return _("Draw a card") if "draw" in move else _("Pass")
    play = _("Play %(cards)s") % {"cards": _(", ").join(name_card(word) for word in move["play"])}
    if "claim" not in move:
        return play
    return _("%(play)s, take: %(clothing)s") % {"play": play, "clothing": name_clothing(move["claim"])}
