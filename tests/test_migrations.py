"""Migrations are compatible with the version before, which keeps running until its processes are replaced."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any, Protocol

import pytest
from django.apps import apps as present
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, connection, transaction
from django.db.migrations import operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED
from django.urls import reverse

from games.models import Player, User
from tests.cast import NOW, browser
from tests.conftest import restore_database
from tournaments.flow.seasons import season_standings
from tournaments.flow.undo import season_undo
from tournaments.models import BackgroundJob, Penalty, Season, SeasonName, Step, Tournament

FIRST = "0001_initial"
BREAKING = (operations.RemoveField, operations.RenameField, operations.RenameModel, operations.DeleteModel)
KNOWN = {
    ("tournaments", "0003_keys_and_fillers", "RemoveField"),
    ("tournaments", "0007_arena_and_league", "RemoveField"),
}
"""From before the first release."""
RENAMED = {"errand": "backgroundjob"}
"""Models by the names that they had when columns were added to them."""


def changes() -> Iterator[tuple[str, str, Any]]:
    """Every operation on a table that is in use: app, migration, operation."""
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        if app in ("games", "tournaments") and name != FIRST:
            new = {step.name_lower for step in migration.operations if isinstance(step, operations.CreateModel)}
            steps = [step for step in migration.operations if getattr(step, "model_name_lower", "") not in new]
            yield from ((app, name, step) for step in steps)


def test_a_column_that_came_later_may_be_left_out() -> None:
    """The version before does not know it, and writes rows without it."""
    added = [(app, step) for app, _name, step in changes() if isinstance(step, operations.AddField)]
    models = [present.get_model(app, RENAMED.get(step.model_name_lower, step.model_name)) for app, step in added]
    fields = [(app, step, model._meta.get_field(step.name)) for (app, step), model in zip(added, models, strict=True)]
    missing = [
        f"{app}.{step.model_name}.{step.name} needs null=True or db_default"
        for app, step, field in fields
        if not field.null and getattr(field, "db_default", NOT_PROVIDED) is NOT_PROVIDED
    ]
    assert len(added) > 8
    assert missing == []


def test_nothing_goes_that_the_version_before_asks_for() -> None:
    """It goes a version later, when nothing asks for it any more; then it is listed here."""
    assert {(app, name, type(step).__name__) for app, name, step in changes() if isinstance(step, BREAKING)} == KNOWN


def test_the_first_version_writes_into_the_present_database(transactional_db: None) -> None:
    """Its own models, on today's tables."""
    past = MigrationLoader(connection).project_state([("games", FIRST), ("tournaments", FIRST)]).apps
    player = past.get_model("games", "Player").objects.create(name="Ana", avatar="fox")
    table = past.get_model("games", "Table").objects.create(
        id="old", game="karriere-poker", rules=1, invite="i", seat_count=4, turn_seconds=30, created_at=NOW, secret="s"
    )
    past.get_model("games", "Seat").objects.create(table=table, index=0, player=player, name="Ana", avatar="fox")
    now = present.get_model("games", "Table").objects.get(pk="old")
    assert (now.talk, now.is_rated, now.void_reason) == ("phrases", True, "")
    assert present.get_model("games", "Player").objects.get().is_listed is True


