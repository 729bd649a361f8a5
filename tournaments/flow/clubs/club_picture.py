"""The picture of a club: what somebody uploads is cropped to a wide strip and encoded again."""

from __future__ import annotations

from functools import partial
from typing import Final

from PIL import Image, ImageOps

from games.models import Player
from games.play.errors import BadInput
from tournaments.flow.permissions import require_role
from tournaments.flow.tokens import make_token
from tournaments.flow.uploaded_pictures import convert_picture
from tournaments.models import Club, ClubPicture, Role

WIDTH: Final = 1200
HEIGHT: Final = 400
"""Pixels of the picture that is kept."""
MAX_STORED: Final = 300_000
"""Bytes of the picture that is kept, at most: it is encoded with less quality until it fits."""
ANCHORS: Final = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
"""Which part of a picture that is too high is kept."""


def crop_picture(data: bytes, anchor: str = "middle") -> bytes:
    """The picture as WebP, `WIDTH` by `HEIGHT`. anchor: a key of `ANCHORS`. Raises BadInput."""
    if anchor not in ANCHORS:
        raise BadInput("Choose which part of the picture to keep.")
    return convert_picture(data, partial(_crop, centre=ANCHORS[anchor]), side=WIDTH, most_bytes=MAX_STORED)


def _crop(picture: Image.Image, centre: float) -> Image.Image:
    return ImageOps.fit(picture, (WIDTH, HEIGHT), centering=(0.5, centre))


def change(club: Club, player: Player | None, data: bytes, *, anchor: str, now: float) -> ClubPicture:
    """Give the club this picture instead of the one that it has. Raises NotAllowed, BadInput."""
    require_role(club, player.pk if player else None, Role.OWNER)
    body = crop_picture(data, anchor)
    picture, _is_new = ClubPicture.objects.update_or_create(
        club=club, defaults={"key": make_token(), "body": body, "at": now}
    )
    return picture


def remove(club: Club, player: Player | None) -> None:
    """Remove the picture of the club. Raises NotAllowed."""
    require_role(club, player.pk if player else None, Role.OWNER)
    ClubPicture.objects.filter(club=club).delete()


def find_key(club: Club) -> str:
    """The key of the club's picture; empty if it has none."""
    return ClubPicture.objects.filter(club=club).values_list("key", flat=True).first() or ""
