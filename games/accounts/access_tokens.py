"""Personal access tokens: made by an account for itself or one of its bot accounts, shown once, stored as a digest.

A token acts as its player, within its scopes and never beyond what the player may do. It stops working when it expires
or is revoked, when the player is deleted, and while the account behind it is deactivated.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare

from games.models import AccessToken, Player
from games.play.errors import BadInput, NotAllowed, NotFound
from games.play.seats.player_names import clean_name

PREFIX: Final = "mgt_"
READ, PLAY, RESULTS, TOURNAMENTS, CLUB = SCOPES = ("read", "play", "results", "tournaments:write", "club")
"""What a token may be used for. read: everything its player may see, clubs of members only excepted; club: these, too;
play: tables; results: enter results; tournaments:write: everything an organiser does, results included."""
IMPLIED: Final = {TOURNAMENTS: frozenset({RESULTS})}
LIFETIMES: Final = (7, 30, 90, 365)
"""Days until a token expires, to choose from."""
MAX_TOKENS: Final = 20
"""Tokens of one player."""
USE_SECONDS: Final = 60.0
"""Seconds between two writes of the last use."""
_LOOKUP_LETTERS = 12


def issue(owner: Player | None, player_id: int, *, name: str, scopes: Iterable[str], days: int, now: float) -> str:
    """A new token of this account, or of one of its bot accounts. Raises NotAllowed, BadInput."""
    player = find_own(owner, player_id)
    chosen = [scope for scope in SCOPES if scope in set(scopes)]
    if not name.strip():
        raise BadInput("Give the token a name of up to 40 characters that says what it is for.")
    name = clean_name(name, most=40)
    if not chosen:
        raise BadInput("Choose at least one scope for the token.")
    if days not in LIFETIMES:
        raise BadInput("Choose one of the offered lifetimes.")
    if AccessToken.objects.filter(player=player).count() >= MAX_TOKENS:
        raise BadInput("There can be at most %(most)s tokens. Revoke one that is no longer used.", most=MAX_TOKENS)
    lookup = secrets.token_hex(_LOOKUP_LETTERS // 2)
    token = f"{PREFIX}{lookup}_{secrets.token_hex(32)}"
    AccessToken.objects.create(
        player=player, name=name, lookup=lookup, digest=_digest(token), scopes=" ".join(chosen), created_at=now,
        expires_at=now + days * 86_400,
    )  # fmt: skip
    return token


def find_own(owner: Player | None, player_id: int) -> Player:
    """The account's own player, or one of its bot accounts. Raises NotAllowed."""
    if owner is None or owner.user_id is None:
        raise NotAllowed("Only people with an account can have tokens and bots. Create an account first.")
    if player_id == owner.pk:
        return owner
    bot = Player.objects.filter(pk=player_id, owner=owner, left_at=None).first()
    if bot is None:
        raise NotAllowed("This bot account belongs to somebody else.")
    return bot


def list_all(owner: Player) -> QuerySet[AccessToken]:
    """The tokens of an account and of its bot accounts."""
    theirs = Q(player=owner) | Q(player__owner=owner, player__left_at=None)
    return AccessToken.objects.filter(theirs).select_related("player").order_by("player_id", "pk")


def revoke(owner: Player | None, token_id: int) -> None:
    """Make this token invalid. Raises NotFound."""
    if owner is None or not list_all(owner).filter(pk=token_id):
        raise NotFound("This token does not exist.")
    AccessToken.objects.filter(pk=token_id).delete()


def find(text: str, *, now: float) -> AccessToken | None:
    """The token with its player, if it works; its use is noted."""
    lookup, _, secret = text.removeprefix(PREFIX).partition("_")
    if not text.startswith(PREFIX) or not secret or len(text) > 100 or not text.isascii():
        return None
    token = _find_working(Q(lookup=lookup), now=now)
    if token is None or not constant_time_compare(token.digest, _digest(text)):
        return None
    _note_use(token, now=now)
    return token


def require_working(token_id: int, *, now: float) -> None:
    """Raises NotAllowed if this token, which is in use, no longer works."""
    token = _find_working(Q(pk=token_id), now=now)
    if token is None:
        raise NotAllowed("This token has expired or was revoked. Create a new one.")
    _note_use(token, now=now)


def _note_use(token: AccessToken, *, now: float) -> None:
    if token.last_used_at is None or token.last_used_at <= now - USE_SECONDS:
        AccessToken.objects.filter(pk=token.pk, last_used_at=token.last_used_at).update(last_used_at=now)


def _find_working(which: Q, *, now: float) -> AccessToken | None:
    rows = AccessToken.objects.select_related("player__user", "player__owner__user")
    token = rows.filter(which, expires_at__gt=now, player__left_at=None).first()
    if token is None:
        return None
    person = token.player.owner if token.player.is_bot else token.player
    is_open = person is not None and person.left_at is None and person.user is not None and person.user.is_active
    return token if is_open else None


def list_scopes(token: AccessToken) -> frozenset[str]:
    """What the token may be used for, with what its scopes imply."""
    scopes = frozenset(token.scopes.split())
    return scopes.union(*(IMPLIED.get(scope, frozenset()) for scope in scopes))


def require_scope(token: AccessToken, scope: str) -> None:
    """Raises NotAllowed if the token lacks this scope."""
    if scope not in list_scopes(token):
        raise NotAllowed("This token does not have the scope “%(scope)s”. Create one that has it.", scope=scope)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
