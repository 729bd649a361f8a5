"""Finds the best play, or proves that there is none."""

from __future__ import annotations

from collections.abc import Sequence

from games.catalogue.fancy_animals.rules.solving.laying import read_solution
from games.catalogue.fancy_animals.rules.solving.model import Model
from games.catalogue.fancy_animals.rules.solving.problem import Outfit, Problem, Solution, list_outfits
from games.catalogue.fancy_animals.rules.solving.program import Column


def find_best(problem: Problem) -> Solution | None:
    """A play that gains as many points as any; None if nothing at all can be played."""
    outfits = sorted(list_outfits(problem), key=lambda outfit: (-outfit.gain, outfit.wilds.bit_count()))
    return find_first(problem, outfits)


def find_first(problem: Problem, outfits: Sequence[Outfit], *, nodes: int | None = None) -> Solution | None:
    """A play that dresses the animal in the first of these ways that can be; None if none can.

    For each there is an answer of the program, or its proof that there is none. nodes: the search for each ends
    there at the latest, and then one that could be may be passed over.
    """
    if not problem.hand or not outfits:
        return None
    plain = Model(problem, outfits)
    is_proved = False
    for column, outfit in plain.outfits.items():
        found = _solve_with(plain, [column], nodes)
        if found is None and outfit.claim is not None and "mix" in problem.active:
            mixed = Model(problem, [outfit], is_mixed=True)
            found = _solve_with(mixed, list(mixed.outfits), nodes)
        if found is not None:
            return found
        if not is_proved and column not in plain.hopeless:
            idle = Model(problem, [outfit for outfit in list_outfits(problem) if outfit.claim is None])
            if _solve_with(idle, list(idle.outfits), nodes) is None:
                return None
            is_proved = True
    return None


def _solve_with(model: Model, allowed: Sequence[Column], nodes: int | None) -> Solution | None:
    """The answer in one of these outfits."""
    if all(column in model.hopeless for column in allowed):
        return None
    for column in model.outfits:
        model.program.limit(column, int(column in allowed))
    values = model.program.solve(nodes)
    return None if values is None else read_solution(model, values)
