"""A season goes out as a file and comes back; a spoilt one is refused."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.play.errors import BadInput
from games.play.records import game_record, replays
from games.play.storage import store
from games.records.writer import to_text
from tests.cast import NOW, person
from tests.tournaments.cast import bring_season, found
from tests.tournaments.flow.archive.test_tournament_document import played_online, replace
from tests.tournaments.flow.seasons.test_season_changes import count, play, season, table
from tests.tournaments.flow.standings.test_knockouts import FORMER, ended_early
from tournaments.flow.archive import (
    season_document,
    season_restoring,
    tournament_schema,
    zip_export,
    zip_limits,
)
from tournaments.flow.counting.calendar_years import DAY_SECONDS
from tournaments.flow.planning import phases
from tournaments.flow.seasons import season_phases, season_plan, season_standings
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Phase, Pod, Round, Season, Tournament


def test_it_goes_out_as_a_file_and_comes_back(ana: models.Player) -> None:
    one = season(ana, best_of=2)
    tom = person("Tom")
    count(
        ana, one,
        play(ana, one.club, "Ada", "Bea", "Cem", people=(tom,), at=NOW + 1),
        play(ana, one.club, "Tom", "Bea", "Ada", "Eli", at=NOW + 2),
        play(ana, one.club, "Bea", "Ada", "Cem", "Eli", at=NOW + 3),
    )  # fmt: skip
    club = found(person("Rosa"), "Mountain Club")
    copy = bring_season(
        club, club.memberships.get().player, season_document.write_zip(season_standings.open_table(one))
    )
    assert (copy.phase, table(copy), table(copy, 2)) == (Phase.ARCHIVED, table(one), table(one, 2))
    assert (archived(copy).table, len(archived(copy).table)) == (archived(one).table, 5)
    rows = list(csv.reader(io.StringIO(season_document.write_standings(season_standings.open_table(one)))))
    assert rows[0][:5] == ["place", "name", "points", "played", "won"]
    assert [row[1] for row in rows[1:]] == [name for name, _, _ in table(one)]


def test_what_was_played_long_ago_was_played_long_ago(ana: models.Player) -> None:
    one, then = season(ana), NOW - 400 * DAY_SECONDS
    nights = [play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=then + day * DAY_SECONDS) for day in (7, 0)]
    Round.objects.filter(tournament=nights[1]).update(released_at=then - 3600)
    count(ana, one, *nights)
    season_phases.finish(one, ana, now=then + 30 * DAY_SECONDS)
    one.refresh_from_db()
    club = found(person("Rosa"), "Mountain Club")
    sent = season_document.write_zip(season_standings.open_table(one))
    copy = bring_season(club, club.memberships.get().player, sent, now=NOW)
    assert copy.finished_at == then + 30 * DAY_SECONDS
    copies = list(season_standings.counted_of(copy))
    assert [night.finished_at for night in copies] == [then, then + 7 * DAY_SECONDS]
    assert Round.objects.get(tournament=copies[0]).released_at == then - 3600
    day = datetime.fromtimestamp(then - 3600, tz=UTC)
    sheet = Client().get(reverse("tournaments:print", args=[copies[0].pk, "certificates"])).content.decode()
    assert f"{day.day} {day:%B %Y}<" in sheet


@pytest.mark.parametrize("at", [None, NOW + 3600])
def test_what_went_on_or_says_that_it_comes_ends_as_it_comes_in(ana: models.Player, at: float | None) -> None:
    one = season(ana)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 3600))
    document = msgspec.structs.replace(archived(one), finished_at=at)
    rosa = person("Rosa")
    copy = bring_season(found(rosa, "Mountain Club"), rosa, msgspec.json.encode(document), now=NOW)
    for ended in (copy.finished_at, season_standings.counted_of(copy).get().finished_at):
        assert ended is not None
        assert NOW <= ended < NOW + 600


def test_a_season_from_before_who_goes_on_stood_first_is_read_in(ana: models.Player) -> None:
    """Its standings follow older rules, which are accepted."""
    one, replaced = season(ana), msgspec.structs.replace
    count(ana, one, ended_early(ana, club=one.club))
    now = archived(one)
    there = now.tournaments[0].tournament
    number = {person.name: person.number for person in there.entrants}
    lines = tuple(
        tournament_schema.ArchivedStandingsLine(place, number[name], 0) for place, name in enumerate(FORMER, start=1)
    )
    night = replaced(now.tournaments[0], tournament=replaced(there, standings=lines))
    former = replaced(now, tournaments=(night,), table=now.table[::-1])
    assert table(bring_season(one.club, ana, msgspec.json.encode(former))) == table(one)
    with pytest.raises(BadInput, match="do not match its results"):
        bring_season(one.club, ana, msgspec.json.encode(replaced(former, tournaments=now.tournaments)))


def archived(one: Season) -> season_document.LeagueArchive:
    """The season's document."""
    return season_document.describe(season_standings.open_table(one))


