"""The error that says what is wrong with a record, and in which event."""

from __future__ import annotations

from collections.abc import Mapping


class Fault(Exception):
    """Why a record is invalid: an English sentence with named places, translated at the edge.

    event: the number of the event, counted from 0; None where the fault belongs to no event.
    """

    def __init__(self, template: str, values: Mapping[str, object] | None = None, *, event: int | None = None) -> None:
        self.template = template
        self.values = dict(values or {})
        self.event = event
        super().__init__(template, self.values, event)

    @property
    def sentence(self) -> str:
        """The sentence without the event's number."""
        return self.template % self.values if self.values else self.template

    def __str__(self) -> str:
        return self.sentence if self.event is None else f"event {self.event}: {self.sentence}"
