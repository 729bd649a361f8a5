"""Renames models, fields and permissions in backups of older versions to their present names."""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class RenamedModel(NamedTuple):
    """The present label of a model. fields: present names by earlier ones."""

    label: str
    fields: dict[str, str]


RENAMED: Final = {
    "tournaments.errand": RenamedModel(
        "tournaments.backgroundjob",
        {"sameness": "deduplication_key", "lot": "key_seed", "trouble": "error", "of": "total"},
    ),
    "tournaments.errandfile": RenamedModel("tournaments.backgroundjobfile", {}),
}
"""Changes of rows from older backups, by the label of the former model: app and name in lower case."""


def rename(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a backup as the present models take it. Rows are as Django's serializers write them."""
    fields = {name: _rename_permissions(value) for name, value in row.get("fields", {}).items()}
    if (renamed := RENAMED.get(row["model"])) is None:
        return {**row, "fields": fields}
    return {**row, "model": renamed.label, "fields": {renamed.fields.get(name, name): fields[name] for name in fields}}


def _rename_permissions(value: Any) -> Any:
    """A list of permissions, each [code, app, model], as rows of people and of groups have it; other values stay."""
    return [_rename_permission(item) for item in value] if isinstance(value, list) else value


def _rename_permission(value: Any) -> Any:
    if not (isinstance(value, list) and len(value) == 3 and all(isinstance(part, str) for part in value)):
        return value
    code, app, model = value
    if (renamed := RENAMED.get(f"{app}.{model}")) is None:
        return value
    present = renamed.label.partition(".")[2]
    return [code.replace(model, present), app, present]
