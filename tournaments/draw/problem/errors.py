"""Errors in a problem, as sentences its organiser can act on."""

from __future__ import annotations

from collections.abc import Mapping


class DrawError(ValueError):
    """template: an English sentence with %(name)s placeholders, translated where it is shown; values: what fills them.

    A value that is a list holds sentences of the same kind, [template, values] each.
    """

    def __init__(self, template: str, values: Mapping[str, object] | None = None) -> None:
        self.template = template
        self.values = dict(values or {})
        super().__init__(_write_error(template, self.values))


def _write_error(template: str, values: Mapping[str, object]) -> str:
    shown = {
        name: "; ".join(_write_error(*each) for each in value) if isinstance(value, list) else value
        for name, value in values.items()
    }
    return template % shown


class BadProblem(DrawError):
    """The problem is malformed: not JSON, a wrong type, a repeated id, a number out of range."""


class Conflict(DrawError):
    """The problem is well-formed but has no solution: its hard rules contradict each other, or no pod is possible."""
