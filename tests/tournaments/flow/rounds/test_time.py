"""Time in a round: the late, the bell, the pause; the same cards at every table."""

from __future__ import annotations

import io
import zipfile

import pytest

from games import models
from games.play import permissions
from games.play.clocks.timers import run_clock
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING
from tests.cast import NOW, come_to_table, finish
from tests.tournaments.cast import NAMES, begin, enter, release
from tournaments.flow import duplicate_commitments
from tournaments.flow.archive import zip_export
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.undo import step_undo
from tournaments.models import Pod, PodSeat, Round, Step, Tournament
from tournaments.words.step_words import say_step

MINUTE = 60.0


def start(owner: models.Player, **overrides: object) -> tuple[Tournament, list[models.Player], Pod]:
    """A released online table of four."""
    tournament = begin(owner, [], venue="online", most=4, **overrides)
    players = enter(tournament, *NAMES[:4])
    release(owner, tournament, 1)
    return tournament, players, Pod.objects.get(round__tournament=tournament)


def test_the_grace_ends_with_bots_that_sit_in(ana: models.Player) -> None:
    _, players, pod = start(ana, grace_minutes=5)
    come_to_table(pod.table_id or "", players[0].pk, now=NOW)
    sweeper.sweep(now=NOW + 4 * MINUTE)
    assert store.reload(pod.table_id or "").status == "waiting"
    sweeper.sweep(now=NOW + 5 * MINUTE)
    begun = store.reload(pod.table_id or "")
    assert (begun.status, len(begun.runtime.stand_ins)) == ("playing", 3)
    assert begun.seat_of(players[1].pk) in begun.runtime.stand_ins
    back = come_to_table(begun.id, players[1].pk, now=NOW + 6 * MINUTE)
    assert back.seat_of(players[1].pk) not in back.runtime.stand_ins


def test_the_grace_ends_with_forfeits_where_that_was_agreed(ana: models.Player) -> None:
    _, players, pod = start(ana, grace_minutes=0, no_show="forfeit")
    for player in players[1:]:
        come_to_table(pod.table_id or "", player.pk, now=NOW)
    for _ in range(2):
        sweeper.sweep(now=NOW + 1)
    begun = store.reload(pod.table_id or "")
    assert (begun.status, begun.seat_of(players[0].pk)) == ("playing", None)
    assert list(PodSeat.objects.exclude(fate="plays").values_list("entrant__name", "fate")) == [("Ada", "no-show")]


