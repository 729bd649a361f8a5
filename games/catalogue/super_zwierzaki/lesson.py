"""The lesson of Super Zwierzaki: matching, copies, counters, a reaction, a duel, the call and the last card."""

from __future__ import annotations

from typing import Any, Final

from games.rules.base import Move, Seat
from games.rules.info import gettext_noop
from games.rules.lessons import Lesson, LessonStep, Position, ScriptedMove, WrongMove, list_words

_SEATS: Final = 3
_OTHERS: Final = list_words("38 41 44 49 52 54 56 57 60 73 75 76")
"""The draw pile of every position: animals without a function."""
_DECLINE: Final[Move] = {"decline": True}


def _set_up(*, hand: str, top: str, first: Seat = 0, moves: tuple[ScriptedMove, ...] = (), **setup: Any) -> Position:
    """A position with this hand of the learner's; seat `first` is to play, then the next ones in turn."""
    hands = [hand.split(), list_words("40 43 48 116"), list_words("74 77 79 82")]
    order = [(first + turn) % _SEATS for turn in range(_SEATS)]
    start = {"hands": hands, "top": top, "draw": _OTHERS, "order": order}
    return Position(seats=_SEATS, setup=start | setup, moves=moves)


def _decline(*seats: Seat) -> tuple[ScriptedMove, ...]:
    return tuple(ScriptedMove(seat, _DECLINE) for seat in seats)


def _pile(*kinds: str) -> tuple[str, ...]:
    """These piles of the hand while none is chosen, then the button."""
    return (*(f'#hand .k[data-k="{kind}"][aria-pressed="false"]' for kind in kinds), "#go")


def _button(move: str) -> tuple[str, ...]:
    return (f"#action button[data-move='{move}']",)


def _is_draw(move: Move) -> bool:
    return "draw" in move


LESSON: Final = Lesson(
    minutes=5,
    steps=(
        LessonStep(
            slug="match",
            title=gettext_noop("Colour or class"),
            task=gettext_noop(
                "Get rid of your cards. A card must share the colour or the class of the top card. Play one that does."
            ),
            praise=gettext_noop("The last card played now gives colour and class for the next player."),
            otherwise=gettext_noop("You can draw a card, but you have two that match. Play one of them."),
            position=_set_up(hand="16 85 49", top="19"),
            right={"play": "16"},
            fits=lambda move: "play" in move,
            points=('#hand:not(:has([aria-pressed="true"])) .k:not(.dim)', "#go"),
        ),
        LessonStep(
            slug="copies",
            title=gettext_noop("Copies"),
            task=gettext_noop(
                "Two of the same kind can be played at once. Tap the emperor penguin twice, then the big button."
            ),
            praise=gettext_noop(
                "Nobody rejected it. Several copies do more: with two you may get rid of one more card."
            ),
            otherwise=gettext_noop("That leaves one penguin behind. Tap the penguin twice and play both."),
            wrong=(WrongMove(_is_draw, gettext_noop("You can draw, but two penguins match. Play both.")),),
            position=_set_up(hand="16 16 49 52", top="19"),
            right={"play": "16", "n": 2},
            replies=_decline(1, 2),
            points=('#hand .k[data-k="16"]:not([data-chosen="2"])', "#go"),
        ),
        LessonStep(
            slug="pair",
            title=gettext_noop("What a pair does"),
            task=gettext_noop("Choose a card that goes under the heap."),
            praise=gettext_noop("Three copies take away half of your hand, four give half of it to somebody else."),
            otherwise=gettext_noop("You may keep it, but you want to get rid of cards. Put one under the heap."),
            right={"discard": ["49"]},
            fits=lambda move: "discard" in move,
            points=('#hand:not(:has([aria-pressed="true"])) .k', "#go"),
        ),
        LessonStep(
            slug="counters",
            title=gettext_noop("Red points"),
            task=gettext_noop(
                "Four red points: take four cards, or play a card that says +2 and pass them on. Pass them on."
            ),
            praise=gettext_noop(
                "Now there were six, and the next player took six cards. Orcas work like that, too, and you must "
                "answer them if you can."
            ),
            otherwise=gettext_noop("Then you take four cards. You have a red card that says +2: play it."),
            position=_set_up(hand="29 49 16", top="26", counters={"red": 4}),
            right={"play": "29"},
            replies=(*_decline(1, 2), ScriptedMove(1, {"accept": True})),
            points=_pile("29"),
        ),
        LessonStep(
            slug="reaction",
            title=gettext_noop("Reaction"),
            task=gettext_noop(
                "Somebody played a cassowary to give half of their hand away, perhaps to you. Reject it with the "
                "teal, out of turn."
            ),
            praise=gettext_noop(
                "Rejected: the cassowary does nothing. At the table you have a few seconds for that, and so has "
                "everybody."
            ),
            otherwise=gettext_noop("Then it takes effect, and you may get those cards. Play the teal."),
            position=_set_up(
                hand="107 49 16",
                top="29",
                first=2,
                moves=(ScriptedMove(2, {"play": "33"}), *_decline(1)),
                hands=[list_words("107 49 16"), list_words("40 43 48 116"), list_words("33 74 77 79 82")],
            ),
            right={"react": "107"},
            replies=_decline(1, 2),
            points=_button('{"react":"107"}'),
        ),
        LessonStep(
            slug="duel",
            title=gettext_noop("Duel"),
            task=gettext_noop(
                "An ape has started a duel. Everybody but the winner draws cards. Answer with your chimpanzee."
            ),
            praise=gettext_noop(
                "The others folded, so you have won, and both draw three cards. In a duel, colour and class do not "
                "matter."
            ),
            otherwise=gettext_noop("If you fold, you will draw cards. Answer with the chimpanzee."),
            position=_set_up(
                hand="47 49 16",
                top="38",
                first=2,
                moves=(ScriptedMove(2, {"play": "37"}), *_decline(0, 1), ScriptedMove(2, {"play": "37"})),
                hands=[list_words("47 49 16"), list_words("40 43 48 116"), list_words("37 37 74 77 79")],
            ),
            right={"play": "47"},
            replies=(ScriptedMove(1, {"fold": True}), ScriptedMove(2, {"fold": True})),
            points=_pile("47"),
        ),
        LessonStep(
            slug="call",
            title=gettext_noop("The call"),
            task=gettext_noop(
                "With one card left you must say “Codziennie niskie ceny!”, or you draw two. Tap the penguin, then "
                "the red button, then play."
            ),
            praise=gettext_noop("Said in time. You can also say it right after your move, within ten seconds."),
            otherwise=gettext_noop("You want to be down to one card. Play the penguin, and say it."),
            wrong=(
                WrongMove(
                    lambda move: move.get("play") == "16",
                    gettext_noop(
                        "You have not said it, and that can cost two cards. Press the red button before you play."
                    ),
                ),
            ),
            position=_set_up(hand="16 49", top="19"),
            right={"play": "16", "call": True},
            fits=lambda move: move.get("play") == "16" and "call" in move,
            points=('#hand .k[data-k="16"][aria-pressed="false"]', '#call[aria-pressed="false"]', "#go"),
        ),
        LessonStep(
            slug="win",
            title=gettext_noop("The last card"),
            task=gettext_noop("Your last card matches. Play it."),
            praise=gettext_noop(
                "A woodpecker or a teal could have stopped you. Nobody had one: you have won. You know Super Zwierzaki."
            ),
            otherwise=gettext_noop("It matches the top card. Play it."),
            position=_set_up(hand="49", top="52"),
            right={"play": "49"},
            replies=_decline(1, 2),
            points=_pile("49"),
        ),
    ),
)
