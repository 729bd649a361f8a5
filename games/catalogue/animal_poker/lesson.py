"""The lesson of Animal Poker: one session to its end, the cashing-in after it, and freelancers alone."""

from __future__ import annotations

from typing import Final

from games.catalogue.climbing.lesson import PASS, follow, is_pass, play, point_at
from games.rules.info import gettext_noop
from games.rules.lessons import Lesson, LessonStep, Position, WrongMove, list_words

_EVENING: Final = Position(
    seats=4,
    setup={
        "jobs": [1, 2, 3, 4],
        "sessions": [
            {
                "hands": [
                    list_words("1 1 1 2 2 3 3 9"),
                    list_words("1 4 5 5 6 6 6 6 7 7 7 10"),
                    list_words("4 8 8 11 11"),
                    list_words("7 10 10 10 12 12 F"),
                ]
            },
            {
                "hands": [
                    list_words("1 2 4 5 5 9 9 11"),
                    list_words("2 3 6 7 8 10 12 12"),
                    list_words("3 4 6 8 8 13 13 13"),
                    list_words("1 3 5 7 10 10 11 F"),
                ]
            },
        ],
    },
    options={"minutes": 30},
)
_FREELANCER: Final = Position(
    seats=5,
    setup={
        "jobs": [3, 1, 2, 4, 5],
        "sessions": [
            {
                "hands": [
                    list_words("4 6 6 10 F"),
                    list_words("1 1 2 8 9 13"),
                    list_words("2 3 7 9 9"),
                    list_words("4 5 5 8 10"),
                    list_words("3 5 11 12 12"),
                ]
            }
        ],
    },
    options={"minutes": 30},
    moves=follow((1, "13"), (2, "")),
)

LESSON: Final = Lesson(
    minutes=4,
    steps=(
        LessonStep(
            slug="lead",
            title=gettext_noop("Lead"),
            task=gettext_noop("You are the CEO, and the CEO begins. Get rid of low cards first: lead your 3s."),
            praise=gettext_noop(
                "Everybody has one turn, then the round is over. The highest play won it and led the next: now a 7 "
                "lies there."
            ),
            otherwise=gettext_noop("That is allowed, but your high cards are worth more later. Lead both 3s."),
            position=_EVENING,
            right=play("3 3"),
            replies=follow((1, "5 5"), (2, "8 8"), (3, ""), (2, "4"), (3, "7")),
            points=point_at("3"),
        ),
        LessonStep(
            slug="one-turn",
            title=gettext_noop("One turn each"),
            task=gettext_noop("This is your only turn in this round. Beat the 7 as cheaply as you can."),
            praise=gettext_noop("Your 9 is gone. One player was still to come, beat it, and led four 6s."),
            otherwise=gettext_noop("That beats the 7, but a lower card is enough. Play the 9."),
            wrong=(
                WrongMove(is_pass, gettext_noop("If you pass now, there is no second turn in this round. Play the 9.")),
            ),
            right=play("9"),
            replies=follow((1, "10"), (1, "6 6 6 6"), (2, ""), (3, "")),
            points=point_at("9"),
        ),
        LessonStep(
            slug="pass",
            title=gettext_noop("Pass"),
            task=gettext_noop("A play needs as many cards as lie there. You have no four equal cards: pass."),
            praise=gettext_noop("Nobody could beat the four 6s, so their player led again. Now there are three 10s."),
            right=PASS,
            replies=follow((1, "7 7 7"), (2, ""), (3, "10 10 10")),
            points=("#go",),
        ),
        LessonStep(
            slug="freelancer",
            title=gettext_noop("Freelancer"),
            task=gettext_noop("A freelancer (F) stands in for any number. Tap your 12s: with it they beat three 10s."),
            praise=gettext_noop("Three 12s. You were the last to play, so you won the round and lead."),
            otherwise=gettext_noop("With the freelancer you have three 12s, and those beat three 10s."),
            right=play("12 12 F"),
            points=point_at("12"),
        ),
        LessonStep(
            slug="out",
            title=gettext_noop("First out"),
            task=gettext_noop("Play your last two cards."),
            praise=gettext_noop(
                "First out takes the best job: you stay CEO. The last one left is the Trainee, and a new session "
                "begins."
            ),
            otherwise=gettext_noop("Play both 2s at once. Then your hand is empty."),
            right=play("2 2"),
            replies=follow((1, "11 11"), (2, ""), (3, ""), (3, "1 1 1")),
            points=point_at("2"),
        ),
        LessonStep(
            slug="exchange",
            title=gettext_noop("Cashing in"),
            task=gettext_noop(
                "Each session begins with this: the Trainee gave you their three best cards. Find them, and lead "
                "all three."
            ),
            praise=gettext_noop(
                "When time is up, the session is played to its end. The winner is the player who took the CEO job last."
            ),
            otherwise=gettext_noop("Those are your own. “Your exchange” shows what you got: three 13s."),
            right=play("13 13 13"),
            replies=follow((1, ""), (3, ""), (2, "")),
            points=point_at("13"),
        ),
        LessonStep(
            slug="freelancers-alone",
            title=gettext_noop("Freelancers alone"),
            task=gettext_noop("No number is higher than 13, but a freelancer alone is. Play it."),
            praise=gettext_noop("Nothing beats freelancers alone, not even other freelancers. You know Animal Poker."),
            otherwise=gettext_noop("Only a freelancer alone beats a 13."),
            wrong=(WrongMove(is_pass, gettext_noop("You may pass, but a freelancer alone beats the 13. Play it.")),),
            position=_FREELANCER,
            right=play("F"),
            replies=follow((3, ""), (4, "")),
            points=point_at("F"),
        ),
    ),
)
