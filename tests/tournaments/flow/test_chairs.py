"""Whoever is to play sits at the table on screens, however that came about, and whatever was interrupted."""

from __future__ import annotations

import pytest

from games import models
from games.play import seats, store
from games.play.errors import Stale
from tests.cast import NOW, finish
from tests.tournaments.cast import NAMES, begin, enter, entrant, play_online, release
from tests.tournaments.flow.test_undo import undo
from tournaments.flow import chairs, due, entry, results, rounds
from tournaments.models import Membership, Pod, PodSeat, Round, Tournament

MINUTE = 60.0


def start(owner: models.Player, *walk_ins: str, **wishes: object) -> tuple[Tournament, Pod, list[models.Player]]:
    """A released table of four on screens: these walk-ins, and people who are not there yet."""
    tournament = begin(owner, walk_ins, venue="online", most=4, **wishes)
    players = enter(tournament, *NAMES[: 4 - len(walk_ins)])
    release(owner, tournament, 1)
    return tournament, Pod.objects.get(round__tournament=tournament), players


def chair_of(pod: Pod, player: models.Player) -> PodSeat:
    return pod.seats.get(entrant__player=player)


def sits(pod: Pod, player: models.Player) -> bool:
    return store.reload(pod.table_id or "").seat_of(player.pk) is not None


def test_a_substitute_comes_and_goes_with_his_step(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *_) = start(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    rounds.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    assert (sits(pod, ben), sits(pod, first)) == (True, False)
    undo(ana, tournament)
    assert (sits(pod, ben), sits(pod, first)) == (False, True)
    undo(ana, tournament)
    assert (sits(pod, ben), sits(pod, first)) == (True, False)


def test_a_substitute_without_an_account_is_a_bot_until_somebody_sits_down(
    ana: models.Player, ben: models.Player
) -> None:
    tournament, pod, (first, *others) = start(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    seat = chair_of(pod, first)
    for other in others:
        seats.come_back(pod.table_id or "", other.pk, now=NOW)
    rounds.substitute(tournament, ana, seat.pk, name="Uncle Bob", now=NOW)
    begun = store.reload(pod.table_id or "")
    place = begun.place(seat.index)
    assert place is not None
    assert (begun.status, place.name, place.player_id, place.bot) == ("playing", "Uncle Bob", None, "steady")
    version = begun.version
    due.look_after(now=NOW + 1)
    assert store.reload(begun.id).version == version
    rounds.substitute(tournament, ana, seat.pk, player=ben, now=NOW + 2)
    assert (sits(pod, ben), sits(pod, first)) == (True, False)
    rounds.substitute(tournament, ana, seat.pk, name="Aunt Eve", now=NOW + 3)
    assert (sits(pod, ben), sits(pod, first)) == (False, False)
    undo(ana, tournament)
    assert sits(pod, ben)
    rounds.substitute(tournament, ana, seat.pk, now=NOW + 4)
    assert (sits(pod, ben), sits(pod, first)) == (False, True)


def test_nobody_stands_in_for_a_game_that_is_over(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *_) = start(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    play_online(tournament, 1)
    with pytest.raises(Stale, match="game at this table is over"):
        rounds.substitute(tournament, ana, chair_of(pod, first).pk, player=ben, now=NOW)
    assert chair_of(pod, first).substitute is None


@pytest.mark.parametrize("fate", [PodSeat.Fate.NO_SHOW, PodSeat.Fate.FORFEIT])
def test_a_forfeited_chair_is_a_bot_s_until_he_plays_after_all(ana: models.Player, fate: PodSeat.Fate) -> None:
    tournament, pod, (first, *others) = start(ana)
    for other in others:
        seats.come_back(pod.table_id or "", other.pk, now=NOW)
    results.set_fate(tournament, ana, chair_of(pod, first).pk, fate, now=NOW)
    begun = store.reload(pod.table_id or "")
    assert (begun.status, begun.seat_of(first.pk), begun.desk.stand_ins) == ("playing", None, frozenset())
    results.set_fate(tournament, ana, chair_of(pod, first).pk, PodSeat.Fate.PLAYS, now=NOW)
    assert sits(pod, first)


def test_who_came_too_late_is_let_in_by_taking_it_back(ana: models.Player) -> None:
    tournament, pod, (first, *others) = start(ana, no_show="forfeit", grace_minutes=0)
    for other in others:
        seats.come_back(pod.table_id or "", other.pk, now=NOW)
    due.look_after(now=NOW + 1)
    assert not sits(pod, first)
    undo(ana, tournament, "no-show")
    back = seats.come_back(pod.table_id or "", first.pk, now=NOW + 2)
    assert (back.seat_of(first.pk), chair_of(pod, first).fate) == (chair_of(pod, first).index, "plays")
    finish(back)
    due.look_after(now=NOW + 3)
    assert pod.results.get(status="accepted").source == "table"


def test_a_walk_in_who_claims_his_name_takes_his_cards(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, others = start(ana, "Zoe")
    for other in others:
        seats.come_back(pod.table_id or "", other.pk, now=NOW)
    assert store.reload(pod.table_id or "").status == "playing"  # a bot plays for her as long as nobody else does
    entry.claim(tournament, entrant(tournament, "Zoe").claim_token, ben, now=NOW)
    assert sits(pod, ben)
    undo(ana, tournament, "claim")
    assert not sits(pod, ben)


def test_what_a_killed_worker_left_is_done_by_the_sweeper(ana: models.Player, ben: models.Player) -> None:
    tournament, pod, (first, *others) = start(ana)
    chair = chair_of(pod, first)
    PodSeat.objects.filter(pk=chair.pk).update(substitute=ben, substitute_name="Ben")  # and then the power went
    due.look_after(now=NOW)
    known = store.reload(pod.table_id or "")
    assert known.seat_of(ben.pk) == chair.index
    for other in others:
        seats.come_back(pod.table_id or "", other.pk, now=NOW)
    arrived = store.reload(pod.table_id or "")
    for _ in range(2):
        due.look_after(now=NOW + 1)
        chairs.put_right(Round.objects.get(tournament=tournament), now=NOW + 1)
    assert store.reload(pod.table_id or "").version == arrived.version
