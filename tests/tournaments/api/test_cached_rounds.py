"""What is written of a tournament piece by piece is what would be written of it at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, enter, entrant, play_round, release
from tournaments.api import cached_rounds
from tournaments.api.shapes import RoundOut
from tournaments.flow.archive import csv_export
from tournaments.flow.entry import attendance
from tournaments.flow.people import deletion
from tournaments.flow.rounds import results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book import Book
from tournaments.models import Pod, Round, Tournament


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """One complete round, and one that is released, in which a guest plays."""
    one = begin(ana, NAMES[:7], least=4, most=4, rounds_planned=2, venue="real")
    enter(one, "Guest, 7")
    play_round(ana, one, 1)
    release(ana, one, 2)
    return one


def ask(tournament: Tournament, language: str = "en") -> list[bytes]:
    addresses = [
        f"/api/v1/tournaments/{tournament.pk}/rounds",
        *(reverse("tournaments:download", args=[tournament.pk, kind]) for kind in ("results.csv", "tournament.json")),
    ]
    return [Client(headers={"accept-language": language}).get(path).content for path in addresses]


def test_pieces_say_what_the_whole_says_after_any_change(tournament: Tournament, ana: models.Player) -> None:
    guest = entrant(tournament, "Guest, 7").player
    assert guest is not None
    first, second = Pod.objects.filter(round__tournament=tournament, round__number=2)

    def leave() -> None:
        models.Player.objects.filter(pk=guest.pk).update(left_at=datetime.fromtimestamp(NOW, tz=UTC))
        deletion.forget(guest.pk)

    changes: list[Callable[[], object]] = [
        lambda: results.decide(tournament, ana, first.pk, ReportedResult((1, 2, 3, 4)), now=NOW + 1),
        lambda: results.decide(tournament, ana, first.pk, ReportedResult((2, 1, 3, 4)), now=NOW + 2),
        lambda: attendance.withdraw(tournament, ana, [entrant(tournament, NAMES[0]).pk], now=NOW + 3),
        lambda: results.decide(tournament, ana, second.pk, ReportedResult((4, 3, 2, 1), (1, 2, 3, 4)), now=NOW + 4),
        leave,
    ]
    for change in changes:
        change()
        read_on = {language: ask(tournament, language) for language in ("en", "de")}
        memo.forget_all()
        assert read_on == {language: ask(tournament, language) for language in ("en", "de")}
    assert b"Guest, 7" not in b"".join(read_on["en"])
    assert read_on["en"][0] != read_on["de"][0]  # why people sit together is said in the reader's language


def test_what_programs_read_is_in_the_shape_that_is_described(tournament: Tournament) -> None:
    text = ask(tournament)[0].decode()
    assert json.dumps([RoundOut.model_validate(one).model_dump() for one in json.loads(text)]) == text
    assert len(json.loads(text)) == 2


def test_after_a_result_only_its_table_is_written(
    tournament: Tournament, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(tournament)
    written: list[int] = []

    def note(name: str, module: object) -> None:
        write = getattr(module, name)

        def write_and_note(book: Book, played: Round, pod: Pod) -> object:
            written.append(pod.pk)
            return write(book, played, pod)

        monkeypatch.setattr(module, name, write_and_note)

    note("_describe_pod", cached_rounds)
    note("_list_seat_rows", csv_export)
    pod = Pod.objects.filter(round__tournament=tournament, round__number=2).earliest("number")
    results.decide(tournament, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW + 1)
    ask(tournament)
    assert written == [pod.pk, pod.pk]
