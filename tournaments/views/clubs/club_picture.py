"""The picture of a club: sending it, changing and removing it."""

from __future__ import annotations

import time

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.accounts import rate_limits
from games.accounts.current_player import player_id, player_of
from games.play.errors import BadInput, NotFound, TooFast
from games.play.sentences import say_sentence
from tournaments.flow.clubs import club_picture
from tournaments.flow.permissions import require_role
from tournaments.models import ClubPicture, Role
from tournaments.views.lookups import find_club, read_picture

KEPT_SECONDS = 31_536_000
"""How long browsers keep a picture: its address changes with each new one."""


@require_safe
def show(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """The picture. Raises NotFound, NotAllowed."""
    club, _role = find_club(request, slug)
    picture = ClubPicture.objects.filter(club=club, key=version).first()
    if picture is None:
        raise NotFound("This club has no such picture.")
    answer = HttpResponse(bytes(picture.body), content_type="image/webp")
    who = "public" if club.is_public else "private"
    answer["Cache-Control"] = f"{who}, max-age={KEPT_SECONDS}, immutable"
    return answer


@require_POST
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Upload a picture (`picture`, `anchor`), or remove it (`remove`)."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.OWNER)
    if request.POST.get("remove"):
        club_picture.remove(club, player_of(request), now=time.time())
        notes.success(request, _("The picture was removed. You can undo this in the log under Moderation."))
        return redirect("tournaments:edit_club", club.slug)
    if not rate_limits.allow_upload(request.META.get("REMOTE_ADDR", "")):
        raise TooFast("Too many pictures at once from your network. Wait a minute and try again.")
    try:
        club_picture.change(
            club,
            player_of(request),
            read_picture(request),
            anchor=request.POST.get("anchor", "middle"),
            now=time.time(),
        )
    except BadInput as error:
        notes.error(request, say_sentence(error))
        return redirect("tournaments:edit_club", club.slug)
    notes.success(request, _("The new picture has been saved. You can undo this in the log under Moderation."))
    return redirect("tournaments:club", club.slug)
