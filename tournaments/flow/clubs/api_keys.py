"""API keys of clubs: created by an organiser, shown once, stored as a digest."""

from __future__ import annotations

import hashlib

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When

from games.models import Player
from games.play.errors import BadInput, NotFound
from games.play.seats.player_names import clean_name
from tournaments.flow.permissions import require_organiser
from tournaments.flow.tokens import make_seed
from tournaments.models import ApiKey, Club, Membership, Role

MAX_KEYS = 20
PREFIX = "mng_"
LEADING = (Role.ORGANISER, Role.OWNER)


def make(club: Club, player: Player | None, name: str) -> str:
    """A new key that acts as its maker in this club. Raises NotAllowed, BadInput."""
    require_organiser(club, player)
    if player is None or not name.strip():
        raise BadInput("Give the key a name of up to 40 characters that says what it is for.")
    name = clean_name(name, most=40)
    if ApiKey.objects.filter(club=club).count() >= MAX_KEYS:
        raise BadInput("A club has at most %(most)s keys.", most=MAX_KEYS)
    key = PREFIX + make_seed()
    ApiKey.objects.create(club=club, made_by=player, name=name, digest=digest(key))
    return key


def digest(key: str) -> str:
    """The stored digest of a key. Keys are long and random, so a plain hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


def list_all(club: Club) -> QuerySet[ApiKey]:
    """The club's keys; `is_awake`: whether they work."""
    return ApiKey.objects.filter(club=club).annotate(is_awake=_is_working()).select_related("made_by").order_by("pk")


def _is_working() -> Case:
    leading = Membership.objects.filter(club=OuterRef("club"), player=OuterRef("made_by"), role__in=LEADING)
    return Case(When(Q(made_by__user__is_active=False), then=False), default=Exists(leading))


def find(key: str) -> ApiKey | None:
    """The stored key, as long as its maker is an organiser of its club and their account is active."""
    if not key.startswith(PREFIX) or len(key) > 100:
        return None
    keys = ApiKey.objects.select_related("club", "made_by").filter(digest=digest(key))
    return keys.annotate(is_awake=_is_working()).filter(is_awake=True).first()


def withdraw(club: Club, player: Player | None, key_id: int) -> None:
    """Make the key invalid. Raises NotAllowed, NotFound."""
    require_organiser(club, player)
    if not ApiKey.objects.filter(club=club, pk=key_id).delete()[0]:
        raise NotFound("This key does not exist.")
