"""The analysis of a finished game: asked for, made by a worker, read; cancelled; never of a game under way."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.analysis.report import VERSION
from games.play.records import analyses, game_record, replays
from games.play.storage.table import LoadedTable
from games.records.writer import to_text
from games.work import analysis_tasks
from tests.cast import NOW, browser, finish, start_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(ana: models.Player) -> LoadedTable:
    """A finished game of a person and three bots, one deal long."""
    return finish(start_table(ana, options={"deals": 1}))


def ask(table: LoadedTable, client: Client) -> models.GameAnalysis:
    """Ask for the analysis; the job."""
    answer = client.post(reverse("analysis", args=[table.id]))
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("analysis", args=[table.id]))
    return models.GameAnalysis.objects.get()


def show(table: LoadedTable, client: Client, **headers: str) -> str:
    return client.get(reverse("analysis", args=[table.id]), headers=headers).content.decode()


def test_an_analysis_is_asked_for_made_and_read(table: LoadedTable, ana: models.Player) -> None:
    client = browser(ana)
    assert reverse("analysis", args=[table.id]) in client.get(reverse("replay", args=[table.id])).content.decode()
    assert 'id="analyse"' in show(table, client)
    assert client.get(reverse("analysis_json", args=[table.id])).status_code == 404
    job = ask(table, client)
    assert job.status == "waiting"
    assert 'hx-trigger="every 2s"' in show(table, client)
    analysis_tasks.run_analysis.run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.done, job.attempts) == ("done", job.total, 1)
    found = client.get(reverse("analysis_json", args=[table.id])).json()
    assert (found["digest"], found["plies"]) == (job.pk, table.ply)
    assert {one["seat"] for one in found["decisions"]} == {0}
    assert ana.name not in job.text
    html = show(table, client)
    for one in found["decisions"]:
        if one["loss"] > 0:
            assert f"ply={one['ply'] - 1}" in html
    assert html.count("<polyline") == 4
    numbers = re.findall(r"<(?:line|text|circle|polyline)\b[^>]*", html)
    assert re.findall(r"<(?:line|text|circle|polyline)\b[^>]*", show(table, client, accept_language="de")) == numbers
    assert "Loss per decision" in html
    mine = models.PersonAnalysis.objects.get(player=ana, table_id=table.id)
    assert mine.average_loss == found["seats"][0]["average_loss"]
    assert ask(table, client).attempts == 1  # it is there already
    bar = client.get(reverse("analysis", args=[table.id]), headers={"HX-Target": "analysis-progress"})
    assert (bar.status_code, bar.headers["HX-Redirect"]) == (204, reverse("analysis", args=[table.id]))


def test_who_asked_can_cancel_and_ask_again(table: LoadedTable, ana: models.Player, eva: models.Player) -> None:
    client, cancel = browser(ana), reverse("cancel_analysis", args=[table.id])
    job = ask(table, client)
    assert browser(eva).post(cancel).status_code == 403
    held = analyses.claim(job.pk, now=NOW)
    assert held is not None
    assert analyses.claim(job.pk, now=NOW + 1) is None
    assert analyses.note_progress(held, 1, 50, now=NOW + 1)
    assert "Move 1 of 50 analysed." in show(table, client)
    assert client.post(cancel).status_code == 302
    assert not analyses.note_progress(held, 2, 50, now=NOW + 2)
    analyses.finish(held, {"plies": 50, "seats": []}, now=NOW + 2)
    assert models.GameAnalysis.objects.get().status == "cancelled"
    assert "The analysis was cancelled." in show(table, client)
    assert ask(table, client).status == "waiting"


def test_a_lost_worker_is_replaced_and_a_hopeless_analysis_fails(table: LoadedTable, ana: models.Player) -> None:
    job = ask(table, browser(ana))
    for number in range(analyses.MAX_ATTEMPTS):
        now = NOW + number * (analyses.LOST_SECONDS + 1)
        assert analyses.list_lost(now=now) == [job.pk]
        assert analyses.claim(job.pk, now=now) is not None
        assert analyses.list_lost(now=now + 1) == []
    assert analyses.claim(job.pk, now=NOW + 10_000) is None
    assert models.GameAnalysis.objects.get().status == "failed"
    assert "could not be finished" in show(table, browser(ana))


def test_an_analysis_of_an_older_version_is_made_anew(table: LoadedTable, ana: models.Player) -> None:
    job = ask(table, browser(ana))
    models.GameAnalysis.objects.update(status="done", version=VERSION - 1, text="{}")
    assert analyses.find(replays.replay_table(table).record) is None
    assert ask(table, browser(ana)).version == VERSION
    assert job.pk == models.GameAnalysis.objects.get().pk


def test_a_game_under_way_is_not_analysed(ana: models.Player) -> None:
    playing = start_table(ana)
    for client in (browser(ana), Client()):
        assert client.get(reverse("analysis", args=[playing.id])).status_code == 403
        assert client.post(reverse("analysis", args=[playing.id])).status_code == 403
    assert not models.GameAnalysis.objects.exists()
    models.GameAnalysis.objects.create(digest="0" * 64, version=VERSION, source="table", key=playing.id, asked_at=NOW)
    analysis_tasks.run_analysis.run("0" * 64)
    assert models.GameAnalysis.objects.get().status == "failed"


def test_too_many_analyses_do_not_wait(table: LoadedTable, ana: models.Player) -> None:
    models.GameAnalysis.objects.bulk_create(
        models.GameAnalysis(digest=f"{number:064}", version=VERSION, source="table", key="gone", asked_at=NOW)
        for number in range(analyses.MAX_WAITING)
    )
    answer = browser(ana).post(reverse("analysis", args=[table.id]))
    assert answer.status_code == 503
    assert "Too many games are waiting" in answer.content.decode()


def test_a_record_without_an_end_is_not_analysed(table: LoadedTable, ana: models.Player) -> None:
    document = game_record.export(table)
    document["events"] = document["events"][:6]
    del document["result"]
    key = replays.keep_record(ana, to_text(document).encode(), now=NOW)
    assert (
        reverse("upload_analysis", args=[key]) not in browser(ana).get(reverse("upload", args=[key])).content.decode()
    )
    assert browser(ana).post(reverse("upload_analysis", args=[key])).status_code == 403
    whole = replays.keep_record(ana, to_text(game_record.export(table)).encode(), now=NOW)
    assert browser(ana).get(reverse("upload_analysis", args=[whole])).status_code == 200
