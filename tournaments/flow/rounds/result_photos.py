"""Photos of paper results: organisers, scorers and the people at the table add, see, remove and put them back."""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet
from PIL import Image

from games.models import Player
from games.play.errors import NotAllowed, NotFound, Stale
from tournaments.flow.permissions import has_duty, seat_of
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tokens import make_token
from tournaments.flow.uploaded_pictures import convert_picture
from tournaments.models import Duty, Phase, Pod, ResultPhoto, Round, Tournament

SIDE: Final = 1280
"""Pixels of the longer side of a photo that is kept: a sheet of A4 can be read."""
MAX_STORED: Final = 150_000
"""Bytes of a photo that is kept, at most."""
MAX_PER_TABLE: Final = 4
KEPT_SECONDS: Final = 60 * 86_400.0
"""How long a photo is kept."""
UNDO_SECONDS: Final = 86_400.0
"""How long a removed photo can be put back. Then it is deleted."""


def may_see(tournament: Tournament, player: Player, pod: Pod) -> bool:
    """Whether this person sees the photos of this table: its people, organisers, and scorers of the night."""
    return seat_of(pod, player.pk) is not None or has_duty(tournament, player, Duty.SCORER)


def may_add(tournament: Tournament, player: Player, pod: Pod) -> bool:
    """Whether this person can add a photo now: at a real table of a round that is played or has been."""
    is_open = tournament.phase == Phase.RUNNING and pod.round.status in (Round.Status.RELEASED, Round.Status.COMPLETE)
    return is_open and not pod.is_online and may_see(tournament, player, pod)


def may_remove(tournament: Tournament, player: Player, photo: ResultPhoto) -> bool:
    """Whether this person can remove a photo or put it back: the one who added it, organisers, scorers of the night."""
    return photo.added_by_id == player.pk or has_duty(tournament, player, Duty.SCORER)


def list_photos(pod_id: int) -> list[ResultPhoto]:
    """The photos of a table in the order in which they came, without their bytes."""
    return _list_photos(ResultPhoto.objects.filter(pod=pod_id, removed_at=None))


def list_removed(pod_id: int, *, now: float) -> list[ResultPhoto]:
    """The removed photos of a table that can be put back, without their bytes."""
    return _list_photos(ResultPhoto.objects.filter(pod=pod_id, removed_at__gte=now - UNDO_SECONDS))


def _list_photos(photos: QuerySet[ResultPhoto]) -> list[ResultPhoto]:
    return list(photos.defer("body").select_related("added_by").order_by("pk"))


def find(tournament: Tournament, player: Player, key: str) -> ResultPhoto:
    """The photo with this address. Raises NotFound, also for those who may not see it, and for a removed one."""
    photos = ResultPhoto.objects.filter(key=key, pod__round__tournament=tournament, removed_at=None)
    found = photos.select_related("pod__round").first()
    if found is None or not may_see(tournament, player, found.pod):
        raise NotFound("There is no such photo.")
    return found


def shrink(data: bytes) -> bytes:
    """The photo as WebP, upright, no side longer than `SIDE`. Raises BadInput."""
    return convert_picture(data, _fit, side=SIDE, most_bytes=MAX_STORED)


def _fit(picture: Image.Image) -> Image.Image:
    picture.thumbnail((SIDE, SIDE))
    return picture


def add(tournament: Tournament, player: Player, pod_id: int, data: bytes, *, now: float) -> ResultPhoto:
    """Add a photo to the result of a table; the same one is kept once. Raises NotAllowed, NotFound, Stale, BadInput."""
    require_addable(tournament, player, pod_id)  # before any work is done for strangers
    body = shrink(data)
    with take_step(tournament.pk, Kind.PHOTO, actor=player, now=now) as step:
        pod = require_addable(step.tournament, player, pod_id)
        if (kept := ResultPhoto.objects.filter(pod=pod, body=body, removed_at=None).first()) is not None:  # sent twice
            return kept
        _require_room(pod)
        _log(step, pod)
        return ResultPhoto.objects.create(pod=pod, key=make_token(), body=body, added_by=player, at=now)


