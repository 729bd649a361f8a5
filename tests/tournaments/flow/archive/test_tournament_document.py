"""A tournament goes out as a file and comes back the same, or not at all."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed
from games.play.records import replays
from games.records.format import parse_record
from games.records.replay import verify
from tests.cast import NOW, person
from tests.tournaments.cast import NAMES, begin, draw, enter, entrant, found, import_file, play_round, release, standing
from tournaments.flow import duplicate_commitments
from tournaments.flow.archive import csv_export, tournament_document, zip_export, zip_import, zip_limits
from tournaments.flow.entry import attendance, organiser_decisions
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Club, Entrant, PairRule, Phase, Pod, PodSeat, Result, Tournament
from tournaments.words.terms import say_reasons


def played(owner: models.Player) -> Tournament:
    """Two complete rounds of six people at screens and real tables, a bye, and a third round that is released."""
    tournament = begin(owner, NAMES[:5], least=4, most=4, rounds_planned=4)
    enter(tournament, "Zoe", "Yan", "Xav", "Wes")
    for number in (1, 2):
        play_round(owner, tournament, number)
    release(owner, tournament, 3)
    return tournament


def test_what_comes_back_is_what_went_out(ana: models.Player) -> None:
    tournament = played(ana)
    sent = zip_export.write_zip(open_book(tournament))
    club = found(person("Rosa"), "Mountain Club")
    rosa = club.memberships.get().player
    copy = import_file(club, rosa, sent)
    assert copy.phase == Phase.ARCHIVED
    assert standing(copy) == standing(tournament)
    first, second = (tournament_document.describe(open_book(one)) for one in (tournament, copy))
    assert (second.agreement, second.entrants, second.penalties) == (first.agreement, first.entrants, first.penalties)
    assert [one.pods for one in second.rounds] == [one.pods for one in first.rounds if one.is_complete]
    assert set(copy.entrants.values_list("claim_token")).isdisjoint(tournament.entrants.values_list("claim_token"))


def test_the_records_of_online_tables_are_in_it_and_can_be_watched(ana: models.Player) -> None:
    sent = played_online(ana)
    with zipfile.ZipFile(io.BytesIO(sent)) as file:
        assert sorted(file.namelist()) == ["records/r1-t1.json", "results.csv", "standings.csv", "tournament.json"]
        record = file.read("records/r1-t1.json")
    assert parse_record(record).result is not None
    verify(record)
    club = found(person("Rosa"), "Mountain Club")
    copy = import_file(club, club.memberships.get().player, sent)
    key = Pod.objects.get(round__tournament=copy).record
    assert models.Upload.objects.get(pk=key).is_kept
    with zipfile.ZipFile(io.BytesIO(zip_export.write_zip(open_book(copy)))) as again:  # and they go out again
        assert again.read("records/r1-t1.json") == record
    replay = f'href="{reverse("upload", args=[key])}">View'
    for name, args in (("pairings", ()), ("pod", (1, 1))):
        shown = Client().get(reverse(f"tournaments:{name}", args=[copy.pk, *args])).content.decode()
        assert replay in shown, name
    assert Client().get(reverse("upload", args=[key])).status_code == 200
    text = Client().get(reverse("tournaments:chronicle", args=[copy.pk])).content.decode()
    assert "imported the tournament from an archive" in text


def test_a_copy_says_why_these_people_sat_together_and_who_said_what_came_of_it(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], venue="real", least=4, most=5, wanted=4, rounds_planned=2)
    organiser_decisions.rule_pair(
        tournament, ana, entrant(tournament, NAMES[0]).pk, entrant(tournament, NAMES[1]).pk, PairRule.Kind.TOGETHER,
        now=NOW,
    )  # fmt: skip
    for number in (1, 2):
        play_round(ana, tournament, number)
    Result.objects.filter(pod__number=1).update(source=Result.Source.PLAYER)
    copy = import_file(tournament.club, ana, zip_export.write_zip(open_book(tournament)))
    assert "Entered by one player" in Client().get(reverse("tournaments:pod", args=[copy.pk, 1, 1])).content.decode()
    answer = [
        [
            pod["reasons"]
            for played in Client().get(f"/api/v1/tournaments/{one.pk}/rounds").json()
            for pod in played["pods"]
        ]
        for one in (tournament, copy)
    ]
    assert answer[0] == answer[1]
    assert f"Kept together by the organiser: {NAMES[0]}, {NAMES[1]}." in str(answer[0]).replace("\\u2068", "")


def test_a_reason_that_we_do_not_know_is_said_as_it_stands() -> None:
    """Perhaps of a later version; what is missing in it is left out."""
    assert say_reasons([["met %(times)d times, said %(second)s", {"second": "Ana"}]]) == ["met  times, said Ana"]


def test_games_come_back_however_long_they_were(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game until the bell has more events than a record that somebody brings by itself may have."""
    sent = played_online(ana)
    monkeypatch.setattr(replays, "MAX_EVENTS", 3)
    monkeypatch.setattr(replays, "MAX_BYTES", 100)
    club = found(person("Rosa"), "Mountain Club")
    copy = import_file(club, club.memberships.get().player, sent)
    key = Pod.objects.get(round__tournament=copy).record
    assert replays.replay_upload(key).last > 3
    with pytest.raises(BadInput, match="too big"):
        replays.keep_record(ana, replays.read_upload(key).encode(), now=NOW)


