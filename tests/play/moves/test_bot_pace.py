"""How long bots wait: time to read, more where a choice looks harder, and nothing that tells of their cards."""

from __future__ import annotations

import json
import random
from statistics import mean
from typing import Any

import pytest

from games import models
from games.play.errors import BadInput
from games.play.moves import bot_pace
from games.play.moves.advance import schedule_bots
from games.play.seats import arranged_tables, opening, sitting
from games.play.storage import store
from games.play.storage.codec import read_runtime, write_runtime
from games.play.storage.table import BotDue, LoadedTable, TableRuntime
from games.rules.base import Config
from games.rules.chance import Chance
from games.rules.clock import Clock
from tests.cast import NOW, finish, person, start_table
from tests.play.moves.test_windows import send, start_super_zwierzaki

DELAY = 0.9
BEATEN = {"hands": [["1", "2"], ["5", "6", "9"], ["3", "7"], ["4", "8"]]}


def karriere(table: LoadedTable, hands: list[list[str]], *played: dict[str, Any]) -> LoadedTable:
    """This table of four with these hands after these moves of the seats in order."""
    setup = {"order": [0, 1, 2, 3], "deals": [{"hands": hands}]}
    state = table.rules.start(Config(4, {"deals": 1}, setup), Chance(bytes(32)))
    for seat, move in enumerate(played):
        state, _ = table.rules.apply(state, seat, move)
    return table._replace(state=state)


def turn(seat: int, *, left: float = 45.0) -> Clock:
    return Clock({"clock": "turn"}, (seat,), 1, NOW + left)


def pause(table: LoadedTable, seat: int, *, left: float = 45.0, seed: int = 1, delay: float = DELAY) -> float:
    found = bot_pace.choose_pause(table, seat, turn(seat, left=left), now=NOW, delay=delay, rng=random.Random(seed))
    assert found is not None
    return found


def pauses(table: LoadedTable, seat: int) -> list[float]:
    return [pause(table, seat, seed=seed) for seed in range(200)]


def with_pace(table: LoadedTable, pace: str) -> LoadedTable:
    return table._replace(runtime=table.runtime._replace(pace=pace))


def test_a_choice_among_more_moves_takes_longer() -> None:
    assert [bot_pace.scale_pause(choices) for choices in (0, 1, 4, 16, 500)] == [0.8, 0.8, 1.4, 2.0, 2.0]


def test_a_pass_that_everybody_sees_coming_is_quick(ana: models.Player) -> None:
    table = start_table(ana)
    high = [["13", "13", "13", "13", "1"], ["2", "4"], ["5", "5"], ["6", "7"]]
    forced = pauses(karriere(table, high, {"play": ["13"] * 4}), 1)
    leading = pauses(karriere(table, [["2", "3", "4", "5", "6", "7", "8", "9"], *high[1:]]), 0)
    assert min(forced) >= DELAY * 0.8 * 0.75
    assert max(forced) <= DELAY * 0.8 * 1.25
    assert mean(leading) > 1.6 * mean(forced)


def test_what_a_bot_holds_does_not_show_in_its_pauses(ana: models.Player) -> None:
    table = start_table(ana)
    can, cannot = ["8", "9", "10", "11"], ["1", "2", "2", "3"]
    others = [["7", "1"], ["4", "5"]]
    first = karriere(table, [others[0], can, others[1], cannot], {"play": ["7"]})
    second = karriere(table, [others[0], cannot, others[1], can], {"play": ["7"]})
    assert len(first.rules.legal_moves(first.state, 1) or ()) > len(second.rules.legal_moves(second.state, 1) or ())
    assert mean(pauses(first, 1)) == pytest.approx(mean(pauses(second, 1)), rel=0.02)


def test_the_pace_of_the_table_is_the_bots(ana: models.Player) -> None:
    table = karriere(start_table(ana), BEATEN["hands"], {"play": ["1"]})
    quick, normal, slow = (mean(pauses(with_pace(table, pace), 1)) for pace in ("quick", "normal", "slow"))
    assert [quick / normal, slow / normal] == pytest.approx([0.6, 2.0])


def test_bots_in_a_row_are_slower_than_the_motion_of_a_card_at_every_pace(ana: models.Player) -> None:
    table = with_pace(karriere(start_table(ana), BEATEN["hands"], {"play": ["1"]}), "quick")
    assert min(pauses(table, 1)) > 0.3


@pytest.mark.parametrize("pace", ["quick", "normal", "slow"])
def test_no_turn_of_a_bot_runs_out(ana: models.Player, pace: str) -> None:
    table = with_pace(karriere(start_table(ana), BEATEN["hands"], {"play": ["1"]}), pace)
    assert all(pause(table, 1, left=left, delay=30) <= 0.8 * left for left in (0.0, 0.5, 5.0))


