"""The picture of a club: cropped, encoded again, small, and nothing else of the file."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from games.models import Player
from games.play.errors import BadInput, NotAllowed
from tests.cast import NOW
from tournaments.flow.clubs import club_picture, membership
from tournaments.flow.uploaded_pictures import MAX_BYTES
from tournaments.models import ClubPicture

EXIF_ORIENTATION, EXIF_MAKER = 0x0112, 0x010F


def draw(width: int, height: int, kind: str = "PNG", **settings: object) -> bytes:
    """A picture whose upper half is red and whose lower half is blue."""
    picture = Image.new("RGB", (width, height), "blue")
    picture.paste("red", (0, 0, width, height // 2))
    out = BytesIO()
    picture.save(out, kind, **settings)
    return out.getvalue()


def read(body: bytes) -> Image.Image:
    return Image.open(BytesIO(body)).convert("RGB")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_every_picture_has_the_same_size(kind: str) -> None:
    shown = Image.open(BytesIO(club_picture.crop_picture(draw(300, 900, kind))))
    assert (shown.format, shown.size) == ("WEBP", (club_picture.WIDTH, club_picture.HEIGHT))


@pytest.mark.parametrize(
    ("anchor", "reds"), [("top", [True, True]), ("middle", [True, False]), ("bottom", [False] * 2)]
)
def test_the_part_to_keep_is_chosen(anchor: str, reds: list[bool]) -> None:
    shown = read(club_picture.crop_picture(draw(600, 900), anchor))
    pixels = [shown.getpixel((600, y)) for y in (10, club_picture.HEIGHT - 10)]
    assert [isinstance(one, tuple) and one[0] > one[2] for one in pixels] == reds


def test_a_picture_is_turned_upright_and_loses_what_the_camera_wrote() -> None:
    exif = Image.Exif()
    exif[EXIF_ORIENTATION], exif[EXIF_MAKER] = 3, "Secret Camera"
    body = club_picture.crop_picture(draw(1200, 400, "JPEG", exif=exif))
    upper = read(body).getpixel((600, 10))
    assert isinstance(upper, tuple)
    assert upper[2] > upper[0]
    assert (b"Secret" in body, dict(Image.open(BytesIO(body)).getexif())) == (False, {})


def test_noise_is_encoded_until_it_is_small_enough() -> None:
    noise = Image.effect_noise((1200, 400), 200).convert("RGB")
    out = BytesIO()
    noise.save(out, "PNG")
    assert len(club_picture.crop_picture(out.getvalue())) <= club_picture.MAX_STORED


@pytest.mark.parametrize(
    "make",
    [
        lambda: b"",
        lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        lambda: draw(40, 40, "GIF"),
        lambda: draw(40, 40)[:60],
        lambda: b"x" * (MAX_BYTES + 1),
        lambda: draw(8000, 7000, "PNG"),
    ],
    ids=["empty", "svg", "gif", "cut off", "too large", "too many pixels"],
)
def test_what_is_no_picture_is_refused(make: Callable[[], bytes]) -> None:
    data = make()  # here, and not as the module is loaded: every worker loads it
    with pytest.raises(BadInput):
        club_picture.crop_picture(data)


def test_only_an_owner_changes_it_and_each_has_an_address_of_its_own(ana: Player, ben: Player) -> None:
    club = membership.found_club(ana, name="Harbour")
    first = club_picture.change(club, ana, draw(60, 20), anchor="middle", now=NOW).key
    with pytest.raises(NotAllowed):
        club_picture.change(club, ben, draw(60, 20), anchor="middle", now=NOW)
    with pytest.raises(NotAllowed):
        club_picture.remove(club, ben)
    second = club_picture.change(club, ana, draw(60, 20), anchor="middle", now=NOW).key
    assert (second != first, club_picture.find_key(club), ClubPicture.objects.count()) == (True, second, 1)
    club_picture.remove(club, ana)
    assert club_picture.find_key(club) == ""
