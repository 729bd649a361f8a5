"""Finds a name in all texts of all rows."""

from __future__ import annotations

import re

from django.apps import apps
from django.db import models


def list_traces(name: str) -> list[str]:
    """The columns in which it stands as a word."""
    return [
        f"{model.__name__}.{column.attname}"
        for model in apps.get_models()
        for column in model._meta.concrete_fields
        if isinstance(column, models.CharField | models.TextField) and _is_in(model, column.attname, name)
    ]


def _is_in(model: type[models.Model], column: str, name: str) -> bool:
    found = model._base_manager.filter(**{f"{column}__contains": name}).values_list(column, flat=True)
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in found)
