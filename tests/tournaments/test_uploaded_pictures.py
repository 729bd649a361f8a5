"""Uploaded pictures: how large they are is known before a pixel is decoded, and what is decoded fits the memory."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from games.play.errors import BadInput
from tournaments.flow import uploaded_pictures
from tournaments.flow.uploaded_pictures import MAX_PIXELS, MAX_SHRUNK_PIXELS, convert_picture


def convert(data: bytes) -> Image.Image:
    body = convert_picture(data, lambda picture: picture.resize((40, 20)), side=40, most_bytes=10_000)
    return Image.open(BytesIO(body))


def write_png_head(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is this large, and has no pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("sides", [(MAX_PIXELS // 4000 + 1, 4000), (60_000, 60_000)])
def test_a_picture_that_says_it_is_too_large_is_refused_undecoded(
    monkeypatch: pytest.MonkeyPatch, sides: tuple[int, int]
) -> None:
    monkeypatch.setattr(Image.Image, "load", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(BadInput):
        convert(write_png_head(*sides))


def draw(kind: str, **settings: object) -> bytes:
    out = BytesIO()
    Image.new("RGB", (6000, 5000), "red").save(out, kind, **settings)
    return out.getvalue()


def test_a_large_jpeg_is_shrunk_by_its_decoder_and_others_are_refused() -> None:
    assert MAX_PIXELS < 6000 * 5000 < MAX_SHRUNK_PIXELS
    assert convert(draw("JPEG", quality=10)).size == (40, 20)
    for data in (draw("JPEG", quality=10, progressive=True), draw("PNG")):
        with pytest.raises(BadInput, match="too many pixels"):
            convert(data)


@pytest.mark.parametrize("mode", ["L", "P", "LA", "RGBA", "CMYK", "1"])
def test_every_kind_of_colour_is_read(mode: str) -> None:
    out = BytesIO()
    Image.new("RGB", (90, 60), "white").convert(mode).save(out, "JPEG" if mode == "CMYK" else "PNG")
    assert convert(out.getvalue()).getpixel((5, 5)) >= (240, 240, 240)  # type: ignore[operator]


def test_what_is_transparent_is_white() -> None:
    out = BytesIO()
    Image.new("RGBA", (90, 60), (0, 0, 0, 0)).save(out, "PNG")
    assert convert(out.getvalue()).getpixel((5, 5)) >= (240, 240, 240)  # type: ignore[operator]


def test_a_file_that_is_too_long_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it was opened"))
    with pytest.raises(BadInput, match="8 MB"):
        convert(b"x" * (uploaded_pictures.MAX_BYTES + 1))
