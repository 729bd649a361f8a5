"""The lesson of Fancy Animals: melds, rebuilding them, clothes and wilds, and the four special rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.rules.base import Move
from games.rules.info import gettext_noop
from games.rules.lessons import Lesson, LessonStep, Position, ScriptedMove, WrongMove, list_words

_OFFER: Final = {
    "hand": ["hand-M-3", "hand-L-3", "hand-G-2"],
    "feet": ["feet-G-5", "feet-M-5", "feet-L-4"],
    "body": ["body-L-7", "body-M-7", "body-C-6"],
    "head": ["head-G-8", "head-C-9", "head-L-7"],
}
"""Clothes that no run of the lesson pays for."""
_DRAW: Final = (ScriptedMove(1, {"draw": True}),)
_PLACE_NEW: Final = '#desk [data-do="new"]:not([hidden])'


def _set_up(hand: str, table: Sequence[str] = (), *, offer: str = "", **setup: Any) -> Position:
    """A position with this hand, these melds and this piece of clothing on offer first."""
    slot = offer.partition("-")[0]
    clothing = _OFFER | ({slot: [offer, *_OFFER[slot][1:]]} if offer else {})
    start = {
        "hands": [hand.split(), list_words("2LC 3MC 11LG")],
        "animals": ["tiger", "fox"],
        "deck": list_words("1MC 3GC 10MC 2GM 11GC"),
        "clothing": clothing,
        "table": [meld.split() for meld in table],
    }
    return Position(seats=2, setup=start | setup)


def _play(cards: str, *table: str, **more: Any) -> Move:
    return {"play": cards.split(), "table": [meld.split() for meld in table], **more}


def _pick(cards: str) -> tuple[str, ...]:
    """These cards of the hand, as long as they lie there unpicked."""
    return tuple(f'#hand .t[data-w="{card}"][aria-pressed="false"]' for card in cards.split())


def _drop(meld: int) -> str:
    return f'#melds .meld[data-drop="{meld}"] .drop'


def _offered(piece: str) -> str:
    return f'#offer .o[data-w="{piece}"][aria-pressed="false"]'


def _is_draw(move: Move) -> bool:
    return "draw" in move


def _claims(move: Move) -> bool:
    return "claim" in move


_DRAWN: Final = WrongMove(
    _is_draw, gettext_noop("If you can play nothing, you draw a card. Here you can play: follow the step.")
)
_NO_CLOTHES: Final = gettext_noop(
    "That is allowed, but you take no clothing. Tap the piece on offer before you confirm."
)

_MELDS: Final = "#melds .meld"

LESSON: Final = Lesson(
    minutes=5,
    steps=(
        LessonStep(
            slug="run",
            title=gettext_noop("A run"),
            task=gettext_noop(
                "A run is three or more numbers in a row in one material. Tap your 4, 5 and 6 of leather, then “New "
                "meld”, then the big button."
            ),
            praise=gettext_noop("Runs pay for clothes. All melds on the table belong to everybody."),
            position=_set_up("4LG 5LM 6LC 9GM 11MC"),
            right=_play("4LG 5LM 6LC", "4LG:L 5LM:L 6LC:L"),
            fits=lambda move: "play" in move,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(*_pick("4LG 5LM 6LC"), _PLACE_NEW, "#go"),
        ),
        LessonStep(
            slug="set",
            title=gettext_noop("A set"),
            task=gettext_noop(
                "A set is three or four cards of one number, each in a different material. Lay your three 8s."
            ),
            praise=gettext_noop(
                "Sets pay for nothing by themselves, but you get rid of cards, and they can be rebuilt into runs."
            ),
            otherwise=gettext_noop("That switches on a special rule. We come to that later: lay the set alone."),
            position=_set_up("2GC 8LG 8LM 8MC 10LC"),
            right=_play("8LG 8LM 8MC", "8LG:L 8LM:M 8MC:C"),
            fits=lambda move: "play" in move,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(*_pick("8LG 8LM 8MC"), _PLACE_NEW, "#go"),
        ),
        LessonStep(
            slug="both-suits",
            title=gettext_noop("Two materials"),
            task=gettext_noop(
                "Each card has two materials and counts as one of them. Your 8 is leather or gem: add it to the gem "
                "run."
            ),
            praise=gettext_noop("It turned to gem by itself. On the table a tap on the lower half of a card turns it."),
            position=_set_up("8LG 11MC", ["5LG:G 6GM:G 7GC:G"]),
            right=_play("8LG", "5LG:G 6GM:G 7GC:G 8LG:G"),
            fits=lambda move: "play" in move,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(*_pick("8LG"), _drop(0), "#go"),
        ),
        LessonStep(
            slug="rearrange",
            title=gettext_noop("Rebuild the table"),
            task=gettext_noop(
                "Your 5 fits if you cut the run in two: tap the 6, then “Split before it”. Then put your 5 to the "
                "6 and 7."
            ),
            praise=gettext_noop(
                "You may move everything on the table, as long as only runs and sets lie there in the end."
            ),
            position=_set_up("5LG 11MC", ["3LG:L 4LM:L 5LC:L 6LG:L 7LM:L"]),
            right=_play("5LG", "3LG:L 4LM:L 5LC:L", "5LG:L 6LG:L 7LM:L"),
            fits=lambda move: "play" in move,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(
                '#melds .meld:has(.t:nth-child(5)) .t[data-w="6LG:L"][aria-pressed="false"]',
                '#desk [data-do="split"]:not([hidden])',
                *_pick("5LG"),
                _drop(1),
                "#go",
            ),
        ),
        LessonStep(
            slug="clothes",
            title=gettext_noop("Clothes"),
            task=gettext_noop(
                "The cloth gloves need a cloth run of four. Add your 7 to the run, tap the gloves, then the big button."
            ),
            praise=gettext_noop(
                "Your animal wears them. Cloth is your tiger's favourite material, and that gives extra points."
            ),
            otherwise=_NO_CLOTHES,
            position=_set_up("7LC 11MC", ["4LC:C 5GC:C 6MC:C"], offer="hand-C-2"),
            right=_play("7LC", "4LC:C 5GC:C 6MC:C 7LC:C", claim="hand-C-2", spot="hand"),
            fits=_claims,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(*_pick("7LC"), _drop(0), _offered("hand-C-2"), "#go"),
        ),
        LessonStep(
            slug="wrong-spot",
            title=gettext_noop("The wrong spot"),
            task=gettext_noop(
                "You wear gloves already. Lay your 6, take the metal gloves all the same, and choose another spot "
                "for them."
            ),
            praise=gettext_noop(
                "In a wrong spot a piece counts 2 less. When somebody's last spot is filled, the others have one "
                "more turn."
            ),
            otherwise=_NO_CLOTHES,
            position=_set_up("6LM 11MC", ["3LM:M 4GM:M 5MC:M"], offer="hand-M-2", worn=[{"hand": ["hand-L-1"]}, {}]),
            right=_play("6LM", "3LM:M 4GM:M 5MC:M 6LM:M", claim="hand-M-2", spot="feet"),
            fits=_claims,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(
                *_pick("6LM"),
                _drop(0),
                _offered("hand-M-2"),
                '#choices:not(:has([data-key="spot"][aria-pressed="true"])) [data-key="spot"]',
                "#go",
            ),
        ),
        LessonStep(
            slug="wild",
            title=gettext_noop("Wilds"),
            task=gettext_noop(
                "Clothes of your animal can stand for any number of their material. Lay your 6, your 8 and the gem "
                "gloves as one run."
            ),
            praise=gettext_noop(
                "The gloves are a 7 of gem now, and your animal has lost them. At least one card must come from "
                "your hand."
            ),
            otherwise=gettext_noop("Those cards make no run without the gloves. Tap the gloves, too."),
            position=_set_up("6LG 8GM 11MC", worn=[{"hand": ["hand-G-1"]}, {}]),
            right=_play("6LG 8GM", "6LG:G hand-G-1:7 8GM:G", wilds=["hand-G-1"]),
            fits=lambda move: "wilds" in move,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=('#wardrobe .t[aria-pressed="false"]', *_pick("6LG 8GM"), _PLACE_NEW, "#go"),
        ),
        LessonStep(
            slug="special-rule",
            title=gettext_noop("Special rules"),
            task=gettext_noop(
                "A set from your hand can switch on one of four special rules for everybody. Lay the 9s and switch "
                "on “Loop”."
            ),
            praise=gettext_noop("It holds for the rest of the game. In that turn you take no clothing."),
            otherwise=gettext_noop(
                "That lays the set, but switches on another rule or none. Choose “Loop” before you confirm."
            ),
            position=_set_up("2GC 9LG 9LM 9MC 10LC"),
            right={"activate": "loop", "set": ["9LG:L", "9LM:M", "9MC:C"]},
            fits=lambda move: move.get("activate") == "loop",
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(
                *_pick("9LG 9LM 9MC"),
                _PLACE_NEW,
                '#choices [data-value="loop"][aria-pressed="false"]',
                "#go",
            ),
        ),
        LessonStep(
            slug="loop",
            title=gettext_noop("Loop"),
            task=gettext_noop("With “Loop” on, 1 follows the highest number, here 11. Add your 1 to the run."),
            praise=gettext_noop("9, 10, 11, 1: a run of four. No number may be in it twice."),
            position=_set_up(
                "1LG 5MC",
                ["9LG:L 10LM:L 11LC:L"],
                active=["loop"],
                hands=[list_words("1LG 5MC"), list_words("2LC 3MC 8LG")],
            ),
            right=_play("1LG", "9LG:L 10LM:L 11LC:L 1LG:L"),
            fits=lambda move: "play" in move,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(*_pick("1LG"), _drop(0), "#go"),
        ),
        LessonStep(
            slug="return",
            title=gettext_noop("Return"),
            task=gettext_noop(
                "With “Return” on, you may put away one piece on offer if you take none. Add your 7, and tap the "
                "gem hat."
            ),
            praise=gettext_noop("It goes under its deck, and the deck shows its next piece."),
            otherwise=gettext_noop(
                "That is allowed, but you put nothing away. Tap a piece on offer before you confirm."
            ),
            position=_set_up("7LG 11MC", ["4LM:L 5LC:L 6LG:L"], active=["return"]),
            right=_play("7LG", "4LM:L 5LC:L 6LG:L 7LG:L", **{"return": "head-G-8"}),
            fits=lambda move: "return" in move,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(
                *_pick("7LG"),
                _drop(0),
                '#offer:not(:has([aria-pressed="true"])) .o[data-w="head-G-8"]',
                "#go",
            ),
        ),
        LessonStep(
            slug="cover",
            title=gettext_noop("Cover"),
            task=gettext_noop(
                "With “Cover” on, clothing may go on top of other clothing. Lay your 7, take the cloth gloves, and "
                "cover the old ones."
            ),
            praise=gettext_noop("The piece below counts half, rounded up, and is no wild any more."),
            otherwise=_NO_CLOTHES,
            position=_set_up(
                "7LC 11MC", ["4LC:C 5GC:C 6MC:C"], offer="hand-C-2", active=["cover"], worn=[{"hand": ["hand-L-1"]}, {}]
            ),
            right=_play("7LC", "4LC:C 5GC:C 6MC:C 7LC:C", claim="hand-C-2", spot="hand"),
            fits=lambda move: _claims(move) and move.get("spot") == "hand",
            shows=_MELDS,
            wrong=(
                _DRAWN,
                WrongMove(
                    _claims,
                    gettext_noop(
                        "In another spot the gloves would count 2 less. Choose the hand: that covers the old ones."
                    ),
                ),
            ),
            replies=_DRAW,
            points=(
                *_pick("7LC"),
                _drop(0),
                _offered("hand-C-2"),
                '#choices [data-value="hand"][aria-pressed="false"]',
                "#go",
            ),
        ),
        LessonStep(
            slug="mix",
            title=gettext_noop("Mix"),
            task=gettext_noop(
                "With “Mix” on, a new run from your hand counts together with a run beside it. Lay 8, 9 and 10 of "
                "gem as a new meld, and take the gem coat."
            ),
            praise=gettext_noop(
                "Leather 5 to 7 and gem 8 to 10 paid for it together: six in a row. You know Fancy Animals."
            ),
            otherwise=_NO_CLOTHES,
            position=_set_up(
                "8GM 9GC 10GM 1LC",
                ["5LG:L 6LM:L 7LC:L"],
                offer="body-G-5",
                active=["mix"],
                deck=list_words("1MC 3GC 10MC 2GM 11GC"),
            ),
            right=_play("8GM 9GC 10GM", "5LG:L 6LM:L 7LC:L", "8GM:G 9GC:G 10GM:G", claim="body-G-5", spot="body"),
            fits=_claims,
            shows=_MELDS,
            wrong=(_DRAWN,),
            replies=_DRAW,
            points=(*_pick("8GM 9GC 10GM"), _PLACE_NEW, _offered("body-G-5"), "#go"),
        ),
    ),
)