def test_nothing_of_a_draft_or_of_a_link_leaves(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], rounds_planned=2, duplicate=True)
    draw(ana, tournament, 1)
    book = open_book(tournament)
    assert tournament_document.describe(book).rounds == ()
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    text = tournament_document.write_json(tournament_document.describe(open_book(tournament))).decode()
    assert tournament.entry_token not in text
    deals = [duplicate_commitments.find(tournament, duplicate_commitments.DealKey(number)) for number in (1, 2)]
    assert [one is not None and one.deal.secret in text for one in deals] == [tournament.duplicate, False]
    for token in tournament.entrants.values_list("claim_token", flat=True):
        assert token not in text


def test_the_standings_as_a_table(ana: models.Player) -> None:
    tournament = begin(ana, ("=1+1", *NAMES[:3]), least=4, most=4, rounds_planned=1)
    play_round(ana, tournament, 1)
    rows = list(csv.reader(io.StringIO(csv_export.write_standings(open_book(tournament)))))
    assert rows[0][:4] == ["place", "name", "points", "round 1"]
    assert sorted(row[1] for row in rows[1:]) == ["'=1+1", "Ada", "Bea", "Cem"]
    assert [row[2] for row in rows[1:]] == ["1", "0.6667", "0.3333", "0"]
    assert rows[0][4:9] == ["penalties", "opponents", "wins", "head-to-head", "best"]
    assert rows[1][4:9] == ["0", "0.3333", "1", "", "1"]
    output = list(csv.reader(io.StringIO(csv_export.write_results(open_book(tournament)))))
    assert output[0] == ["round", "table", "seat", "name", "place", "score", "fate", "substitute", "stand-in"]
    assert [row[4] for row in output[1:]] == ["1", "2", "3", "4"]


