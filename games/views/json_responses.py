"""Answers in JSON."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse

from games.records import strict_json


class JsonAnswer(HttpResponse):
    """A value as strict JSON; also where the value is no object. Raises ValueError for Infinity and NaN."""

    def __init__(self, value: object, *, status: int = 200) -> None:
        text = strict_json.write(value, cls=DjangoJSONEncoder)
        super().__init__(text, status=status, content_type="application/json")
