"""A form that is sent twice creates one object."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from games import models
from games.play.errors import BadInput
from games.play.moves.form_keys import KEPT_SECONDS, make_once
from tests.cast import NOW, at_once, person


def found_person(name: str = "made") -> str:
    """What is made in these tests: somebody."""
    return str(person(name).pk)


def count_made() -> int:
    """How many were made."""
    return models.Player.objects.filter(name="made").count()


def test_the_second_time_is_told_what_the_first_has_made(ana: models.Player) -> None:
    names = [make_once(ana.pk, "a", found_person, now=NOW) for _ in range(3)]
    assert (len(set(names)), count_made()) == (1, 1)


def test_another_key_another_person_or_no_key_makes_another(ana: models.Player, ben: models.Player) -> None:
    for player, key in ((ana.pk, "a"), (ana.pk, "b"), (ben.pk, "a"), (ana.pk, ""), (ana.pk, ""), (None, "a")):
        make_once(player, key, found_person, now=NOW)
    assert count_made() == 6


def test_what_was_refused_can_be_asked_for_again(ana: models.Player) -> None:
    def refuse() -> str:
        found_person()
        raise BadInput("No.")

    with pytest.raises(BadInput):
        make_once(ana.pk, "a", refuse, now=NOW)
    assert (count_made(), models.SentForm.objects.count()) == (0, 0)
    make_once(ana.pk, "a", found_person, now=NOW)
    assert count_made() == 1


def test_what_the_database_refuses_is_not_taken_for_made(ana: models.Player) -> None:
    def make_twice() -> str:
        models.SentForm.objects.create(player=ana, key="a", at=NOW)
        return "never"

    with pytest.raises(IntegrityError):
        make_once(ana.pk, "a", make_twice, now=NOW)
    assert models.SentForm.objects.count() == 0


def test_notes_are_not_kept_for_ever(ana: models.Player) -> None:
    make_once(ana.pk, "a", found_person, now=NOW)
    make_once(ana.pk, "b", found_person, now=NOW + KEPT_SECONDS)
    assert set(models.SentForm.objects.values_list("key", flat=True)) == {"a", "b"}
    make_once(ana.pk, "c", found_person, now=NOW + KEPT_SECONDS + 1)
    assert set(models.SentForm.objects.values_list("key", flat=True)) == {"b", "c"}


@pytest.mark.django_db(transaction=True)
def test_two_at_the_same_moment_make_one(transactional_db: None, ana: models.Player) -> None:
    results = at_once(*[lambda: make_once(ana.pk, "a", found_person, now=NOW)] * 4)
    assert len({str(result) for result in results}) == 1, results
    assert count_made() == 1
