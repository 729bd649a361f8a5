"""Everything again on a living club: only from where something changed, in small steps, interrupted and repeated."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from games.models import Player
from games.play.records import voiding
from games.play.storage.table import LoadedTable
from tests.cast import NOW, at_once, finish, person, start_table
from tests.tournaments.flow.counting.test_finished_tables import LATER, everything
from tournaments.flow.counting import finished_tables, ledger, recomputing, rederiving
from tournaments.models import BoardRow, CareerEntry, CountedTable, Ledger, PersonResult, PersonTotal
from tournaments.work import tasks

HOUR = 3600.0


def play(*people: Player, hour: int, game: str = "animal-poker", is_counted: bool = True) -> LoadedTable:
    """A finished table that ended in this hour."""
    name = {"animal-poker": "sessions", "karriere-poker": "deals"}[game]
    now = NOW + hour * HOUR
    table = finish(start_table(*people, game=game, options={name: 1}, now=now), now=now)
    if is_counted:
        finished_tables.count_table(table.id, now=LATER)
    return table


def season(ana: Player, ben: Player, eva: Player) -> list[LoadedTable]:
    """Six tables in six hours."""
    return [
        play(ana, ben, hour=1),
        play(ben, eva, hour=2),
        play(ana, eva, hour=3, game="karriere-poker"),
        play(ana, ben, eva, hour=4),
        play(ben, eva, hour=5, game="karriere-poker"),
        play(ana, ben, hour=6),
    ]


def asked_since() -> tuple[bool, float | None]:
    """Whether everything is to be computed again, and from when on."""
    return Ledger.objects.values_list("is_stale", "stale_since").get()


@pytest.mark.parametrize("number", [0, 2, 5])
def test_after_a_struck_game_the_tables_from_then_on_are_computed_again(
    ana: Player, ben: Player, eva: Player, number: int
) -> None:
    tables = season(ana, ben, eva)
    voiding.void(tables[number].id, reason="Two hands were seen.", now=LATER)
    assert asked_since() == (True, NOW + (number + 1) * HOUR)
    changed = recomputing.catch_up(now=LATER)
    assert changed is not None
    assert changed.tables == 5 - number
    after = everything()
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(5, 0, 0)
    assert everything() == after


def test_a_table_that_is_counted_late_is_put_in_its_place(ana: Player, ben: Player, eva: Player) -> None:
    play(ana, ben, hour=1)
    late = play(ben, eva, hour=2, is_counted=False)
    play(ana, ben, eva, hour=3)
    assert asked_since()[0] is False
    finished_tables.count_table(late.id, now=LATER)
    assert asked_since() == (True, NOW + 2 * HOUR)
    assert (recomputing.catch_up(now=LATER) or recomputing.Corrections(0, 0, 0)).tables == 2
    after = everything()
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(3, 0, 0)
    assert everything() == after


def test_it_begins_at_the_earliest_of_what_is_asked(ana: Player) -> None:
    for since, expected in ((5.0, 5.0), (7.0, 5.0), (3.0, 3.0), (None, None), (1.0, None)):
        ledger.request_recount(since=since)
        assert asked_since() == (True, expected)
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(0, 0, 0)
    assert asked_since() == (False, None)


def test_interrupted_anywhere_it_can_be_done_again(ana: Player, ben: Player, eva: Player) -> None:
    season(ana, ben, eva)
    before = everything()
    calls = 0
    while _compute_damaged(ana, ben, eva, stop_at=calls) is None:
        assert (asked_since(), Ledger.objects.get().busy_since) == ((True, None), None)
        rederiving.derive_again(now=LATER)
        recomputing.recompute(now=LATER)
        assert everything() == before
        calls += 1
    assert calls > 4
    assert everything() == before


def _compute_damaged(ana: Player, ben: Player, eva: Player, *, stop_at: int) -> recomputing.Corrections | None:
    PersonResult.objects.update(mu=1.0, sigma=None)
    BoardRow.objects.filter(player=ana).delete()
    PersonTotal.objects.filter(player=ben).update(games=99)
    CareerEntry.objects.filter(player=eva).delete()
    return _compute(stop_at=stop_at)


def _compute(*, stop_at: int) -> recomputing.Corrections | None:
    """All of it; None if it was interrupted at that report of progress."""
    left = stop_at

    def report(_done: int, _of: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt

    try:
        rederiving.derive_again(now=LATER, progress=report)
        return recomputing.recompute(now=LATER, progress=report)
    except KeyboardInterrupt:
        ledger.request_recount()
        return None


def test_others_write_and_nothing_is_lost_or_counted_twice_meanwhile(transactional_db: None) -> None:
    ana, ben = person("Ana"), person("Ben")
    play(ana, ben, hour=1)
    PersonResult.objects.update(mu=1.0)
    BoardRow.objects.all().delete()
    PersonTotal.objects.all().delete()
    CareerEntry.objects.all().delete()
    late = play(ana, ben, hour=2, is_counted=False)
    collected: list[list[Any]] = []

    def write(done: int, _of: int) -> None:
        """Somebody else, while all is computed: says hello, plays, and has a game counted."""
        collected.append(
            at_once(lambda: (person(f"Guest {len(collected)}").name, finished_tables.count_table(late.id, now=LATER)))
        )

    rederiving.derive_again(now=LATER, progress=write)
    assert collected == [[("Guest 0", True)]]
    CountedTable.objects.filter(table=late.id).delete()
    recomputing.recompute(now=LATER, progress=write)
    assert collected[1:] == [[(f"Guest {number}", False)] for number in range(1, len(collected))]
    assert len(collected) > 4
    tasks.sweep_results()
    tasks.sweep_results()
    assert sorted(PersonResult.objects.values_list("player__name", "ended_at")) == [
        (name, NOW + hour * HOUR) for name in ("Ana", "Ben") for hour in (1, 2)
    ]
    assert set(BoardRow.objects.values_list("games", flat=True)) == {2}
    before = everything()
    assert recomputing.recompute(now=LATER) == recomputing.Corrections(2, 0, 0)
    assert everything() == before


def test_who_computes_for_long_says_that_they_are_alive(ana: Player) -> None:
    claim = ledger.claim(now=LATER, is_whole=True)
    assert claim is not None
    claim.send_heartbeat()
    assert Ledger.objects.get().busy_since == LATER
    claim._began -= ledger.BEAT_SECONDS
    claim.send_heartbeat()
    assert (Ledger.objects.get().busy_since or 0.0) >= LATER + ledger.BEAT_SECONDS
    assert ledger.claim(now=LATER + ledger.BUSY_SECONDS, is_whole=True) is None


def test_who_was_silent_for_too_long_is_overtaken(ana: Player) -> None:
    silent = ledger.claim(now=LATER, is_whole=True)
    other = ledger.claim(now=LATER + ledger.BUSY_SECONDS + 1, is_whole=True)
    assert silent is not None
    assert other is not None
    silent._began -= ledger.BUSY_SECONDS + 2
    with pytest.raises(ledger.ClaimLost):
        silent.send_heartbeat()
    silent.release()
    assert Ledger.objects.get().busy_since == LATER + ledger.BUSY_SECONDS + 1
    other.release()
    assert Ledger.objects.get().busy_since is None


def test_a_command_that_is_ended_gives_back_what_it_took(ana: Player, ben: Player) -> None:
    play(ana, ben, hour=1)

    def end_it(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if "busy_since" in sql and LATER not in (params or ()) and sql.startswith("UPDATE") and not ended:
            ended.append(sql)
            os.kill(os.getpid(), signal.SIGTERM)
        return execute(sql, params, many, context)

    ended: list[str] = []
    handler = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as end, connection.execute_wrapper(end_it):
        call_command("recompute_ratings", stdout=io.StringIO(), stderr=io.StringIO())
    assert (end.value.code, len(ended), signal.getsignal(signal.SIGTERM)) == (143, 1, handler)
    assert Ledger.objects.get().busy_since is None
    call_command("recompute_ratings", stdout=io.StringIO(), stderr=io.StringIO())


def test_games_that_an_older_version_counted_are_looked_at_again_by_and_by(
    ana: Player, ben: Player, eva: Player
) -> None:
    season(ana, ben, eva)
    before = everything()
    Ledger.objects.update(derived_by=0)
    PersonResult.objects.filter(player=ana).update(feat=7)
    PersonTotal.objects.filter(player=ana).update(feat=7)
    CareerEntry.objects.filter(player=ben).update(job="pope")
    assert [rederiving.derive_on(now=LATER, most=4) for _ in range(4)] == [4, 2, 0, 0]
    assert everything() == before
    row = Ledger.objects.get()
    assert (row.derived_by, row.derived_to, row.is_stale) == (rederiving.VERSION, "", False)
    PersonResult.objects.update(feat=7)
    assert rederiving.derive_on(now=LATER) == 0
    assert set(PersonResult.objects.values_list("feat", flat=True)) == {7}


def test_a_place_that_was_wrong_has_the_ratings_after_it_computed_again(ana: Player, ben: Player, eva: Player) -> None:
    season(ana, ben, eva)
    before = everything()
    Ledger.objects.update(derived_by=0)
    PersonResult.objects.filter(ended_at=NOW + 3 * HOUR).update(rank=2, place=4)
    assert rederiving.derive_on(now=LATER) == 6
    assert asked_since() == (True, NOW + 3 * HOUR)
    tasks.sweep_results()
    assert everything() == before
