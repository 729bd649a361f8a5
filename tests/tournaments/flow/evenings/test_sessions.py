"""Evenings: opened by members, one bell for all tables, once under double clicks and several sweepers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.accounts.animal_pictures import AVATARS
from games.models import Player, Ply, Seat, Table
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.records import voiding
from games.play.records.game_record import export
from games.play.seats import opening, sitting
from games.play.seats.player_changes import ANONYMOUS_NAME, delete_player, merge_guest
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable
from games.records.format import parse_record
from games.records.replay import replay
from tests.cast import (
    NOW,
    as_other_process,
    at_once,
    come_to_table,
    finish,
    move_until,
    open_table,
    person,
    start_table,
)
from tests.tournaments.cast import found
from tournaments.flow.counting.careers import record_deals
from tournaments.flow.evenings import candidates, evening_sweeper, jobs, sessions
from tournaments.flow.rounds import sweeper
from tournaments.models import CareerEntry, Club, Membership, SessionTable, Step, TimedSession
from tournaments.views.standings import job_table

MINUTE = 60.0


@pytest.fixture
def evening(ana: Player, ben: Player) -> TimedSession:
    """Half an hour of Animal Poker, opened by Ana; Ben is a member, too."""
    club = found(person("Olga"))
    for player in (ana, ben):
        Membership.objects.create(club=club, player=player)
    plan = sessions.EveningPlan("Friday", "animal-poker", 30)
    return sessions.find(sessions.open_evening(club, ana, plan, now=NOW).pk)


def add(evening: TimedSession, actor: Player, *players: Player, now: float = NOW) -> str:
    """A table of these members; its id."""
    version = sessions.find(evening.pk).version
    number = sessions.add_table(evening, actor, [one.pk for one in players], version=version, now=now)
    return SessionTable.objects.get(timed_session=evening, number=number).table_id


def begin(table_id: str, *players: Player) -> LoadedTable:
    """The table once they have come."""
    for player in players:
        come_to_table(table_id, player.pk, now=NOW)
    return store.fetch(table_id)


def bell_of(table_id: str) -> list[float]:
    return [clock.due for clock in store.reload(table_id).runtime.clocks if clock.event == {"clock": "time-up"}]


def has_rung(table_id: str) -> bool:
    return bool(store.reload(table_id).rules.view(store.reload(table_id).state, None)["last_deal"])


def test_an_evening_from_its_table_to_its_chronicle(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana, ben)
    assert store.fetch(table_id).status == WAITING
    table = begin(table_id, ana, ben)
    assert (table.status, [place.name for place in table.places]) == (PLAYING, ["Ana", "Ben", "Bruno", "Cleo"])
    (story,) = jobs.list_stories(evening)
    assert story.deals == ()
    assert sorted(story.held or ()) == [1, 2, 3, 4]
    move_until(table, lambda one: one.rules.view(one.state, None)["deal"] == 3)
    (story,) = jobs.list_stories(evening)
    assert [deal.number for deal in story.deals] == [1, 2]
    assert story.held == story.deals[-1].ranks
    assert story.jobs == ("ceo", "director", "assistant", "trainee")
    evening_sweeper.sweep_evenings(now=NOW + 30 * MINUTE)
    after = sessions.find(evening.pk)
    assert (after.has_rung, after.ended_at, has_rung(table_id)) == (True, None, True)
    assert finish(store.reload(table_id)).status == OVER
    evening_sweeper.sweep_evenings(now=NOW + 31 * MINUTE)
    assert sessions.find(evening.pk).ended_at == NOW + 31 * MINUTE
    assert [deal.number for deal in jobs.list_stories(evening)[0].deals] == [1, 2, 3]


@pytest.mark.parametrize("plays", [True, False])
def test_a_guest_who_is_a_member_plays_at_one_table_of_the_evening(
    evening: TimedSession, ana: Player, ben: Player, *, plays: bool
) -> None:
    """At the one where they play already, else where they sit under their own account."""
    guest = person("Fox 42")
    Membership.objects.create(club_id=evening.club_id or 0, player=guest)
    own, other = add(evening, ana, ana), add(evening, ana, guest, ben)
    if plays:
        begin(other, guest, ben)
    for _ in range(2):
        merge_guest(guest.pk, ana.pk, now=NOW)
        assert Seat.objects.get(player=ana).table_id == (other if plays else own)
    assert {*Seat.objects.filter(player=guest).values_list("table", "name")} == {
        (own if plays else other, ANONYMOUS_NAME)
    }


def read_page_version(evening: TimedSession) -> str:
    """The version that the page bears."""
    return jobs.build_version(evening, jobs.list_stories(evening), candidates.read_mark(evening), now=NOW)


def test_the_page_is_of_another_present_after_every_deal_whatever_the_worker_does(
    evening: TimedSession, ana: Player, ben: Player
) -> None:
    table = begin(add(evening, ana, ana, ben), ana, ben)
    seen = [jobs.version_of(evening, now=NOW)]
    for number in (2, 3):
        table = move_until(table, lambda one, at=number: one.rules.view(one.state, None)["deal"] == at)  # type: ignore[misc]
        seen.append(jobs.version_of(evening, now=NOW))
    assert CareerEntry.objects.count() == 0
    assert as_other_process(lambda: [deal.number for deal in jobs.list_stories(evening)[0].deals]) == [1, 2]
    voiding.void(table.id, reason="A test", now=NOW)
    seen.append(jobs.version_of(evening, now=NOW))
    assert len({*seen}) == 4
    assert read_page_version(evening) == seen[-1]
    assert jobs.list_stories(evening)[0].deals == ()


def test_the_page_is_of_another_present_once_it_has_begun_and_when_somebody_goes_for_good(
    evening: TimedSession, ana: Player, ben: Player
) -> None:
    add(evening, ana, ana, ben)
    later = [evening.starts_at - 1, evening.starts_at, evening.starts_at + 1]
    before, begun, after = (jobs.version_of(evening, now=now) for now in later)
    assert before != begun == after
    delete_player(ben.pk, now=NOW)
    assert jobs.version_of(evening, now=NOW) != begun
    assert jobs.version_of(evening, now=NOW) == read_page_version(evening)


def test_the_page_is_of_another_present_when_others_can_be_chosen(evening: TimedSession, ana: Player) -> None:
    seen = [jobs.version_of(evening, now=NOW)]
    eva = person("Eva")
    joined = Membership.objects.create(club_id=evening.club_id or 0, player=eva)
    seen.append(jobs.version_of(evening, now=NOW))
    eva.name = "Eve"
    eva.save()
    seen.append(jobs.version_of(evening, now=NOW))
    joined.delete()
    assert jobs.version_of(evening, now=NOW) == seen[0]
    Club.objects.update(name="Another Club")
    seen.append(jobs.version_of(sessions.find(evening.pk), now=NOW))
    assert len({*seen}) == 4


@pytest.mark.parametrize("game", sessions.GAMES)
def test_the_chronicle_is_what_the_record_says(ana: Player, ben: Player, game: str) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", game, 30), now=NOW)
    table = begin(add(evening, ana, ana, ben), ana, ben)
    for number in (2, 3, 4):
        table = move_until(table, lambda one, at=number: one.rules.view(one.state, None)["deal"] == at)  # type: ignore[misc]
        jobs.list_stories(evening)  # read on from here
    evening_sweeper.sweep_evenings(now=NOW + 30 * MINUTE)
    over = finish(store.reload(table.id))
    record_deals(Table.objects.get(pk=table.id))
    (story,) = jobs.list_stories(evening)
    assert [deal.number for deal in story.deals] == [1, 2, 3, 4]
    actual_jobs = [(deal.number, seat, story.jobs[deal.ranks[seat] - 1]) for deal in story.deals for seat in (0, 1)]
    entries = CareerEntry.objects.order_by("deal", "seat").values_list("deal", "seat", "job")
    assert actual_jobs == list(entries)
    steps = replay(parse_record(json.dumps(export(over)).encode()))
    recorded = [event.data for step in steps for event in step.events if event.kind == "deal_over"]
    assert [(deal.number, list(deal.ranks)) for deal in story.deals] == [
        (one["deal"], list(one["ranks"])) for one in recorded
    ]


def test_who_may(evening: TimedSession, ana: Player, ben: Player, eva: Player) -> None:
    assert evening.club is not None
    with pytest.raises(NotAllowed):
        sessions.open_evening(evening.club, eva, sessions.EveningPlan("Mine", "animal-poker", 30), now=NOW)
    acts: Any = (
        lambda who: sessions.pause(evening, who, now=NOW),
        lambda who: sessions.resume(evening, who, now=NOW),
        lambda who: sessions.end(evening, who, now=NOW),
        lambda who: sessions.extend(evening, who, 15, version=0, now=NOW),
        lambda who: sessions.add_table(evening, who, [ana.pk], version=0, now=NOW),
        lambda who: sessions.begin_table(evening, who, 1, now=NOW),
        lambda who: sessions.close_table(evening, who, 1, now=NOW),
    )
    add(evening, ana, ana)
    for act in acts:
        for who in (ben, eva, None):
            with pytest.raises(NotAllowed):
                act(who)
    assert (TimedSession.objects.get(pk=evening.pk).version, SessionTable.objects.count()) == (1, 1)


def test_who_may_look(evening: TimedSession, ana: Player, ben: Player, eva: Player) -> None:
    Club.objects.update(is_public=False)
    guest = person("Guest")
    table_id = add(evening, ana, ana)
    Seat.objects.filter(table=table_id, index=1).update(player=guest)
    open_table(eva)
    private = sessions.find(evening.pk)
    may = {who: sessions.can_see(private, who) for who in (ana.pk, ben.pk, guest.pk, eva.pk, None)}
    assert list(may.values()) == [True, True, True, False, False]
    olga = Player.objects.get(name="Olga")
    assert sessions.list_readers(private) == frozenset({olga.pk, ana.pk, ben.pk, guest.pk})


@pytest.mark.parametrize(
    "plan",
    [
        sessions.EveningPlan("x", "animal-poker", 30),
        sessions.EveningPlan("Friday", "fancy-animals", 30),
        sessions.EveningPlan("Friday", "animal-poker", 4),
        sessions.EveningPlan("Friday", "animal-poker", 30, NOW - 7200),
        sessions.EveningPlan("Friday", "animal-poker", 30, NOW - 1800),
    ],
)
def test_an_impossible_evening(evening: TimedSession, ana: Player, plan: sessions.EveningPlan) -> None:
    assert evening.club is not None
    with pytest.raises(BadInput):
        sessions.open_evening(evening.club, ana, plan, now=NOW)


def test_a_double_click_is_one_table_and_one_extension(evening: TimedSession, ana: Player, ben: Player) -> None:
    sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW)
    with pytest.raises(Stale):
        sessions.add_table(evening, ana, [ben.pk], version=0, now=NOW)
    with pytest.raises(BadInput):
        sessions.add_table(evening, ana, [ana.pk], version=1, now=NOW)
    current = sessions.find(evening.pk)
    for minutes in (0, 241, -241):
        with pytest.raises(BadInput, match="at most 240"):
            sessions.extend(current, ana, minutes, version=1, now=NOW)
    sessions.extend(current, ana, 15, version=1, now=NOW)
    with pytest.raises(Stale):
        sessions.extend(current, ana, 15, version=1, now=NOW)
    after = sessions.find(evening.pk)
    assert (after.ends_at, after.version, after.tables.count()) == (NOW + 45 * MINUTE, 2, 1)


def test_what_a_killed_worker_left_is_done_by_the_sweeper(evening: TimedSession, ana: Player) -> None:
    table_id = add(evening, ana, ana)
    begin(table_id, ana)
    TimedSession.objects.filter(pk=evening.pk).update(paused_at=NOW + 1)
    evening_sweeper.sweep_evenings(now=NOW + 2)
    assert store.reload(table_id).runtime.paused_at == NOW + 2
    TimedSession.objects.filter(pk=evening.pk).update(paused_at=None, has_rung=True)
    evening_sweeper.sweep_evenings(now=NOW + 3)
    assert has_rung(table_id)
    version = store.reload(table_id).version
    evening_sweeper.sweep_evenings(now=NOW + 4)
    assert store.reload(table_id).version == version


def test_bots_sit_in_for_the_late(evening: TimedSession, ana: Player, ben: Player) -> None:
    table_id = add(evening, ana, ana, ben)
    come_to_table(table_id, ana.pk, now=NOW)
    evening_sweeper.sweep_evenings(now=NOW + evening_sweeper.GRACE_SECONDS - 1)
    assert store.reload(table_id).status == WAITING
    sweeper.sweep(now=NOW + evening_sweeper.GRACE_SECONDS)
    assert (store.reload(table_id).status, store.reload(table_id).runtime.stand_ins) == (PLAYING, frozenset({1}))
    assert bell_of(table_id) == [NOW + 30 * MINUTE]


def test_a_table_is_brought_along_by_its_host(evening: TimedSession, ana: Player, ben: Player) -> None:
    table = start_table(ben, game="animal-poker", options={"minutes": 60})
    with pytest.raises(NotAllowed):
        sessions.bring_table(evening, ana, table.id, version=0, now=NOW)
    assert sessions.bring_table(evening, ben, table.id, version=0, now=NOW) == 1
    with pytest.raises(Stale):
        sessions.bring_table(evening, ben, table.id, version=1, now=NOW)
    evening_sweeper.sweep_evenings(now=NOW + 1)
    assert bell_of(table.id) == [NOW + 30 * MINUTE]
    wrong = start_table(ben, game="karriere-poker", options={"deals": 2})
    hidden = start_table(ben, game="animal-poker", is_public=False)
    for other in (wrong, hidden):
        with pytest.raises(BadInput):
            sessions.bring_table(evening, ben, other.id, version=1, now=NOW)


def test_an_evening_called_off_keeps_its_hour(ana: Player) -> None:
    plan = sessions.EveningPlan("Friday", "animal-poker", 30, NOW + 3600)
    evening = sessions.open_evening(found(ana), ana, plan, now=NOW)
    sessions.end(evening, ana, now=NOW + 60)
    after = sessions.find(evening.pk)
    assert (after.is_called_off, after.starts_at, after.ended_at) == (True, NOW + 3600, NOW + 60)


def test_an_evening_that_began_and_ended_early_was_then(ana: Player) -> None:
    plan = sessions.EveningPlan("Friday", "animal-poker", 30, NOW + 3600)
    evening = sessions.open_evening(found(ana), ana, plan, now=NOW)
    table_id = add(evening, ana, ana)
    come_to_table(table_id, ana.pk, now=NOW + 10)
    sessions.end(evening, ana, now=NOW + 60)
    after = sessions.find(evening.pk)
    assert (after.is_called_off, after.starts_at, after.ends_at) == (False, NOW + 10, NOW + 60)


def test_a_table_brought_along_that_has_not_begun_is_its_hosts_after_the_bell(
    evening: TimedSession, ana: Player, ben: Player
) -> None:
    table = open_table(ben, game="animal-poker", options={"minutes": 60})
    sessions.bring_table(evening, ben, table.id, version=0, now=NOW)
    evening_sweeper.sweep_evenings(now=NOW + 30 * MINUTE)
    assert sessions.find(evening.pk).ended_at == NOW + 30 * MINUTE
    assert jobs.list_stories(evening) == []
    assert start_game(table.id, ben, now=NOW + 31 * MINUTE).status == PLAYING
    assert bell_of(table.id) == [NOW + 91 * MINUTE]


def start_game(table_id: str, host: Player, *, now: float) -> LoadedTable:
    return opening.start(table_id, host.pk, fill="random", avatars=AVATARS, now=now)


def test_a_table_that_everybody_has_left_plays_its_last_deal(evening: TimedSession, ana: Player, ben: Player) -> None:
    table = begin(add(evening, ana, ana, ben), ana, ben)
    table = move_until(table, lambda one: one.ply == 9)
    for player in (ana, ben):
        sitting.leave(table.id, player.pk, now=NOW + 5)
    evening_sweeper.sweep_evenings(now=NOW + evening_sweeper.LEFT_SECONDS - 1)
    assert not has_rung(table.id)
    come_to_table(table.id, ben.pk, now=NOW + evening_sweeper.LEFT_SECONDS)
    evening_sweeper.sweep_evenings(now=NOW + evening_sweeper.LEFT_SECONDS + 1)
    assert not has_rung(table.id)
    sitting.leave(table.id, ben.pk, now=NOW + evening_sweeper.LEFT_SECONDS + 2)
    sessions.pause(evening, ana, now=NOW + 60)
    sessions.resume(evening, ana, now=NOW + 120)
    evening_sweeper.sweep_evenings(now=NOW + evening_sweeper.LEFT_SECONDS + 59)
    assert not has_rung(table.id)
    for later in (60, 61):
        evening_sweeper.sweep_evenings(now=NOW + evening_sweeper.LEFT_SECONDS + later)
    assert has_rung(table.id)
    assert list(Step.objects.filter(kind="left").values_list("actor_name", "details")) == [("", '{"table":1}')]
    assert not sessions.find(evening.pk).has_rung


def test_clicks_and_sweepers_at_the_same_moment(transactional_db: None, evening: TimedSession, ana: Player) -> None:
    opened = at_once(*(lambda: sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW) for _ in range(2)))
    assert sorted(type(one).__name__ for one in opened) in (["Stale", "int"], ["BadInput", "int"])
    begin(SessionTable.objects.get().table_id, ana)
    current = sessions.find(evening.pk)
    at_once(*(lambda: sessions.extend(current, ana, 15, version=1, now=NOW) for _ in range(2)))
    assert sessions.find(evening.pk).ends_at == NOW + 45 * MINUTE
    waiting = add(evening, ana, Player.objects.get(name="Ben"))
    at_once(*(lambda: evening_sweeper.sweep_evenings(now=NOW + evening_sweeper.GRACE_SECONDS) for _ in range(3)))
    assert (store.reload(waiting).status, store.reload(waiting).ply) == (PLAYING, 0)
    at_once(*(lambda: evening_sweeper.sweep_evenings(now=NOW + 45 * MINUTE) for _ in range(3)))
    after = sessions.find(evening.pk)
    assert (after.has_rung, after.version) == (True, 4)
    assert sorted(Ply.objects.filter(event__contains="time-up").values_list("table", flat=True)) == sorted(
        SessionTable.objects.values_list("table", flat=True)
    )
    assert list(Step.objects.order_by("number").values_list("kind", flat=True)) == [
        "open", "table", "extend", "table", "bell",
    ]  # fmt: skip


def test_who_has_opened_an_evening_and_left_the_club_steers_it_no_more(
    evening: TimedSession, ana: Player, ben: Player
) -> None:
    sessions.pause(evening, ana, now=NOW)
    sessions.resume(evening, ana, now=NOW)
    Membership.objects.filter(player=ana).delete()
    acts = (
        lambda who: sessions.pause(evening, who, now=NOW),
        lambda who: sessions.end(evening, who, now=NOW),
        lambda who: sessions.add_table(evening, who, [ben.pk], version=2, now=NOW),
    )
    for act in acts:
        for who in (ana, ben):  # a member who has not opened it does not either
            with pytest.raises(NotAllowed):
                act(who)
    assert (sessions.find(evening.pk).paused_at, sessions.find(evening.pk).has_rung, SessionTable.objects.count()) == (
        None,
        False,
        0,
    )


def test_only_members_who_sit_nowhere_else_are_put_at_a_table(evening: TimedSession, ana: Player, ben: Player) -> None:
    add(evening, ana, ben)
    many = [person(f"Member {number}") for number in range(9)]
    Membership.objects.bulk_create(Membership(club=evening.club, player=one) for one in many)
    stranger = person("Otto")
    for wrong in ([], [ben], [ana, ben], [stranger], [ana, stranger], many):
        with pytest.raises(BadInput, match="Choose one to eight members"):
            sessions.add_table(evening, ana, [one.pk for one in wrong], version=1, now=NOW)
    assert (SessionTable.objects.count(), Table.objects.count()) == (1, 1)
    add(evening, ana, *many[:8])
    assert SessionTable.objects.count() == 2


def test_a_chronicle_says_who_was_at_the_top_when_the_game_ended(ana: Player, ben: Player) -> None:
    table = start_table(ana, ben, game="animal-poker", options={"sessions": 2})
    (before,) = jobs.list_table_stories([(1, table.id)])
    assert "until the game ended" not in job_table.render_chronicle(before, None)
    finish(table)
    (story,) = jobs.list_table_stories([(1, table.id)])
    drawn = job_table.render_chronicle(story, None)
    assert drawn.count("until the game ended") == 1
    rows = drawn.partition("<tbody>")[2].split("</tr>")
    top = story.deals[-1].ranks.index(1)
    assert ["until the game ended" in row for row in rows[: len(story.seats)]] == [
        seat.index == top for seat in story.seats
    ]
    assert rows[top].rindex("until the game ended") > rows[top].rindex("<td")
