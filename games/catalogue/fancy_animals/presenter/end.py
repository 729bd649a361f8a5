"""The end of Fancy Animals: the animals in their clothes, each explained."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.fancy_animals.presenter.faces import describe_animal
from games.catalogue.fancy_animals.presenter.names import SPOT_NAMES, SUIT_NAMES, name_clothing
from games.catalogue.fancy_animals.rules.cards import SUITS
from games.catalogue.fancy_animals.rules.clothing import BY_WORD, FAVOURITES, SLOTS
from games.catalogue.fancy_animals.rules.view import FancyAnimalsView
from games.presenters.contract import EndNote
from games.presenters.names import name_animal
from games.presenters.render import macro
from games.presenters.screen import Screen
from games.presenters.tie_breaks import list_tied_behind

FILE = "fancy_animals.jinja"


def notes(view: FancyAnimalsView) -> list[EndNote]:
    """Whose animal it was, and which rule broke a tie."""
    notes = []
    for seat, animal in enumerate(view["animals"]):
        name, reason = str(name_animal(animal)), say_tie_break(view, seat)
        notes.append(EndNote(f"{name} · {reason}" if reason else name))
    return notes


def say_tie_break(view: FancyAnimalsView, seat: int) -> str:
    """By which rule this seat comes before others with as many points; empty if by none.

    The places are compared with the public favourites: where these are equal, the numbers left in hand have decided.
    """
    behind = list_tied_behind(view["places"] or [], view["scores"], seat)
    if not behind:
        return ""
    mine = _count_favourites(view, seat)
    theirs = max(_count_favourites(view, other) for other in behind)
    if mine > theirs:
        return _("tie broken by favourite pieces: %(mine)s against %(theirs)s") % {"mine": mine, "theirs": theirs}
    return _("tie broken by the higher sum of numbers left in hand")


def _count_favourites(view: FancyAnimalsView, seat: int) -> int:
    """Pieces of the favourite material, covered ones included."""
    favourite = FAVOURITES[view["animals"][seat]]
    return sum(BY_WORD[word].suit == favourite for pile in view["worn"][seat].values() for word in pile)


def story(screen: Screen, view: FancyAnimalsView) -> str:
    """Every animal dressed, best first, and its points line by line."""
    places = view["places"] or [1] * len(screen.chairs)
    rows: list[dict[str, Any]] = []
    for chair in sorted(screen.chairs, key=lambda chair: places[chair.index]):
        index = chair.index
        worn, animal = view["worn"][index], view["animals"][index]
        rows.append(
            {
                "name": chair.name,
                "doll": describe_animal(animal, worn),
                "lines": explain(animal, worn),
                "score": view["scores"][index],
                "tie_break": say_tie_break(view, index),
            }
        )
    return macro(FILE, "story")(_("Fashion show"), rows, _("Total"))


def explain(animal: str, worn: dict[str, list[str]]) -> list[tuple[str, int]]:
    """Where the points come from: every piece, then the favourite material."""
    lines = []
    favourite = SUITS[FAVOURITES[animal]]
    count = 0
    for spot in reversed(SLOTS):
        pile = worn.get(spot, [])
        for at, word in enumerate(pile):
            piece = BY_WORD[word]
            if at < len(pile) - 1:
                lines.append(
                    (_("%(clothing)s, covered: half points") % {"clothing": name_clothing(word)}, -(-piece.points // 2))
                )
            elif SLOTS[piece.slot] != spot:
                words = {"clothing": name_clothing(word), "spot": SPOT_NAMES[spot]}
                lines.append((_("%(clothing)s in the wrong spot (%(spot)s): −2") % words, piece.points - 2))
            else:
                lines.append((name_clothing(word), piece.points))
            count += at == len(pile) - 1 and SUITS[piece.suit] == favourite
    if count:
        bonus_words = {"count": count, "suit": str(SUIT_NAMES[favourite])}
        bonus = ngettext(
            "%(count)d piece of the favourite material (%(suit)s)",
            "%(count)d pieces of the favourite material (%(suit)s)",
            count,
        )
        lines.append((bonus % bonus_words, count * (count + 1) // 2))
    return lines
