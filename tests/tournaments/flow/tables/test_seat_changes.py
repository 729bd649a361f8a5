"""The people who are to play sit at the table on screens, however that came about, and whatever was interrupted."""

from __future__ import annotations

import pytest

from games import models
from games.play.errors import BadInput, Stale
from games.play.storage import store
from tests.cast import NOW, come_to_table, finish
from tests.tournaments.cast import NAMES, begin, decide_all, enter, entrant, play_online, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import sign_up
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.tables import seat_changes
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, Membership, Pod, PodSeat, Round, Step, Tournament

MINUTE = 60.0


def start(owner: models.Player, *walk_ins: str, **overrides: object) -> tuple[Tournament, Pod, list[models.Player]]:
    """A released table of four on screens: these walk-ins, and people who are not there yet."""
    tournament = begin(owner, walk_ins, venue="online", most=4, **overrides)
    players = enter(tournament, *NAMES[: 4 - len(walk_ins)])
    release(owner, tournament, 1)
    return tournament, Pod.objects.get(round__tournament=tournament), players


def chair_of(pod: Pod, player: models.Player) -> PodSeat:
    return pod.seats.get(entrant__player=player)


def is_seated(pod: Pod, player: models.Player) -> bool:
    return store.reload(pod.table_id or "").seat_of(player.pk) is not None


