"""What was done in an evening stands in its log, and is taken back until somebody has heard or played it."""

from __future__ import annotations

import pytest

from games.models import Player
from games.play.errors import BadInput, NotAllowed, NotFound, Stale
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tests.cast import NOW, at_once, come_to_table, finish, open_table, person, start_table
from tests.tournaments.cast import found
from tests.tournaments.flow.evenings.test_sessions import MINUTE, add, begin, bell_of, has_rung
from tournaments.flow.evenings import candidates, evening_sweeper, sessions
from tournaments.flow.undo import evening_undo
from tournaments.models import Membership, SessionTable, Step, TimedSession
from tournaments.views.evenings.table_panels import say_step


@pytest.fixture
def evening(ana: Player, ben: Player) -> TimedSession:
    """Half an hour of Animal Poker, opened by Ana; Ben is a member, too."""
    club = found(person("Olga"))
    for player in (ana, ben):
        Membership.objects.create(club=club, player=player)
    return sessions.find(
        sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW).pk
    )


def reload(evening: TimedSession) -> TimedSession:
    return sessions.find(evening.pk)


def undo(evening: TimedSession, actor: Player, *, now: float = NOW) -> None:
    """Take back the last step of all."""
    evening_undo.revert(evening, actor, evening_undo.list_steps(evening)[0].number, now=now)


def describe_log(evening: TimedSession) -> list[tuple[str, str, float]]:
    """The log, oldest first: who, what, how many seconds after the start."""
    steps = reversed(evening_undo.list_steps(evening))
    return [(step.actor_name, say_step(step), step.at - NOW) for step in steps]


def test_the_log_says_who_did_what_and_when(evening: TimedSession, ana: Player, ben: Player) -> None:
    add(evening, ana, ana, now=NOW + 1)
    add(evening, ana, ben, now=NOW + 2)
    brought = start_table(ben, game="animal-poker", options={"minutes": 60})
    sessions.bring_table(evening, ben, brought.id, version=reload(evening).version, now=NOW + 3)
    sessions.begin_table(evening, ana, 1, now=NOW + 4)
    sessions.close_table(evening, ana, 2, now=NOW + 5)
    sessions.extend(evening, ana, 15, version=reload(evening).version, now=NOW + 6)
    undo(evening, ana, now=NOW + 7)
    undo(evening, ana, now=NOW + 8)
    for _ in range(2):
        sessions.pause(evening, ana, now=NOW + 9)
    for _ in range(2):
        sessions.resume(evening, ana, now=NOW + 19)
    evening_sweeper.sweep_evenings(now=NOW + 45 * MINUTE + 10)
    assert describe_log(evening) == [
        ("Ana", "opened the evening", 0),
        ("Ana", "opened table 1", 1),
        ("Ana", "opened table 2", 2),
        ("Ben", "added a table of their own as table 3", 3),
        ("Ana", "started table 1 without missing players", 4),
        ("Ana", "closed table 2", 5),
        ("Ana", "made the evening 15 minutes longer", 6),
        ("Ana", "undid “made the evening 15 minutes longer”", 7),
        ("Ana", "redid “made the evening 15 minutes longer”", 8),
        ("Ana", "paused all tables", 9),
        ("Ana", "resumed all tables", 19),
        ("", "rang the bell", 45 * MINUTE + 10),
    ]


def test_an_evening_made_shorter_and_called_off(evening: TimedSession, ana: Player) -> None:
    TimedSession.objects.update(starts_at=NOW + 3600, ends_at=NOW + 7200)
    sessions.extend(evening, ana, -15, version=0, now=NOW)
    sessions.end(evening, ana, now=NOW)
    undo(evening, ana)
    assert [described for _, described, _ in describe_log(evening)] == [
        "opened the evening", "made the evening 15 minutes shorter", "cancelled the evening",
        "undid “cancelled the evening”",
    ]  # fmt: skip
    assert (reload(evening).is_called_off, reload(evening).ends_at) == (False, NOW + 6300)


