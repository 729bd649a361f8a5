"""Deals by procedure 2: at tables whose game has not begun everybody contributes anew, after the commitment."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def begin_anew(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """What was contributed before now may have come with the request that opened the table."""
    waiting = apps.get_model("games", "Table").objects.filter(status="waiting")
    apps.get_model("games", "Seat").objects.filter(table__in=waiting).update(entropy=None)
    waiting.update(procedure=2)


class Migration(migrations.Migration):
    dependencies = [("games", "0020_table_seen_at")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="procedure",
            field=models.PositiveSmallIntegerField(
                db_default=1, default=1, help_text="How its deal is made: docs/fair-deals.md."
            ),
        ),
        migrations.RunPython(begin_anew, migrations.RunPython.noop),
    ]
