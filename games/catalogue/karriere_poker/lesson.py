"""The lesson of Karriere Poker: one deal to its end, the exchange after it, and two positions of another deal."""

from __future__ import annotations

from typing import Final

from games.catalogue.climbing.lesson import PASS, follow, is_pass, play, plays, point_at
from games.rules.info import gettext_noop
from games.rules.lessons import Lesson, LessonStep, Position, WrongMove, list_words

_CAREER: Final = Position(
    seats=4,
    setup={
        "order": [0, 1, 2, 3],
        "deals": [
            {
                "hands": [
                    list_words("2 2 3 3 3 8 8 8 12 J"),
                    list_words("4 4 5 5 5 6 6 10 10 10"),
                    list_words("7 7 9 9"),
                    list_words("1 5 11"),
                ]
            },
            {
                "hands": [
                    list_words("1 2 4 4 6 9 9 11"),
                    list_words("1 3 5 7 8 10 12 12"),
                    list_words("2 3 6 7 8 10 11 J"),
                    list_words("3 4 5 7 8 10 13 13"),
                ]
            },
        ],
    },
    options={"deals": 3},
)
_DISHWASHER: Final = Position(
    seats=4,
    setup={
        "positions": [4, 1, 2, 3],
        "deals": [
            {
                "hands": [
                    list_words("3 5 9 10 12 12 13 13"),
                    list_words("1 2 4 6 8 8 11 11"),
                    list_words("1 5 6 6 9 9 10 12"),
                    list_words("2 3 4 7 7 10 11 12"),
                ]
            }
        ],
    },
    options={"deals": 3},
    moves=follow((1, "4"), (2, "6"), (3, "7")),
)
_JOKERS: Final = Position(
    seats=4,
    setup={
        "order": [1, 2, 3, 0],
        "deals": [
            {"hands": [list_words("4 4 9 J J"), list_words("13 13 7"), list_words("8 8 5"), list_words("6 10 10")]}
        ],
    },
    options={"deals": 3},
    moves=follow((1, "13 13"), (2, ""), (3, "")),
)

LESSON: Final = Lesson(
    minutes=4,
    steps=(
        LessonStep(
            slug="lead",
            title=gettext_noop("Lead"),
            task=gettext_noop("You want to get rid of your cards first. You lead: tap your 3s, then the big button."),
            praise=gettext_noop(
                "You can lead any number of equal cards. Low cards are hard to lose later. One player beat you."
            ),
            otherwise=gettext_noop("That is allowed, but it breaks up good cards. Lead all three 3s."),
            position=_CAREER,
            right=play("3 3 3"),
            replies=follow((1, "5 5 5"), (2, ""), (3, "")),
            points=point_at("3"),
        ),
        LessonStep(
            slug="beat",
            title=gettext_noop("Beat"),
            task=gettext_noop("Three 5s lie there. Beat them with three equal cards of a higher number."),
            praise=gettext_noop(
                "As many cards, and a higher number: that beats a play. Your turn came twice in this round."
            ),
            otherwise=gettext_noop("That is allowed, but your joker is worth more later. Play your three 8s."),
            wrong=(WrongMove(is_pass, gettext_noop("You may pass, but you can beat this: play your three 8s.")),),
            right=play("8 8 8"),
            replies=follow((1, "10 10 10"), (2, ""), (3, "")),
            points=point_at("8"),
        ),
        LessonStep(
            slug="pass",
            title=gettext_noop("Pass"),
            task=gettext_noop("You have no three equal cards above 10. Pass."),
            praise=gettext_noop(
                "A pass is not final: you could play again in the same round. It ends when all the others have passed."
            ),
            right=PASS,
            replies=follow((1, "4 4"), (2, "9 9"), (3, "")),
            points=("#go",),
            otherwise=gettext_noop("Nothing in your hand beats three 10s. Pass."),
        ),
        LessonStep(
            slug="joker",
            title=gettext_noop("Joker"),
            task=gettext_noop("Beat two 9s. A joker stands in for any number: tap your 12, and the joker joins it."),
            praise=gettext_noop("Two 12s. Everybody passed, so you won the round. Its winner leads the next one."),
            otherwise=gettext_noop("With the joker you have two 12s, and those beat two 9s."),
            right=play("12 J"),
            replies=follow((1, ""), (2, ""), (3, "")),
            points=point_at("12"),
        ),
        LessonStep(
            slug="out",
            title=gettext_noop("First out"),
            task=gettext_noop("You lead again. Play your last two cards."),
            praise=gettext_noop(
                "First out: you are the Boss of the next deal. You get a point for everyone who finished after you."
            ),
            otherwise=gettext_noop("Play both 2s at once. Then your hand is empty."),
            right=play("2 2"),
            replies=follow((1, "6 6"), (2, "7 7")),
            points=point_at("2"),
        ),
        LessonStep(
            slug="exchange",
            title=gettext_noop("Exchange"),
            task=gettext_noop(
                "As Boss you swapped your two lowest cards for the Dishwasher's two highest. Lead the two that you got."
            ),
            praise=gettext_noop(
                "Each deal begins like that: those at the bottom give their best cards, those at the top their lowest."
            ),
            otherwise=gettext_noop("Those are your own. “Your exchange” shows the two cards that you got: 13s."),
            right=play("13 13"),
            replies=follow((1, ""), (2, ""), (3, "")),
            points=point_at("13"),
        ),
        LessonStep(
            slug="dishwasher",
            title=gettext_noop("At the bottom"),
            task=gettext_noop(
                "Another deal: you are the Dishwasher, and your two 13s went to the Boss. Beat the 7 as cheaply as "
                "you can."
            ),
            praise=gettext_noop("Save your best cards. Nobody stays at the bottom: every deal gives new jobs."),
            otherwise=gettext_noop("That beats the 7, too, but a lower card is enough. Play the 9."),
            wrong=(
                WrongMove(is_pass, gettext_noop("You may pass, but here you lose a low card for nothing. Beat the 7.")),
            ),
            position=_DISHWASHER,
            right=play("9"),
            points=point_at("9"),
        ),
        LessonStep(
            slug="jokers-alone",
            title=gettext_noop("Jokers alone"),
            task=gettext_noop("Two 13s: no number is higher. Jokers alone are. Play both of them."),
            praise=gettext_noop("Only more jokers could have beaten that. That is all: you know Karriere Poker."),
            otherwise=gettext_noop("Play both jokers together: two cards beat two cards."),
            wrong=(WrongMove(is_pass, gettext_noop("You may pass, but jokers alone beat the 13s. Play both.")),),
            position=_JOKERS,
            right=play("J J"),
            fits=plays("J J"),
            replies=follow((1, ""), (2, ""), (3, "")),
            points=point_at("J"),
        ),
    ),
)