def test_an_extension_is_taken_back_and_done_again(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    sessions.extend(evening, ana, 15, version=1, now=NOW)
    for minutes in (30, 45, 30):
        undo(evening, ana)
        assert (reload(evening).ends_at, bell_of(table_id)) == (NOW + minutes * MINUTE, [NOW + minutes * MINUTE])


def test_an_extension_on_which_another_rests_stands(evening: TimedSession, ana: Player) -> None:
    sessions.extend(evening, ana, 15, version=0, now=NOW)
    first = evening_undo.list_steps(evening)[0].number
    sessions.extend(evening, ana, 30, version=1, now=NOW)
    with pytest.raises(Stale, match="A later step depends on this one"):
        evening_undo.revert(evening, ana, first, now=NOW)
    assert reload(evening).ends_at == NOW + 75 * MINUTE
    undo(evening, ana)
    evening_undo.revert(evening, ana, first, now=NOW)
    assert reload(evening).ends_at == NOW + 30 * MINUTE


def test_an_extension_is_taken_back_and_done_again_over_pauses(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    sessions.extend(evening, ana, 15, version=1, now=NOW)
    sessions.pause(evening, ana, now=NOW + MINUTE)
    sessions.resume(evening, ana, now=NOW + 3 * MINUTE)
    number = next(one.number for one in evening_undo.list_steps(evening) if one.kind == "extend")
    evening_undo.revert(evening, ana, number, now=NOW + 4 * MINUTE)
    assert (reload(evening).ends_at, bell_of(table_id)) == (NOW + 32 * MINUTE, [NOW + 32 * MINUTE])
    number = evening_undo.list_steps(evening)[0].number
    for begins in (5, 8):
        sessions.pause(evening, ana, now=NOW + begins * MINUTE)
        sessions.resume(evening, ana, now=NOW + (begins + 1) * MINUTE)
    evening_undo.revert(evening, ana, number, now=NOW + 10 * MINUTE)
    assert (reload(evening).ends_at, bell_of(table_id)) == (NOW + 49 * MINUTE, [NOW + 49 * MINUTE])


def test_an_extension_that_is_used_is_not_taken_back(evening: TimedSession, ana: Player) -> None:
    sessions.extend(evening, ana, 15, version=0, now=NOW)
    with pytest.raises(BadInput):
        undo(evening, ana, now=NOW + 30 * MINUTE)
    assert (reload(evening).ends_at, reload(evening).has_rung) == (NOW + 45 * MINUTE, False)
    with pytest.raises(Stale):
        undo(evening, ana, now=NOW + 45 * MINUTE)
    assert reload(evening).has_rung


def test_an_end_that_nobody_has_heard_is_taken_back(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana, ben)
    come_to_table(table_id, ana.pk, now=NOW)
    for _ in range(2):
        sessions.end(evening, ana, now=NOW + 10 * MINUTE)
    assert (reload(evening).ended_at, store.reload(table_id).status) == (NOW + 10 * MINUTE, OVER)
    undo(evening, ana, now=NOW + 11 * MINUTE)
    after = reload(evening)
    assert (after.has_rung, after.ended_at, after.ends_at) == (False, None, NOW + 30 * MINUTE)
    assert store.reload(table_id).status == WAITING
    evening_sweeper.sweep_evenings(now=NOW + 16 * MINUTE - 1)  # the absent are waited for anew
    assert store.reload(table_id).status == WAITING
    assert come_to_table(table_id, ben.pk, now=NOW + 16 * MINUTE - 1).status == PLAYING
    assert bell_of(table_id) == [NOW + 46 * MINUTE - 1]
    evening_sweeper.sweep_evenings(now=NOW + 16 * MINUTE)
    assert bell_of(table_id) == [NOW + 30 * MINUTE]


def test_a_table_brought_along_is_there_again_when_the_end_is_taken_back(
    evening: TimedSession, ana: Player, ben: Player
) -> None:
    table = open_table(ben, game="animal-poker")
    sessions.bring_table(evening, ben, table.id, version=0, now=NOW)
    sessions.end(evening, ana, now=NOW + 60)
    assert SessionTable.objects.count() == 0
    undo(evening, ana, now=NOW + 120)
    assert SessionTable.objects.get().table_id == table.id
    undo(evening, ana, now=NOW + 180)
    assert (SessionTable.objects.count(), store.reload(table.id).status) == (0, WAITING)


def test_an_end_done_again(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    sessions.end(evening, ana, now=NOW + 60)
    undo(evening, ana, now=NOW + 120)
    undo(evening, ana, now=NOW + 180)
    after = reload(evening)
    assert (after.has_rung, after.ends_at, after.ended_at) == (True, NOW + 180, NOW + 180)
    assert store.reload(table_id).status == OVER


def test_an_end_done_again_is_the_end_of_a_pause(evening: TimedSession, ana: Player) -> None:
    sessions.end(evening, ana, now=NOW)
    undo(evening, ana)
    sessions.pause(evening, ana, now=NOW)
    evening_undo.revert(evening, ana, Step.objects.get(kind="undo").number, now=NOW)
    current = sessions.find(evening.pk)
    assert (current.has_rung, current.paused_at) == (True, None)


def test_an_end_that_was_heard_stands(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    sessions.end(evening, ana, now=NOW + 60)
    for status in (PLAYING, OVER):
        with pytest.raises(Stale):
            undo(evening, ana, now=NOW + 61)
        assert (reload(evening).has_rung, store.reload(table_id).status) == (True, status)
        finish(store.reload(table_id), now=NOW + 62)
        evening_sweeper.sweep_evenings(now=NOW + 63)


def test_a_table_is_closed_and_opened_again(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana)
    for _ in range(2):
        sessions.close_table(evening, ana, 1, now=NOW)
    assert (store.reload(table_id).status, SessionTable.objects.count()) == (OVER, 0)
    assert [one.name for one in candidates.list_candidates(evening)] == ["Ana", "Ben", "Olga"]
    undo(evening, ana, now=NOW)
    assert (store.reload(table_id).status, SessionTable.objects.get().number) == (WAITING, 1)
    undo(evening, ana, now=NOW)
    other = add(evening, ana, ana, ben)
    with pytest.raises(Stale, match="now belongs to another table"):
        evening_undo.revert(evening, ana, Step.objects.filter(kind="undo").latest("number").number, now=NOW)
    assert (store.reload(table_id).status, store.reload(other).status) == (OVER, WAITING)


def test_who_sits_elsewhere_by_now_is_not_seated_twice(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana)
    add(evening, ana, ben)
    sessions.close_table(evening, ana, 1, now=NOW)
    add(evening, ana, ana)
    with pytest.raises(Stale, match="Somebody from this table"):
        evening_undo.revert(evening, ana, Step.objects.get(kind="close").number, now=NOW)
    assert store.reload(table_id).status == OVER


def test_a_table_that_has_begun_stays(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    with pytest.raises(Stale):
        undo(evening, ana)
    with pytest.raises(Stale):
        sessions.close_table(evening, ana, 1, now=NOW)
    assert (store.reload(table_id).status, SessionTable.objects.count()) == (PLAYING, 1)


def test_a_table_brought_along_goes_its_own_way_again(evening: TimedSession, ana: Player, ben: Player) -> None:
    table = start_table(ben, game="animal-poker", options={"minutes": 60})
    sessions.bring_table(evening, ben, table.id, version=0, now=NOW)
    assert bell_of(table.id) == [NOW + 30 * MINUTE]
    sessions.pause(evening, ana, now=NOW + 60)
    sessions.resume(evening, ana, now=NOW + 120)
    with pytest.raises(NotAllowed):
        sessions.close_table(evening, person("Eva"), 1, now=NOW + 130)
    sessions.close_table(evening, ben, 1, now=NOW + 130)
    assert (bell_of(table.id), SessionTable.objects.count()) == ([NOW + 61 * MINUTE], 0)
    undo(evening, ana, now=NOW + 140)
    assert bell_of(table.id) == [NOW + 31 * MINUTE]
    assert not has_rung(table.id)


def test_who_may_take_back(evening: TimedSession, ana: Player, ben: Player) -> None:
    sessions.extend(evening, ana, 15, version=0, now=NOW)
    with pytest.raises(NotAllowed):
        undo(evening, ben)
    with pytest.raises(Stale):
        evening_undo.revert(evening, ana, 0, now=NOW)
    other = sessions.open_evening(
        evening.club or found(ben), ana, sessions.EveningPlan("Later", "animal-poker", 30), now=NOW
    )
    with pytest.raises(NotFound):
        evening_undo.revert(other, ana, evening_undo.list_steps(evening)[0].number, now=NOW)
    assert reload(evening).ends_at == NOW + 45 * MINUTE


def test_two_take_back_at_the_same_moment(transactional_db: None, evening: TimedSession, ana: Player) -> None:
    olga = Player.objects.get(name="Olga")
    sessions.extend(evening, ana, 15, version=0, now=NOW)
    at_once(*(lambda who=who: evening_undo.revert(evening, who, 1, now=NOW) for who in (ana, olga)))
    assert reload(evening).ends_at == NOW + 30 * MINUTE
    assert list(Step.objects.order_by("number").values_list("kind", flat=True)) == ["open", "extend", "undo"]
