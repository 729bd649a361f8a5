"""Cards in words: "3 sevens". Every number has its own plural, because languages need that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.presenters.render import cache_by_language
from games.rules.base import Move, View

WILD = ("J", "F")


@cache_by_language
def name_cards(card: str, count: int) -> str:
    """`count` cards of one kind in words, e.g. "3 sevens"."""
    forms = {
        "1": ngettext("%(count)d one", "%(count)d ones", count),
        "2": ngettext("%(count)d two", "%(count)d twos", count),
        "3": ngettext("%(count)d three", "%(count)d threes", count),
        "4": ngettext("%(count)d four", "%(count)d fours", count),
        "5": ngettext("%(count)d five", "%(count)d fives", count),
        "6": ngettext("%(count)d six", "%(count)d sixes", count),
        "7": ngettext("%(count)d seven", "%(count)d sevens", count),
        "8": ngettext("%(count)d eight", "%(count)d eights", count),
        "9": ngettext("%(count)d nine", "%(count)d nines", count),
        "10": ngettext("%(count)d ten", "%(count)d tens", count),
        "11": ngettext("%(count)d eleven", "%(count)d elevens", count),
        "12": ngettext("%(count)d twelve", "%(count)d twelves", count),
        "13": ngettext("%(count)d thirteen", "%(count)d thirteens", count),
        "J": ngettext("%(count)d joker", "%(count)d jokers", count),
        "F": ngettext("%(count)d freelancer", "%(count)d freelancers", count),
    }
    return forms[card] % {"count": count}


@cache_by_language
def name_play(cards: Sequence[str], number: int | None = None) -> str:
    """A play in words: "2 sevens and 1 joker", "1 joker as 15"."""
    counts = Counter(cards)
    parts = [name_cards(card, count) for card, count in counts.items()]
    if len(parts) == 2 and any(card in WILD for card in counts):
        return _("%(cards)s and %(jokers)s") % {"cards": parts[0], "jokers": parts[1]}
    if number is not None and number > 14 and cards and cards[0] in WILD:
        return _("%(jokers)s as %(number)d") % {"jokers": parts[0], "number": number}
    return _(", ").join(parts)


def say_move(view: View, move: Move) -> str:
    """A move as its button says it."""
    return _("Play %(cards)s") % {"cards": name_play(move["play"])} if "play" in move else _("Pass")
