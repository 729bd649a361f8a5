"""The verdict of a chaos run finds every violation."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from chaos.campaign import Campaign, CampaignOptions
from chaos.evidence import Seen, digest
from chaos.reading import Row
from chaos.silent_sockets import SilentSockets
from chaos.verdict import Point, add_up, judge, judge_run
from games.records.format import Player, parse_record
from games.records.playback import Playback, play_back
from games.records.writer import build_record, to_text, write_move_event
from games.rules import registry
from games.rules.base import Config, Outcome
from games.rules.chance import Chance

SEED, SECRET = "5e" * 32, "ec" * 32
TABLE = "k7m2"


def play(game: str = "animal-poker") -> tuple[str, Playback]:
    """The record of a short game by chance, and its moments."""
    rules, rng = registry.find(game), random.Random(game)
    config = Config(4, {"sessions": 1})
    state = rules.settle(rules.start(config, Chance(bytes.fromhex(SEED))))
    events = []
    outcome: Outcome | None = None
    while outcome is None:
        seat = rules.to_act(state)[0]
        move = rng.choice(rules.legal_moves(state, seat) or ())
        state, _ = rules.apply(state, seat, move)
        events.append(write_move_event(seat, move))
        outcome = rules.outcome(state)
    players = [Player(f"P{seat}") for seat in range(4)]
    document = build_record(
        rules=rules, config=config, players=players, events=events, outcome=outcome, seed=bytes.fromhex(SEED)
    )
    text = to_text(document)
    return text, play_back(parse_record(text.encode()))


@pytest.fixture
def campaign() -> Campaign:
    """A game in which all went well: every move was sent, answered, stored and seen."""
    text, watched = play()
    found = Campaign(CampaignOptions("embedded", 1, 1, 1.0, ()))
    events = json.loads(text)["events"]
    rows: list[Row] = []
    for number, event in enumerate(events, 1):
        sent = found.evidence.send(TABLE, event["seat"], f"k{number}", event["move"])
        sent.status = 200
        rows.append((TABLE, number, json.dumps({"seat": event["seat"], "move": event["move"]}), sent.name))
    found.plies = rows
    found.games = [(TABLE, "over", len(events), SEED, SECRET)]
    found.book.games[TABLE] = "animal-poker"
    found.evidence.records[TABLE] = text
    view = watched.rules.view(watched.moments[3].state, 1)
    found.evidence.looks[TABLE] = {
        Seen(1, 3, digest(view), None),
        Seen(1, 3, None, tuple(sorted(view["hand"]))),
        Seen(None, 3, None, ()),
    }
    return found


def faults(campaign: Campaign) -> list[tuple[str, ...]]:
    """The faults of every point."""
    return [point.faults for point in judge(campaign)]


def test_where_all_went_well_nothing_is_found(campaign: Campaign) -> None:
    points = judge(campaign)
    assert [point.faults for point in points] == [()] * 8
    assert [point.looked_at > 0 for point in points] == [True, False, True, True, True, False, True, False]


def test_an_accepted_move_that_is_lost(campaign: Campaign) -> None:
    del campaign.plies[-1]
    lost = campaign.evidence.sent[-1]
    assert faults(campaign)[0] == (f"{TABLE} {lost.name}: 0 times",)
    assert faults(campaign)[2] != ()


def test_an_accepted_move_that_is_there_twice(campaign: Campaign) -> None:
    table, number, event, key = campaign.plies[-1]
    campaign.plies.append((table, number + 1, event, key))
    assert faults(campaign)[0] == (f"{TABLE} {key}: 2 times",)


def test_another_move_than_the_one_that_was_sent(campaign: Campaign) -> None:
    table, number, _event, key = campaign.plies[0]
    campaign.plies[0] = (table, number, '{"seat": 0, "move": {"pass": true}}', key)
    assert len(faults(campaign)[0]) == 1


def test_a_refused_move_that_was_made(campaign: Campaign) -> None:
    campaign.evidence.sent[0].status = 409
    assert faults(campaign)[1] == (f"{TABLE} {campaign.evidence.sent[0].name}",)


def test_a_ply_that_nobody_sent(campaign: Campaign) -> None:
    stranger = campaign.evidence.sent.pop(0)
    assert faults(campaign)[2] == (f"{TABLE}: nobody sent {stranger.name}",)


def test_a_game_that_is_not_over_and_one_without_a_record(campaign: Campaign) -> None:
    campaign.book.games["other"] = "karriere-poker"
    del campaign.evidence.records[TABLE]
    assert faults(campaign)[3] == (f"{TABLE} has no record", "other is nowhere")


def test_a_record_that_does_not_hold(campaign: Campaign) -> None:
    document = json.loads(campaign.evidence.records[TABLE])
    document["result"]["places"] = document["result"]["places"][::-1]
    campaign.evidence.records[TABLE] = json.dumps(document)
    assert len(faults(campaign)[4]) == 1


def test_a_secret_that_was_shown(campaign: Campaign) -> None:
    campaign.evidence.see_text(TABLE, f'<p data-x="{SECRET}">'.encode())
    assert faults(campaign)[6] == (f"{TABLE}: {SECRET} was shown before the end",)


def test_what_is_shown_after_the_end_is_no_secret(campaign: Campaign) -> None:
    campaign.evidence.over.add(TABLE)
    campaign.evidence.see_text(TABLE, SECRET.encode())
    assert faults(campaign)[6] == ()


def test_anothers_hand_and_anothers_view(campaign: Campaign) -> None:
    watched = play_back(parse_record(campaign.evidence.records[TABLE].encode()))
    view = watched.rules.view(watched.moments[3].state, 2)
    hand = tuple(sorted(view["hand"]))
    campaign.evidence.looks[TABLE] = {Seen(1, 3, digest(view), None), Seen(1, 3, None, hand), Seen(None, 3, None, hand)}
    assert len(faults(campaign)[6]) == 3


def test_the_inside_of_the_program(campaign: Campaign) -> None:
    campaign.evidence.see_text(TABLE, b"Traceback (most recent call last):\n")
    assert len(faults(campaign)[6]) == 1


def test_faults_of_the_watch_are_faults(campaign: Campaign, tmp_path: Path) -> None:
    campaign.findings.faults[TABLE] = "stood still"
    assert faults(campaign)[5] == ("stood still",)


def test_who_reads_nothing_and_is_not_cut_off(campaign: Campaign) -> None:
    campaign.silent += [SilentSockets(opened=2, cut=2, grown=0.4), SilentSockets(opened=2, cut=1, grown=7.0)]
    assert faults(campaign)[7] == ("1 of 2 were",)


def test_a_run_that_was_too_short_or_left_a_fault_out(campaign: Campaign) -> None:
    campaign.options = campaign.options._replace(games=2, faults=("web", "disk"))
    campaign.book.began[TABLE], campaign.book.ended[TABLE] = 3.0, 9.0
    campaign.moments.append(5.0)
    campaign.struck["web"] += 1
    assert [point.faults for point in judge_run(campaign)] == [("1 of 2",), ("disk did not",)]


def test_the_points_of_both_setups_are_added_up() -> None:
    one, other = Point("it holds", 3, ()), Point("it holds", 4, ("it does not",))
    assert add_up([[one], [other]]) == [Point("it holds", 7, ("it does not",))]