def test_the_table_of_results_says_what_became_of_everybody(ana: models.Player) -> None:
    """Who sat out, who stood in where, and which table counts for nobody: all that the standings are made of."""
    tournament = begin(ana, NAMES[:10], venue="real", least=4, most=4, rounds_planned=2)
    attendance.set_away(tournament, ana, [entrant(tournament, NAMES[9]).pk], away=True, now=NOW)
    release(ana, tournament, 1)
    void, other = Pod.objects.order_by("number")
    results.decide(tournament, ana, void.pk, None, is_void=True, now=NOW)
    lifecycle.substitute(tournament, ana, other.seats.get(index=1).pk, name="Uncle Bob", now=NOW)
    results.set_fate(tournament, ana, other.seats.get(index=3).pk, PodSeat.Fate.NO_SHOW, now=NOW)
    results.decide(tournament, ana, other.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    rows = list(csv.DictReader(io.StringIO(csv_export.write_results(open_book(tournament)))))
    assert [(row["table"], row["place"], row["fate"], row["substitute"]) for row in rows] == [
        *[("1", "", "void", "")] * 4,
        ("2", "1", "plays", ""), ("2", "2", "plays", "Uncle Bob"), ("2", "3", "plays", ""), ("2", "", "no-show", ""),
        ("", "", "bye", ""), ("", "", "absent", ""),
    ]  # fmt: skip
    assert {row["name"] for row in rows} == {*NAMES[:10]}
    assert rows[-1]["name"] == NAMES[9]


def test_less_than_nothing_is_a_number_in_a_table(ana: models.Player) -> None:
    tournament = begin(ana, ("-1", "-Ada", *NAMES[1:3]), least=4, most=4, rounds_planned=1)
    play_round(ana, tournament, 1)
    for name in ("-1", "-Ada", *NAMES[1:3]):
        one = entrant(tournament, name).pk
        organiser_decisions.penalise(tournament, ana, one, points=1260, reason="late", key=name, now=NOW)
    rows = list(csv.reader(io.StringIO(csv_export.write_standings(open_book(tournament)))))
    assert [row[2] for row in rows[1:]] == ["-0.5", "-0.8333", "-1.1667", "-1.5"]
    assert {row[1] for row in rows[1:]} == {"-1", "'-Ada", *NAMES[1:3]}


def document(owner: models.Player) -> dict[str, Any]:
    tournament = begin(owner, NAMES[:4], least=4, most=4, rounds_planned=1)
    play_round(owner, tournament, 1)
    return json.loads(tournament_document.write_json(tournament_document.describe(open_book(tournament))))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda one: one.update(format="menagerie-tournament/9"),
         "This site cannot import the file format “menagerie-tournament/9”"),
        (lambda one: one.update(format="menagerie-league/2"),
         "This site cannot import the file format “menagerie-league/2”"),
        (lambda one: one.update(format="holiday"), "Choose a file from “Printouts and files”"),
        (lambda one: one.pop("format"), "Choose a file from “Printouts and files”"),
        (lambda one: one.update(extra=1), "This is not a tournament archive"),
        (lambda one: one["entrants"][0].update(name="Bea"), "Two entrants have the same name: Bea"),
        (lambda one: one["entrants"][0].update(number=2), "Two entrants have the same number: 2"),
        (lambda one: one["entrants"][0].update(name="A\x00"), "This is not a tournament archive"),
        (lambda one: one["entrants"][0].update(name="\x07"), "The data of entrant 1 is invalid"),
        (lambda one: one["agreement"].update(name="T" * 81), "Enter a name of 2 to 80 characters"),
        (lambda one: one["rounds"][0].update(stage="dance"), "The data of round 1 is invalid"),
        (lambda one: one["rounds"][0].update(byes=[9]), "Round 1 lists somebody who is not in the tournament"),
        (lambda one: one["rounds"][0].update(byes=[1]), "Round 1 lists somebody twice"),
        (lambda one: one["rounds"][0]["pods"][0].update(places=[1, 1, 2, 4]), "these places are not possible"),
        (lambda one: one["rounds"][0]["pods"][0].update(scores=[1]), "every seat needs a score"),
        (lambda one: one["rounds"][0]["pods"][0].update(source="moon"), "Round 1, table 1: the data is invalid"),
        (lambda one: one["rounds"][0]["pods"][0].update(reasons=[{"template": "100 %"}]),
         "table 1: the data is invalid"),
        (lambda one: one["rounds"][0]["pods"][0].update(reasons=[{"template": "so", "values": {"places": 1}}]),
         "the data is invalid"),
        (lambda one: one["agreement"].update(game="chess"), "There is no game"),
        (lambda one: one["standings"][0].update(points=1), "do not match its results"),
        (lambda one: one["standings"].append(one["standings"][0]), "do not match its results"),
        (lambda one: one["entrants"][0].update(number=10**30), "This is not a tournament archive"),
        (lambda one: one["entrants"][0].update(seed=-1), "This is not a tournament archive"),
        (lambda one: one["rounds"][0].update(number=99_999), "This is not a tournament archive"),
        (lambda one: one["rounds"][0].update(solution="{"), "The draw of round 1 is invalid"),
        (lambda one: one["rounds"][0].update(solution='{"objective": 1}'), "The draw of round 1 is invalid"),
        (lambda one: one["rounds"][0].update(solution='{"numbers": null}'), "The draw of round 1 is invalid"),
        (lambda one: one.update(penalties=[{"entrant": 9, "round": 1, "points": 1, "reason": "late"}]),
         "A penalty belongs to somebody who is not in the tournament"),
        (lambda one: one["agreement"].update(format="league"), "This is not a tournament archive"),
        (lambda one: one["agreement"].update(bye_points=10**30), "at most 1,000 rounds won"),
        (lambda one: one["agreement"].update(cut_to=10**30), "This is not a tournament archive"),
        (lambda one: one["agreement"].update(starts_at="9999-12-31T23:59:59Z"), "between the years 1900 and 2999"),
        (lambda one: one["agreement"].update(starts_at="0001-01-01T00:00:00+14:00"), "between the years 1900 and"),
        (lambda one: one["agreement"].update(venue="moon"), "There is no such place to play"),
        (lambda one: one["agreement"].update(no_show="moon"), "There is no such rule for missing players"),
        (lambda one: one.update(lot_seed="\0"), "This is not a tournament archive"),
        (lambda one: one["agreement"].update(about="x" * 3000), "at most 2,000 characters"),
        (lambda one: one["agreement"].update(bot_level="x" * 300), "There is no bot level “x"),
    ],
)  # fmt: skip
def test_a_spoilt_archive_is_refused_with_a_sentence(ana: models.Player, spoil: Any, sentence: str) -> None:
    one = document(ana)
    spoil(one)
    count = Tournament.objects.count()
    club = Tournament.objects.get().club
    with pytest.raises(BadInput) as refused:
        import_file(club, ana, json.dumps(one).encode())
    assert sentence in str(refused.value)
    assert Tournament.objects.count() == count


