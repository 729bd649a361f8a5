"""An arena from its doors to its archive: seated again and again, come and gone, closed, exactly once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.moves import submission
from games.play.storage import store
from tests.cast import NOW, at_once, browser, come_to_table, finish, move_seat, person, to_move
from tests.tournaments.cast import NAMES, begin, check_in, enter, entrant, plan, standing
from tests.tournaments.flow.undo.test_undo import undo
from tournaments import draw
from tournaments.flow.drawing import draw_requests, recent_opponents
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import arena, lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Membership, PairRule, Phase, Pod, PodSeat, Result, Round, Step, Tournament
from tournaments.scoring.arena import BREAK_SECONDS, MAX_WAIT_SECONDS, choose

FOURS: dict[str, Any] = {"format": "arena", "least": 4, "most": 4, "round_minutes": 60, "grace_minutes": 1}
END = NOW + 60 * 60


def opened(owner: models.Player, *names: str, **overrides: Any) -> Tournament:
    """An open arena of these people; walk-ins if it is played at real tables."""
    wanted = FOURS | {"venue": "real"} | overrides
    tournament = begin(owner, names if wanted["venue"] == "real" else (), **wanted)
    if wanted["venue"] != "real":
        enter(tournament, *names)
    arena.open_arena(tournament, owner, now=NOW)
    tournament.refresh_from_db()
    return tournament


def open_pods(tournament: Tournament) -> list[Pod]:
    """The tables at which people play."""
    done = Result.objects.filter(status="accepted").values("pod")
    return list(Pod.objects.filter(round__tournament=tournament).exclude(pk__in=done).order_by("number"))


def names_of(pod: Pod) -> set[str]:
    return set(pod.seats.values_list("entrant__name", flat=True))


def decide(owner: models.Player, tournament: Tournament, pod: Pod, *, now: float) -> None:
    places = tuple(range(1, pod.seats.count() + 1))
    results.decide(tournament, owner, pod.pk, ReportedResult(places), now=now)


def play_on(tournament: Tournament, *, now: float) -> None:
    """Everybody comes to every open table on screens, and plays it to its end."""
    for pod in open_pods(tournament):
        table = store.refresh(pod.table_id or "")
        for place in table.places:
            table = come_to_table(table.id, place.player_id, now=now)
        finish(table, now=now)
    sweeper.sweep(now=now)


def test_an_arena_to_its_end(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8], venue="online")
    sweeper.sweep(now=NOW + 1)
    assert open_pods(tournament) == []
    now = NOW + BREAK_SECONDS
    for game in range(3):
        sweeper.sweep(now=now)
        pods = open_pods(tournament)
        assert [len(names_of(pod)) for pod in pods] == [4, 4]
        assert [pod.wave for pod in pods] == [game + 1] * 2
        play_on(tournament, now=now)
        assert open_pods(tournament) == []
        now += BREAK_SECONDS
    assert sum(points for _, _, points in standing(tournament)) == 3 * 8 * 420
    sweeper.sweep(now=END)
    tournament.refresh_from_db()
    played = Round.objects.get(tournament=tournament)
    assert (played.status, played.has_rung) == ("complete", True)
    phases.move_on(tournament, ana, Phase.FINISHED, now=END)
    phases.move_on(tournament, ana, Phase.ARCHIVED, now=END)
    kinds = list(Step.objects.filter(tournament=tournament, actor=None).values_list("kind", flat=True))
    assert [kinds.count(kind) for kind in ("seat", "table-result", "bell", "complete")] == [3, 6, 1, 1]


def test_who_has_just_met_is_parted_where_others_are_free(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:16])
    met: set[frozenset[str]] = set()
    collected: set[str] = set()
    for game in range(3):
        now = NOW + (game + 1) * BREAK_SECONDS
        sweeper.sweep(now=now)
        for pod in open_pods(tournament):
            pairs = {frozenset((one, other)) for one in names_of(pod) for other in names_of(pod) if one < other}
            assert not met & pairs
            met |= pairs
            collected |= {template for template, values in msgspec.json.decode(pod.reason) if not values}
            decide(ana, tournament, pod, now=now)
    assert collected == {"nobody here has met in the last games"}  # of those before, the draw was not told


def test_an_arena_says_how_often_two_met_lately() -> None:
    solution = draw.solve(
        draw.Problem(
            entrants=tuple(map(draw.Entrant, ("a", "b", "c"))), wanted=3, min_size=3, max_size=3,
            history=(draw.PastRound((("a", "b"),)),),
        )
    )  # fmt: skip
    assert recent_opponents.describe_reasons(solution.pods[0].reason)[1:] == [
        ["%(one)s and %(other)s meet again (in the last games: %(times)d)", {"one": "b", "other": "a", "times": 1}]
    ]


def test_a_table_that_is_over_waits_for_others_but_not_for_ever(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8])
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    first, second = open_pods(tournament)
    decide(ana, tournament, first, now=NOW + 100)
    sweeper.sweep(now=NOW + 100 + MAX_WAIT_SECONDS - 1)
    assert open_pods(tournament) == [second]
    sweeper.sweep(now=NOW + 100 + MAX_WAIT_SECONDS)
    assert names_of(open_pods(tournament)[1]) == names_of(first)
    assert [pod.real_table for pod in Pod.objects.order_by("number")] == [1, 2, 1]


def test_people_come_and_go(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    attendance.set_away(tournament, ana, [entrant(tournament, "Ada").pk], away=True, now=NOW + 20)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Bea").pk], now=NOW + 20)
    decide(ana, tournament, pod, now=NOW + 50)
    sign_up.add_walk_in(tournament, ana, name="Late", now=NOW + 55)
    sweeper.sweep(now=NOW + 200)
    assert open_pods(tournament) == []
    book = open_book(tournament)
    pool = arena.build_pool(book, book.rounds[0])
    assert [book.by_key[one.entrant].name for one in pool.waiting] == ["Cem", "Dan", "Late"]
    assert pool.outlook == (None, 1)
    attendance.set_away(tournament, ana, [entrant(tournament, "Ada").pk], away=False, now=NOW + 210)
    sweeper.sweep(now=NOW + 210)
    assert open_pods(tournament) == []
    sweeper.sweep(now=NOW + 210 + BREAK_SECONDS)
    assert names_of(open_pods(tournament)[0]) == {"Ada", "Cem", "Dan", "Late"}
    assert {name for name, _, _ in standing(tournament)} == {"Ada", "Bea", "Cem", "Dan", "Late"}


def test_who_does_not_come_is_played_by_a_bot_and_rests(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4], venue="online")
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    table = store.refresh(pod.table_id or "")
    gone = table.places[0].player_id
    for place in table.places[1:]:
        come_to_table(table.id, place.player_id, now=NOW + 15)
    sweeper.sweep(now=NOW + BREAK_SECONDS + 59)
    assert store.refresh(table.id).status == "waiting"
    sweeper.sweep(now=NOW + BREAK_SECONDS + 60)
    table = store.refresh(table.id)
    while table.status == "playing":
        stands_in = to_move(table) in table.runtime.stand_ins
        later = submission.play_bot(table.id, ply=table.ply, now=NOW + 80) if stands_in else None
        table = later or move_seat(table, now=NOW + 80)
    sweeper.sweep(now=NOW + 81)
    assert list(Entrant.objects.filter(is_away=True).values_list("player", flat=True)) == [gone]
    sweeper.sweep(now=NOW + 200)
    assert open_pods(tournament) == []


def test_two_sweepers_seat_nobody_twice(transactional_db: None, ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:12])
    now = NOW + BREAK_SECONDS
    at_once(*(lambda: sweeper.sweep(now=now) for _ in range(3)))
    sweeper.sweep(now=now)
    seated = [name for pod in open_pods(tournament) for name in names_of(pod)]
    assert sorted(seated) == sorted(NAMES[:12])
    assert Step.objects.filter(tournament=tournament, kind="seat").count() == 1


def test_a_worker_killed_after_the_seating_leaves_tables_to_be_opened(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4], venue="online")
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    table_id = pod.table_id
    Pod.objects.update(table=None)  # as it was when the worker died
    models.Table.objects.filter(pk=table_id).update(status="over")
    sweeper.sweep(now=NOW + BREAK_SECONDS + 1)
    again = open_pods(tournament)
    assert [one.pk for one in again] == [pod.pk]
    assert again[0].table_id not in (None, table_id)


def test_a_draw_that_comes_too_late_seats_only_the_free(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8])
    played = Round.objects.select_related("tournament__club").get(tournament=tournament)
    book = open_book(tournament)
    pool = arena.build_pool(book, played)
    (group,) = choose(pool.waiting, pool.sizes, now=NOW + BREAK_SECONDS)
    solution = arena._draw(book, played, group, 1)
    assert solution is not None
    gone = entrant(tournament, solution.pods[0].seats[0])
    attendance.set_away(tournament, ana, [gone.pk], away=True, now=NOW)
    assert arena._seat(played, book, solution, 1, now=NOW + BREAK_SECONDS) == 1
    assert arena._seat(played, book, solution, 1, now=NOW + BREAK_SECONDS) == 0
    assert names_of(open_pods(tournament)[0]) == set(solution.pods[1].seats)


@pytest.mark.parametrize(("at_end", "is_over"), [("bell", True), ("finish", False)])
def test_at_the_end_games_are_played_out_or_rung(ana: models.Player, at_end: str, is_over: bool) -> None:
    tournament = opened(ana, *NAMES[:4], venue="online", options={"deals": 3}, at_end=at_end)
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    table = store.refresh(pod.table_id or "")
    for place in table.places:
        table = come_to_table(table.id, place.player_id, now=END - 1)
    sweeper.sweep(now=END)
    finish(store.refresh(table.id), now=END + 1)
    over = store.refresh(table.id)
    assert over.rules.view(over.state, None)["deal"] == (1 if is_over else 3)
    sweeper.sweep(now=END + 2)
    assert Result.objects.get(pod=pod).status == "accepted"
    assert Round.objects.get(tournament=tournament).status == "complete"


def test_who_still_waits_at_a_table_when_it_closes_is_set_free(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4], venue="online", grace_minutes=100)
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    sweeper.sweep(now=END)
    assert store.refresh(pod.table_id or "").status == "over"
    assert Result.objects.get(pod=pod).is_void
    assert Round.objects.get(tournament=tournament).status == "complete"
    with pytest.raises(Stale, match="closed"):
        sign_up.enter(tournament, person("Late"), now=END)


def test_who_did_not_come_to_their_table_is_not_seated_again_until_they_are_back(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    gone, here = pod.seats.select_related("entrant").order_by("index")[:2]
    results.set_fate(tournament, ana, here.pk, PodSeat.Fate.FORFEIT, now=NOW + 20)
    attendance.set_away(tournament, ana, [here.entrant_id], away=False, now=NOW + 21)
    results.set_fate(tournament, ana, here.pk, PodSeat.Fate.PLAYS, now=NOW + 22)
    results.set_fate(tournament, ana, gone.pk, PodSeat.Fate.NO_SHOW, now=NOW + 23)
    assert list(tournament.entrants.filter(is_away=True)) == [gone.entrant]
    decide(ana, tournament, pod, now=NOW + 30)
    sweeper.sweep(now=NOW + 600)
    assert open_pods(tournament) == []


def test_paused_nobody_is_seated_and_the_time_is_given_back(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    lifecycle.pause(tournament, ana, 1, now=NOW + 1)
    sweeper.sweep(now=NOW + 100)
    assert open_pods(tournament) == []
    lifecycle.resume(tournament, ana, 1, now=NOW + 101)
    sweeper.sweep(now=NOW + 101)
    assert len(open_pods(tournament)) == 1
    assert Round.objects.get(tournament=tournament).ends_at == END + 100


def test_pairs_that_may_not_meet_never_do(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    one, other = entrant(tournament, "Ada"), entrant(tournament, "Bea")
    organiser_decisions.rule_pair(tournament, ana, one.pk, other.pk, PairRule.Kind.APART, now=NOW)
    sweeper.sweep(now=NOW + 100)
    assert open_pods(tournament) == []
    sign_up.add_walk_in(tournament, ana, name="Eli", now=NOW + 100)
    sweeper.sweep(now=NOW + 100 + BREAK_SECONDS)
    (pod,) = open_pods(tournament)
    assert not {"Ada", "Bea"} <= names_of(pod)


def test_nobody_can_be_kept_together(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:4])
    one, other = entrant(tournament, "Ada"), entrant(tournament, "Bea")
    with pytest.raises(BadInput, match="This format does not use such rules"):
        organiser_decisions.rule_pair(tournament, ana, one.pk, other.pk, PairRule.Kind.TOGETHER, now=NOW)


def test_bots_sit_with_people_only(ana: models.Player) -> None:
    tournament = begin(ana, (), **FOURS | {"venue": "online"})
    for name in ("Bruno", "Cleo", "Dago", "Emil"):
        sign_up.add_bot(tournament, ana, name=name, level="steady", now=NOW)
    arena.open_arena(tournament, ana, now=NOW)
    sweeper.sweep(now=NOW + 100)
    assert open_pods(tournament) == []
    enter(tournament, "Ada", "Bea")
    sweeper.sweep(now=NOW + 100)
    (pod,) = open_pods(tournament)
    assert {"Ada", "Bea"} < names_of(pod)
    assert pod.seats.exclude(entrant__bot="").count() == 2


def test_how_it_stood_after_any_result(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8])
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    first, second = open_pods(tournament)
    decide(ana, tournament, second, now=NOW + 20)
    decide(ana, tournament, first, now=NOW + 30)
    best = {seat.entrant.name for pod in (first, second) for seat in pod.seats.filter(index=0)}
    (leader,) = {name for name, place, points in standing(tournament, 1) if points == 840}
    assert leader in names_of(second)
    assert {name for name, _, points in standing(tournament) if points == 840} == best


def test_each_seating_has_deals_of_its_own(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8], venue="online", duplicate=True)
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    play_on(tournament, now=NOW + BREAK_SECONDS)
    sweeper.sweep(now=NOW + 2 * BREAK_SECONDS)
    seeds = [
        (pod.wave, store.refresh(pod.table_id or "").runtime.arranged.deal_seed)  # type: ignore[union-attr]
        for pod in Pod.objects.order_by("number")
    ]
    assert len(set(seeds)) == len({seed for _, seed in seeds}) == 2


@pytest.mark.parametrize(
    "overrides", [{"round_minutes": None}, {"options": {}}, {"bots_fill": True}, {"at_end": "never"}]
)
def test_what_is_no_arena(ana: models.Player, overrides: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        plan(ana, **FOURS | overrides)


def test_the_doors_are_opened_once_by_an_organiser(ana: models.Player, ben: models.Player) -> None:
    tournament = plan(ana, **FOURS)
    with pytest.raises(Stale, match="check-in"):
        arena.open_arena(tournament, ana, now=NOW)
    check_in(ana, tournament, NAMES[:4])
    with pytest.raises(NotAllowed):
        arena.open_arena(tournament, ben, now=NOW)
    with pytest.raises(Stale, match="no rounds to draw"):
        draw_requests.request_draw(tournament, ana, 1, again=False, now=NOW)
    for _ in range(2):
        arena.open_arena(tournament, ana, now=NOW)
    assert Step.objects.filter(tournament=tournament, kind="open-arena").count() == 1


@pytest.mark.parametrize("venue", ["online", "real"])
def test_who_plays_for_somebody_is_not_seated_until_that_game_is_over(ana: models.Player, venue: str) -> None:
    tournament = opened(ana, venue=venue)
    people = enter(tournament, *NAMES[:9])
    sweeper.sweep(now=NOW + MAX_WAIT_SECONDS)
    first, _second = open_pods(tournament)
    sitting = set(PodSeat.objects.values_list("entrant__player", flat=True))
    [free] = [one for one in people if one.pk not in sitting]
    Membership.objects.create(club=tournament.club, player=free)
    chair = first.seats.get(index=0)
    lifecycle.substitute(tournament, ana, chair.pk, player=free, now=NOW + MAX_WAIT_SECONDS)
    page = browser(free).get(reverse("tournaments:tournament", args=[tournament.pk])).content.decode()
    sentence = {"online": "You play online for", "real": "You play for"}[venue]
    assert (sentence in page, "The arena is closed" in page) == (True, False)
    late = enter(tournament, *NAMES[9:12])
    now = NOW + 3 * MAX_WAIT_SECONDS
    sweeper.sweep(now=now)
    assert [pod.number for pod in open_pods(tournament)] == [1, 2]
    decide(ana, tournament, first, now=now)
    attendance.set_away(tournament, ana, list(first.seats.values_list("entrant", flat=True)), away=True, now=now)
    sweeper.sweep(now=now + MAX_WAIT_SECONDS)
    assert {free.pk, *(one.pk for one in late)} <= set(PodSeat.objects.values_list("entrant__player", flat=True))
    with pytest.raises(Stale, match=f"{free.name} now plays at another table"):
        undo(ana, tournament, "decide")
