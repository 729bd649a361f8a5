"""Names that were stored before there were rules for them are brought to what may be one."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.urls import reverse

from games.models import Player
from games.models.name_repair import NAMELESS, repair, repair_names
from games.models.spelling import find_flaw
from tests.cast import browser
from tests.tournaments.cast import begin
from tournaments.models import Entrant, Step

STACK = "Z" + "\u0301" * 24
"""A letter with more marks than any script has."""
ROOF = "Z\u0301\u0301"  # in NFC the first of three marks is part of the letter
WIDE = "\N{FULLWIDTH LATIN CAPITAL LETTER W}" * 24


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ana", "Ana"), ("Łukasz", "Łukasz"), (WIDE, WIDE), ("", ""), ("A\u200bna", "Ana"), ("\u3164\u3164", NAMELESS)],
)
def test_only_what_cannot_be_read_is_changed(name: str, kept: str) -> None:
    assert repair(name, 24) == kept


def test_what_is_repaired_may_be_a_name() -> None:
    assert find_flaw(STACK) == "marks"
    assert find_flaw(repair(STACK, 24)) is None
    assert len(repair(STACK, 24)) < 6


def test_stored_names_are_repaired_everywhere(ana: Player) -> None:
    tournament = begin(ana, ["Ben", "Cem", "Dora", "Eva"], least=4, most=4)
    first, second, third, _last = Entrant.objects.filter(tournament=tournament).order_by("number")
    short = repair(STACK, 40)
    for one, name in ((first, short), (second, STACK), (third, STACK + "\u0302")):
        Entrant.objects.filter(pk=one.pk).update(name=name)
    Player.objects.filter(pk=ana.pk).update(name=STACK[:24])
    step = Step.objects.filter(tournament=tournament).latest("number")
    Step.objects.filter(pk=step.pk).update(actor_name=STACK, details=f'{{"name":"{STACK}"}}')
    assert repair_names(apps, "default") == 5
    names = list(Entrant.objects.filter(tournament=tournament).order_by("number").values_list("name", flat=True))
    assert names == [short, f"{short} 2", f"{short} 3", "Eva"]
    step.refresh_from_db()
    assert [find_flaw(one) for one in (step.actor_name, step.details, Player.objects.get(pk=ana.pk).name)] == [None] * 3
    assert repair_names(apps, "default") == 0
    address = reverse("tournaments:tournament", args=[tournament.pk])
    assert "\u0301" * 4 not in browser(ana).get(address).content.decode()
