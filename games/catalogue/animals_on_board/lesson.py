"""The lesson of Animals on Board: a first round, what animals are worth, and the last turn of a game."""

from __future__ import annotations

from typing import Any, Final

from games.rules.base import Move
from games.rules.info import gettext_noop
from games.rules.lessons import Lesson, LessonStep, Position, ScriptedMove, WrongMove, list_words

_SPECIES: Final = list_words("crocodile elephant fox giraffe kangaroo lion panda rhino tiger zebra")
_SEATS: Final = 3


def _set_up(**setup: Any) -> Position:
    """A later position, the learner to act."""
    start = {"start": 0, "to_act": 0, "face_down": None, "stack": list_words("fox-1 fox-2 fox-3 rhino-1 rhino-2")}
    return Position(seats=_SEATS, setup=start | setup)


def _tile(word: str) -> str:
    return f'#islands .t[data-t="{word}"][aria-pressed="false"]'


def _price(group: int) -> str:
    return f'#islands .island[data-group="{group}"] .price[aria-pressed="false"]'


def _is_split(move: Move) -> bool:
    return "split" in move


_CHOICE: Final = Position(
    seats=_SEATS,
    setup={
        "start": 0,
        "species": _SPECIES,
        "stack": list_words(
            "lion-5 tiger-2 zebra-1 panda-3 fox-4 rhino-5 giraffe-1 kangaroo-2 elephant-3 "
            "lion-1 lion-2 panda-1 crocodile-4 tiger-5 zebra-3 fox-2 rhino-1"
        ),
    },
    moves=(ScriptedMove(1, {"keep": "panda-3"}), ScriptedMove(2, {"keep": "elephant-3"})),
)
_ROUND: Final = _set_up(
    arks=[["lion-5"], ["panda-3"], ["elephant-3"]],
    crates=[1, 1, 1],
    middle=[list_words("tiger-2 zebra-1 fox-4 rhino-5 giraffe-1 lion-1 lion-2 kangaroo-2")],
    in_round=[0, 1, 2],
)
_PAIR: Final = _set_up(
    arks=[["lion-4", "zebra-3"], ["panda-3"], ["elephant-3", "fox-4"]],
    crates=[1, 2, 1],
    middle=[["lion-5"], ["tiger-3"], ["panda-1", "panda-2", "crocodile-4"]],
    in_round=[0, 1, 2],
)
_HERD: Final = _set_up(
    arks=[["lion-2", "lion-3", "zebra-3"], ["panda-3"], ["elephant-3", "fox-4"]],
    crates=[2, 2, 1],
    middle=[["tiger-5", "elephant-5"], ["lion-1", "panda-2"]],
    in_round=[0, 1, 2],
)
_FULL: Final = _set_up(
    arks=[["lion-4", "tiger-1"], ["panda-3", "panda-4"], ["elephant-3", "elephant-4"]],
    crates=[5, 1, 2],
    middle=[["zebra-5", "?", "giraffe-4", "kangaroo-3"], ["tiger-2", "panda-1"]],
    face_down="lion-2",
    in_round=[0, 1, 2],
)
_LAST: Final = _set_up(
    arks=[
        list_words("lion-1 lion-2 lion-3 tiger-1 tiger-2 zebra-5 giraffe-4 panda-5"),
        list_words("elephant-1 elephant-2 elephant-3 fox-4 fox-5"),
        list_words("crocodile-1 crocodile-2 panda-1 panda-2 panda-3 kangaroo-4"),
    ],
    crates=[3, 1, 0],
    middle=[["tiger-4", "kangaroo-5"], ["rhino-3", "rhino-4", "elephant-5", "zebra-1"]],
    in_round=[0],
)

