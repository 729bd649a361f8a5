"""How many come into a tournament, and what it takes to write them down."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Player
from games.play.errors import BadInput
from tests.cast import NOW
from tests.tournaments.cast import begin, plan, release
from tournaments.flow.entry import imports, sign_up
from tournaments.models import Entrant, Tournament

Coming = Callable[[Tournament, Player, Player], object]


@pytest.mark.parametrize(
    "come",
    [
        lambda one, ana, ben: sign_up.enter(one, ben, now=NOW),
        lambda one, ana, ben: sign_up.add_walk_in(one, ana, name="Cem", now=NOW),
        lambda one, ana, ben: sign_up.add_bot(one, ana, name="Cleo", level="steady", now=NOW),
        lambda one, ana, ben: sign_up.add_imported(one, ana, imports.preview("Cem").good, now=NOW),
    ],
    ids=["enter", "walk-in", "bot", "import"],
)
def test_a_tournament_has_room_for_so_many_however_they_come(
    ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch, come: Coming
) -> None:
    tournament = begin(ana, ["Ada", "Bea"])
    monkeypatch.setattr(sign_up, "MAX_ENTRANTS", 2)
    with pytest.raises(BadInput, match="can have at most 2 entrants"):
        come(tournament, ana, ben)
    assert tournament.entrants.count() == 2
    monkeypatch.setattr(sign_up, "MAX_ENTRANTS", 3)
    come(tournament, ana, ben)
    assert tournament.entrants.count() == 3


def test_a_long_list_is_written_in_as_few_statements_as_a_short_one(ana: Player) -> None:
    counts = []
    for people in (2, 40):
        tournament = plan(ana, name=f"Of {people}")
        Tournament.objects.filter(pk=tournament.pk).update(phase="check-in")
        preview = imports.preview("\n".join(f"Person {number}" for number in range(people)))
        with CaptureQueriesContext(connection) as queries:
            assert sign_up.add_imported(tournament, ana, preview.good, now=NOW) == people
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_list_goes_on_where_the_one_before_ended(ana: Player) -> None:
    tournament = begin(ana, ["Ada", "Bea", "Cem", "Dan"], least=4, most=5)
    release(ana, tournament, 1)
    sign_up.add_imported(tournament, ana, imports.preview("Eli\nFay").good, now=NOW)
    rows = Entrant.objects.filter(tournament=tournament).order_by("number")
    assert list(rows.values_list("number", "name", "joined_round"))[3:] == [(4, "Dan", 1), (5, "Eli", 2), (6, "Fay", 2)]
