"""An archive that takes its time: the page says how far it is, and leads to what came of it."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from config.celery import app
from games import models
from games.accounts.rate_limits import ARCHIVES_PER_HOUR
from tests.cast import browser, person
from tests.html import read_page
from tests.tournaments.cast import found
from tests.tournaments.flow.archive.test_tournament_document import played_online, replace
from tournaments.flow.archive import background_jobs, import_job
from tournaments.models import BackgroundJob, Club, Membership, Role, Tournament
from tournaments.work import tasks


@pytest.fixture
def uploaded_archive(ana: models.Player) -> bytes:
    return played_online(ana)


@pytest.fixture
def club(uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club without tournaments, to which every archive is long."""
    monkeypatch.setattr(import_job, "AT_ONCE", 0)
    return found(person("Rosa"), "Mountain Club")


@pytest.fixture
def client(club: Club) -> Client:
    """Its owner's browser."""
    return browser(Membership.objects.get(club=club, role=Role.OWNER).player)


def send(client: Client, club: Club, raw: bytes) -> HttpResponse:
    file = SimpleUploadedFile("night.zip", raw)
    return client.post(reverse("tournaments:restore", args=[club.slug]), {"file": file})  # type: ignore[return-value]


def get_progress(client: Client, url: str, *, is_bar: bool = False, sentence: str = "") -> HttpResponse:
    headers = {"HX-Request": "true", "HX-Target": "errand"} if is_bar else {}
    return client.get(url, {"said": sentence} if sentence else {}, headers=headers)  # type: ignore[return-value]


def test_a_long_archive_has_a_page_until_it_is_there(client: Client, club: Club, uploaded_archive: bytes) -> None:
    answer = send(client, club, uploaded_archive)
    job = BackgroundJob.objects.get()
    url = reverse("tournaments:reading", args=[club.slug, job.pk])
    assert (answer.status_code, answer["Location"]) == (302, url)
    assert send(client, club, uploaded_archive)["Location"] == url  # pressed twice
    page = get_progress(client, url)
    text = read_page(page)
    assert (page.status_code, text.count("<progress"), text.count('hx-trigger="every 1s"')) == (202, 1, 1)
    assert [
        word in text
        for word in ("night.zip", "Waiting for earlier jobs to finish", "<noscript><meta", "Refresh", "Cancel job")
    ] == [True] * 5
    assert Tournament.objects.filter(club=club).count() == 0
    form = reverse("tournaments:restore", args=[club.slug])
    assert f'<a href="{url}">night.zip</a>' in read_page(get_progress(client, form))  # the way back
    tasks.run_job(job.pk)
    tasks.run_job(job.pk)  # a message may come twice
    made = Tournament.objects.get(club=club)
    assert url not in read_page(get_progress(client, form))
    there = reverse("tournaments:tournament", args=[made.pk])
    assert get_progress(client, url)["Location"] == there
    bar = get_progress(client, url, is_bar=True)
    assert (bar.status_code, bar["HX-Redirect"]) == (204, there)
    again = send(client, club, uploaded_archive)
    assert again["Location"] == there
    assert "This archive was imported before." in read_page(client.get(there))


def test_a_worker_reads_in_what_the_page_sent(client: Client, club: Club, uploaded_archive: bytes) -> None:
    app.conf.task_always_eager = True
    try:
        answer = send(client, club, uploaded_archive)
    finally:
        app.conf.task_always_eager = False
    assert BackgroundJob.objects.get().status == "done"
    assert client.get(answer["Location"]).status_code == 302


def test_the_bar_says_how_far_it_is_and_aloud_every_quarter(
    client: Client, club: Club, uploaded_archive: bytes
) -> None:
    url = send(client, club, uploaded_archive)["Location"]
    BackgroundJob.objects.update(done=120, total=400, attempts=1)
    bar = read_page(get_progress(client, url, is_bar=True, sentence="0"))
    assert "<h1" not in bar
    assert bar.count('<progress max="400" value="120"') == 1
    assert bar.count("120 of 400 games checked.") == 2
    assert f'hx-get="{url}?errand={BackgroundJob.objects.get().pk}&amp;said=1"' in bar
    BackgroundJob.objects.update(done=130)
    assert read_page(get_progress(client, url, is_bar=True, sentence="1")).count("130 of 400 games checked.") == 1
    BackgroundJob.objects.update(done=400)
    assert "All games checked. Saving" in read_page(get_progress(client, url, is_bar=True, sentence="1"))


def test_what_is_broken_is_said_and_another_file_chosen(client: Client, club: Club, uploaded_archive: bytes) -> None:
    url = send(client, club, replace(uploaded_archive, "records/r1-t1.json", b"{}"))["Location"]
    tasks.sweep_jobs()
    page = get_progress(client, url)
    text = read_page(page)
    assert (page.status_code, 'hx-trigger="every' in text) == (422, False)
    assert "records/r1-t1.json cannot be imported: This record is not valid" in text
    assert reverse("tournaments:restore", args=[club.slug]) in text
    bar = get_progress(client, url, is_bar=True, sentence="1")
    assert (bar.status_code, 'hx-trigger="every' in read_page(bar)) == (200, False)
    client.cookies["django_language"] = "de"
    assert "Diese Aufzeichnung ist ungültig" in read_page(get_progress(client, url))


def test_stopped_by_its_sender(client: Client, club: Club, uploaded_archive: bytes) -> None:
    url = send(client, club, uploaded_archive)["Location"]
    assert client.post(url).status_code == 302
    tasks.sweep_jobs()
    assert "This was stopped. Nothing was changed." in read_page(get_progress(client, url))
    assert Tournament.objects.filter(club=club).count() == 0


def test_it_is_for_organisers_of_this_club_only(
    client: Client, club: Club, uploaded_archive: bytes, ana: models.Player
) -> None:
    url = send(client, club, uploaded_archive)["Location"]
    assert [one.get(url).status_code for one in (Client(), browser(person("Otto")), browser(ana))] == [403] * 3
    assert [one.post(url).status_code for one in (Client(), browser(person("Otto")), browser(ana))] == [403] * 3
    elsewhere = reverse("tournaments:reading", args=["harbour-club", BackgroundJob.objects.get().pk])
    assert browser(ana).get(elsewhere).status_code == 404
    assert BackgroundJob.objects.get().status == "waiting"


def test_a_small_one_is_there_at_once(
    client: Client, club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_job, "AT_ONCE", len(uploaded_archive))
    answer = send(client, club, uploaded_archive)
    assert answer["Location"] == reverse("tournaments:tournament", args=[Tournament.objects.get(club=club).pk])
    assert send(client, club, b"PK nonsense").status_code == 422
    assert send(client, club, b"").status_code == 422


def test_a_message_that_is_lost_is_found_by_the_sweeper(
    client: Client, club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks.run_job, "apply_async", _lose_broker)
    url = send(client, club, uploaded_archive)["Location"]
    tasks.sweep_jobs()
    assert get_progress(client, url).status_code == 302


def _lose_broker(*args: object, **kwargs: object) -> None:
    raise OSError("the broker is away")


def test_too_many_wait(client: Client, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(background_jobs.MAX_WAITING_A_CLUB):
        assert send(client, club, b"PK" + bytes(number)).status_code == 302
    answer = send(client, club, b"{}")
    assert (answer.status_code, "This club is already importing" in read_page(answer)) == (503, True)
    for _ in range(ARCHIVES_PER_HOUR - background_jobs.MAX_WAITING_A_CLUB - 1):
        send(client, club, b"{}")
    assert send(client, club, b"{}").status_code == 429
