"""The plies need no index of the table alone: that of each constraint begins with it, and every move writes them all.

Only the index goes; Django by itself would have SQLite copy every ply of the club.
"""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def drop_index(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop what there is on this column alone (PostgreSQL: two, one of them for patterns)."""
    ply = apps.get_model("games", "Ply")
    with schema_editor.connection.cursor() as cursor:
        found = schema_editor.connection.introspection.get_constraints(cursor, ply._meta.db_table)
    for name, index in found.items():
        if index["index"] and not index["unique"] and index["columns"] == ["table_id"]:
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def create_index(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The way back."""
    schema_editor.execute("CREATE INDEX games_ply_table_id_5d886ce6 ON games_ply (table_id)")


class Migration(migrations.Migration):
    """The index of a foreign key that nobody asks for."""

    dependencies = [("games", "0007_database_defaults")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop_index, create_index)],
            state_operations=[
                migrations.AlterField(
                    model_name="ply",
                    name="table",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="plies",
                        to="games.table",
                    ),
                ),
            ],
        ),
    ]
