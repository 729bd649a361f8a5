"""Texts of the climbing games' script: labels of the button and of stacks, and why a choice is not possible."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.catalogue.climbing.presenter.card_words import name_cards
from games.catalogue.climbing.rules.rules import find_climbing
from games.presenters.screen import Screen
from games.presenters.table_texts import table_words

NUMBERS = tuple(str(number) for number in range(1, 14))
MAX_WILD = 4


def words(screen: Screen) -> dict[str, Any]:
    """Sentences with named places; `cards` gives "3 sevens" by number and count."""
    rules = find_climbing(screen.game)
    wild = rules.wild
    seats = len(screen.chairs)
    cards = {card: [name_cards(card, count) for count in range(1, seats + 1)] for card in NUMBERS}
    cards[wild] = [name_cards(wild, count) for count in range(1, MAX_WILD + 1)]
    return table_words() | {
        "game": screen.game,
        "wild": wild,
        "wild_beats_wild": rules.can_name_jokers,
        "cards": cards,
        "play": _("Play %(cards)s"),
        "both": _("%(cards)s and %(jokers)s"),
        "as": _("%(jokers)s as %(number)s"),
        "pass": _("Pass"),
        "choose": _("Choose cards"),
        "wait": _("Not your turn yet"),
        "ready": _("Ready: %(cards)s"),
        "chosen": _("%(cards)s, %(chosen)s chosen"),
        "low": _("%(number)s is not higher than %(table)s."),
        "few": _("Cards of one number needed: %(count)s. Jokers and freelancers count, too."),
        "many": _("Play exactly as many cards as are on the table: %(count)s."),
        "top": _("Nothing beats freelancers alone. You can only pass."),
        "jokers": _("Only jokers beat jokers."),
        "lead": _("You lead this round, so you must play at least one card."),
        "bell_now": _("The bell has rung: this is the last deal"),
        "ring": _("Ring the bell: this is the last deal"),
    }