def test_nobody_is_a_no_show_at_a_table_whose_result_is_decided(ana: models.Player) -> None:
    """They have played in the room: the building had no network."""
    tournament, _, pod = start(ana, grace_minutes=5, no_show="forfeit")
    results.decide(tournament, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    sweeper.sweep(now=NOW + 5 * MINUTE)
    lifecycle.begin_now(tournament, ana, 1, now=NOW + 5 * MINUTE)
    assert set(pod.seats.values_list("fate", flat=True)) == {"plays"}
    assert store.reload(pod.table_id or "").status == "over"
    decided = Step.objects.get(tournament=tournament, kind="decide")
    step_undo.revert(tournament, ana, decided.number, now=NOW + 6 * MINUTE)
    sweeper.sweep(now=NOW + 6 * MINUTE)
    pod.refresh_from_db()
    assert store.reload(pod.table_id or "").status == "waiting"


def test_the_bell_rings_once_at_every_table(ana: models.Player) -> None:
    tournament, _, pod = start(ana, round_minutes=30)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    lifecycle.extend(tournament, ana, 1, 10, key="k", now=NOW)
    sweeper.sweep(now=NOW + 39 * MINUTE)
    assert not Round.objects.get(tournament=tournament).has_rung
    for _ in range(2):
        sweeper.sweep(now=NOW + 40 * MINUTE)
    assert Round.objects.get(tournament=tournament).has_rung
    assert store.reload(pod.table_id or "").state.progress.bell


def test_the_log_says_who_did_not_wait(ana: models.Player) -> None:
    tournament, _, pod = start(ana)
    for _ in range(2):
        lifecycle.begin_now(tournament, ana, 1, now=NOW + 3)
    assert store.reload(pod.table_id or "").status == "playing"
    step = Step.objects.get(tournament=tournament, kind="begin")
    assert (say_step(step, format_slug="swiss"), step.actor_name) == ("started round 1 without missing players", "Ana")
    with pytest.raises(Stale):
        step_undo.revert(tournament, ana, step.number, now=NOW + 4)


def test_a_pause_stops_all_tables_and_puts_off_the_bell(ana: models.Player) -> None:
    tournament, players, pod = start(ana, round_minutes=30)
    for player in players:
        come_to_table(pod.table_id or "", player.pk, now=NOW)
    for _ in range(2):
        lifecycle.pause(tournament, ana, 1, now=NOW + 10)
    paused = store.reload(pod.table_id or "")
    assert paused.wake_at is None
    sweeper.sweep(now=NOW + 60 * MINUTE)
    assert store.reload(pod.table_id or "").version == paused.version
    for _ in range(2):
        lifecycle.resume(tournament, ana, 1, now=NOW + 1010)
    resumed = store.reload(pod.table_id or "")
    assert [round(clock.due - 1000, 3) for clock in resumed.runtime.clocks] == [
        round(clock.due, 3) for clock in paused.runtime.clocks
    ]
    assert Round.objects.get(tournament=tournament).ends_at == NOW + 30 * MINUTE + 1000


def test_minutes_given_in_a_pause_are_those_that_are_left(ana: models.Player) -> None:
    tournament, _, _ = start(ana, round_minutes=30)
    lifecycle.pause(tournament, ana, 1, now=NOW + 25 * MINUTE)
    lifecycle.extend(tournament, ana, 1, 5, key="k", now=NOW + 60 * MINUTE)
    lifecycle.resume(tournament, ana, 1, now=NOW + 60 * MINUTE)
    assert Round.objects.get(tournament=tournament).ends_at == NOW + 70 * MINUTE


def test_a_limit_agreed_in_a_pause_begins_after_it(ana: models.Player) -> None:
    tournament, _, _ = start(ana)
    lifecycle.pause(tournament, ana, 1, now=NOW)
    lifecycle.extend(tournament, ana, 1, 5, key="k", now=NOW + 3 * MINUTE)
    lifecycle.resume(tournament, ana, 1, now=NOW + 10 * MINUTE)
    assert Round.objects.get(tournament=tournament).ends_at == NOW + 15 * MINUTE


@pytest.mark.parametrize(
    ("overrides", "minutes"), [({}, -5), ({"round_minutes": 30}, -30), ({"round_minutes": 30}, -31)]
)
def test_no_bell_is_rung_by_taking_minutes_away(ana: models.Player, overrides: dict[str, int], minutes: int) -> None:
    tournament, _, _ = start(ana, **overrides)
    before = Round.objects.get(tournament=tournament).ends_at
    with pytest.raises(BadInput, match="No time would be left"):
        lifecycle.extend(tournament, ana, 1, minutes, key="k", now=NOW)
    sweeper.sweep(now=NOW)
    played = Round.objects.get(tournament=tournament)
    assert (played.has_rung, played.ends_at) == (False, before)


def test_minutes_that_were_needed_are_not_taken_back(ana: models.Player) -> None:
    tournament, _, _ = start(ana, round_minutes=30)
    lifecycle.extend(tournament, ana, 1, 10, key="k", now=NOW)
    step = Step.objects.get(tournament=tournament, kind="extend")
    with pytest.raises(BadInput, match="No time would be left"):
        step_undo.revert(tournament, ana, step.number, now=NOW + 30 * MINUTE)
    assert Round.objects.get(tournament=tournament).ends_at == NOW + 40 * MINUTE
    step_undo.revert(tournament, ana, step.number, now=NOW + 30 * MINUTE - 1)
    assert Round.objects.get(tournament=tournament).ends_at == NOW + 30 * MINUTE


def test_a_bell_that_the_tables_may_have_heard_is_not_moved(ana: models.Player) -> None:
    tournament, players, pod = start(
        ana, format="ladder", game="animal-poker", options={}, round_minutes=30, tie_breaks=("lot",)
    )
    for player in players:
        come_to_table(pod.table_id or "", player.pk, now=NOW)
    sweeper.sweep(now=NOW)
    bell = NOW + 30 * MINUTE
    assert run_clock(pod.table_id or "", now=bell + 0.5).state.progress.bell
    with pytest.raises(Stale, match="has already rung"):
        lifecycle.extend(tournament, ana, 1, 10, key="k", now=bell + 0.6)
    played = Round.objects.get(tournament=tournament)
    assert (played.has_rung, played.ends_at) == (True, bell)


def test_a_pause_at_the_bell_does_not_move_it(ana: models.Player) -> None:
    tournament, _, _ = start(ana, round_minutes=30)
    lifecycle.pause(tournament, ana, 1, now=NOW + 30 * MINUTE + 0.5)
    played = Round.objects.get(tournament=tournament)
    assert (played.has_rung, played.paused_at) == (True, NOW + 30 * MINUTE + 0.5)


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_a_game_goes_on_when_its_round_is_complete_though_it_was_paused(
    ana: models.Player, is_interrupted: bool
) -> None:
    tournament, players, pod = start(ana)
    for player in players:
        come_to_table(pod.table_id or "", player.pk, now=NOW)
    lifecycle.pause(tournament, ana, 1, now=NOW + 10)
    if is_interrupted:
        Round.objects.filter(tournament=tournament).update(status="complete", paused_at=None)  # then the power went
        sweeper.sweep(now=NOW + 20)
    else:
        lifecycle.complete(tournament, ana, 1, missing="void", now=NOW + 20)
    assert store.reload(pod.table_id or "").runtime.paused_at is None
    assert finish(store.reload(pod.table_id or ""), now=NOW + 21).status == "over"


def test_a_table_whose_people_come_during_a_pause_begins_after_it(ana: models.Player) -> None:
    tournament, players, pod = start(ana)
    lifecycle.pause(tournament, ana, 1, now=NOW)
    for player in players:
        come_to_table(pod.table_id or "", player.pk, now=NOW + 1)
    sweeper.sweep(now=NOW + 2)
    waiting = store.reload(pod.table_id or "")
    assert (waiting.status, waiting.runtime.paused_at) == (WAITING, NOW)
    Round.objects.filter(tournament=tournament).update(paused_at=None)  # and then the power went
    sweeper.sweep(now=NOW + 30)
    begun = store.reload(pod.table_id or "")
    assert (begun.status, begun.started_at, begun.runtime.paused_at) == (PLAYING, NOW + 30, None)


def test_duplicate_deals_are_the_same_and_kept_back_until_the_round_is_over(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4, duplicate=True)
    enter(tournament, *NAMES[:8])
    played = release(ana, tournament, 1)
    deals = duplicate_commitments.find(tournament, duplicate_commitments.DealKey(1))
    assert deals is not None
    assert deals.closed_at == NOW
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    one, other = (store.reload(pod.table_id or "") for pod in Pod.objects.filter(round=played))
    assert one.state.hands == other.state.hands
    assert (one.seed, one.is_public) == (duplicate_commitments.derive_seed(deals, 4), False)
    over = finish(one)
    with pytest.raises(NotAllowed, match="same deals"):
        permissions.require_finished(over)
    sweeper.sweep(now=NOW)
    assert records_in(tournament) == []
    finish(other)
    sweeper.sweep(now=NOW)
    assert records_in(tournament) == []
    lifecycle.complete(tournament, ana, 1, now=NOW)
    permissions.require_finished(store.reload(one.id))
    assert records_in(tournament) == ["records/r1-t1.json", "records/r1-t2.json"]


def records_in(tournament: Tournament) -> list[str]:
    """The games in an archive of the tournament as it stands."""
    with zipfile.ZipFile(io.BytesIO(zip_export.write_zip(open_book(tournament)))) as file:
        return [name for name in file.namelist() if name.startswith("records/")]