def test_a_table_of_bots_only_is_not_slowed_down(db: None) -> None:
    wanted = opening.TableRequest("karriere-poker", 4, pace="slow")
    table = opening.open_exhibition(wanted, avatars=("fox",), now=NOW)
    assert mean(pauses(table, 0)) == pytest.approx(DELAY, rel=0.02)


def test_nor_is_one_at_which_bots_play_for_everybody(ana: models.Player) -> None:
    table = with_pace(start_table(ana), "slow")
    left = table._replace(runtime=table.runtime._replace(stand_ins=frozenset({0})))
    assert mean(pauses(left, 1)) == pytest.approx(DELAY, rel=0.02)


def test_without_a_delay_bots_move_at_once(ana: models.Player) -> None:
    assert pause(start_table(ana), 1, delay=0) == 0.0


def test_at_an_arranged_table_bots_are_quick(ana: models.Player) -> None:
    guests = [arranged_tables.SeatAssignment(name, "cat", bot="steady") for name in ("Bo", "Cy", "Di")]
    plan = arranged_tables.TablePlan("karriere-poker", (arranged_tables.SeatAssignment("Ana", "fox", ana.pk), *guests))
    with store.save_together():
        table = arranged_tables.arrange(plan, now=NOW)
    assert table.pace == "quick"


def test_the_pace_is_agreed_when_the_table_is_opened_and_stays_for_the_rematch(ana: models.Player) -> None:
    table = start_table(ana, pace="slow", options={"deals": 1})
    assert (table.pace, read_runtime(write_runtime(table.runtime))) == ("slow", table.runtime)
    again = sitting.play_again(finish(table).id, ana, avatars=("fox", "cat"), now=NOW)
    assert again.pace == "slow"


def moments(table: LoadedTable) -> list[float | None]:
    return [bot.due for bot in table.runtime.bots]


def test_bots_leave_people_two_seconds_to_react(ana: models.Player, ben: models.Player, settings: Any) -> None:
    settings.BOT_DELAY = DELAY
    table = start_super_zwierzaki("37 1 1/107 3/5 5/6 6", ana, ben, seats_wished=4)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert len(moments(opened)) == 2
    assert all(due is not None and NOW + 2 < due < NOW + 4 for due in moments(opened))


def test_but_no_longer_than_until_they_have_answered(ana: models.Player, ben: models.Player, settings: Any) -> None:
    settings.BOT_DELAY = DELAY
    table = start_super_zwierzaki("37 1 1/107 3/5 5/6 6", ana, ben, seats_wished=4)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    answered = send(table, ben, {"decline": True}, ply=opened.ply, now=NOW + 0.2)
    assert all(due is not None and due < NOW + 0.2 + DELAY for due in moments(answered))


def test_in_a_window_of_two_seconds_bots_do_not_react(ana: models.Player, ben: models.Player, settings: Any) -> None:
    settings.BOT_DELAY = DELAY
    table = start_super_zwierzaki("37 1 1/107 3/5 5/6 6", ana, ben, seats_wished=4, options={"reaction_seconds": 2})
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert (moments(opened), opened.runtime.bot_due) == ([None, None], None)


def test_a_reserved_moment_survives_the_database(ana: models.Player, ben: models.Player, settings: Any) -> None:
    settings.BOT_DELAY = DELAY
    table = start_super_zwierzaki("37 1 1/107 3/5 5/6 6", ana, ben, seats_wished=4)
    opened = send(table, ana, {"play": "37"}, ply=table.ply)
    assert all(bot.is_reserved for bot in opened.runtime.bots)
    assert read_runtime(write_runtime(opened.runtime)) == opened.runtime


def test_a_moment_that_is_set_stays(ana: models.Player) -> None:
    table = start_table(ana)
    bot = next(place.seat for place in table.places if place.bot)
    table = table._replace(runtime=table.runtime._replace(clocks=(turn(bot),), bots=()))
    once = schedule_bots(table, now=NOW, delay=DELAY, rng=random.Random(1))
    assert schedule_bots(once, now=NOW + 1, delay=DELAY, rng=random.Random(2)) is once


def test_an_unknown_pace_is_refused(ana: models.Player) -> None:
    wanted = opening.TableRequest("karriere-poker", 4, pace="hasty")
    with pytest.raises(BadInput, match="There is no such pace"):
        opening.open_table(person("Eva"), wanted, avatars=("fox",), now=NOW)


def test_a_process_of_the_version_before_can_read_when_bots_answer() -> None:
    """It makes a bot's answer of three values; what it does not know stands beside them."""
    bots = (BotDue(1, 7, 12.5, is_reserved=True), BotDue(2, 7, None))
    written = write_runtime(TableRuntime(bots=bots))
    assert json.loads(written)["bots"] == [[1, 7, 12.5], [2, 7, None]]
    assert read_runtime(written).bots == bots
