"""What a use case refuses, each with its HTTP status and a sentence for the person."""

from __future__ import annotations

from typing import ClassVar


class Refusal(Exception):
    """A request that was refused: nothing was changed. The sentence is an English template, translated at the edge."""

    status: ClassVar[int] = 400

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template % values if values else template)
        self.template = template
        self.values = values


class BadInput(Refusal):
    """What was sent cannot be understood."""


class NotAllowed(Refusal):
    """Not this person's seat, table or right."""

    status = 403


class NotFound(Refusal):
    """There is no such thing."""

    status = 404


class Stale(Refusal):
    """The table has moved on since the person looked."""

    status = 409


class Illegal(Refusal):
    """The rules forbid it."""

    status = 422


class TooFast(Refusal):
    """A rate limit."""

    status = 429


class Unreadable(Refusal):
    """A stored game that this version cannot read. Callers that process many tables continue with the others."""

    status = 500


class NotInstalled(Refusal):
    """A stored game whose package is not installed."""

    status = 410


class Busy(Refusal):
    """The database cannot save it now. Trying again loses nothing."""

    status = 503
