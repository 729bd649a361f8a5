"""The picture of a club: what somebody uploads is decoded, turned upright, cropped and encoded again.

Nothing of the uploaded file is kept: no metadata (places, cameras), no second picture, no bytes behind its end.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from games.models import Player
from games.play.errors import BadInput
from tournaments.flow.permissions import require_role
from tournaments.flow.tokens import make_token
from tournaments.models import Club, ClubPicture, Role

WIDTH: Final = 1200
HEIGHT: Final = 400
"""Pixels of the picture that is kept."""
MOST_BYTES: Final = 8 << 20
"""The largest file that is looked at."""
MOST_PIXELS: Final = 50_000_000
"""The largest picture that is decoded; a phone's has 12 to 50 million pixels."""
MOST_STORED: Final = 300_000
"""Bytes of the picture that is kept, at most: it is encoded with less quality until it fits."""
QUALITIES: Final = (82, 70, 55, 40, 20, 5)
FORMATS: Final = ("JPEG", "PNG", "WEBP")
ANCHORS: Final = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
"""Which part of a picture that is too high is kept."""


def crop_picture(data: bytes, anchor: str = "middle") -> bytes:
    """The picture as WebP, `WIDTH` by `HEIGHT`. anchor: a key of `ANCHORS`. Raises BadInput."""
    if anchor not in ANCHORS:
        raise BadInput("Choose which part of the picture to keep.")
    if len(data) > MOST_BYTES:
        raise BadInput("This picture is too large. Choose one of at most 8 MB.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=FORMATS) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise BadInput("This picture has too many pixels. Make it smaller and try again.")
                opened.draft("RGB", (2 * WIDTH, 2 * WIDTH))
                upright = ImageOps.exif_transpose(opened).convert("RGBA")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError, Warning) as error:
        raise BadInput("This file is not a picture that can be read. Choose a JPEG, PNG or WebP file.") from error
    fitted = ImageOps.fit(upright, (WIDTH, HEIGHT), centering=(0.5, ANCHORS[anchor]))
    plain = Image.new("RGB", fitted.size, "white")
    plain.paste(fitted, mask=fitted.getchannel("A"))
    return _encode(plain)


def _encode(picture: Image.Image) -> bytes:
    """As WebP, with the best quality that is small enough."""
    body = b""
    for quality in QUALITIES:
        out = BytesIO()
        picture.save(out, "WEBP", quality=quality, method=4)
        body = out.getvalue()
        if len(body) <= MOST_STORED:
            break
    return body


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
