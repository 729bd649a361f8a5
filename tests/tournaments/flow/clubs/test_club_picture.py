"""The picture of a club: cropped, encoded again, small, and nothing else of the file."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from games.models import Player
from games.play.errors import BadInput, NotAllowed, Stale
from tests.cast import NOW
from tournaments.flow.clubs import club_picture, membership, moderation
from tournaments.flow.uploaded_pictures import MAX_BYTES
from tournaments.models import ClubPicture, FormerPicture, ModerationStep, Role
from tournaments.words.moderation_words import say_step

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
        club_picture.remove(club, ben, now=NOW)
    second = club_picture.change(club, ana, draw(60, 20), anchor="middle", now=NOW).key
    assert (second != first, club_picture.find_key(club), ClubPicture.objects.count()) == (True, second, 1)
    for _ in range(2):  # twice is once
        club_picture.remove(club, ana, now=NOW)
    assert (club_picture.find_key(club), ModerationStep.objects.count()) == ("", 3)


def test_a_change_and_a_removal_are_undone_and_that_is_undone_in_turn(ana: Player, ben: Player) -> None:
    club = membership.found_club(ana, name="Harbour")
    membership.take_in(club.pk, ben.pk, Role.ORGANISER)
    first = club_picture.change(club, ana, draw(60, 20), anchor="middle", now=NOW)
    second = club_picture.change(club, ana, draw(90, 20), anchor="middle", now=NOW)
    club_picture.remove(club, ana, now=NOW)
    added, changed, removed = ModerationStep.objects.order_by("pk")
    with pytest.raises(NotAllowed):
        moderation.undo(club, ben, removed.pk, now=NOW)
    with pytest.raises(Stale, match="changed again since"):
        moderation.undo(club, ana, changed.pk, now=NOW)
    for _ in range(2):  # twice is once
        moderation.undo(club, ana, removed.pk, now=NOW)
    back = ClubPicture.objects.get()
    assert (back.key, back.body) == (second.key, second.body)
    moderation.undo(club, ana, changed.pk, now=NOW)
    assert club_picture.find_key(club) == first.key
    moderation.undo(club, ana, ModerationStep.objects.latest("pk").pk, now=NOW)
    assert club_picture.find_key(club) == second.key
    with pytest.raises(Stale):
        moderation.undo(club, ana, added.pk, now=NOW)
    said = [say_step(step) for step in (added, removed)]
    assert said == ["changed the picture of the club", "removed the picture of the club"]


def test_the_first_picture_is_taken_away_by_its_undo(ana: Player) -> None:
    club = membership.found_club(ana, name="Harbour")
    club_picture.change(club, ana, draw(60, 20), anchor="middle", now=NOW)
    moderation.undo(club, ana, ModerationStep.objects.get().pk, now=NOW)
    assert club_picture.find_key(club) == ""


def test_former_pictures_are_few_and_go_after_a_month(ana: Player) -> None:
    club = membership.found_club(ana, name="Harbour")
    for width in range(60, 68):
        club_picture.change(club, ana, draw(width, 20), anchor="middle", now=NOW)
    assert FormerPicture.objects.count() == club_picture.MAX_FORMER
    last = ModerationStep.objects.latest("pk")
    club_picture.clear_old(now=NOW + club_picture.FORMER_SECONDS)
    assert FormerPicture.objects.count() == club_picture.MAX_FORMER
    club_picture.clear_old(now=NOW + club_picture.FORMER_SECONDS + 1)
    assert FormerPicture.objects.count() == 0
    with pytest.raises(Stale, match="no longer kept"):
        moderation.undo(club, ana, last.pk, now=NOW)
    last.refresh_from_db()
    assert last.undone_at is None
