"""Pictures that people upload: decoded within a bound of memory, turned upright, and encoded again.

Nothing of the uploaded file is kept: no metadata (places, cameras), no second picture, no bytes behind its end.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from games.play.errors import BadInput

MAX_BYTES: Final = 8 << 20
"""The largest file that is looked at."""
MAX_PIXELS: Final = 24_000_000
"""The largest picture that is decoded: four bytes a pixel, so 96 MB. Its size is read before any pixel is."""
MAX_SHRUNK_PIXELS: Final = 64_000_000
"""The largest JPEG whose decoder shrinks it line by line: some phones take pictures of 50 million pixels. A progressive
JPEG is not one of them, as its decoder holds all of it."""
QUALITIES: Final = (82, 70, 55, 40, 20, 5)
"""JPEG qualities that are tried in turn until the picture is small enough."""
FORMATS: Final = ("JPEG", "PNG", "WEBP")

_decoding = threading.Lock()
"""One picture at a time is decoded, so that many uploads at once need the memory of one."""


def convert_picture(data: bytes, shrink: Callable[[Image.Image], Image.Image], *, side: int, most_bytes: int) -> bytes:
    """An uploaded picture as WebP of at most `most_bytes`, upright, on white.

    side: pixels; a picture that is larger both ways is made smaller, to no less than that, before `shrink` gives it its
    size. Raises BadInput.
    """
    if len(data) > MAX_BYTES:
        raise BadInput("This picture is too large. Choose one of at most 8 MB.")
    with _decoding:
        upright = _decode(data, side)
        fitted = shrink(upright)
        plain = Image.new("RGB", fitted.size, "white")
        plain.paste(fitted, mask=fitted.getchannel("A"))
        return _encode(plain, most_bytes)


def _decode(data: bytes, side: int) -> Image.Image:
    """The picture as RGBA, upright. Raises BadInput."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=FORMATS) as opened:
                _require_decodable(opened)
                opened.draft("RGB", (side, side))
                scale = side / min(opened.size)
                small = opened if opened.mode in ("RGB", "RGBA") else opened.convert("RGBA")
                if scale < 1:
                    size = (max(1, round(opened.width * scale)), max(1, round(opened.height * scale)))
                    small = small.resize(size, reducing_gap=2.0)
                ImageOps.exif_transpose(small, in_place=True)
                return small if small.mode == "RGBA" else small.convert("RGBA")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError, Warning) as error:
        raise BadInput("This file is not a picture that can be read. Choose a JPEG, PNG or WebP file.") from error


def _require_decodable(opened: Image.Image) -> None:
    """Raises BadInput for a picture that says it is larger than what is decoded; no pixel has been read yet."""
    is_shrunk = opened.format == "JPEG" and not opened.info.get("progressive")
    if opened.width * opened.height > (MAX_SHRUNK_PIXELS if is_shrunk else MAX_PIXELS):
        raise BadInput("This picture has too many pixels. Make it smaller and try again.")


def _encode(picture: Image.Image, most_bytes: int) -> bytes:
    """As WebP, with the best quality that is small enough."""
    body = b""
    for quality in QUALITIES:
        out = BytesIO()
        picture.save(out, "WEBP", quality=quality, method=4)
        body = out.getvalue()
        if len(body) <= most_bytes:
            break
    return body
