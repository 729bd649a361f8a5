"""The picture of a club: what somebody uploads is cropped to a wide strip and encoded again.

A change is in the club's log. The former picture is kept for a time, so that the change can be undone.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from PIL import Image, ImageOps

from games.models import Player
from games.play.errors import BadInput, Stale
from tournaments.flow.clubs import club_changes
from tournaments.flow.permissions import require_role
from tournaments.flow.tokens import make_token
from tournaments.flow.uploaded_pictures import convert_picture
from tournaments.models import Club, ClubPicture, FormerPicture, ModerationStep, Role

WIDTH: Final = 1200
HEIGHT: Final = 400
"""Pixels of the picture that is kept."""
MAX_STORED: Final = 300_000
"""Bytes of the picture that is kept, at most: it is encoded with less quality until it fits."""
ANCHORS: Final = {"top": 0.0, "middle": 0.5, "bottom": 1.0}
"""Which part of a picture that is too high is kept."""
FORMER_SECONDS: Final = 30 * 86_400.0
"""How long a picture is kept that was changed or removed, so that this can be undone."""
MAX_FORMER: Final = 5
"""Former pictures of a club that are kept, the latest ones."""


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
    picture = ClubPicture(club=club, key=make_token(), body=crop_picture(data, anchor), at=now)
    _replace(club, player, picture, now=now)
    return picture


def remove(club: Club, player: Player | None, *, now: float) -> None:
    """Remove the picture of the club. Twice is once. Raises NotAllowed."""
    require_role(club, player.pk if player else None, Role.OWNER)
    _replace(club, player, None, now=now)


def undo(step: ModerationStep, actor: Player | None, now: float) -> None:
    """The club has again what it had before, which the log says, too: it can be undone in turn.

    Raises NotAllowed, Stale.
    """
    require_role(step.club, actor.pk if actor else None, Role.OWNER)
    details = club_changes.read_details(step)
    with transaction.atomic():
        if not club_changes.mark_undone(step, actor, now):
            return
        if find_key(step.club) != details["after"]:
            raise Stale("The picture has been changed again since. Undo the later change first.")
        former = FormerPicture.objects.filter(step=step).first()
        if former is None and details["before"]:
            raise Stale("The former picture is no longer kept.")
        picture = None
        if former is not None:
            picture = ClubPicture(club=step.club, key=former.key, body=former.body, at=former.at)
        _replace(step.club, actor, picture, now=now)


def _replace(club: Club, actor: Player | None, picture: ClubPicture | None, *, now: float) -> None:
    """Log the change, and keep the picture that the club had."""
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        old = ClubPicture.objects.filter(club=club).first()
        if old is None and picture is None:
            return
        details = {"before": old.key if old else "", "after": picture.key if picture else ""}
        step = club_changes.log_change(club, ModerationStep.Kind.PICTURE, actor, details, now=now)
        if old is not None:
            FormerPicture.objects.create(step=step, key=old.key, body=old.body, at=old.at, kept_since=now)
            old.delete()
        if picture is not None:
            picture.save(force_insert=True)
        kept = FormerPicture.objects.filter(step__club=club).order_by("-step").values_list("pk", flat=True)
        FormerPicture.objects.filter(pk__in=list(kept[MAX_FORMER:])).delete()


def query_old(*, now: float) -> QuerySet[FormerPicture]:
    """Former pictures that have been kept for longer than `FORMER_SECONDS`."""
    return FormerPicture.objects.filter(kept_since__lt=now - FORMER_SECONDS)


def clear_old(*, now: float) -> None:
    """Delete the pictures of `query_old`."""
    old = query_old(now=now)
    if old.exists():  # to delete nothing, too, others would have to wait
        old.delete()


def find_key(club: Club) -> str:
    """The key of the club's picture; empty if it has none."""
    return ClubPicture.objects.filter(club=club).values_list("key", flat=True).first() or ""
