"""Valid and invalid problems, with the sentences of the errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tournaments.draw import BadProblem, Conflict, parse, solve

NAMES = ("ana", "ben", "eva", "tom")
SOUND: dict[str, Any] = {
    "format": "menagerie-draw/1",
    "wanted": 4,
    "min": 3,
    "max": 5,
    "entrants": [{"id": one, "score": 0} for one in NAMES],
}


def write(**changes: Any) -> bytes:
    """The sound one with changes; what is changed to ... is left out."""
    return json.dumps({key: value for key, value in {**SOUND, **changes}.items() if value is not ...}).encode()


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "not JSON: Input data was truncated"),
        (b"[]", "menagerie-draw/1: Expected `object`, got `array`"),
        (write(format="menagerie-draw/2"), "format: Invalid enum value 'menagerie-draw/2'"),
        (write(format=...), "menagerie-draw/1: Object missing required field `format`"),
        (write(max=...), "menagerie-draw/1: Object missing required field `max`"),
        (write(wanted="4"), "wanted: Expected `int`, got `str`"),
        (write(min=1), "min: Expected `int` >= 2"),
        (write(wanted=2), "wanted must lie between min and max, and 2 is not in 3 to 5"),
        (write(repeat_worth=-1), "repeat_worth: Expected `int` >= 0"),
        (write(repeat_worth=1_000_001), "repeat_worth: Expected `int` <= 1000000"),
        (write(time_limit=0), "time_limit: Expected `float` > 0.0"),
        (write(swiss=1), "swiss: Expected `bool`, got `int`"),
        (write(rounds=0), "rounds: Expected `int` >= 1"),
        (write(entrants=[{"id": "ana", "score": 0.5}]), "entrants[0].score: Expected `int`, got `float`"),
        (write(entrants=[{"id": "ana"}, {"id": "ana"}]), "“ana” is entered twice"),
        (write(forbidden=[["ana", "ben", "eva"]]), "forbidden[0]: Expected `array` of length <= 2"),
        (write(forbidden=[["ana", "ana"]]), "“ana” cannot be forbidden to meet themselves"),
        (write(history=[{}, {"pods": [["ana", "ben"], ["ana"]]}]), "“ana” stands twice in round 2 of the history"),
        (write(history=[{"pods": [["ana", "ben"]], "byes": ["ben"]}]), "“ben” stands twice in round 1 of the history"),
    ],
)
def test_what_is_not_sound(raw: bytes, sentence: str) -> None:
    with pytest.raises(BadProblem) as caught:
        parse(raw)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"absent": ["ana", "ben", "eva"]}, "only 1 present, and a pod needs at least 3"),
        ({"entrants": []}, "only 0 present, and a pod needs at least 3"),
        (
            {"locked": [["eva", "ben"], ["tom", "ben"]], "forbidden": [["tom", "eva"]]},
            "eva and tom may not meet but are locked together",
        ),
        (
            {"wanted": 3, "max": 3, "locked": [list(NAMES)]},
            "ana, ben, eva, tom are locked together: 4, and a pod holds at most 3",
        ),
        (
            {"forbidden": [["ana", "ben"], ["ana", "eva"], ["tom", "eva"], ["tom", "ben"]]},
            "these rules leave no draw: ana and ben may not meet; eva and tom may not meet",
        ),
    ],
)
def test_what_is_sound_and_impossible(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Conflict) as caught:
        solve(parse(write(**changes)))
    assert str(caught.value) == sentence


def test_who_is_not_entered_is_ignored() -> None:
    """Also where an id is named twice: a history may call every bot the same."""
    plain = solve(parse(write(history=[{"pods": [["ana", "x", "ben", "x"]], "byes": ["x"]}]))).to_json()
    strangers = write(
        history=[{"pods": [["ana", "y", "ben", "z"], ["y"]]}],
        absent=["y"],
        forbidden=[["y", "y"], ["y", "ana"]],
        locked=[["y", "z", "ana"], ["z", "ben", "y"]],
        notes="kept",
    )
    assert {**solve(parse(strangers)).to_json(), "seconds": 0} == {**plain, "seconds": 0}
    assert plain["pods"][0]["reason"] == (
        "same score: 0; ana and ben meet again (before: 1): any draw without that costs at least as much elsewhere"
    )
