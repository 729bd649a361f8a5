"""Database changes that the version before survives, as it runs on until its processes are exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps as present
from django.db import connection
from django.db.migrations import operations
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED

from tests.cast import NOW

FIRST = "0001_initial"
BREAKING = (operations.RemoveField, operations.RenameField, operations.RenameModel, operations.DeleteModel)
KNOWN = {
    ("tournaments", "0003_keys_and_fillers", "RemoveField"),
    ("tournaments", "0007_arena_and_league", "RemoveField"),
}
"""From before the first release."""


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
    fields = [(app, step, present.get_model(app, step.model_name)._meta.get_field(step.name)) for app, step in added]
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
