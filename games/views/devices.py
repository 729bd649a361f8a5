"""The page of signed-in devices, with buttons to sign out one or all others."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.accounts.current_player import player_of
from games.accounts.sign_in import signed_in_devices
from games.play.errors import NotAllowed, NotFound
from games.play.sentences import say_sentence


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_devices(request: HttpRequest) -> HttpResponse:
    """The list. POST signs out the device with this `key`, without one all others. Raises NotAllowed for a stranger."""
    player = player_of(request)
    if player is None:
        raise NotAllowed("This browser is not signed in as anybody. Choose a name first.")
    session_key = request.session.session_key
    if request.method != "POST":
        devices = signed_in_devices.list_devices(player, session_key)
        rows = [(device, datetime.fromtimestamp(device.seen_at, UTC)) for device in devices]
        others = sum(not device.is_this for device in devices)
        return render(request, "me/devices.html", {"devices": rows, "others": others})
    if key := request.POST.get("key"):
        try:
            signed_in_devices.sign_out(player, key)
        except NotFound as refusal:
            notes.error(request, say_sentence(refusal))
        else:
            notes.success(request, _("The device was signed out."))
    else:
        count = signed_in_devices.sign_out_others(player, session_key)
        sentence = ngettext("%(count)s device was signed out.", "%(count)s devices were signed out.", count)
        notes.success(request, sentence % {"count": count})
    return redirect("devices")
