"""A member on a new phone, and two members who are one: links to sign in a device, and merging with a preview."""

from __future__ import annotations

import time

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts.current_player import player_of
from games.accounts.site_urls import address_of
from games.play.errors import NotAllowed, NotFound, Refusal
from games.play.sentences import say_sentence
from games.presenters.names import GAMES, isolate
from tournaments.flow.people import device_links, member_merging
from tournaments.flow.permissions import require_organiser
from tournaments.models import Role
from tournaments.views.lookups import disable_caching, find_club, is_organiser, read_int, render_qr
from tournaments.words.terms import ROLES


@require_POST
def make_device_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link that signs in one more device for a member (`member`). It is shown once."""
    club, role = find_club(request, slug)
    try:
        member, token = device_links.make(
            club, player_of(request), read_int(request.POST.get("member")), now=time.time()
        )
    except (NotAllowed, NotFound) as refusal:
        if not is_organiser(role):
            raise
        notes.error(request, say_sentence(refusal))
        return redirect(reverse("tournaments:club", args=[club.slug]) + "#members")
    url = address_of(request, "tournaments:device_link", token)
    context = {"club": club, "name": isolate(member.shown_name), "url": url, "qr": render_qr(url)}
    response = render(request, "clubs/device_link.html", context | {"minutes": device_links.LASTS_MINUTES})
    response["Cache-Control"] = "no-store"
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def use_device_link(request: HttpRequest, token: str) -> HttpResponse:
    """The page of such a link. POST signs this browser in as the member. Raises NotFound."""
    now = time.time()
    link = device_links.find(token, now=now)
    if request.method == "POST":
        try:
            device_links.use(request, link, now=now)
        except NotAllowed as refusal:
            notes.error(request, say_sentence(refusal))
            return redirect("tournaments:device_link", token)
        name = link.step.player.name if link.step.player else ""
        notes.success(request, _("This device is now signed in as %(name)s.") % {"name": isolate(name)})
        return redirect("tournaments:club", link.step.club.slug)
    player = player_of(request)
    context = {"link": link, "member": link.step.player, "club": link.step.club, "known": player}
    return render(request, "clubs/use_device_link.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str) -> HttpResponse:
    """What merging two members moves. POST merges them. Raises NotAllowed, NotFound."""
    club, _role = find_club(request, slug)
    actor, now = player_of(request), time.time()
    require_organiser(club, actor)
    given = request.POST if request.method == "POST" else request.GET
    guest, player = read_int(given.get("guest", "0")), read_int(given.get("player", "0"))
    back = reverse("tournaments:moderation", args=[club.slug])
    try:
        if request.method == "POST":
            member_merging.merge(club, actor, guest, player, now=now)
            notes.success(request, _("The two are one person now. You can undo this in the log."))
            return redirect(f"{back}#log")
        shown = member_merging.preview(club, actor, guest, player, now=now)
    except Refusal as refusal:
        notes.error(request, say_sentence(refusal))
        return redirect(f"{back}#people")
    context = {
        "club": club,
        "shown": shown,
        "games": [f"{GAMES[slug].name if slug in GAMES else slug}: {count}" for slug, count in shown.games.items()],
        "clubs": [f"{name} ({ROLES[Role(role)]})" for name, role in shown.clubs],
        "refusal": say_sentence(shown.refusal) if shown.refusal else "",
    }
    return disable_caching(render(request, "clubs/merge.html", context))
