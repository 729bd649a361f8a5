"""Whether an answer is one that `openapi.json` describes: a strict reading of the part of JSON Schema that it uses."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Literal

from django.test import Client

KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
    "array": (list,), "object": (dict,),
}  # fmt: skip
KNOWN = {
    "type", "$ref", "anyOf", "items", "properties", "required", "additionalProperties", "title", "description",
    "default", "enum", "deprecated",
}  # fmt: skip


class Description:
    """The document, and which of its answers have been seen."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = Client().get("/api/v1/openapi.json").json()
        self.seen: set[tuple[str, str, int]] = set()

    def operations(self, *, besides: Collection[str] = ()) -> set[tuple[str, str]]:
        """Every path with its methods, without those with one of these tags."""
        paths = self.document["paths"].items()
        return {
            (path, method)
            for path, methods in paths
            for method, one in methods.items()
            if not set(besides) & set(one["tags"])
        }

    def check(self, method: str, url: str, status: int, answer: Any) -> None:
        """Raises AssertionError if this answer is not described."""
        path = self._find(url.partition("?")[0])
        responses = self.document["paths"][path][method]["responses"]
        assert str(status) in responses, (method, path, status, sorted(responses))
        self._check(responses[str(status)]["content"]["application/json"]["schema"], answer, f"{method} {url}")
        self.seen.add((path, method, status))

    def check_value(self, schema: Mapping[str, Any], value: Any, where: str) -> None:
        """Raises AssertionError if this schema of the document does not describe the value."""
        self._check(schema, value, where)

    def _find(self, url: str) -> str:
        found = [
            path for path in self.document["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), url) is not None
        ]
        assert len(found) == 1, (url, found)
        return str(found[0])

    def _check(self, schema: Mapping[str, Any] | Literal[True], value: Any, where: str) -> None:
        if schema is True:
            return
        assert set(schema) <= KNOWN, (where, set(schema) - KNOWN)
        if "$ref" in schema:
            self._check(self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], value, where)
        elif "anyOf" in schema:
            self._check_any(schema["anyOf"], value, where)
        else:
            self._check_kind(schema, value, where)

    def _check_any(self, schemas: list[Mapping[str, Any]], value: Any, where: str) -> None:
        faults = []
        for one in schemas:
            try:
                return self._check(one, value, where)
            except AssertionError as fault:
                faults.append(fault)
        raise AssertionError(faults)

    def _check_kind(self, schema: Mapping[str, Any], value: Any, where: str) -> None:
        kind = schema["type"]
        assert type(value) in KINDS[kind], (where, kind, value)
        assert value in schema.get("enum", (value,)), (where, value)
        if kind == "array":
            for index, one in enumerate(value):
                self._check(schema["items"], one, f"{where}[{index}]")
        if kind == "object":
            self._check_object(schema, value, where)

    def _check_object(self, schema: Mapping[str, Any], value: Mapping[str, Any], where: str) -> None:
        properties = schema.get("properties", {})
        assert set(schema.get("required", ())) <= set(value), (where, sorted(value))
        for name, one in value.items():
            assert name in properties or "additionalProperties" in schema, (where, name)
            self._check(properties.get(name) or schema["additionalProperties"], one, f"{where}.{name}")