def test_names_that_an_older_version_let_through_are_mended(ana: models.Player) -> None:
    one = document(ana)
    one["entrants"][0]["name"] = "Zoe" + 9 * "\u0301"
    one["agreement"]["name"] = "Fri\u200bday  night"
    back = import_file(Tournament.objects.get().club, ana, json.dumps(one).encode())
    assert back.name == "Friday night"
    assert back.entrants.filter(name="Zo\u00e9\u0301\u0301\u0301").count() == 1


def test_equals_may_stand_in_any_order(ana: models.Player) -> None:
    """As in archives of a version that had the tenth before the ninth."""
    one = document(ana)
    one["standings"].reverse()
    assert import_file(Tournament.objects.get().club, ana, json.dumps(one).encode()).phase == Phase.ARCHIVED


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04 broken", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_no_archive_at_all(raw: bytes) -> None:
    with pytest.raises(BadInput, match=r"This is not a tournament archive|This archive cannot be opened"):
        zip_import.open_archive(raw)


def test_a_zip_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_limits, "MAX_BYTES", 10_000)
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("tournament.json", b"0" * 1_000_000)
    assert len(store.getvalue()) < 10_000
    with pytest.raises(BadInput, match="too large"):
        zip_import.open_archive(store.getvalue())


def test_only_organisers_bring_tournaments_back(ana: models.Player) -> None:
    sent = zip_export.write_zip(open_book(played(ana)))
    club = found(person("Rosa"), "Mountain Club")
    with pytest.raises(NotAllowed):
        import_file(club, ana, sent)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_is_stored_or_deflated(method: int) -> None:
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w", method) as file:
        file.writestr("tournament.json", b" " * 1000)
    with pytest.raises(BadInput):
        zip_limits.Zip(store.getvalue())


def test_a_zip_whose_inside_is_broken() -> None:
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("tournament.json", bytes(range(256)) * 8)
    raw = bytearray(store.getvalue())
    raw[45:49] = b"\xff\xff\xff\xff"  # behind the local head of 30 bytes and the name
    with pytest.raises(BadInput):
        zip_limits.Zip(bytes(raw)).read("tournament.json")


def test_a_zip_with_more_files_than_any_tournament_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_limits, "MAX_FILES", 3)
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w") as file:
        for number in range(4):
            file.writestr(f"{number}.txt", b"")
    with pytest.raises(BadInput, match="too many files"):
        zip_limits.Zip(store.getvalue())


def test_a_record_that_does_not_hold_is_named(ana: models.Player) -> None:
    sent = played_online(ana)
    club = Tournament.objects.get().club
    for spoilt, why in ((b"{}", "This record is not valid"), (b"x" * 2_000_000, "This record is not valid")):
        with pytest.raises(BadInput) as refused:
            import_file(club, ana, replace(sent, "records/r1-t1.json", spoilt))
        assert "records/r1-t1.json cannot be imported: " in str(refused.value)
        assert why in str(refused.value)
    assert (Tournament.objects.count(), models.Upload.objects.count()) == (1, 0)


def played_online(owner: models.Player, club: Club | None = None) -> bytes:
    """The archive of one round of four on screens."""
    tournament = begin(owner, (), club=club, least=4, most=4, rounds_planned=1, venue="online")
    enter(tournament, "Zoe", "Yan", "Xav", "Wes")
    Entrant.objects.filter(tournament=tournament).update(status="present")
    play_round(owner, tournament, 1)
    return zip_export.write_zip(open_book(tournament))


def replace(sent: bytes, name: str, text: bytes) -> bytes:
    """The ZIP with something else in one of its files."""
    store = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sent)) as old, zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            new.writestr(one, text if one == name else old.read(one))
    return store.getvalue()