def remove(tournament: Tournament, player: Player, pod_id: int, photo_id: int, *, now: float) -> None:
    """Remove a photo; for `UNDO_SECONDS` it can be put back. Idempotent. Raises NotAllowed."""
    with take_step(tournament.pk, Kind.REMOVE_PHOTO, actor=player, now=now) as step:
        photo = _find_removable(step, player, pod_id, photo_id)
        if photo is None or photo.removed_at is not None:
            return
        _log(step, photo.pod)
        ResultPhoto.objects.filter(pk=photo.pk).update(removed_at=now)
        removed = ResultPhoto.objects.filter(pod=photo.pod).exclude(removed_at=None).order_by("-removed_at", "-pk")
        ResultPhoto.objects.filter(pk__in=list(removed.values_list("pk", flat=True)[MAX_PER_TABLE:])).delete()


def restore(tournament: Tournament, player: Player, pod_id: int, photo_id: int, *, now: float) -> None:
    """Put a removed photo back. Idempotent. Raises NotAllowed, Stale."""
    with take_step(tournament.pk, Kind.RESTORE_PHOTO, actor=player, now=now) as step:
        photo = _find_removable(step, player, pod_id, photo_id)
        if photo is None:
            raise Stale("This photo is no longer kept.")
        if photo.removed_at is None:
            return
        _require_room(photo.pod)
        _log(step, photo.pod)
        ResultPhoto.objects.filter(pk=photo.pk).update(removed_at=None)


def _find_removable(step: TournamentStep, player: Player, pod_id: int, photo_id: int) -> ResultPhoto | None:
    """The photo without its bytes, removed or not; None if there is none. Raises NotAllowed."""
    found = ResultPhoto.objects.filter(pk=photo_id, pod=pod_id, pod__round__tournament=step.tournament)
    photo = found.defer("body").select_related("pod__round").first()
    if photo is not None and not may_remove(step.tournament, player, photo):
        raise NotAllowed("Only the person who added this photo and organisers can remove it.")
    return photo


def _require_room(pod: Pod) -> None:
    """Raises Stale if the table shows as many photos as it can have."""
    if ResultPhoto.objects.filter(pod=pod, removed_at=None).count() >= MAX_PER_TABLE:
        raise Stale("This table has %(most)s photos already. Remove one first.", most=MAX_PER_TABLE)


def require_addable(tournament: Tournament, player: Player, pod_id: int) -> Pod:
    """The table, if this person can add a photo to its result. Raises NotAllowed, NotFound, Stale."""
    pod = Pod.objects.filter(pk=pod_id, round__tournament=tournament).select_related("round").first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    if not may_see(tournament, player, pod):
        raise NotAllowed("Only people who played at this table and organisers can do this.")
    if not may_add(tournament, player, pod):
        raise Stale("A photo can be added to the result of a real table while the tournament runs.")
    return pod


def _log(step: TournamentStep, pod: Pod) -> None:
    step.is_always_logged = True
    step.details |= {"table": pod.number, "round": pod.round.number}


def forget(player_id: int) -> None:
    """Delete the photos that this person added."""
    ResultPhoto.objects.filter(added_by=player_id).delete()


def query_old(*, now: float) -> QuerySet[ResultPhoto]:
    """Photos that were added longer than `KEPT_SECONDS` ago, or removed longer than `UNDO_SECONDS` ago."""
    return ResultPhoto.objects.filter(Q(at__lt=now - KEPT_SECONDS) | Q(removed_at__lt=now - UNDO_SECONDS))


def clear_old(*, now: float) -> None:
    """Delete the photos of `query_old`."""
    old = query_old(now=now)
    if old.exists():  # to delete nothing, too, others would have to wait
        old.delete()
