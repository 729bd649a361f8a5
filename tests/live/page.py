"""A browser of a table that is none: for tests of who is told what."""

from __future__ import annotations

import json
from collections.abc import Callable

from games.live.tables.regions import RenderedTable
from games.play import permissions
from games.play.storage.table import LoadedTable


class Page:
    """A browser that notes what it is sent."""

    recheck: Callable[[], object] | None = None

    def __init__(self, table: LoadedTable, player_id: int | None = None, session_key: str | None = None) -> None:
        self.table_id = table.id
        self.player_id = player_id
        self.session_key = session_key
        self.seat: int | None = table.seat_of(player_id)
        self.language = "en"
        self.shown: RenderedTable | None = None
        self.heard = (0, 0)
        self.sent_presence = ""
        self.frames: list[str] = []

    def may_watch(self, table: LoadedTable) -> bool:
        return permissions.can_watch(table, self.player_id, ())

    async def deliver(self, frame: str) -> None:
        self.frames.append(frame)

    async def dismiss(self, code: int = 4403) -> None:
        self.frames.append("dismissed")

    @property
    def presence(self) -> tuple[list[int], int]:
        """The last word about who is here."""
        answer = [json.loads(frame) for frame in self.frames if frame.startswith("{")]
        return (answer[-1]["seats"], answer[-1]["watchers"]) if answer else ([], 0)
