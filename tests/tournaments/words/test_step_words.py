"""Sentences of log lines: names, places, plans, in Polish and with right-to-left names."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from tournaments.models import PairRule, PodSeat
from tournaments.words.step_words import find_kind_variant, say_step_details


@pytest.mark.parametrize(
    ("details", "sentence"),
    [
        ('{"table":2,"places":[2,1,3],"names":["Ada","Bea","Cem"]}', "1. Bea, 2. Ada, 3. Cem"),
        ('{"table":2,"places":[1,3,1],"names":["Eli","Bea","Cem"]}', "1. Cem, 1. Eli, 3. Bea"),
        ('{"table":2,"places":[2,1],"names":["Ada","Bea"],"scores":[0,12]}', "1. Bea (12), 2. Ada (0)"),
        ('{"table":2,"places":[2,1,3]}', "2, 1, 3"),  # of a version that did not note who they were
    ],
)
def test_a_result_names_people_in_the_order_in_which_they_came_in(details: str, sentence: str) -> None:
    assert say_step_details("decide", details, None, "swiss") == f"set the result of table 2: {sentence}"


def test_a_table_that_does_not_count_has_no_places() -> None:
    details = '{"table":2,"places":[1,1],"names":["Ada","Bea"],"void":true}'
    assert say_step_details("decide", details, None, "swiss") == "decided that table 2 counts for nobody"


def test_a_round_that_was_completed_without_results_says_what_they_count_as() -> None:
    sentence = [say_step_details("complete", text, None, "swiss") for text in (
        '{"round":2,"missing":[]}', '{"round":2,"missing":[1,4],"as":"void"}', '{"round":2,"missing":[3],"as":"shared"}'
    )]  # fmt: skip
    assert sentence == [
        "completed round 2",
        "completed round 2 (no result, counts for nobody: table 1, 4)",
        "completed round 2 (no result, counts as a shared first place for all: table 3)",
    ]


@pytest.mark.parametrize(
    ("kind", "who", "sentence"),
    [
        ("enter", "Zoe", "signed up"), ("enter", "Ana", "signed up as Zoe"), ("walk-in", "Zoe", "added Zoe"),
        ("claim", "Zoe", "claimed their name on the list"), ("claim", "Ana", "claimed the name of Zoe"),
        ("present", "Zoe", "checked in"), ("present", "Ana", "checked in: Zoe"), ("withdraw", "Zoe", "withdrew"),
    ],
)  # fmt: skip
def test_who_does_something_about_themselves_is_named_once(kind: str, who: str, sentence: str) -> None:
    details = '{"name":"Zoe"}'
    assert say_step_details(find_kind_variant(kind, details, who), details, None, "swiss") == sentence


def test_a_changed_plan_is_told_in_the_words_of_its_form() -> None:
    details = '{"fields":["rounds_planned","starts_at"]}'
    assert say_step_details("revise", details, None, "swiss") == "changed the plan (“Rounds”, “Start time”)"


def test_a_step_reads_as_a_sentence_after_a_name_in_polish() -> None:
    with translation.override("pl"):
        assert say_step_details("release", '{"round":2}', None, "swiss") == "ogłasza rundę 2"


def test_a_name_from_right_to_left_does_not_turn_the_places_around() -> None:
    details = '{"table":2,"places":[2,1],"names":["Ada","שלמה"]}'
    assert say_step_details("decide", details, None, "swiss").endswith(": 1. \u2068שלמה\u2069, 2. Ada")
    assert say_step_details("present", '{"name":"שלמה, Ada"}', None, "swiss") == "checked in: \u2068שלמה\u2069, Ada"


@pytest.mark.parametrize(
    ("kind", "details", "sentence"),
    [
        ("penalty", '{"points":420,"name":"Zoe","reason":"late"}', "gave a penalty of 0.5 to Zoe: late"),
        ("penalty", '{"points":-840,"name":"Zoe","reason":"help"}', "gave a bonus of 1 to Zoe: help"),
        ("fate", '{"fate":"no-show","table":2,"name":"Zoe"}', "recorded Zoe as a no-show at table 2"),
        ("fate", '{"fate":"plays","table":2,"name":"Zoe"}', "let Zoe play at table 2 after all"),
        ("pair-rule", '{"rule":"apart","first":"Zoe","second":"Ana"}', "set a rule: Zoe and Ana may not meet"),
        ("pair-rule", '{"rule":"together","first":"Zoe","second":"Ana"}', "set a rule: Zoe and Ana sit together"),
        ("pair-rule", '{"rule":null,"first":"Zoe","second":"Ana"}', "removed the pairing rule for Zoe and Ana"),
    ],
)
def test_the_log_says_what_exactly_it_was_also_when_it_is_taken_back(kind: str, details: str, sentence: str) -> None:
    assert say_step_details(kind, details, None, "swiss") == sentence
    assert say_step_details("undo", '{"redo":false}', (kind, details), "swiss") == f"undid “{sentence}”"


def test_every_fate_and_every_rule_has_its_words() -> None:
    for kind, key, values in (("fate", "fate", PodSeat.Fate.values), ("pair-rule", "rule", PairRule.Kind.values)):
        sentences = {say_step_details(kind, json.dumps({key: value}), None, "arena") for value in values}
        assert len(sentences) == len(values)
        assert not sentences & {kind}