def test_the_log_of_plies_has_no_index_that_another_one_begins_with(db: None) -> None:
    """Every move writes them all."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "games_ply").values()
    columns = sorted(index["columns"] for index in found if index["index"] or index["unique"])
    assert columns == [["table_id", "key"], ["table_id", "number"]]


WITH_LEAGUES = ("tournaments", "0032_stand_ins")
WITHOUT = ("tournaments", "0037_no_league")
MADE_AT = datetime(2026, 3, 1, 19, tzinfo=UTC)
SAID = {
    1: ("open-season", [["Tournament", "year", {"phase": "planned"}, {"phase": "running"}]]),
    2: ("count", [["Tournament", "night", {"season_id": None}, {"season_id": "year"}]]),
    3: ("revise", [["Tournament", "year", {"best_of": None, "venue": "mixed"}, {"best_of": 2, "venue": "real"}]]),
    4: ("undo", [["Tournament", "year", {"best_of": 2, "venue": "real"}, {"best_of": None, "venue": "mixed"}]]),
}
"""The steps of a league by number, as the version with leagues wrote them."""


def write_league(past: Any) -> dict[str, Any]:
    """A club with a league of one night that is over, as the version with leagues had it. Ids of what came of it."""
    player = past.get_model("games", "Player").objects.create(name="Ana", avatar="fox")
    club = past.get_model("tournaments", "Club").objects.create(slug="harbour", name="Harbour", feed_token="f")
    past.get_model("tournaments", "Membership").objects.create(club=club, player=player, role="owner")
    tournaments, steps = (
        past.get_model("tournaments", "Tournament").objects,
        past.get_model("tournaments", "Step").objects,
    )
    league = tournaments.create(
        id="year", club=club, name="Żółw", about="All of it.", format="league", phase="running", version=5,
        entry_token="e1", lot_seed="5eed", points="table", points_table="[9,1]", tie_breaks='["opponents","wins"]',
        best_of=1, is_public=True,
    )  # fmt: skip
    tournaments.filter(pk="year").update(created_at=MADE_AT)
    night = tournaments.create(
        id="night", club=club, name="Night", game="karriere-poker", format="swiss", phase="finished", version=3,
        entry_token="e2", lot_seed="5eed2", season=league, finished_at=NOW,
    )  # fmt: skip
    entrants = [
        past.get_model("tournaments", "Entrant").objects.create(
            tournament=night, number=number, name=name, status="present", claim_token=f"c{number}",
            player=player if number == 1 else None,
        )
        for number, name in enumerate(("Ana", "Bea"), start=1)
    ]  # fmt: skip
    past.get_model("tournaments", "Penalty").objects.create(
        tournament=night, entrant=entrants[1], round_number=1, points=420, reason="Late."
    )
    round_ = past.get_model("tournaments", "Round").objects.create(tournament=night, number=1, status="complete")
    pod = past.get_model("tournaments", "Pod").objects.create(round=round_, number=1)
    for index, entrant in enumerate(entrants):
        past.get_model("tournaments", "PodSeat").objects.create(pod=pod, index=index, entrant=entrant)
    past.get_model("tournaments", "Result").objects.create(
        pod=pod, status="accepted", source="organiser", places="[1,2]", at=NOW
    )
    named = past.get_model("tournaments", "LeagueName").objects.create(
        tournament=league, entrant=entrants[1], name="Bé"
    )
    steps.create(tournament=league, number=0, kind="plan", actor=player, actor_name="Ana", at=NOW)
    made: dict[int, Any] = {}
    for number, (kind, changes) in SAID.items():
        text = json.dumps(changes, separators=(",", ":"))
        details = '{"kind":"revise","redo":false,"step":3}' if kind == "undo" else "{}"
        made[number] = steps.create(
            tournament=league, number=number, kind=kind, actor=player, actor_name="Ana", at=NOW, changes=text,
            details=details, reverts=made[3] if kind == "undo" else None,
        )  # fmt: skip
    row = {"id": named.pk, "tournament_id": "year", "entrant_id": entrants[1].pk, "name": "Bé"}
    written = json.dumps([["LeagueName", named.pk, None, row]], separators=(",", ":"), ensure_ascii=False)
    steps.create(tournament=league, number=5, kind="league-name", actor_name="Ana", at=NOW, changes=written)
    steps.create(tournament=night, number=3, kind="finish", actor_name="Ana", at=NOW)
    past.get_model("tournaments", "Errand").objects.create(
        key="k", kind="season", sameness="season:year", tournament=league, lot="l", asked_at=NOW
    )
    past.get_model("tournaments", "FollowedTournament").objects.create(tournament=league, version=5)
    return {"player": player.pk, "name": named.pk, "entrant": entrants[1].pk}


def migrate(*targets: tuple[str, str]) -> Any:
    """Bring the database there. The models of then."""
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets))
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


class Keep(Protocol):
    """Make a database, or copy the one of this name that an earlier test has made; returns what the making returned."""

    def __call__(self, name: str, make: Callable[[], Any]) -> Any:
        """name: of the state; make: brings the database of this process there, only the first time."""


@pytest.fixture(scope="module")
def keep(tmp_path_factory: pytest.TempPathFactory) -> Keep:
    """To migrate a database takes seconds of the processor, to copy it hundredths."""
    folder, made = tmp_path_factory.mktemp("kept"), {}

    def bring(name: str, make: Callable[[], Any]) -> Any:
        if name in made:
            restore_database(folder / name)
            ContentType.objects.clear_cache()
        else:
            made[name] = make()
            with closing(sqlite3.connect(folder / name)) as kept:
                connection.connection.backup(kept)
        return made[name]

    return bring


def migrate_to_present() -> None:
    """Bring the database to the present version."""
    migrate(*MigrationLoader(connection).graph.leaf_nodes())


@pytest.fixture
def league(transactional_db: None, keep: Keep) -> Any:
    """A database of the version with leagues, with one."""
    return keep("league", lambda: write_league(migrate(WITH_LEAGUES)))


@pytest.fixture
def season(transactional_db: None, keep: Keep, request: pytest.FixtureRequest) -> Any:
    """A database of the present version, with what came of a league."""

    def upgrade() -> Any:
        ids = request.getfixturevalue("league")
        migrate_to_present()
        return ids

    return keep("season", upgrade)


def test_a_league_becomes_a_season_with_all_that_it_has(season: dict[str, Any]) -> None:
    assert list(Tournament.everything.values_list("pk", "format", "season")) == [("night", "swiss", "year")]
    one = Season.objects.get()
    assert (one.pk, one.name, one.about, one.game, one.phase, one.version) == (
        "year", "Żółw", "All of it.", "", "running", 5,
    )  # fmt: skip
    assert (one.best_of, one.points, one.points_table, one.lot_seed) == (1, "table", "[9,1]", "5eed")
    assert (one.tie_breaks, one.created_at, one.finished_at) == ('["opponents","wins"]', MADE_AT, None)
    steps = [(step.number, step.kind, json.loads(step.changes)) for step in one.steps.order_by("number")]
    row = {"id": season["name"], "season_id": "year", "entrant_id": season["entrant"], "name": "Bé"}
    assert steps == [
        (0, "plan", []),
        (1, "open-season", [["Season", "year", {"phase": "planned"}, {"phase": "running"}]]),
        (2, "count", [["Tournament", "night", {"season_id": None}, {"season_id": "year"}]]),
        (3, "revise", [["Season", "year", {"best_of": None}, {"best_of": 2}]]),
        (4, "undo", [["Season", "year", {"best_of": 2}, {"best_of": None}]]),
        (5, "league-name", [["SeasonName", season["name"], None, row]]),
    ]
    assert Step.objects.filter(tournament="night").count() == 1
    assert Penalty.objects.get().tournament_id == "night"
    job = BackgroundJob.objects.get()
    assert (job.season_id, job.tournament_id) == ("year", None)
    line, other = season_standings.open_table(one).standing()
    assert [(one.person, int(one.points)) for one in (line, other)] == [("Ana", 9 * 840), ("Bé", 840)]


def test_a_season_that_was_a_league_goes_on(season: dict[str, Any]) -> None:
    """Its page is where it was, its steps are taken back, and the version before cannot plan another league."""
    one, ana = Season.objects.get(), Player.objects.get(pk=season["player"])
    page = browser(ana).get(reverse("tournaments:tournament", args=["year"])).content.decode()
    assert ("Żółw" in page, "Bé" in page) == (True, True)
    season_undo.revert(one, ana, 5, now=NOW)
    assert not SeasonName.objects.exists()
    season_undo.revert(one, ana, 2, now=NOW)
    assert Tournament.objects.get().season is None
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.create(id="late", club=one.club, name="L", format="league", entry_token="e3", lot_seed="")


def test_seasons_become_leagues_again(league: dict[str, Any]) -> None:
    """What a league had besides is as it is where nobody says otherwise."""
    migrate(WITHOUT)
    past = migrate(WITH_LEAGUES)
    one = past.get_model("tournaments", "Tournament").objects.get(format="league")
    assert (one.pk, one.best_of, one.created_at, one.points_table) == ("year", 1, MADE_AT, "[9,1]")
    assert [night.pk for night in one.counted.all()] == ["night"]
    assert [(row.tournament_id, row.name) for row in past.get_model("tournaments", "LeagueName").objects.all()] == [
        ("year", "Bé")
    ]
    named = one.steps.get(number=5)
    row = {"id": league["name"], "tournament_id": "year", "entrant_id": league["entrant"], "name": "Bé"}
    assert json.loads(named.changes) == [["LeagueName", league["name"], None, row]]
    assert json.loads(one.steps.get(number=1).changes) == SAID[1][1]
    assert past.get_model("tournaments", "Errand").objects.get().tournament_id == "year"


WITH_ERRANDS = ("tournaments", "0038_names_that_can_be_read")


@pytest.fixture
def past(transactional_db: None, keep: Keep) -> Any:
    """The models, and the database, of the version that called background jobs errands."""
    return keep("errands", lambda: migrate(WITH_ERRANDS))


def test_background_jobs_of_the_version_before_are_there_and_it_can_ask_for_more(past: Any) -> None:
    club = past.get_model("tournaments", "Club").objects.create(slug="harbour", name="Harbour", feed_token="f")
    errands = past.get_model("tournaments", "Errand").objects
    waiting = errands.create(
        key="k", kind="restore", sameness="restore:1", club=club, lot="5eed", done=2, of=7, asked_at=NOW
    )
    past.get_model("tournaments", "ErrandFile").objects.create(errand=waiting, content=b"PK")
    errands.create(
        key="f", kind="restore", sameness="restore:1", status="failed", trouble='["No.",{}]', lot="l", asked_at=NOW
    )
    migrate_to_present()
    job = BackgroundJob.objects.get(pk="k")
    assert (job.deduplication_key, job.key_seed, job.club_id) == ("restore:1", "5eed", club.pk)
    assert (job.done, job.total) == (2, 7)
    assert (bytes(job.file.content), BackgroundJob.objects.get(pk="f").error) == (b"PK", '["No.",{}]')
    errands.create(key="m", kind="person", sameness="person:1", lot="l", asked_at=NOW)
    assert BackgroundJob.objects.get(pk="m").kind == "person"
    with pytest.raises(IntegrityError), transaction.atomic():
        errands.create(key="n", kind="restore", sameness="restore:1", lot="l", asked_at=NOW)


def test_staff_who_may_see_background_jobs_still_may(past: Any) -> None:
    staff = User.objects.create_user("helper", is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="view_errand"))
    migrate_to_present()
    assert User.objects.get(pk=staff.pk).has_perm("tournaments.view_backgroundjob")
