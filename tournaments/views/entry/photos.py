"""Photos of paper results: sending one, looking at it, removing it, putting it back."""

from __future__ import annotations

import time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_of
from games.models import Player
from games.play.errors import BadInput, NotFound, TooFast
from tournaments.flow.rounds import result_photos
from tournaments.models import Pod, Tournament
from tournaments.views.lookups import disable_caching, find_tournament, read_int, read_picture, run_action


@require_safe
def show(request: HttpRequest, tournament_id: str, photo: str) -> HttpResponse:
    """The photo. Raises NotFound, NotAllowed."""
    tournament, _role = find_tournament(request, tournament_id)
    player = player_of(request)
    if player is None:
        raise NotFound("There is no such photo.")
    found = result_photos.find(tournament, player, photo)
    return disable_caching(HttpResponse(bytes(found.body), content_type="image/webp"))


@require_POST
def change(request: HttpRequest, tournament_id: str, number: int, table: int) -> HttpResponse:
    """Add a photo (`picture`) to the result of a table, `remove` or `restore` the one of this id. Raises NotFound."""
    tournament, _role = find_tournament(request, tournament_id)
    pod = Pod.objects.filter(round__tournament=tournament, round__number=number, number=table).first()
    if pod is None:
        raise NotFound("There is no such table in this round.")
    back = reverse("tournaments:pod", args=[tournament.pk, number, table])
    return run_action(request, lambda: _change_photo(request, tournament, pod.pk), back=f"{back}#photos")


def _change_photo(request: HttpRequest, tournament: Tournament, pod_id: int) -> None:
    player = player_of(request)
    if player is None:
        raise BadInput("Choose your name first.")
    if request.POST.get("remove"):
        result_photos.remove(tournament, player, pod_id, read_int(request.POST["remove"]), now=time.time())
        return
    if request.POST.get("restore"):
        result_photos.restore(tournament, player, pod_id, read_int(request.POST["restore"]), now=time.time())
        return
    if not rate_limits.allow_photo(player.pk):
        raise TooFast("Too many photos at once. Wait a minute and try again.")
    result_photos.require_addable(tournament, player, pod_id)
    result_photos.add(tournament, player, pod_id, read_picture(request), now=time.time())


def describe(tournament: Tournament, player: Player | None, pod: Pod) -> dict[str, Any]:
    """Template context: the photos of a table that this person sees, and what they can do with them.

    removed_photos: those that they can put back; has_photos: whether there is anything to show or to do.
    """
    if player is None or not result_photos.may_see(tournament, player, pod):
        return {"photos": [], "removed_photos": [], "can_add_photo": False, "has_photos": False}
    photos = result_photos.list_photos(pod.pk)
    can_add = len(photos) < result_photos.MAX_PER_TABLE and result_photos.may_add(tournament, player, pod)
    rows = [{"photo": photo, "can_remove": result_photos.may_remove(tournament, player, photo)} for photo in photos]
    removed = result_photos.list_removed(pod.pk, now=time.time())
    mine = [photo for photo in removed if result_photos.may_remove(tournament, player, photo)]
    return {
        "photos": rows,
        "removed_photos": mine,
        "can_add_photo": can_add,
        "has_photos": bool(rows or mine or can_add),
    }
