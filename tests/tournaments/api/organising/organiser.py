"""An organiser's program in a test: every answer is one that `openapi.json` describes."""

from __future__ import annotations

from typing import Any

from games.models import Player
from tests.live.streams.opening import issue
from tests.tournaments.api.described import Description
from tests.tournaments.api.test_described import API, Program


class Organiser:
    """Sends requests with a token of these scopes."""

    def __init__(self, description: Description, player: Player, *scopes: str) -> None:
        chosen = scopes or ("read", "club", "tournaments:write")
        self.program = Program(description, issue(player, None, *chosen))

    def post(self, path: str, status: int = 200, /, **body: Any) -> Any:
        """The answer, with this status."""
        answer = self.program.client.post(API + path, body, content_type="application/json")
        response = answer.json()
        self.program.description.check("post", API + path, answer.status_code, response)
        assert answer.status_code == status, response
        return response

    def get(self, path: str, status: int = 200) -> Any:
        """The answer, with this status."""
        answer = self.program.client.get(API + path)
        body = answer.json()
        self.program.description.check("get", API + path, answer.status_code, body)
        assert answer.status_code == status, body
        return body


PLAN = {"name": "Thursday", "game": "karriere-poker", "options": {"deals": 1}, "venue": "real", "wanted": 4, "least": 4,
        "most": 4, "rounds_planned": 3}  # fmt: skip