def test_the_records_of_its_games_come_along(ana: models.Player) -> None:
    one = season(ana)
    played_online(ana, one.club)
    played = Tournament.objects.exclude(pk=one.pk).get()
    phases.move_on(played, ana, Phase.FINISHED, now=NOW)
    count(ana, one, played, play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1))
    sent = season_document.write_zip(season_standings.open_table(one))
    rosa = person("Rosa")
    club = found(rosa, "Mountain Club")
    copy = bring_season(club, rosa, sent)
    [key] = Pod.objects.filter(round__tournament__season=copy).exclude(record="").values_list("record", flat=True)
    [pod] = Pod.objects.filter(round__tournament=played)
    assert pod.table_id is not None
    assert replays.read_upload(key) == to_text(game_record.export(store.fetch(pod.table_id)))
    assert (
        season_document.write_zip(season_standings.open_table(copy)).count(b"records/r1-t1.json") == 0
    )  # packed in a ZIP
    again = bring_season(club, rosa, season_document.write_zip(season_standings.open_table(copy)))
    assert Pod.objects.filter(round__tournament__season=again).exclude(record="").count() == 1


@pytest.mark.parametrize(
    ("inner", "sentence"),
    [
        (b"PK\x03\x04 broken", "This archive cannot be opened"),
        (b"", "This archive cannot be opened"),
        (None, "tournaments/1.zip does not match the tournament in league.json"),
    ],
)
def test_a_season_whose_inside_is_wrong_is_refused_as_a_whole(
    ana: models.Player, inner: bytes | None, sentence: str
) -> None:
    one = season(ana)
    first = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    count(ana, one, first)
    other = zip_export.write_zip(open_book(play(ana, one.club, "Eli", "Bea", "Cem", "Dan")))
    sent = replace(
        season_document.write_zip(season_standings.open_table(one)),
        "tournaments/1.zip",
        other if inner is None else inner,
    )
    before = Tournament.objects.count()
    with pytest.raises(BadInput, match=sentence):
        bring_season(one.club, ana, sent)
    assert Tournament.objects.count() == before


def test_a_season_that_unpacks_to_too_much(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    one = season(ana)
    tournaments = [play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + number) for number in range(2)]
    count(ana, one, *tournaments)
    sent = season_document.write_zip(season_standings.open_table(one))
    inside = [zip_limits.Zip(zip_limits.Zip(sent).read(f"tournaments/{number}.zip")).size for number in (1, 2)]
    monkeypatch.setattr(season_restoring, "MAX_UNPACKED", sum(inside) - 1)
    with pytest.raises(BadInput, match="too large"):
        bring_season(one.club, ana, sent)


@pytest.mark.parametrize(
    ("spoil", "by"),
    [
        (b'"place": 1', b'"place": 7'),
        (b'"menagerie-tournament/1"', b"1"),
        (b'"name": "Ada"', b'"name": "Bea"'),
        (b'"format": "league"', b'"format": "swiss"'),
    ],
)
def test_a_spoilt_file_is_refused_as_a_whole(ana: models.Player, spoil: bytes, by: bytes) -> None:
    one = season(ana)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan"))
    sent = season_document.write_json(season_standings.open_table(one))
    before = Tournament.objects.count()
    wrong = sent.replace(spoil, by)
    assert wrong != sent
    with pytest.raises(BadInput):
        bring_season(one.club, ana, wrong)
    assert (Tournament.objects.count(), Entrant.objects.count()) == (before, 4)


def test_the_plan_of_a_season_is_told_in_the_shape_of_a_tournament_s(ana: models.Player) -> None:
    one = season(ana, game="animal-poker", best_of=3, points="table", points_table=[9, 1], about="Well.")
    described = season_document.describe_agreement(one)
    assert (described.format, described.best_of, described.points_table) == ("league", 3, [9, 1])
    assert season_document.read_agreement(described) == season_plan.read(one)


@pytest.mark.parametrize(
    "wrong",
    [{"game": "chess"}, {"best_of": 101}, {"points": "luck"}, {"points_table": []}, {"tie_breaks": ["wins", "wins"]},
     {"name": ""}, {"about": "x" * 2001}],
)  # fmt: skip
def test_what_no_season_can_be_is_refused(wrong: dict[str, Any]) -> None:
    season_plan.check(SeasonPlan(name="Autumn"))
    with pytest.raises(BadInput):
        season_plan.check(SeasonPlan(**{"name": "Autumn", **wrong}))
