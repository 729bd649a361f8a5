"""The JSON API of tables: those in the lobby, the view of one, and the record of a finished game."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Schema

from games.accounts import access_tokens, table_access
from games.play import permissions
from games.play.records import analyses, game_record, replays
from games.play.records.table_description import describe
from games.play.seats import sitting as seats
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.records.writer import to_text
from games.views.json_responses import JsonAnswer
from games.views.lobby import list_open
from tournaments.api.readers import REFUSED, find_key, find_reader, find_token, read_session
from tournaments.api.routes import Router
from tournaments.api.shapes import StandInOut
from tournaments.flow.evenings import watch_permissions

router = Router(tags=["tables"])


class OpenTableOut(Schema):
    """A table in the lobby. host: the name of the person who hosts it. status: `waiting` or `playing`. taken: how
    many seats are taken. seats: how many there are. can_sit: whether the reader can take a seat.
    """

    id: str
    game: str
    host: str
    status: str
    taken: int
    seats: int
    can_sit: bool
    options: dict[str, Any]
    turn_seconds: int


class ClockOut(Schema):
    """A deadline. event: what happens when it passes. seats: for which seats. due: in seconds since 1970; null while
    the clock is held, and without a time limit. held: whether the clock waits for something else, as that of a turn
    does during a duel or a reaction.
    """

    event: dict[str, Any]
    seats: list[int]
    due: float | None
    held: bool


class SeatedPlayerOut(Schema):
    """A person or bot on a seat. person: the id of the person or bot account; null for a bot of this site. is_bot:
    whether it is a bot of this site, or a bot account, whose name ends with “(bot)”. level: of a bot of this site, or
    null. is_away: whether a stand-in plays for them.
    """

    seat: int
    name: str
    animal: str
    person: int | None
    is_bot: bool
    level: str | None
    is_away: bool


class TableOut(Schema):
    """A table as the reader sees it. table: its id. status: `waiting`, `playing` or `over`. commitment: the SHA-256
    of the table's secret; null if the cards come from a round's secret. contributions: what people added to the deal,
    by seat; null for nothing. secret, seed: null until the game is over, or can never begin or go on. seat: the
    reader's own, or null. seats: how many there are. players: who sits where. view: what the reader may know, in the
    terms of the game; null before the start. legal: the reader's moves, or a sample of them. standing: what the
    reader has chosen for windows with the command `standing`; empty for nothing, null without a seat. asks_ready:
    whether the table pauses after a new deal until this player, too, sends `ready`. rematch: the id of the table of
    the rematch, or null. stand_ins: by seat, what a stand-in has played. deadlines: the clocks. now: the server's
    clock, in seconds since 1970.
    """

    table: str
    game: str
    status: str
    ply: int
    version: int
    commitment: str | None
    contributions: list[str | None]
    secret: str | None
    seed: str | None
    seat: int | None
    seats: int
    players: list[SeatedPlayerOut]
    to_act: list[int]
    view: dict[str, Any] | None
    legal: list[dict[str, Any]]
    standing: str | None
    asks_ready: bool
    rematch: str | None
    stand_ins: dict[str, StandInOut]
    deadlines: list[ClockOut]
    now: float


@router.get("/tables", response={200: list[OpenTableOut], **REFUSED})
def list_tables(request: HttpRequest) -> Any:
    """The public tables that are waiting or playing."""
    find_key(request)
    return [row | {"game": row["slug"]} for row in list_open(None)]


@router.get("/tables/{table_id}", response={200: TableOut, **REFUSED})
def show_table(request: HttpRequest, table_id: str) -> Any:
    """A table as the reader sees it; with a club's key, as a spectator sees it."""
    table, reader = _find_table(request, table_id)
    if find_key(request):
        reader = None
    response = JsonAnswer(describe(seats.note_viewing(table, reader, now=time.time()), reader))
    response["Cache-Control"] = "no-store"
    return response


@router.get("/tables/{table_id}/record", response={200: dict[str, Any], **REFUSED})
def show_record(request: HttpRequest, table_id: str) -> Any:
    """The record of a finished game (`menagerie-record/1`)."""
    table, _reader = _find_table(request, table_id)
    permissions.require_finished(table)
    return HttpResponse(to_text(game_record.export(table)), content_type="application/json; charset=utf-8")


@router.get("/tables/{table_id}/analysis", response={200: dict[str, Any], **REFUSED})
def show_analysis(request: HttpRequest, table_id: str) -> Any:
    """The analysis of a finished game (`menagerie-analysis/1`), if somebody has asked for it on its page."""
    table, _reader = _find_table(request, table_id)
    permissions.require_finished(table)
    return JsonAnswer(analyses.require_result(replays.replay_table(table).record))


def _find_table(request: HttpRequest, table_id: str) -> tuple[LoadedTable, int | None]:
    """The table, and the id of the reader, if they may see it. Raises NotFound, NotAllowed."""
    if (token := find_token(request)) is not None:
        table = store.refresh(table_id)
        if not access_tokens.list_scopes(token) & {access_tokens.READ, access_tokens.PLAY}:
            permissions.require_watch(table, None, ())
            return table, None
        table_access.enter_by_token(table, token)
        return table, token.player_id
    reader = find_reader(request, watch_permissions.club_of(table_id))
    table = store.refresh(table_id)
    table_access.enter(table, reader, read_session(request))
    return table, reader
