"""Round robins in which nobody meets twice, by algebra: the circle method, or lines through a grid (Bose 1938).

People stand in `size` columns of t, the number of pods. In the round of slope m, the pod of b holds the person at m·aᵢ
+ b of column i. Two people of different columns meet in one round only, since all differences of the aᵢ are invertible.
Places are elements of a product of finite fields, so there are t rounds if no prime power in t is below `size`.
Afterwards each column, whose people have not met, is planned in the same way if it divides into pods.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Final

from tournaments.draw.plans.annealing import PlannedRound

MAX_PODS: Final = 64
"""Pods of a grid, at most: it bounds the time for building one."""


class Field:
    """The finite field of p^k elements. Each is a number whose digits to the base p are its coefficients."""

    def __init__(self, prime: int, degree: int) -> None:
        self.prime, self.degree, self.order = prime, degree, int(prime**degree)
        self.powers = self._find_powers()
        self.log = {power: exponent for exponent, power in enumerate(self.powers)}

    def add(self, one: int, other: int) -> int:
        """Digit by digit, modulo p."""
        digits = zip(self._split(one), self._split(other), strict=True)
        return self._join([(low + high) % self.prime for low, high in digits])

    def multiply(self, one: int, other: int) -> int:
        """The product in the field, by logarithms."""
        if not one or not other:
            return 0
        return self.powers[(self.log[one] + self.log[other]) % (self.order - 1)]

    def _find_powers(self) -> list[int]:
        """The powers of a primitive element: of x, for the first polynomial xᵏ = tail for which it is one."""
        for tail in product(range(self.prime), repeat=self.degree):
            power, found = 1, [1]
            while (power := self._times_x(power, tail)) > 1 and len(found) < self.order:
                found.append(power)
            if power == 1 and len(found) == self.order - 1:
                return found
        raise ValueError(f"{self.prime} is no prime")

    def _times_x(self, power: int, tail: tuple[int, ...]) -> int:
        *low, top = self._split(power)
        return self._join([(digit + top * each) % self.prime for digit, each in zip([0, *low], tail, strict=True)])

    def _split(self, element: int) -> list[int]:
        return [element // self.prime**place % self.prime for place in range(self.degree)]

    def _join(self, digits: list[int]) -> int:
        return sum(digit * self.prime**place for place, digit in enumerate(digits))


def factor(number: int) -> list[tuple[int, int]]:
    """Primes with their exponents."""
    found, prime = [], 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number, exponent = number // prime, exponent + 1
        if exponent:
            found.append((prime, exponent))
        prime += 1
    return found


def plan_circle(people: int, rounds: int) -> list[PlannedRound]:
    """Pairs by the circle method (Kirkman 1847): everybody meets everybody, in at most so many rounds.

    With an even number one person stays; with an odd number the person who would meet them has a bye. The others move
    round.
    """
    turns = people - 1 + people % 2
    found = []
    for turn in range(min(turns, rounds)):
        pairs = [[(turn + step) % turns, (turn - step) % turns] for step in range(1, turns // 2 + 1)]
        found.append(pairs if people % 2 else [*pairs, [turn, people - 1]])
    return found


def plan_grid(people: int, size: int, rounds: int) -> list[PlannedRound]:
    """As many rounds as the grid gives, at most so many; pods of `size`, or one less where people are missing."""
    pods = -(-people // size)
    missing = pods * size - people
    if not 1 < pods <= MAX_PODS or missing > pods or min(prime**degree for prime, degree in factor(pods)) < size:
        return []
    fields = [Field(*each) for each in factor(pods)]
    found = [_list_lines(fields, pods, size, slope) for slope in range(min(pods, rounds))]
    if not missing and pods % size == 0 and rounds > pods:
        blocks = [list(range(first, first + size)) for first in range(0, pods, size)]
        for each in plan_grid(pods, size, rounds - pods) or [blocks]:
            found.append([[column * pods + member for member in pod] for column in range(size) for pod in each])
    return [[[member for member in pod if member < people] for pod in each] for each in found]


def _list_lines(fields: list[Field], pods: int, size: int, slope: int) -> PlannedRound:
    """One round: person column · pods + place; a place is a number in each field."""
    below = [prod(field.order for field in fields[:each]) for each in range(len(fields))]
    found = []
    for start in range(pods):
        pod = []
        for column in range(size):
            place = 0
            for field, step in zip(fields, below, strict=True):
                far = field.multiply(slope // step % field.order, column)
                place += step * field.add(far, start // step % field.order)
            pod.append(column * pods + place)
        found.append(pod)
    return found
