"""Authenticates streams: by an access token in the header `Authorization`, and nothing else.

Cookies do not count here, so another site's page can open no stream in a visitor's name and no origin is checked.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from games.accounts import access_tokens, rate_limits
from games.models import AccessToken
from games.play.errors import BadInput, NotAllowed, TooFast

BEARER = "Bearer "
_PATH = re.compile(r"/api/v1/(?:tables/(?P<table>[A-Za-z0-9_-]{1,16})/)?stream")
_MAX_TABLES = 100


class NoToken(NotAllowed):
    """There is no valid token."""

    status = 401


def match_path(path: str) -> str | None:
    """The table of a stream's path, empty for that of an account; None for any other path."""
    found = _PATH.fullmatch(path)
    return None if found is None else found["table"] or ""


def find_token(scope: Mapping[str, Any]) -> AccessToken:
    """The token of a request for a stream. On a database thread. Raises NoToken, TooFast."""
    header = next((value for name, value in scope["headers"] if name == b"authorization"), b"").decode("latin-1")
    token = access_tokens.find(header.removeprefix(BEARER).strip(), now=time.time()) if header else None
    who = f"token {token.pk}" if token else str((scope.get("client") or ("", 0))[0])
    if not rate_limits.allow_question(who):
        raise TooFast("That was too fast. Wait a moment and try again.")
    if token is None or not header.startswith(BEARER):
        raise NoToken("The API key is missing or not valid. Check it, or ask for a new one.")
    return token


def read_after(scope: Mapping[str, Any], table_id: str) -> dict[str, int]:
    """The plies after which to go on: `?after=17` of one table, `?after=ID:17` of several. Raises BadInput."""
    after: dict[str, int] = {}
    for name, value in parse_qsl(scope.get("query_string", b"").decode("latin-1")):
        if name != "after":
            continue
        followed, _, ply = value.rpartition(":") if not table_id else (table_id, "", value)
        if not followed or not re.fullmatch(r"-1|[0-9]{1,8}", ply) or len(after) >= _MAX_TABLES:
            raise BadInput("`after` is the number of a ply, or `table:ply` on the stream of an account.")
        after[followed] = int(ply)
    return after
