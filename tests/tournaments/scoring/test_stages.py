"""Knockouts and ladders by chance, held against what the formats say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random

import pytest

from tournaments.scoring.knockout import fill_up, find_winners, is_final, mix_sizes, rank_knockout, seed_stage
from tournaments.scoring.ladder import cut, move, order_by_place, preview, rank_ladder
from tournaments.scoring.points import Scheme
from tournaments.scoring.results import FORFEIT, NO_SHOW, PLAYS, PodResult, RoundResult
from tournaments.scoring.standings import rank


def list_mixes(count: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to seat so many, larger tables first."""
    if count == 0:
        yield ()
    for size in range(min(most, count), least - 1, -1):
        yield from ((size, *rest) for rest in list_mixes(count - size, least, size))


@pytest.mark.parametrize("least", [2, 3, 4, 6])
def test_sizes_are_the_nearest_there_are(least: int) -> None:
    for most in range(least, 9):
        for wanted in range(least, most + 1):
            for count in range(1, 31):
                mixes = list(list_mixes(count, least, most))
                costs = [(sum(abs(size - wanted) for size in mix), len(mix)) for mix in mixes]
                found = mix_sizes(count, wanted=wanted, least=least, most=most)
                assert (found in mixes) == bool(mixes)
                if mixes:
                    assert (sum(abs(size - wanted) for size in found), len(found)) == min(costs)


def play(rng: Random, people: Sequence[str], *, all_come: bool) -> PodResult:
    """Places as they come in; a table that counts for nobody now and then."""
    scores = [rng.randint(-rng.choice((1, 9)), 0) for _ in people]
    places = tuple(1 + sum(other > one for other in scores) for one in scores)
    fates = tuple(PLAYS if all_come else rng.choice((PLAYS, PLAYS, PLAYS, NO_SHOW, FORFEIT)) for _ in people)
    return PodResult(tuple(people), places, fates=fates, is_void=rng.random() < 0.1)


def play_knockout(rng: Random, *, all_come: bool) -> tuple[tuple[str, ...], list[RoundResult], int]:
    """Everybody by seed, the stages to the final, and how many of a table went on."""
    least = rng.randint(2, 5)
    most = rng.randint(least, 8)
    wanted, advance = rng.randint(least, most), rng.randint(1, least - 1)
    people = tuple(f"{number:02}" for number in range(rng.randint(2, 30)))
    ranked: tuple[str, ...] = people
    stages: list[RoundResult] = []
    while len(ranked) > 1 and not (stages and is_final(stages[-1])):
        pods, byes = seed_stage(ranked, wanted=wanted, least=least, most=most)
        assert sorted([*byes, *(one for pod in pods for one in pod)]) == sorted(ranked)
        assert byes == ranked[: len(byes)]
        assert all(least <= len(pod) <= most for pod in pods) or (len(pods) == 1 and len(ranked) < least)
        stages.append(RoundResult(tuple(play(rng, pod, all_come=all_come) for pod in pods), byes=byes))
        before, ranked = ranked, find_winners(stages[-1], advance=advance, ranked=people)
        assert len(ranked) < len(before)
        assert set(byes) <= set(ranked)
        assert list(ranked) == sorted(ranked)
        for pod in stages[-1].pods:
            on = {one for one in pod.entrants if one in ranked}
            assert on <= {one for seat, one in enumerate(pod.entrants) if pod.fate(seat) == PLAYS}
            assert len(on) <= min(advance, len(pod.entrants) - 1)
            if all_come:
                assert len(on) == min(advance, len(pod.entrants) - 1)
                worst = max((place_of(pod, one), one) for one in on)
                assert all((place_of(pod, one), one) > worst for one in pod.entrants if one not in on)
    return people, stages, advance


def place_of(pod: PodResult, one: str) -> int:
    """A table that counts for nobody parts nobody."""
    return 1 if pod.is_void else pod.places[pod.entrants.index(one)]


