"""The first game of somebody who has never played: what to say while it goes on, by what the page shows.

Each remark has a CSS selector; the last one that the page answers to is said.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Remark = tuple[str, Promise]

OTHERS = "body:has(#action:not(.mine))"
MINE = "body:has(#action.mine)"
END = 'body:has(#board[data-status="over"])'

_END: Remark = (
    END,
    _("That was your first game. “New table” gives you a link for your friends; the rules tell the rest."),
)
_CLIMBING: tuple[Remark, ...] = (
    (
        OTHERS,
        _("Be rid of your cards before the others. The glowing chair plays; what lies in the middle is to be beaten."),
    ),
    (MINE, _("You lead: tap a stack of your hand, then the big button. Low cards first is a good habit.")),
    (
        "body:has(#action.mine[data-pass])",
        _("Play just as many cards of a higher number, or pass. Cards that do not go are dimmed; tap one to hear why."),
    ),
    (
        'body:has(#action.mine):has(#hand .s[aria-pressed="true"])',
        _("Well chosen. The big button says what it will do: press it."),
    ),
    _END,
)
LESSONS: dict[str, tuple[Remark, ...]] = {
    "karriere-poker": _CLIMBING,
    "animal-poker": _CLIMBING,
    "animals-on-board": (
        (
            OTHERS,
            _("Everybody fills an ark: split a group and earn a crate, or pay crates and take the whole group."),
        ),
        (MINE, _("Your turn: tap tiles of a group to split them off, or the price of a group to take all of it.")),
        (
            "body:has(#action.mine):not(:has(#islands .island))",
            _("Keep one of your three tiles. The other two go to the quay, where everybody may take them."),
        ),
        (
            "body:has(#action.mine):has(#islands .island:nth-child(2))",
            _("A group costs a crate a tile. Split what is too dear; take what fits your ark."),
        ),
        _END,
    ),
    "fancy-animals": (
        (OTHERS, _("Everybody dresses an animal. Long runs and sets on the table pay for hats, coats and boots.")),
        (
            MINE,
            _("Tap cards of your hand to lay them: three or more of one number, or a run of one suit. Or draw a card."),
        ),
        (
            'body:has(#action.mine):has(#hand [aria-pressed="true"])',
            _("You may rebuild the whole table, if every group holds in the end. “Hint” shows you one way."),
        ),
        _END,
    ),
    "super-zwierzaki": (
        (OTHERS, _("Be rid of your animals. Each card must have the colour or the class of the one on top.")),
        (MINE, _("Tap a card that is not dimmed, then the big button; if nothing fits, draw a card.")),
        (
            'body:has(#action.mine):has(#hand .k[aria-pressed="true"])',
            _("Tap again for more of the same kind: several at once can do more. Then press the big button."),
        ),
        (
            'body:has(#action[data-phase="reaction"])',
            _("Somebody has played a card that does something. With a teal you could reject it; otherwise let it be."),
        ),
        ('body:has(#action[data-phase="duel"])', _("A duel: answer with a card that is not dimmed, or fold.")),
        (
            "body:has(.cheap:not([hidden]))",
            _("With one card left you must say it: the red button, before or with your move."),
        ),
        _END,
    ),
}


def teach(game: str) -> list[list[str]]:
    """The remarks in the reader's language, each with its selector; without any of its own only the last one."""
    return [[selector, str(words)] for selector, words in LESSONS.get(game, (_END,))]
