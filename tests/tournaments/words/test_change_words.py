"""What a changed plan was before, in words: no column's own value is shown that its form does not show."""

from __future__ import annotations

import pytest
from django.utils import translation

from tournaments.words.change_words import Names, say_changes

NOBODY = Names({}, {}, {}, {}, {}, {}, {}, {})


@pytest.mark.parametrize(
    ("column", "before", "after", "expected"),
    [
        ("bot_level", "steady", "sharp", ("Poziom botów", "gra rozsądnie", "gra o zwycięstwo")),
        ("name", "Czwartek", "Piątek", ("Nazwa", "Czwartek", "Piątek")),
        ("least", 4, 3, ("Osób przy stole: co najmniej", "4", "3")),
        ("tie_breaks", '["wins","lot"]', '["lot"]', ("", "Wygrane, Los", "Los")),
    ],
)
def test_a_plan_is_told_in_words(column: str, before: object, after: object, expected: tuple[str, str, str]) -> None:
    with translation.override("pl"):
        [change] = say_changes([("Tournament", "t", {column: before}, {column: after})], NOBODY, 5)
    [(label, was, now)] = change.fields
    assert (label if expected[0] else "", was, now) == expected