@pytest.mark.parametrize("all_come", [True, False])
def test_a_knockout_comes_to_one_table_and_an_order_of_how_far_one_came(all_come: bool) -> None:
    rng = Random(f"knockout {all_come}")
    for _ in range(150):
        people, stages, advance = play_knockout(rng, all_come=all_come)
        if all_come:
            assert is_final(stages[-1])
        before = rank(people, (), Scheme(tie_breaks=()))
        through = [find_winners(stage, advance=advance, ranked=people) for stage in stages]
        for number, on in enumerate(through, start=1):
            lines = rank_knockout(before, stages[:number], through=through)
            assert {line.entrant for line in lines[: len(on)]} == set(on)
        through[-1] = () if is_final(stages[-1]) else through[-1]
        lines = rank_knockout(before, stages, through=through)
        assert sorted(line.entrant for line in lines) == list(people)
        last = {one: index for index, stage in enumerate(stages) for one in seated(stage)}
        far = [last[line.entrant] for line in lines]
        assert far == sorted(far, reverse=True)
        at = 1
        for place, group in groupby(lines, key=lambda line: line.place):
            assert place == at
            at += len(list(group))
        for index, stage in enumerate(stages):
            out = [line for line in lines if last[line.entrant] == index and line.entrant not in stage.byes]
            fates = [fate_of(stage, line.entrant) for line in out]
            assert fates == sorted(fates)  # who played before who did not
            if index == len(stages) - 1 and all_come and not stage.pods[0].is_void:
                assert [line.place for line in out] == sorted(stage.pods[0].places)


def seated(stage: RoundResult) -> list[str]:
    """Who was in a stage."""
    return [*stage.byes, *(one for pod in stage.pods for one in pod.entrants)]


def fate_of(stage: RoundResult, one: str) -> bool:
    """Whether somebody did not play in a stage."""
    return any(one in pod.entrants and pod.fate(pod.entrants.index(one)) != PLAYS for pod in stage.pods)


def test_too_few_for_the_game_are_filled_up_from_those_who_came_nearest() -> None:
    stage = RoundResult((PodResult(tuple("adeh"), (1, 2, 3, 4)), PodResult(tuple("bcfg"), (1, 3, 2, 4))))
    people = tuple("abcdefgh")
    assert fill_up("ab", stage, least=4, present=people, ranked=people) == ("a", "b", "d", "f")
    assert fill_up("ab", stage, least=3, present=people, ranked=people) == ("a", "b", "d")
    assert fill_up("ab", stage, least=4, present="abceh", ranked=people) == ("a", "b", "c", "e")
    assert fill_up("ab", stage, least=2, present=people, ranked=people) == ("a", "b")
    assert fill_up("a", stage, least=4, present=people, ranked=people) == ("a",)


def test_bots_on_empty_chairs_go_on_nowhere() -> None:
    stage = RoundResult((PodResult(tuple("adxy"), (3, 4, 1, 2)), PodResult(tuple("bcez"), (1, 2, 4, 3))))
    people = tuple("abcdexyz")
    assert find_winners(stage, advance=2, ranked=people, fillers="xyz") == ("a", "b", "c")
    assert find_winners(stage, advance=3, ranked=people, fillers="xyz") == ("a", "b", "c")


def test_a_ladder_moves_nobody_twice_and_says_before_who_goes_where() -> None:
    rng = Random("ladder")
    for _ in range(150):
        rungs = tuple(f"{number:02}" for number in range(rng.randint(2, 30)))
        sizes = mix_sizes(len(rungs), wanted=3, least=2, most=5)
        tables, byes = cut(rungs, sizes)
        assert byes == ()
        stretch = RoundResult(tuple(play(rng, table, all_come=rng.random() < 0.5) for table in tables))
        after, _ = cut(move(rungs, stretch), sizes)
        was = {one: index for index, table in enumerate(tables) for one in table}
        now = {one: index for index, table in enumerate(after) for one in table}
        goes = preview(rungs, stretch.pods)
        assert sorted(was) == sorted(now) == sorted(goes)
        assert {one: was[one] - now[one] for one in was} == goes
        assert all(abs(step) <= 1 for step in goes.values())
        ups = [sum(goes[one] == 1 for one in table) for table in tables]
        downs = [sum(goes[one] == -1 for one in table) for table in tables]
        assert ups[1:] == downs[:-1]
        assert max([*ups, *downs]) <= 1
        for index, pod in enumerate(stretch.pods):
            order = [one for one in order_by_place(rungs, stretch) if was[one] == index]
            assert all(goes[one] <= 0 or one == order[0] for one in pod.entrants)
            assert all(goes[one] >= 0 or one == order[-1] for one in pod.entrants)
        lines = rank_ladder(rank(rungs, [stretch], Scheme()), rungs, [stretch])
        assert [line.entrant for line in lines] == list(order_by_place(rungs, stretch))