def test_a_substitute_comes_and_goes_with_their_step(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *_) = start(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    lifecycle.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    assert (is_seated(pod, ben), is_seated(pod, first)) == (True, False)
    undo(ana, tournament)
    assert (is_seated(pod, ben), is_seated(pod, first)) == (False, True)
    undo(ana, tournament)
    assert (is_seated(pod, ben), is_seated(pod, first)) == (True, False)


def test_a_substitute_known_by_name_only_is_a_bot(ana: models.Player) -> None:
    """As an earlier version of the program may have left it."""
    _tournament, pod, (first, *others) = start(ana)
    seat = chair_of(pod, first)
    PodSeat.objects.filter(pk=seat.pk).update(substitute_name="Uncle Bob")
    sweeper.sweep(now=NOW)
    for other in others:
        come_to_table(pod.table_id or "", other.pk, now=NOW)
    begun = store.reload(pod.table_id or "")
    place = begun.place(seat.index)
    assert place is not None
    assert (begun.status, place.name, place.player_id, place.bot) == ("playing", "Uncle Bob", None, "steady")
    sweeper.sweep(now=NOW + 1)
    assert store.reload(begun.id).version == begun.version


def test_nobody_stands_in_for_a_game_that_is_over(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *_) = start(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    play_online(tournament, 1)
    with pytest.raises(Stale, match="game at this table is over"):
        lifecycle.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    assert chair_of(pod, first).substitute is None


@pytest.mark.parametrize("fate", [PodSeat.Fate.NO_SHOW, PodSeat.Fate.FORFEIT])
def test_a_forfeited_chair_is_a_bot_s_until_they_play_after_all(ana: models.Player, fate: PodSeat.Fate) -> None:
    tournament, pod, (first, *others) = start(ana)
    for other in others:
        come_to_table(pod.table_id or "", other.pk, now=NOW)
    results.set_fate(tournament, ana, chair_of(pod, first).pk, fate, now=NOW)
    begun = store.reload(pod.table_id or "")
    assert (begun.status, begun.seat_of(first.pk), begun.runtime.stand_ins) == ("playing", None, frozenset())
    results.set_fate(tournament, ana, chair_of(pod, first).pk, PodSeat.Fate.PLAYS, now=NOW)
    assert is_seated(pod, first)


def test_who_came_too_late_is_let_in_by_taking_it_back(ana: models.Player) -> None:
    tournament, pod, (first, *others) = start(ana, no_show="forfeit", grace_minutes=0)
    for other in others:
        come_to_table(pod.table_id or "", other.pk, now=NOW)
    sweeper.sweep(now=NOW + 1)
    assert not is_seated(pod, first)
    undo(ana, tournament, "no-show")
    back = come_to_table(pod.table_id or "", first.pk, now=NOW + 2)
    assert (back.seat_of(first.pk), chair_of(pod, first).fate) == (chair_of(pod, first).index, "plays")
    finish(back)
    sweeper.sweep(now=NOW + 3)
    assert pod.results.get(status="accepted").source == "table"


def test_a_walk_in_who_claims_their_name_takes_their_cards(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, others = start(ana, "Zoe")
    for other in others:
        come_to_table(pod.table_id or "", other.pk, now=NOW)
    assert store.reload(pod.table_id or "").status == "playing"  # a bot plays for them as long as nobody else does
    sign_up.claim(tournament, entrant(tournament, "Zoe").claim_token, ben, now=NOW)
    assert is_seated(pod, ben)
    undo(ana, tournament, "claim")
    assert not is_seated(pod, ben)


def test_what_a_killed_worker_left_is_done_by_the_sweeper(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *others) = start(ana)
    chair = chair_of(pod, first)
    PodSeat.objects.filter(pk=chair.pk).update(substitute=ben, substitute_name="Ben")  # and then the power went
    sweeper.sweep(now=NOW)
    table = store.reload(pod.table_id or "")
    assert table.seat_of(ben.pk) == chair.index
    for other in others:
        come_to_table(pod.table_id or "", other.pk, now=NOW)
    arrived = store.reload(pod.table_id or "")
    for _ in range(2):
        sweeper.sweep(now=NOW + 1)
        seat_changes.sync_seats(Round.objects.get(tournament=tournament), now=NOW + 1)
    assert store.reload(pod.table_id or "").version == arrived.version


def test_who_plays_on_screens_has_one_of_their_own(ana: models.Player) -> None:
    tournament, pod, (first, *_) = start(ana)
    chair = chair_of(pod, first)
    with pytest.raises(BadInput, match="Table 1 is an online table"):
        lifecycle.substitute(tournament, ana, chair.pk, name="Uncle Bob", now=NOW)
    results.decide(tournament, ana, pod.pk, None, now=NOW)  # the game goes on, whatever counts
    with pytest.raises(BadInput, match="Table 1 is an online table"):
        lifecycle.substitute(tournament, ana, chair.pk, name="Uncle Bob", now=NOW)
    assert (chair_of(pod, first).substitute_name, is_seated(pod, first)) == ("", True)


def test_a_table_with_a_substitute_by_name_stays_in_the_room(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="mixed", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    drafts.move_pod(tournament, ana, pod.pk, online=False, now=NOW)
    lifecycle.substitute(tournament, ana, pod.seats.get(index=0).pk, name="Uncle Bob", now=NOW)
    with pytest.raises(BadInput, match="is an online table"):
        drafts.move_pod(tournament, ana, pod.pk, online=True, now=NOW)
    with pytest.raises(BadInput, match="is an online table"):
        undo(ana, tournament, "to-table")
    pod.refresh_from_db()
    assert (pod.is_online, pod.table_id) == (False, None)


def test_who_forfeits_has_nobody_who_plays_for_them(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *_) = start(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    lifecycle.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    results.set_fate(tournament, ana, chair_of(pod, first).pk, PodSeat.Fate.FORFEIT, now=NOW)
    assert (is_seated(pod, ben), is_seated(pod, first)) == (False, False)
    lifecycle.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    assert (is_seated(pod, ben), chair_of(pod, first).fate) == (True, "plays")


def test_a_substitute_who_does_not_come_is_a_no_show(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *others) = start(ana, no_show="forfeit", grace_minutes=0)
    Membership.objects.create(club=tournament.club, player=ben)
    lifecycle.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    for other in others:
        come_to_table(pod.table_id or "", other.pk, now=NOW)
    for later in (1, 2):
        sweeper.sweep(now=NOW + later)
    assert (chair_of(pod, first).fate, is_seated(pod, ben)) == ("no-show", False)


def two_rooms(owner: models.Player, helper: models.Player) -> tuple[Tournament, PodSeat, PodSeat]:
    """A chair at each of two real tables, and a member who may play for either."""
    tournament = begin(owner, NAMES[:8], venue="real", most=4)
    release(owner, tournament, 1)
    Membership.objects.create(club=tournament.club, player=helper)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    return tournament, first.seats.get(index=0), second.seats.get(index=0)


def test_nobody_plays_at_two_tables_by_doing_it_again(ana: models.Player, ben: models.Player) -> None:
    tournament, here, there = two_rooms(ana, ben)
    lifecycle.substitute(tournament, ana, here.pk, player=ben, now=NOW)
    undo(ana, tournament)
    lifecycle.substitute(tournament, ana, there.pk, player=ben, now=NOW)
    with pytest.raises(BadInput, match="Ben plays at a table of this round"):
        undo(ana, tournament, "undo")
    here.refresh_from_db()
    assert here.substitute is None


def test_nobody_plays_at_two_tables_by_saying_who_they_are(ana: models.Player, ben: models.Player) -> None:
    tournament, here, there = two_rooms(ana, ben)
    lifecycle.substitute(tournament, ana, here.pk, player=ben, now=NOW)
    with pytest.raises(BadInput, match="Ben plays at a table of this round"):
        sign_up.claim(tournament, there.entrant.claim_token, ben, now=NOW)
    lifecycle.substitute(tournament, ana, here.pk, now=NOW)
    assert sign_up.claim(tournament, there.entrant.claim_token, ben, now=NOW).player == ben


def test_a_result_that_nobody_has_confirmed_lets_nobody_play_elsewhere(ana: models.Player, ben: models.Player) -> None:
    tournament, here, there = two_rooms(ana, ben)
    lifecycle.substitute(tournament, ana, here.pk, player=ben, now=NOW)
    results.enter(tournament, ben, here.pod_id, ReportedResult((1, 2, 3, 4)), now=NOW)
    with pytest.raises(BadInput, match="Ben plays at a table of this round"):
        sign_up.claim(tournament, there.entrant.claim_token, ben, now=NOW)
    results.decide(tournament, ana, here.pod_id, ReportedResult((1, 2, 3, 4)), now=NOW)
    assert sign_up.claim(tournament, there.entrant.claim_token, ben, now=NOW).player == ben


def test_nobody_sits_twice_at_a_table_whose_result_is_in(ana: models.Player) -> None:
    tournament, pod, (first, second, *_) = start(ana)
    Membership.objects.create(club=tournament.club, player=second)
    decide_all(ana, tournament, 1)
    with pytest.raises(BadInput, match="plays at a table of this round"):
        lifecycle.substitute(tournament, ana, chair_of(pod, first).pk, player=second, now=NOW)


def test_who_plays_for_another_does_not_play_after_all(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:7], venue="real", most=4)
    [eli] = enter(tournament, "Zoe")
    Membership.objects.create(club=tournament.club, player=eli)
    release(ana, tournament, 1)
    own = PodSeat.objects.get(entrant__player=eli)
    other = PodSeat.objects.exclude(pod=own.pod)[0]
    results.set_fate(tournament, ana, own.pk, PodSeat.Fate.FORFEIT, now=NOW)
    lifecycle.substitute(tournament, ana, other.pk, player=eli, now=NOW)
    with pytest.raises(BadInput, match="Zoe plays at a table of this round"):
        results.set_fate(tournament, ana, own.pk, PodSeat.Fate.PLAYS, now=NOW)


def test_nobody_plays_at_two_tables_once_a_release_was_taken_back(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    Membership.objects.create(club=tournament.club, player=ben)
    first, second = (pod.seats.get(index=0) for pod in release(ana, tournament, 1).pods.order_by("number"))
    lifecycle.substitute(tournament, ana, first.pk, player=ben, now=NOW)
    step_undo.revert(tournament, ana, Step.objects.get(kind="release").number, now=NOW)
    with pytest.raises(BadInput, match="plays at a table"):
        sign_up.claim(tournament, second.entrant.claim_token, ben, now=NOW)
    Entrant.objects.filter(pk=second.entrant_id).update(player=ben)  # as an earlier version may have left it
    with pytest.raises(BadInput, match="plays at a table"):
        lifecycle.release(tournament, ana, 1, now=NOW)


def test_a_result_is_not_taken_back_from_who_plays_elsewhere_by_now(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    Membership.objects.create(club=tournament.club, player=ben)
    first, second = (pod.seats.get(index=0) for pod in release(ana, tournament, 1).pods.order_by("number"))
    lifecycle.substitute(tournament, ana, first.pk, player=ben, now=NOW)
    results.decide(tournament, ana, first.pod_id, ReportedResult((1, 2, 3, 4)), now=NOW)
    lifecycle.substitute(tournament, ana, second.pk, player=ben, now=NOW)
    with pytest.raises(Stale, match="now plays at another table"):
        step_undo.revert(tournament, ana, Step.objects.get(kind="decide").number, now=NOW)
