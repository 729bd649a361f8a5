"""Who I am: name, animal, language."""

from __future__ import annotations

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from games.accounts.guests import require_player
from games.forms import MeForm
from games.models import Player


def show_me(request: HttpRequest) -> HttpResponse:
    """My name and animal; a stranger who gives them is a guest from then on."""
    player: Player | None = request.player  # type: ignore[attr-defined]
    going = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(going, allowed_hosts=hosts, require_https=request.is_secure()):
        going = ""
    initial = {"name": player.name, "avatar": player.avatar} if player else None
    form = MeForm(request.POST) if request.method == "POST" else MeForm(initial=initial)
    if request.method == "POST" and form.is_valid():
        me = require_player(request)
        Player.objects.filter(pk=me.pk).update(name=form.cleaned_data["name"], avatar=form.cleaned_data["avatar"])
        notes.success(request, _("Saved. New tables will show it."))
        return redirect(going or "me")
    status = 422 if form.errors else 200
    return render(request, "name.html", {"form": form, "next": going}, status=status)
