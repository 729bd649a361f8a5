"""Races of two people in a tournament, each with the state that must follow in either order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from games.models import Table
from games.play.storage import store
from tests.cast import come_to_table, finish
from tests.tournaments import cast
from tests.tournaments.racing import Race, Stage, is_so
from tournaments.flow import duplicate_commitments
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Phase, PodSeat, Result, Round, RoundDeals, Tournament

BOTH = ("", "")
ONE_OF_TWO = [False, True]


def draw_and_draw() -> Race:
    stage = Stage()
    acts = partial(stage.draw, stage.olga), partial(stage.draw, stage.otto)
    return Race(
        stage, acts, lambda answers: is_so((stage.count("draw"), stage.status(), answers), (1, ["draft"], BOTH))
    )


def draw_again_and_draw_again() -> Race:
    stage = Stage(drawn=True)
    seed = Round.objects.get(tournament=stage.one).seed
    acts = [partial(stage.draw, who, again=True, instead=seed) for who in (stage.olga, stage.otto)]
    return Race(stage, (acts[0], acts[1]), lambda answers: is_so((stage.count("draw"), answers), (2, BOTH)))


def release_and_swap() -> Race:
    stage = Stage(drawn=True)
    first, second = (pod.seats.get(index=0).entrant_id for pod in stage.pods)
    swap = partial(drafts.swap, stage.one, stage.otto, 1, first, second, key="k", now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        swapped = 0 if answers[1] == "This round is no longer a draft." else 1
        is_so((stage.status(), stage.count("swap"), answers[0]), (["released"], swapped, ""))

    return Race(stage, (partial(stage.release, stage.olga), swap), holds)


def release_and_release() -> Race:
    stage = Stage(drawn=True, venue="online")
    before = Table.objects.count()
    acts = partial(stage.release, stage.olga), partial(stage.release, stage.otto)
    return Race(
        stage,
        acts,
        lambda answers: is_so((stage.count("release"), Table.objects.count() - before, answers), (1, 2, BOTH)),
    )


def complete_and_decide() -> Race:
    stage = Stage(released=True)
    decide = partial(
        results.decide, stage.one, stage.otto, stage.pods[0].pk, ReportedResult((4, 3, 2, 1)), now=stage.now
    )
    return Race(
        stage,
        (partial(stage.complete, stage.olga, "void"), decide),
        lambda answers: is_so((stage.status(), stage.accepted(), answers[0]), (["complete"], 2, "")),
    )


def complete_and_the_last_result() -> Race:
    stage = Stage(released=True)
    results.decide(stage.one, stage.olga, stage.pods[0].pk, None, now=stage.now)
    pod, reported = stage.pods[1], ReportedResult((1, 2, 3, 4))
    first, second, *_ = stage.sitting(pod)
    results.enter(stage.one, first, pod.pk, reported, now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        status = "released" if answers[0].startswith("Results are missing: table 2.") else "complete"
        is_so((stage.accepted(), stage.status(), answers[1]), (2, [status], ""))

    says = partial(results.enter, stage.one, second, pod.pk, reported, now=stage.now)
    return Race(stage, (partial(stage.complete, stage.olga), says), holds)


def the_same_result_from_two_phones() -> Race:
    stage = Stage(released=True)
    pod = stage.pods[0]
    acts = [
        partial(results.enter, stage.one, who, pod.pk, ReportedResult((1, 2, 3, 4)), now=stage.now)
        for who in stage.sitting(pod)
    ]
    return Race(
        stage,
        (acts[0], acts[1]),
        lambda answers: is_so((stage.accepted(), pod.results.count(), answers), (1, 1, BOTH)),
    )


def confirm_and_reject() -> Race:
    stage = Stage(released=True)
    pod = stage.pods[0]
    first, second, third, _ = stage.sitting(pod)
    results.enter(stage.one, first, pod.pk, ReportedResult((1, 2, 3, 4)), now=stage.now)
    result = pod.results.get().pk
    confirm = partial(results.confirm, stage.one, second, result, now=stage.now)
    reject = partial(results.reject, stage.one, third, result, now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        is_so((stage.accepted(), sorted(map(bool, answers))), (0 if answers[0] else 1, ONE_OF_TWO))

    return Race(stage, (confirm, reject), holds)


def undo_and_undo() -> Race:
    stage = Stage(released=True)
    acts = stage.revert(stage.olga, "release"), stage.revert(stage.otto, "release")
    return Race(
        stage, acts, lambda answers: is_so((stage.count("undo"), stage.status(), answers), (1, ["draft"], BOTH))
    )


def undo_and_release() -> Race:
    stage = Stage(drawn=True)

    def holds(answers: tuple[str, str]) -> None:
        status = ["released"] if answers[0] else []
        is_so((stage.status(), sorted(map(bool, answers))), (status, ONE_OF_TWO))

    return Race(stage, (stage.revert(stage.otto, "draw"), partial(stage.release, stage.olga)), holds)


def undo_a_release_and_begin() -> Race:
    stage = Stage(released=True, venue="online")
    table, comes = stage.wait_for_the_last()

    def holds(answers: tuple[str, str]) -> None:
        status = Table.objects.get(pk=table.id).status
        is_so((stage.status(), status), (["released"], "playing") if answers[0] else (["draft"], "over"))

    return Race(stage, (stage.revert(stage.olga, "release"), comes), holds)


def enter_and_draw() -> Race:
    stage = Stage()
    enter = partial(sign_up.enter, stage.one, stage.mara, now=stage.now)
    return Race(
        stage,
        (enter, partial(stage.draw, stage.olga)),
        lambda answers: is_so((stage.count("draw"), stage.one.entrants.count(), answers), (1, 9, BOTH)),
    )


def withdraw_and_draw() -> Race:
    stage = Stage()
    mine = stage.one.entrants.get(player=stage.players[0])
    withdraw = partial(attendance.withdraw, stage.one, stage.players[0], [mine.pk], now=stage.now)
    return Race(
        stage,
        (withdraw, partial(stage.draw, stage.olga)),
        lambda answers: is_so((stage.count("draw"), stage.status(), answers), (1, ["draft"], BOTH)),
    )


def result_and_bell() -> Race:
    """The game is over, of which the tournament has not heard, and the bell rings."""
    stage = Stage(released=True, venue="online", round_minutes=30)
    table = store.refresh(stage.pods[0].table_id or "")
    for place in table.places:
        table = come_to_table(table.id, place.player_id, now=stage.now)
    over = finish(table, now=stage.now)
    Result.objects.filter(pod=stage.pods[0]).delete()

    def holds(answers: tuple[str, str]) -> None:
        has_rung = Round.objects.get(tournament=stage.one).has_rung
        is_so((stage.accepted(), has_rung, answers), (1, True, BOTH))

    result = partial(results.record_table, over, now=stage.now)
    return Race(stage, (result, partial(lifecycle.ring, stage.one, stage.olga, 1, now=stage.now)), holds)


def finish_and_undo() -> Race:
    stage = Stage(released=True, rounds_planned=1)
    cast.decide_all(stage.olga, stage.one, 1)
    stage.complete(stage.olga)

    def holds(answers: tuple[str, str]) -> None:
        phase = Tournament.objects.get(pk=stage.one.pk).phase
        wanted = ("running", ["released"]) if answers[0] else ("finished", ["complete"])
        is_so(((phase, stage.status()), sorted(map(bool, answers))), (wanted, ONE_OF_TWO))

    end = partial(phases.move_on, stage.one, stage.olga, Phase.FINISHED, now=stage.now)
    return Race(stage, (end, stage.revert(stage.otto, "complete")), holds)


def one_substitute_for_two() -> Race:
    stage = Stage(released=True)
    acts = [
        partial(lifecycle.substitute, stage.one, who, pod.seats.get(index=0).pk, player=stage.mara, now=stage.now)
        for who, pod in zip((stage.olga, stage.otto), stage.pods, strict=True)
    ]

    def holds(answers: tuple[str, str]) -> None:
        chairs = PodSeat.objects.filter(substitute=stage.mara).count()
        is_so((chairs, sorted(map(bool, answers))), (1, ONE_OF_TWO))

    return Race(stage, (acts[0], acts[1]), holds)


def two_claims() -> Race:
    stage = Stage()
    sign_up.add_walk_in(stage.one, stage.olga, name="Zoe", now=stage.now)
    token = stage.one.entrants.get(name="Zoe").claim_token
    acts = [partial(sign_up.claim, stage.one, token, who, now=stage.now) for who in (stage.mara, stage.otto)]
    return Race(
        stage,
        (acts[0], acts[1]),
        lambda answers: is_so((stage.count("claim"), sorted(map(bool, answers))), (1, ONE_OF_TWO)),
    )


def complete_and_begin() -> Race:
    """The table is closed, or it plays on beside what counts."""
    stage = Stage(released=True, venue="online")
    table, comes = stage.wait_for_the_last()

    def holds(answers: tuple[str, str]) -> None:
        assert Table.objects.get(pk=table.id).status in ("over", "playing")
        is_so((stage.status(), answers[0]), (["complete"], ""))

    return Race(stage, (partial(stage.complete, stage.olga, "void"), comes), holds)


def move_and_begin() -> Race:
    stage = Stage(released=True, venue="mixed")
    table, comes = stage.wait_for_the_last()

    def holds(answers: tuple[str, str]) -> None:
        stage.pods[0].refresh_from_db()
        found = stage.pods[0].is_online, Table.objects.get(pk=table.id).status
        is_so(found, (True, "playing") if answers[0] else (False, "over"))

    move = partial(drafts.move_pod, stage.one, stage.olga, stage.pods[0].pk, online=False, now=stage.now)
    return Race(stage, (move, comes), holds)


def contribute_and_release() -> Race:
    """What somebody was told is taken stands in the deals of the round, and what is not was refused."""
    stage = Stage(drawn=True, venue="online", duplicate=True)
    row = _promise(stage)
    player = stage.one.entrants.order_by("number")[0].player
    assert player is not None
    add = partial(duplicate_commitments.contribute, stage.one, player, row.deal.commitment, "5b0f", now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        promise = _promise(stage)
        given = duplicate_commitments.list_contributions(promise)[0]
        late = "The draw has been released. The contributions to this round can no longer change."
        is_so((promise.closed_at is not None, answers[1]), (True, ""))
        is_so((answers[0], given), ("", "5b0f") if given else (late, None))

    return Race(stage, (add, partial(stage.release, stage.olga)), holds)


def two_browsers_of_one_contribute() -> Race:
    stage = Stage(venue="online", duplicate=True)
    row = _promise(stage)
    player = stage.one.entrants.order_by("number")[0].player
    assert player is not None
    add = partial(duplicate_commitments.contribute, stage.one, player, row.deal.commitment, now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        is_so((answers, row.given.count()), (BOTH, 1))

    return Race(stage, (partial(add, "a"), partial(add, "b")), holds)


def _promise(stage: Stage) -> RoundDeals:
    row = duplicate_commitments.find(stage.one, duplicate_commitments.DealKey(1))
    assert row is not None
    return row


RACES: tuple[Callable[[], Race], ...] = (
    draw_and_draw, draw_again_and_draw_again, release_and_swap, release_and_release, complete_and_decide,
    complete_and_the_last_result, the_same_result_from_two_phones, confirm_and_reject, undo_and_undo, undo_and_release,
    undo_a_release_and_begin, enter_and_draw, withdraw_and_draw, result_and_bell, finish_and_undo,
    one_substitute_for_two, two_claims, complete_and_begin, move_and_begin, contribute_and_release,
    two_browsers_of_one_contribute,
)  # fmt: skip
