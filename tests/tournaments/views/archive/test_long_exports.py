"""A file that takes its time is made by a worker, once for all who ask, and fetched from the page that waits for it."""

from __future__ import annotations

import gzip
import io
import json
import time
import zipfile
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player, User
from games.play.records import game_record
from games.play.seats import player_changes
from games.play.storage.table import LoadedTable
from tests.cast import NOW, browser, finish, person, start_table
from tests.tournaments.cast import begin, enter, found, play_round, release
from tests.tournaments.flow.seasons.test_season_changes import count, play, season
from tournaments.flow.archive import background_jobs, export_jobs, job_kinds, season_document, zip_export
from tournaments.flow.people import deletion
from tournaments.flow.planning import phases
from tournaments.flow.seasons import season_standings
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import BackgroundJob, BackgroundJobFile, Phase, Season, Tournament
from tournaments.work import tasks


@pytest.fixture(autouse=True)
def _slow_exports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file takes its time."""
    monkeypatch.setattr(export_jobs, "AT_ONCE", 0)


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    """A round of two tables on screens."""
    one = begin(ana, (), least=4, most=4, rounds_planned=2, venue="online")
    enter(one, *"ABCDEFGH")
    one.entrants.update(status="present")
    play_round(ana, one, 1)
    return one


def address(of: Tournament | Season) -> str:
    return reverse("tournaments:download", args=[of.pk, "archive.zip"])


def poll(client: Client, url: str) -> HttpResponse:
    """What the bar asks for again and again."""
    wanted = {"errand": BackgroundJob.objects.get().pk, "said": "0"}
    return client.get(url, wanted, headers={"HX-Request": "true", "HX-Target": "errand"})  # type: ignore[return-value]


def test_an_archive_is_made_once_for_all_who_ask(tournament: Tournament) -> None:
    url, client = address(tournament), Client()
    pages = [client.get(url), Client().get(url)]
    assert [page.status_code for page in pages] == [202, 202]
    assert pages[0].content.decode().count("<progress") == 1
    tasks.run_job(BackgroundJob.objects.get().pk)
    assert (BackgroundJob.objects.get().done, BackgroundJob.objects.get().total) == (2, 2)
    bar = poll(client, url).content.decode()
    assert ("Ready." in bar, f'href="{url}" download' in bar, "hx-trigger" in bar) == (True, True, False)
    sent = client.get(url)
    assert (sent.status_code, sent["Content-Disposition"]) == (200, 'attachment; filename="thursday-archive.zip"')
    whole = zip_export.write_zip(open_book(tournament))
    with zipfile.ZipFile(io.BytesIO(sent.content)) as file, zipfile.ZipFile(io.BytesIO(whole)) as other:
        assert {name: file.read(name) for name in file.namelist()} == {
            name: other.read(name) for name in other.namelist()
        }
    assert BackgroundJob.objects.count() == 1


def test_what_has_gone_on_is_made_anew_but_not_while_somebody_waits(tournament: Tournament, ana: Player) -> None:
    url, client = address(tournament), Client()
    client.get(url)
    first = BackgroundJob.objects.get().pk
    release(ana, tournament, 2)
    assert client.get(url).status_code == 202
    tasks.run_job(first)
    assert BackgroundJob.objects.get().pk == first
    assert poll(client, url).content.decode().count("Ready.") == 2  # to see and to hear
    assert client.get(url).status_code == 200
    BackgroundJob.objects.update(ended_at=time.time() - background_jobs.FRESH_SECONDS - 1)
    assert client.get(url).status_code == 202
    assert BackgroundJob.objects.get().pk != first


def test_who_may_not_see_it_gets_no_archive_of_it(tournament: Tournament) -> None:
    url, client = address(tournament), Client()
    client.get(url)
    tasks.sweep_jobs()
    Tournament.objects.update(is_public=False)
    assert [client.get(url).status_code, poll(client, url).status_code] == [403, 403]


def test_a_season_tells_of_all_its_games(ana: Player) -> None:
    one = season(ana)
    for number in range(2):
        tournament = begin(ana, (), club=one.club, least=4, most=4, rounds_planned=1, venue="online")
        enter(tournament, *(f"{name}{number}" for name in "ABCD"))
        tournament.entrants.update(status="present")
        play_round(ana, tournament, 1)
        phases.move_on(tournament, ana, Phase.FINISHED, now=NOW + number)
        count(ana, one, tournament)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 3))
    url = address(one)
    assert Client().get(url).status_code == 202
    tasks.sweep_jobs()
    assert (BackgroundJob.objects.get().done, BackgroundJob.objects.get().total) == (2, 2)
    with zipfile.ZipFile(io.BytesIO(Client().get(url).content)) as file:
        assert [name for name in file.namelist() if name.endswith(".zip")] == [
            f"tournaments/{n}.zip" for n in (1, 2, 3)
        ]


@pytest.fixture
def nights(ana: Player, monkeypatch: pytest.MonkeyPatch) -> Season:
    """A season of three nights at real tables, which is a long one."""
    monkeypatch.setattr(export_jobs, "NIGHTS_AT_ONCE", 2)
    one = season(ana)
    for number in range(3):
        count(ana, one, play(ana, one.club, *"ABCD", at=NOW + number))
    return one


@pytest.mark.parametrize(("few", "tables"), [(3, 2), (2, 300)])
@pytest.mark.parametrize("kind", ["league.json", "archive.zip"])
def test_a_long_season_is_told_aside_though_no_game_was_on_screens(
    nights: Season, monkeypatch: pytest.MonkeyPatch, kind: str, few: int, tables: int
) -> None:
    url = reverse("tournaments:download", args=[nights.pk, kind])
    monkeypatch.setattr(export_jobs, "NIGHTS_AT_ONCE", 3)
    assert Client().get(url).status_code == 200
    monkeypatch.setattr(export_jobs, "NIGHTS_AT_ONCE", few)
    monkeypatch.setattr(export_jobs, "TABLES_AT_ONCE", tables)
    assert [Client().get(url).status_code for _ in range(2)] == [202, 202]
    tasks.sweep_jobs()
    assert (Client().get(url).status_code, BackgroundJob.objects.get().status) == (200, BackgroundJob.Status.DONE)


def test_a_long_season_is_written_once_for_all_who_ask_for_it(nights: Season, ana: Player) -> None:
    url = reverse("tournaments:download", args=[nights.pk, "league.json"])
    assert Client().get(url).status_code == 202
    tasks.sweep_jobs()
    assert (BackgroundJob.objects.get().done, BackgroundJob.objects.get().total) == (3, 3)
    assert "Ready." in poll(Client(), url).content.decode()
    sent = Client().get(url)
    assert sent.content == season_document.write_json(season_standings.open_table(nights))
    assert (sent["Content-Type"], sent["Content-Disposition"]) == (
        "application/json", 'attachment; filename="winter-league.json"',
    )  # fmt: skip
    packed = Client().get(url, headers={"Accept-Encoding": "gzip"})
    assert (packed["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", sent.content)
    count(ana, nights, play(ana, nights.club, *"ABCD", at=NOW + 9))
    assert Client().get(url).content == sent.content, "made a moment ago, it is good for two minutes"
    BackgroundJob.objects.update(ended_at=time.time() - background_jobs.FRESH_SECONDS - 1)
    assert Client().get(url).status_code == 202


def test_a_long_season_asks_the_database_as_much_as_a_longer_one(nights: Season, ana: Player) -> None:
    url, counts = reverse("tournaments:download", args=[nights.pk, "league.json"]), []
    Client().get(reverse("tournaments:pulse", args=[nights.pk]))  # this process knows by now that it is a season
    for number in range(2):
        for _waiting in range(2):
            with CaptureQueriesContext(connection) as asked:
                Client().get(url)
            counts.append(len(asked))
        tasks.sweep_jobs()
        with CaptureQueriesContext(connection) as asked:
            Client().get(url)
        counts.append(len(asked))
        BackgroundJob.objects.all().delete()
        count(ana, nights, play(ana, nights.club, *"ABCD", at=NOW + 20 + number))
    assert counts[:3] == counts[3:]


def test_everything_of_me_is_mine_alone(ana: Player, ben: Player) -> None:
    finish(start_table(ana, ben))
    url, client = reverse("tournaments:export_me"), browser(ana)
    assert client.get(url).status_code == 202
    assert client.get(url).status_code == 202
    tasks.sweep_jobs()
    assert "Ready." in poll(client, url).content.decode()
    theirs = poll(browser(ben), url).content.decode()
    assert ("Ready." in theirs, BackgroundJob.objects.filter(player=ben).count()) == (False, 1)
    tasks.sweep_jobs()
    plain = client.get(url)
    assert json.loads(plain.content)["person"]["name"] == "Ana"
    packed = client.get(url, headers={"Accept-Encoding": "br, gzip"})
    assert (packed["Content-Encoding"], packed["Cache-Control"]) == ("gzip", "no-store")
    assert gzip.decompress(packed.content) == plain.content
    assert json.loads(browser(ben).get(url).content)["person"]["name"] == "Ben"
    assert Client().get(url).status_code == 403


def test_it_goes_with_the_person_and_with_time(ana: Player) -> None:
    Player.objects.filter(pk=ana.pk).update(user=User.objects.create_user("ana", password="a long phrase"))
    found(person("Rosa"))
    browser(ana).get(reverse("tournaments:export_me"))
    finish(start_table(ana, person("Ben")))
    browser(ana).get(reverse("tournaments:export_me"))
    tasks.sweep_jobs()
    assert BackgroundJobFile.objects.count() == 1
    job = BackgroundJob.objects.get()
    background_jobs.clear_old(now=(job.ended_at or 0) + background_jobs.KEPT_SECONDS - 1)
    assert BackgroundJobFile.objects.count() == 1
    player_changes.delete_player(ana.pk, now=NOW)
    deletion.forget(ana.pk)
    assert (BackgroundJob.objects.count(), BackgroundJobFile.objects.count()) == (0, 0)


def test_no_document_of_a_season_that_was_made_before_names_who_has_gone(nights: Season) -> None:
    url, client = reverse("tournaments:download", args=[nights.pk, "league.json"]), Client()
    goner = person("Zyx Quiller")
    night = nights.counted.all()[0]
    night.entrants.filter(name="A").update(name="Zyx Quiller", player=goner)
    client.get(url)
    tasks.sweep_jobs()
    assert b"Zyx Quiller" in client.get(url).content
    player_changes.delete_player(goner.pk, now=NOW)
    deletion.forget(goner.pk)
    assert client.get(url).status_code == 202
    tasks.sweep_jobs()
    assert b"Zyx Quiller" not in client.get(url).content


def test_no_archive_that_was_made_before_names_who_has_gone(tournament: Tournament) -> None:
    url, client = address(tournament), Client()
    goner = person("Zyx Quiller")
    tournament.entrants.filter(name="A").update(name="Zyx Quiller", player=goner)
    client.get(url)
    tasks.sweep_jobs()
    assert b"Zyx Quiller" in read_all(client.get(url).content)
    player_changes.delete_player(goner.pk, now=NOW)
    deletion.forget(goner.pk)
    assert client.get(url).status_code == 202
    tasks.sweep_jobs()
    assert b"Zyx Quiller" not in read_all(client.get(url).content)


def read_all(packed: bytes) -> bytes:
    """Everything in an archive that was sent."""
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        return b"".join(file.read(name) for name in file.namelist())


def test_a_file_that_would_be_too_big_is_refused(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_jobs, "MAX_BYTES", 100)
    client, url = Client(), address(tournament)
    client.get(url)
    tasks.sweep_jobs()
    bar = poll(client, url).content.decode()
    assert ("This file would be larger" in bar, "Try again" in bar, BackgroundJobFile.objects.count()) == (
        True,
        True,
        0,
    )


def test_an_archive_that_is_made_is_stopped_by_who_asked_for_it_or_an_organiser(
    tournament: Tournament, ana: Player, ben: Player
) -> None:
    url, mine, theirs = address(tournament), browser(ana), browser(ben)
    theirs.get(url)
    shown = [client.get(url).content.decode() for client in (theirs, mine, Client())]
    assert [page.count("Cancel job") for page in shown] == [1, 1, 0]
    refused = [one.post(url).status_code for one in (Client(), browser(person("Otto")))]
    assert (refused, BackgroundJob.objects.get().status) == ([403, 403], BackgroundJob.Status.WAITING)
    for client in (theirs, mine):
        response = client.post(url, follow=True)
        assert (response.status_code, "This was stopped." in response.content.decode()) == (422, True)
        tasks.sweep_jobs()
        assert (BackgroundJob.objects.latest("asked_at").status, BackgroundJobFile.objects.count()) == (
            BackgroundJob.Status.FAILED,
            0,
        )
        assert client.get(url).status_code == 202, "asked for again, it is begun again"
    BackgroundJob.objects.all().delete()
    assert mine.post(url)["Location"] == reverse("tournaments:outputs", args=[tournament.pk])


def test_what_a_stranger_asked_for_no_other_stranger_stops(tournament: Tournament) -> None:
    url = address(tournament)
    Client().get(url)
    assert BackgroundJob.objects.get().player is None
    assert Client().post(url).status_code == 403
    assert BackgroundJob.objects.get().status == BackgroundJob.Status.WAITING


def test_everything_of_me_can_be_stopped_too(ana: Player, ben: Player) -> None:
    finish(start_table(ana, ben))
    url = reverse("tournaments:export_me")
    browser(ana).get(url)
    browser(ben).post(url)
    assert BackgroundJob.objects.get().status == BackgroundJob.Status.WAITING
    response = browser(ana).post(url, follow=True)
    assert "This was stopped." in response.content.decode()
    assert BackgroundJob.objects.get().status == BackgroundJob.Status.FAILED


class Killed(BaseException):
    """Raised where a worker is killed."""


def test_an_archive_goes_on_where_a_worker_was_killed(
    tournament: Tournament, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two games is in the archive and is not written again; after a change the archive begins anew."""
    whole = zip_export.write_zip(open_book(tournament))
    monkeypatch.setattr(zip_export, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(zip_export, "KEEP_SHARE", 0)
    written: list[str] = []
    write = game_record.export

    def export(table: LoadedTable) -> dict[str, Any]:
        if len(written) == 1:
            written.append("")
            raise Killed
        written.append(table.id)
        return write(table)

    monkeypatch.setattr(game_record, "export", export)
    Client().get(address(tournament))
    with pytest.raises(Killed):
        tasks.sweep_jobs()
    (half,) = BackgroundJob.objects.all()
    with zipfile.ZipFile(io.BytesIO(bytes(BackgroundJobFile.objects.get().content))) as file:
        assert [name for name in file.namelist() if name.startswith("records/")] == ["records/r1-t1.json"]
    assert Client().get(address(tournament)).status_code == 202, "what is not complete is not sent"
    background_jobs.run(half.pk, job_kinds.HANDLERS, now=(half.seen_at or 0) + background_jobs.LOST_AFTER + 1)
    assert (len(written), BackgroundJob.objects.get().status) == (3, BackgroundJob.Status.DONE)
    assert read_files(Client().get(address(tournament)).content) == read_files(whole)


def test_a_half_archive_of_what_was_is_begun_anew(tournament: Tournament, ana: Player) -> None:
    half = zip_export.ZipWriter()
    half.begin({"tournament.json": b"{}"})
    half.add("records/r1-t1.json", "what was")
    release(ana, tournament, 2)
    tournament.refresh_from_db()
    again = zip_export.write_zip(open_book(tournament), unfinished=zip_export.ZipWriter(half.end()))
    assert read_files(again) == read_files(zip_export.write_zip(open_book(tournament)))


def read_files(packed: bytes) -> dict[str, bytes]:
    """Every file of a ZIP."""
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        assert file.testzip() is None
        assert len(set(file.namelist())) == len(file.namelist())
        return {name: file.read(name) for name in file.namelist()}
