"""For every tournament that was a season in truth ("league") a season of the same id, so that others can refer to it.

Its steps and files follow in 0036, where the tournament goes.
"""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COLUMNS = (
    "club_id", "name", "about", "game", "phase", "version", "best_of", "points", "points_table", "tie_breaks",
    "lot_seed", "is_public", "created_at", "finished_at", "arriving",
)  # fmt: skip
"""What of a league is a season's."""


def copy_columns(one: Any) -> dict[str, Any]:
    """A season's columns of a league, or the other way round."""
    return {name: getattr(one, name) for name in COLUMNS}


def begin_seasons(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """One for each league."""
    season = apps.get_model("tournaments", "Season")
    for one in apps.get_model("tournaments", "Tournament")._base_manager.filter(format="league").iterator():
        season._base_manager.create(pk=one.pk, **copy_columns(one))
        season._base_manager.filter(pk=one.pk).update(created_at=one.created_at)  # it is now when a row is made


def end_seasons(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Each is a league again by now."""
    apps.get_model("tournaments", "Season")._base_manager.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0033_seasons'),
    ]

    operations = [
        migrations.RunPython(begin_seasons, end_seasons),
    ]
