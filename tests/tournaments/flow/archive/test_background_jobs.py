"""Background jobs run once, completely or not at all, however often they are asked for and whatever is killed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.urls import reverse

from games import models
from games.play.errors import Busy, NotAllowed
from games.play.records import replays
from tests.cast import NOW, at_once, browser, person
from tests.tournaments.cast import begin, enter, found, play_round
from tests.tournaments.flow.archive.test_tournament_document import replace
from tests.tournaments.flow.seasons.test_season_changes import count, season
from tournaments.flow.archive import (
    background_jobs,
    import_job,
    job_kinds,
    restoring,
    season_document,
    zip_export,
    zip_limits,
)
from tournaments.flow.archive.background_jobs import LOST_AFTER, JobClaim, JobHandler
from tournaments.flow.planning import phases
from tournaments.flow.seasons import season_standings
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import BackgroundJob, BackgroundJobFile, Club, Membership, Phase, Pod, Role, Season, Tournament
from tournaments.words.terms import say_trouble
from tournaments.work import tasks

LATER = NOW + LOST_AFTER + 1


class Killed(BaseException):
    """Raised where a worker is killed."""


@pytest.fixture
def uploaded_archive(ana: models.Player) -> bytes:
    """The archive of a round at two tables on screens."""
    tournament = begin(ana, (), least=4, most=4, rounds_planned=1, venue="online")
    enter(tournament, *"ABCDEFGH")
    tournament.entrants.update(status="present")
    play_round(ana, tournament, 1)
    return zip_export.write_zip(open_book(tournament))


@pytest.fixture
def club(uploaded_archive: bytes) -> Club:
    """Another club, which has none of it."""
    return found(person("Rosa"), "Mountain Club")


def owner(club: Club) -> models.Player:
    return Membership.objects.get(club=club, role=Role.OWNER).player


def ask(club: Club, raw: bytes, who: models.Player | None = None, *, now: float = NOW) -> BackgroundJob:
    return import_job.ask(club, who or owner(club), raw, "night.zip", now=now)


def run(job: BackgroundJob, *, now: float = NOW) -> BackgroundJob:
    background_jobs.run(job.pk, job_kinds.HANDLERS, now=now)
    job.refresh_from_db()
    return job


def count_imported(club: Club) -> tuple[int, int, int]:
    """Tournaments of the club, records that are kept, and those of them that a table has."""
    kept = models.Upload.objects.filter(is_kept=True)
    named = Pod.objects.filter(round__tournament__club=club).exclude(record="").values_list("record", flat=True)
    return Tournament.objects.filter(club=club).count(), kept.count(), kept.filter(pk__in=list(named)).count()


def test_an_archive_becomes_a_tournament_and_its_bytes_go(club: Club, uploaded_archive: bytes) -> None:
    job = ask(club, uploaded_archive)
    assert (job.status, job.done, job.total) == ("waiting", 0, 0)
    run(job)
    assert (job.status, job.done, job.total, count_imported(club)) == ("done", 2, 2, (1, 2, 2))
    assert job.tournament == Tournament.objects.get(club=club)
    assert BackgroundJobFile.objects.count() == 0


def test_asked_again_it_is_the_same_one(club: Club, uploaded_archive: bytes) -> None:
    other = person("Otto")
    Membership.objects.create(club=club, player=other, role=Role.ORGANISER)
    keys = {
        ask(club, uploaded_archive).pk,
        ask(club, uploaded_archive, other).pk,
        run(ask(club, uploaded_archive)).pk,
        ask(club, uploaded_archive, other).pk,
    }
    background_jobs.clear_old(now=NOW + 10**9)
    run(ask(club, uploaded_archive, now=NOW + 10**9), now=NOW + 10**9)
    assert (len(keys), count_imported(club), BackgroundJob.objects.count()) == (1, (1, 2, 2), 1)


def test_two_organisers_and_two_workers_at_the_same_moment(
    transactional_db: None, club: Club, uploaded_archive: bytes
) -> None:
    other = person("Otto")
    Membership.objects.create(club=club, player=other, role=Role.ORGANISER)
    both = (owner(club), other)
    asked = at_once(*(lambda who=who: ask(club, uploaded_archive, who).pk for who in both))
    (key,) = set(asked)
    at_once(*(lambda: background_jobs.run(str(key), job_kinds.HANDLERS, now=NOW) for _ in both))
    assert (BackgroundJob.objects.get().status, count_imported(club)) == ("done", (1, 2, 2))


@pytest.mark.parametrize("step", [1, 2])
def test_killed_between_two_records_it_goes_on_where_it_was(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    job = ask(club, uploaded_archive)
    check, checked = replays.check_record, []

    def die(raw: bytes) -> None:
        checked.append(raw)
        if len(checked) == step:
            raise Killed
        check(raw)

    monkeypatch.setattr(replays, "check_record", die)
    with pytest.raises(Killed):
        run(job)
    assert count_imported(club) == (0, step - 1, 0)
    run(job, now=NOW + 1)  # nobody knows yet that its worker is dead
    assert (count_imported(club), background_jobs.list_due(now=NOW + 1)) == ((0, step - 1, 0), [])
    monkeypatch.setattr(replays, "check_record", checked.append)
    assert background_jobs.list_due(now=LATER) == [job.pk]
    run(job, now=LATER)
    assert (job.status, count_imported(club), len(checked)) == (
        "done",
        (1, 2, 2),
        3,
    )  # only the one under way was begun twice


@pytest.mark.parametrize(("where", "written"), [("_fill_people", 0), ("check_standings", 1), ("show", 1)])
def test_killed_while_it_is_written_nothing_of_it_is_there(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch, where: str, written: int
) -> None:
    job = ask(club, uploaded_archive)
    with monkeypatch.context() as patch:
        patch.setattr(restoring, where, _die)
        with pytest.raises(Killed):
            run(job)
    job.refresh_from_db()
    assert (job.status, count_imported(club)[:2], Tournament.everything.filter(club=club).count()) == (
        "waiting", (0, 2), written,
    )  # fmt: skip
    run(job, now=LATER)
    assert (job.status, count_imported(club), Tournament.everything.filter(club=club).count()) == ("done", (1, 2, 2), 1)


def _die(*args: object, **kwargs: object) -> None:
    raise Killed


def nights_of(owner: models.Player) -> bytes:
    """The archive of a season of two nights."""
    one = season(owner)
    for number in range(2):
        played = begin(owner, (), club=one.club, least=4, most=4, rounds_planned=1, venue="online")
        enter(played, *(f"{name}{number}" for name in "ABCD"))
        played.entrants.update(status="present")
        play_round(owner, played, 1)
        phases.move_on(played, owner, Phase.FINISHED, now=NOW + number)
        count(owner, one, played)
    return season_document.write_zip(season_standings.open_table(one))


@pytest.mark.parametrize(("dies_at", "written"), [(1, 1), (2, 2)])
def test_a_season_killed_between_its_nights_shows_none_of_them_until_all_are_there(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch, dies_at: int, written: int
) -> None:
    sent, club = nights_of(ana), found(person("Rosa"), "Mountain Club")
    job, check, checked = ask(club, sent), restoring.check_standings, []

    def die(*args: Any) -> bool:
        checked.append(args)
        if len(checked) == dies_at:
            raise Killed
        return check(*args)

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "check_standings", die)
        with pytest.raises(Killed):
            run(job)
    everything, seasons = Tournament.everything.filter(club=club), Season.everything.filter(club=club)
    assert (Tournament.objects.filter(club=club).count(), everything.count()) == (0, written)
    assert [Tournament.objects.filter(pk=one.pk).exists() for one in everything] == [False] * written
    assert (Season.objects.filter(club=club).count(), seasons.count()) == (0, 1)
    page = browser(owner(club)).get(reverse("tournaments:club", args=[club.slug])).content.decode()
    for hidden in (everything.latest("created_at"), seasons.get()):
        assert browser(owner(club)).get(reverse("tournaments:tournament", args=[hidden.pk])).status_code == 404
        assert hidden.name not in page
    run(job, now=LATER)
    made = job.season
    assert made is not None
    assert (job.status, count_imported(club), made.counted.count()) == ("done", (2, 2, 2), 2)
    assert (everything.filter(arriving="").count(), seasons.get().arriving) == (2, "")


def test_a_season_whose_table_does_not_follow_leaves_nothing(ana: models.Player) -> None:
    sent, club = nights_of(ana), found(person("Rosa"), "Mountain Club")
    document = json.loads(zip_limits.Zip(sent).read("league.json"))
    document["table"][0]["points"] = "7"
    job = run(ask(club, replace(sent, "league.json", json.dumps(document).encode())))
    assert (job.status, count_imported(club), Tournament.everything.filter(club=club).count()) == (
        "failed",
        (0, 0, 0),
        0,
    )
    assert not Season.everything.filter(club=club).exists()
    assert "do not match its results" in say_trouble(job.error)
    run(ask(club, sent))
    assert count_imported(club) == (2, 2, 2)


def test_a_worker_that_slept_does_not_write_over_the_one_that_went_on(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask(club, uploaded_archive)
    check = replays.check_record

    def sleep(raw: bytes) -> None:
        monkeypatch.setattr(replays, "check_record", check)
        run(job, now=LATER)
        check(raw)

    monkeypatch.setattr(replays, "check_record", sleep)
    run(job)
    assert (job.status, count_imported(club), job.attempts) == ("done", (1, 2, 2), 2)


def test_what_kills_every_worker_is_given_up(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask(club, uploaded_archive)
    BackgroundJob.objects.update(attempts=background_jobs.MAX_ATTEMPTS)
    run(job)
    assert (job.status, count_imported(club), BackgroundJobFile.objects.count()) == ("failed", (0, 0, 0), 0)
    assert "The server stopped several times" in say_trouble(job.error)


def test_a_broken_archive_leaves_nothing_and_may_be_sent_again(club: Club, uploaded_archive: bytes) -> None:
    spoilt = replace(uploaded_archive, "records/r1-t2.json", b"{}")
    first = run(ask(club, spoilt))
    assert (first.status, first.done, count_imported(club), BackgroundJobFile.objects.count()) == (
        "failed",
        1,
        (0, 0, 0),
        0,
    )
    assert say_trouble(first.error).startswith("records/r1-t2.json cannot be imported: This record is not valid")
    assert ask(club, spoilt).pk != first.pk


def test_who_is_no_organiser_any_more_brings_nothing(club: Club, uploaded_archive: bytes) -> None:
    job = ask(club, uploaded_archive)
    Membership.objects.filter(club=club).update(role=Role.MEMBER)
    run(job)
    assert (job.status, say_trouble(job.error), count_imported(club)) == (
        "failed", "Only an organiser of this club can do this.", (0, 0, 0),
    )  # fmt: skip
    with pytest.raises(NotAllowed):
        ask(club, uploaded_archive, person("Otto"))


def test_stopped_it_leaves_nothing_although_a_worker_is_at_it(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask(club, uploaded_archive)
    check, checked = replays.check_record, []

    def stop(raw: bytes) -> None:
        checked.append(raw)
        check(raw)
        if len(checked) == 2:
            background_jobs.stop(BackgroundJob.objects.get(pk=job.pk), job_kinds.HANDLERS, now=NOW)

    monkeypatch.setattr(replays, "check_record", stop)
    run(job)
    assert (job.status, count_imported(club), len(checked)) == ("failed", (0, 0, 0), 2)
    background_jobs.stop(job, job_kinds.HANDLERS, now=NOW)
    assert say_trouble(job.error) == "This was stopped. Nothing was changed."


def test_a_database_that_is_away_stops_nothing_for_good(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask(club, uploaded_archive)
    with monkeypatch.context() as patch:
        patch.setattr(replays, "list_kept", _be_away)
        run(job)
    assert (job.status, background_jobs.list_due(now=NOW)) == ("waiting", [job.pk])
    tasks.sweep_jobs()
    job.refresh_from_db()
    assert (job.status, count_imported(club)) == ("done", (1, 2, 2))


def _be_away(begin: str) -> frozenset[str]:
    raise OperationalError("database is locked")


def test_a_mistake_of_ours_is_said_and_not_tried_for_ever(club: Club, uploaded_archive: bytes) -> None:
    job = ask(club, uploaded_archive)

    def stumble(claim: JobClaim) -> None:
        raise ZeroDivisionError

    background_jobs.run(job.pk, {"restore": JobHandler(stumble)}, now=NOW)
    job.refresh_from_db()
    assert (job.status, "on the server" in say_trouble(job.error)) == ("failed", True)


def test_a_club_sends_a_few_at_once_and_all_clubs_not_too_many(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(background_jobs.MAX_WAITING_A_CLUB):
        ask(club, uploaded_archive + bytes(number + 1))
    with pytest.raises(Busy, match="This club is already importing"):
        ask(club, uploaded_archive)
    monkeypatch.setattr(background_jobs, "MAX_WAITING", background_jobs.MAX_WAITING_A_CLUB)
    with pytest.raises(Busy, match="The server is busy"):
        ask(found(person("Pia"), "Valley Club"), uploaded_archive)


def test_what_is_old_goes_but_not_what_was_read_in(club: Club, uploaded_archive: bytes) -> None:
    failed, done, waiting = (ask(club, raw).pk for raw in (b"{}", uploaded_archive, b"[]"))
    for key in (failed, done):
        background_jobs.run(key, job_kinds.HANDLERS, now=NOW)
    background_jobs.clear_old(now=NOW + background_jobs.KEPT_SECONDS - 5)
    assert BackgroundJob.objects.count() == 3
    background_jobs.clear_old(now=NOW + background_jobs.KEPT_SECONDS + 60)
    assert set(BackgroundJob.objects.values_list("pk", flat=True)) == {done, waiting}


def test_what_is_being_read_in_is_in_a_backup(
    club: Club, uploaded_archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask(club, uploaded_archive)
    with monkeypatch.context() as patch:
        patch.setattr(restoring, "show", _die)
        with pytest.raises(Killed):
            run(job)
    assert {one.pk for one in Tournament._base_manager.all()} == {one.pk for one in Tournament.everything.all()}
    assert Tournament.objects.count() + 1 == Tournament.everything.count()
