"""How far long work is: a bar that moves by itself, or is looked at again, and leads to what came of it."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.accounts.current_player import player_id
from games.play.errors import NotFound
from tournaments.flow.archive import background_jobs, job_kinds
from tournaments.flow.permissions import require_role
from tournaments.models import Errand, Role
from tournaments.views.lookups import find_club, fresh
from tournaments.words.terms import say_trouble
from tournaments.work import tasks

PARTS = 4
"""How often the bar is spoken of: at every quarter."""


class Place(NamedTuple):
    """Where an errand is shown. title: its heading; name, url: what stands above it; can_stop: by the reader."""

    title: str
    name: str
    url: str
    can_stop: bool = False


def begin(errand: Errand) -> None:
    """Send it to a worker, if it is not done. If the message is lost, the sweeper has it done."""
    if errand.status == Errand.Status.WAITING:
        tasks.send(tasks.run_errand, errand.pk)


def show_reading(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """How far an archive is read in; when it is, what came of it. Posted: give it up. Raises NotFound, NotAllowed."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    errand = Errand.objects.filter(pk=key, club=club, kind=Errand.Kind.RESTORE).first()
    if errand is None:
        raise NotFound("This is not known here any more. Look whether the tournament is there; if not, send it again.")
    if request.method == "POST":
        return stop(request, errand)
    if errand.status == Errand.Status.DONE and (made := _find_made(errand)):
        return _go(request, reverse("tournaments:tournament", args=[made]))
    place = Place(_("Bring a tournament back"), club.name, reverse("tournaments:club", args=[slug]), can_stop=True)
    return show(request, errand, place)


def stop(request: HttpRequest, errand: Errand) -> HttpResponse:
    """Give it up, and say so where it stood."""
    background_jobs.stop(errand, job_kinds.WORKS, now=time.time())
    return redirect(f"{request.path}?errand={errand.pk}")


def send_packed(request: HttpRequest, packed: bytes, send: Callable[[bytes], HttpResponse]) -> HttpResponse:
    """A file that is kept compressed: every browser unpacks it by itself."""
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return send(gzip.decompress(packed))
    response = send(packed)
    response["Content-Encoding"] = "gzip"
    return response


def find_polled(request: HttpRequest, **about: object) -> Errand | None:
    """The errand whose bar asks how far it is, or that was stopped here, if it is about this; None for whoever asks for
    the file."""
    known = Errand.objects.filter(pk=request.GET.get("errand", ""), **about).first()
    return known if known is None or is_bar(request) or known.status == Errand.Status.FAILED else None


def is_bar(request: HttpRequest) -> bool:
    """Whether only the bar is asked for, by the page that shows it."""
    return bool(request.headers.get("HX-Target") == "errand")


def go_to(errand: Errand) -> HttpResponse:
    """To the tournament or season that an archive has become, or to the page that says how far it is."""
    if errand.status == Errand.Status.DONE and (made := _find_made(errand)):
        return redirect("tournaments:tournament", made)
    return redirect("tournaments:reading", errand.club.slug if errand.club else "", errand.pk)


def _find_made(errand: Errand) -> str | None:
    """The id of what an archive has become: both kinds have their pages under the same addresses."""
    return errand.season_id or errand.tournament_id


def say_known(request: HttpRequest) -> None:
    """The same archive was read in before."""
    notes.info(request, _("This archive was read in before: here is what came of it."))


def show(request: HttpRequest, errand: Errand, place: Place) -> HttpResponse:
    """The page of an errand, or only its bar, for a page that asks for it again."""
    context: dict[str, Any] = {"errand": errand, "place": place, "here": request.path, "is_bar": is_bar(request)}
    context |= _describe(errand)
    context["is_new"] = request.GET.get("said", "") != str(context["part"])
    template = "errands/bar.html" if is_bar(request) else "errands/page.html"
    return fresh(render(request, template, context, status=_status(request, errand)))


def _status(request: HttpRequest, errand: Errand) -> int:
    """For programs: 202 while it is not there yet, 422 if it will not be. htmx takes nothing but 200."""
    if is_bar(request) or errand.status == Errand.Status.DONE:
        return 200
    return 422 if errand.status == Errand.Status.FAILED else 202


def _describe(errand: Errand) -> dict[str, Any]:
    is_waiting = errand.status == Errand.Status.WAITING
    return {
        "is_waiting": is_waiting,
        "has_begun": errand.attempts > 0,
        "percent": round(100 * errand.done / errand.of) if errand.of else None,
        "part": errand.status if not is_waiting else PARTS * errand.done // errand.of if errand.of else 0,
        "sentence": say_trouble(errand.trouble),
    }


def _go(request: HttpRequest, url: str) -> HttpResponse:
    """To another page, from a bar as from a page."""
    if not request.headers.get("HX-Request"):
        return redirect(url)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = url
    return answer
