"""The steps and files of seasons are theirs, and no tournament is one any more."""

import json
from importlib import import_module
from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

before = import_module("tournaments.migrations.0034_seasons_of_leagues")
KINDS = {"Tournament": "Season", "LeagueName": "SeasonName"}
"""What rows are called in what steps have changed."""
SAID = frozenset({"id", *before.COLUMNS}) - {"version"}


def move_leagues(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Whatever somebody has changed of a league a moment ago comes along."""
    tournament = apps.get_model("tournaments", "Tournament")
    season = apps.get_model("tournaments", "Season")
    for one in tournament._base_manager.filter(format="league").iterator():
        columns = before.copy_columns(one)
        if not season._base_manager.filter(pk=one.pk).update(**columns):
            season._base_manager.create(pk=one.pk, **columns)
            season._base_manager.filter(pk=one.pk).update(created_at=one.created_at)
        for step in apps.get_model("tournaments", "Step")._base_manager.filter(tournament=one.pk).order_by("pk"):
            _give(step, one.pk)
        apps.get_model("tournaments", "Errand")._base_manager.filter(tournament=one.pk).update(
            tournament=None, season=one.pk
        )
    tournament._base_manager.filter(format="league").delete()


def _give(step: Any, league_id: str) -> None:
    """A step of a league is the season's of the same id, in whose columns it says what it has changed."""
    changes = json.loads(step.changes)
    step.tournament_id, step.season_id = None, league_id
    step.changes = _write([_read(change, league_id) for change in changes])
    step.save(update_fields=["tournament", "season", "changes"])


def _read(change: list[Any], league_id: str) -> list[Any]:
    kind, pk, *both = change
    if kind == "LeagueName":
        return [KINDS[kind], pk, *(_rename(values, "tournament_id", "season_id") for values in both)]
    if kind == "Tournament" and pk == league_id:
        return [KINDS[kind], pk, *(values and {name: values[name] for name in values if name in SAID} for values in both)]
    return change


def _rename(values: dict[str, Any] | None, old: str, new: str) -> dict[str, Any] | None:
    return None if values is None else {new if name == old else name: value for name, value in values.items()}


def _write(changes: list[list[Any]]) -> str:
    """As the flow writes it: deletion looks for parts of this text."""
    return json.dumps(changes, separators=(",", ":"), ensure_ascii=False)


def move_back(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Each season is a league again, with its steps and files. The link by which people would enter it is a new one."""
    tournament, step = apps.get_model("tournaments", "Tournament"), apps.get_model("tournaments", "Step")
    for one in apps.get_model("tournaments", "Season")._base_manager.iterator():
        tournament._base_manager.create(
            pk=one.pk, format="league", options="{}", entry_token=f"season-{one.pk}", **before.copy_columns(one)
        )
        tournament._base_manager.filter(pk=one.pk).update(created_at=one.created_at)
        for known in step._base_manager.filter(season=one.pk).order_by("pk"):
            _take(known, one.pk)
        apps.get_model("tournaments", "Errand")._base_manager.filter(season=one.pk).update(
            tournament=one.pk, season=None
        )


def _take(step: Any, season_id: str) -> None:
    names = {new: old for old, new in KINDS.items()}
    changes = [
        [names.get(kind, kind), pk, *(_rename(values, "season_id", "tournament_id") for values in both)]
        if kind == "SeasonName" else [names.get(kind, kind), pk, *both]
        for kind, pk, *both in json.loads(step.changes)
    ]
    step.tournament_id, step.season_id, step.changes = season_id, None, _write(changes)
    step.save(update_fields=["tournament", "season", "changes"])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0035_counted_for_seasons'),
    ]

    operations = [
        migrations.RunPython(move_leagues, move_back),
    ]
