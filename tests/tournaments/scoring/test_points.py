"""Points of one pod, in 840ths."""

from __future__ import annotations

import pytest

from tournaments.scoring.points import WHOLE, Scheme, count_pod, read_points
from tournaments.scoring.results import FORFEIT, NO_SHOW, PLAYS, PodResult

ABCD = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4), (840, 560, 280, 0)),
        ((1, 1, 3, 4), (700, 700, 280, 0)),
        ((1, 1, 1, 1), (420, 420, 420, 420)),
        ((2, 1, 2, 2), (280, 840, 280, 280)),
    ],
)
def test_the_share_of_the_others_beaten(places: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert count_pod(PodResult(ABCD, places), Scheme()) == points


@pytest.mark.parametrize("size", range(2, 9))
def test_every_pod_size_is_exact(size: int) -> None:
    pod = PodResult(tuple("abcdefgh"[:size]), (1, 1, *range(3, size + 1)))
    assert sum(count_pod(pod, Scheme())) == 840 * size // 2


def test_a_table_of_points_is_shared_by_those_who_share_a_place() -> None:
    scheme = Scheme(points="table", table=(5, 3, 2, 1))
    assert count_pod(PodResult(ABCD, (1, 2, 3, 4)), scheme) == (4200, 2520, 1680, 840)
    assert count_pod(PodResult(ABCD, (1, 1, 1, 4)), scheme) == (2800, 2800, 2800, 840)
    assert count_pod(PodResult((*ABCD, "e"), (1, 2, 3, 4, 5)), scheme)[4] == 0


def test_the_game_s_own_score() -> None:
    pod = PodResult(ABCD, (1, 2, 3, 4), scores=(12, 5, 0, -3))
    assert count_pod(pod, Scheme(points="score")) == (10080, 4200, 0, -2520)
    assert count_pod(PodResult(ABCD, (1, 2, 3, 4)), Scheme(points="score")) == (0, 0, 0, 0)


def test_who_did_not_come_or_forfeits_has_what_was_agreed_and_is_behind_the_others() -> None:
    pod = PodResult(ABCD, (1, 2, 3, 4), fates=(NO_SHOW, PLAYS, PLAYS, FORFEIT))
    assert count_pod(pod, Scheme(no_show=-84, forfeit=42)) == (-84, 840, 560, 42)


def test_a_void_pod_counts_for_nobody() -> None:
    assert count_pod(PodResult(ABCD, (1, 2, 3, 4), is_void=True), Scheme()) == (0, 0, 0, 0)


def test_alone_at_a_table_is_a_round_won() -> None:
    assert count_pod(PodResult(("a",), (1,)), Scheme()) == (840,)


def test_a_pod_whose_shares_would_be_rounded_is_not_counted() -> None:
    with pytest.raises(ValueError, match="a pod of 9"):
        count_pod(PodResult(tuple("abcdefghi"), tuple(range(1, 10))), Scheme())


@pytest.mark.parametrize(
    ("fates", "is_void", "places", "scores"),
    [
        ((), False, (1, 2, 2, 4), (9, 4, 4, 1)),
        ((FORFEIT, PLAYS, PLAYS, PLAYS), False, (None, 1, 1, 3), (None, 4, 4, 1)),
        ((PLAYS, NO_SHOW, PLAYS, PLAYS), False, (1, None, 2, 3), (9, None, 4, 1)),
        ((NO_SHOW,) * 4, False, (None,) * 4, (None,) * 4),
        ((), True, (None,) * 4, (None,) * 4),
    ],
)
def test_places_are_told_among_those_who_played(
    fates: tuple[str, ...], is_void: bool, places: tuple[int | None, ...], scores: tuple[int | None, ...]
) -> None:
    pod = PodResult(ABCD, (1, 2, 2, 4), (9, 4, 4, 1), fates, is_void=is_void)
    assert (pod.shown_places(), pod.shown_scores()) == (places, scores)
    assert PodResult(ABCD, (1, 2, 2, 4), None, fates, is_void=is_void).shown_scores() == (None,) * 4


@pytest.mark.parametrize("share", [2, 3, 4, 5, 6, 7, 8, 10, 12, 14])
def test_points_typed_as_they_are_shown_are_those_that_were_counted(share: int) -> None:
    for part in range(-2 * share, 2 * share + 1):
        counted = part * WHOLE // share
        assert read_points(round(counted / WHOLE, 2)) == counted
    assert [read_points(number) for number in (0.1, 1.3, -2.01)] == [84, 1092, -1688]