LESSON: Final = Lesson(
    minutes=3,
    steps=(
        LessonStep(
            slug="keep",
            title=gettext_noop("Your first animal"),
            task=gettext_noop("You fill an ark. Keep one of your three tiles: tap it, then the big button."),
            praise=gettext_noop(
                "Only you see your ark. All other tiles went to the quay, and more came, in one large group."
            ),
            position=_CHOICE,
            right={"keep": "lion-5"},
            fits=lambda move: "keep" in move,
            points=('#choice:not(:has([aria-pressed="true"])) .t', "#go"),
        ),
        LessonStep(
            slug="split",
            title=gettext_noop("Split"),
            task=gettext_noop(
                "A group costs one crate per tile, and you have one crate. Split off both lions: that earns you a "
                "crate."
            ),
            praise=gettext_noop(
                "Now you have two crates. The others have split, too, and the two lions still lie there."
            ),
            otherwise=gettext_noop("That split is allowed, but you want the lions. Tap both lions and nothing else."),
            position=_ROUND,
            right={"split": 1, "off": ["lion-1", "lion-2"]},
            replies=(
                ScriptedMove(1, {"split": 1, "off": ["tiger-2", "zebra-1"]}),
                ScriptedMove(2, {"split": 1, "off": ["kangaroo-2"]}),
            ),
            points=(_tile("lion-1"), _tile("lion-2"), "#go"),
        ),
        LessonStep(
            slug="take",
            title=gettext_noop("Take"),
            task=gettext_noop(
                "You can pay for two tiles. Tap the price of the group with the lions, and take all of it."
            ),
            praise=gettext_noop(
                "The tiles are on your ark, and you are out of this round. The first one out begins the next round."
            ),
            otherwise=gettext_noop(
                "You can do that, but with your lion on the ark two more make a herd. Take the lions."
            ),
            wrong=(WrongMove(_is_split, gettext_noop("Another player may take the lions first. Take them now.")),),
            right={"take": 2},
            points=(_price(2), "#go"),
        ),
        LessonStep(
            slug="pair",
            title=gettext_noop("Pairs"),
            task=gettext_noop(
                "Exactly two of a kind are worth nothing: pairs belong to Noah. You have one lion. Take the right tile."
            ),
            praise=gettext_noop(
                "A single animal is worth its number. With the lion you would have had a pair, worth nothing."
            ),
            otherwise=gettext_noop("With this lion you would have exactly two, worth nothing. Take the tiger."),
            wrong=(WrongMove(_is_split, gettext_noop("You can pay for a single tile. Take the tiger.")),),
            position=_PAIR,
            right={"take": 2},
            points=(_price(2), "#go"),
        ),
        LessonStep(
            slug="herd",
            title=gettext_noop("Herds"),
            task=gettext_noop(
                "Three or more of a kind are a herd: each counts 5. Turn your pair of lions into a herd."
            ),
            praise=gettext_noop("Three lions are worth 15 now. The number under your ark shows what it is worth."),
            otherwise=gettext_noop(
                "Those count 10, but your lions would stay a worthless pair. Take the third lion: that is 15."
            ),
            wrong=(
                WrongMove(_is_split, gettext_noop("You can pay for two tiles already. Take the group with the lion.")),
            ),
            position=_HERD,
            right={"take": 2},
            points=(_price(2), "#go"),
        ),
        LessonStep(
            slug="full",
            title=gettext_noop("Five crates"),
            task=gettext_noop("You own five crates, the most there is: now a split costs one. Take the group of four."),
            praise=gettext_noop(
                "One tile lay face down, and it was a lion. Nobody knew it before, and now only you do."
            ),
            otherwise=gettext_noop(
                "Two crates buy that, but the tiger makes a pair with yours. Take the group of four."
            ),
            wrong=(
                WrongMove(_is_split, gettext_noop("With five crates a split costs you one. Take the group of four.")),
            ),
            position=_FULL,
            right={"take": 1},
            points=(_price(1), "#go"),
        ),
        LessonStep(
            slug="end",
            title=gettext_noop("The end"),
            task=gettext_noop(
                "All others are out: you have one last turn. With ten tiles on an ark the game ends. Take the two "
                "tiles."
            ),
            praise=gettext_noop(
                "Three lions 15, three tigers 15, each single animal its number, each crate 1. You know Animals on "
                "Board."
            ),
            otherwise=gettext_noop("If you split, the round ends and you have taken nothing. Take the two tiles."),
            position=_LAST,
            right={"take": 1},
            points=(_price(1), "#go"),
        ),
    ),
)
