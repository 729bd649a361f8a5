"""What an evening of rounds looks like: how many rounds fit into it, at which tables, and when it ends. Pure."""

from __future__ import annotations

from typing import NamedTuple

from tournaments.draw.problem.pod_sizes import count_byes, find_size_mix
from tournaments.formats.base import CupStage, Sizes
from tournaments.formats.rounds import MAX_ROUNDS

ROUND_MINUTES = 30
"""A round that nobody has said a length for."""
BREAK_MINUTES = 6
"""Minutes between two rounds: results come in, the next draw, people find their tables."""
MIN_ROUND = 10
"""Minutes of the shortest round that is proposed."""


class Night(NamedTuple):
    """An evening. tables: people at each, largest first; byes: how many sit out a round.

    rounds: without those of a knockout; stages: the knockout's.
    """

    people: int
    tables: tuple[int, ...]
    byes: int
    rounds: int
    round_minutes: int
    stages: tuple[CupStage, ...] = ()

    @property
    def all_rounds(self) -> int:
        """The rounds, and the stages of the knockout."""
        return self.rounds + len(self.stages)

    @property
    def minutes(self) -> int:
        """How long it takes, with a break after each round but the last."""
        return self.all_rounds * self.round_minutes + (self.all_rounds - 1) * BREAK_MINUTES


def describe_night(
    people: int, sizes: Sizes, *, rounds: int, round_minutes: int, stages: tuple[CupStage, ...] = ()
) -> Night | None:
    """The evening of so many people in so many rounds and these stages; None if they fill no table."""
    byes = count_byes(people, smallest=sizes.least, largest=sizes.most)
    mix = find_size_mix(people - byes, wanted=sizes.wanted, smallest=sizes.least, largest=sizes.most)
    return None if mix is None else Night(people, mix.sizes, byes, rounds, round_minutes, stages)


def propose_night(
    people: int, minutes: int, sizes: Sizes, *, most_rounds: int | None = None, round_minutes: int | None = None
) -> Night | None:
    """Rounds and their length so that the evening takes at most `minutes`; None if that is too short or no table fills.

    most_rounds: more make no sense (everybody has met everybody); then rounds get longer, up to twice the usual length.
    round_minutes: if the organiser has fixed it.
    """
    usual = round_minutes or ROUND_MINUTES
    most = min(most_rounds or MAX_ROUNDS, MAX_ROUNDS)
    rounds = min(most, (minutes + BREAK_MINUTES) // (usual + BREAK_MINUTES))
    if rounds < 1:
        rounds = 1
    left = (minutes - (rounds - 1) * BREAK_MINUTES) // rounds
    length = usual if round_minutes else min(left // 5 * 5, 2 * usual if rounds == most else usual)
    if (length < MIN_ROUND and not round_minutes) or rounds * length + (rounds - 1) * BREAK_MINUTES > minutes:
        return None
    return describe_night(people, sizes, rounds=rounds, round_minutes=length)


def count_new_opponents(people: int, size: int) -> int:
    """In how many rounds nobody has to meet anybody twice: a bound, at least 1."""
    return max(1, (people - 1) // max(1, size - 1))
