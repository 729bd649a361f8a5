"""The door: one search box over all names, check-in with one tap, walk-ins in the same box."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_of
from games.models.spelling import finds, list_keys, parse_name_query
from games.play.errors import BadInput, NotFound, Refusal, Stale
from games.play.sentences import say_sentence
from games.presenters.names import isolate
from games.presenters.render import macro
from games.views import error_pages
from games.views.json_responses import JsonAnswer
from tournaments.flow.entry import attendance, entry_deadline, sign_up, waiting_list
from tournaments.flow.entry.entrant_names import clean_name
from tournaments.flow.permissions import require_duty
from tournaments.flow.standings.book import Book
from tournaments.models import BOTH_PLACES, Duty, Entrant, Phase, Tournament
from tournaments.views.lookups import disable_caching, find_page_version, find_tournament, read_int
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import cached_rows, tournament_view

CHECK_IN_PHASES = (Phase.CHECK_IN, Phase.RUNNING)
ORDER = (Entrant.Status.ENTERED, Entrant.Status.WAITING, Entrant.Status.PRESENT)
LONGEST_SEARCH = 40
"""Characters that are looked at."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The page of the door. `?q=` filters the names without a script. JSON for the page's own script."""
    tournament, role = find_tournament(request, tournament_id)
    require_duty(tournament, player_of(request), Duty.DOOR)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    if error_pages.wants_json(request):
        return disable_caching(JsonAnswer(_describe_list(book)))
    search = request.GET.get("q", "")[:LONGEST_SEARCH]
    people = _list_people(book)
    sought = parse_name_query(search)
    shown = [entrant for entrant in people if finds(sought, entrant.name)] if sought else people
    context = build_frame(request, tournament, role, "door") | {
        "search": search,
        "people": _render_people(book, shown),
        "has_people": bool(people),
        "can_add": bool(search) and not shown,
        "counts": _count_by_state(people),
        "has_check_in": tournament.phase in CHECK_IN_PHASES,
        "takes_in": tournament.phase in entry_deadline.OPEN,
    }
    return disable_caching(render(request, "tournaments/entry/door.html", context))


@require_POST
def act(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Check somebody in (`here`, an entrant's id), take that back (`missing`), let in by a code (`code`, a claim link's
    token), or add a walk-in (`name`). Answers the page's script in JSON, others with the page."""
    tournament, _role = find_tournament(request, tournament_id)
    require_duty(tournament, player_of(request), Duty.DOOR)
    back = reverse("tournaments:door", args=[tournament.pk])
    wanted = next((name for name in ACTIONS if request.POST.get(name)), "")
    if not wanted:
        raise BadInput("This action does not exist. Reload the page and try again.")
    try:
        entrant = ACTIONS[wanted](request, tournament, request.POST[wanted])
    except Refusal as refusal:
        if error_pages.wants_json(request):
            return JsonAnswer({"sentence": say_sentence(refusal)}, status=refusal.status)
        if refusal.status == 403:
            raise
        notes.error(request, say_sentence(refusal))
        return redirect(f"{back}?{urlencode({'q': request.POST.get('name', '')})}")
    sentence = _say_done(entrant)
    if not error_pages.wants_json(request):
        notes.success(request, sentence)
        return redirect(request.POST["back"] if request.POST.get("back") == _claim_url(entrant) else back)
    tournament.refresh_from_db()
    vars(tournament).pop("_stamp", None)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    row = {"id": entrant.pk, "html": _render_people(book, [entrant]), "is_here": _is_here(entrant)}
    answer = {
        "version": find_page_version(tournament),
        "sentence": sentence,
        "row": row,
        **_count_by_state(_list_people(book)),
    }
    return disable_caching(JsonAnswer(answer))


def _check_in(request: HttpRequest, tournament: Tournament, typed: str) -> Entrant:
    return _check_in_one(request, tournament, read_int(typed))


def _check_in_one(request: HttpRequest, tournament: Tournament, entrant_id: int) -> Entrant:
    if _find_entrant(tournament, pk=entrant_id).status == Entrant.Status.WITHDRAWN:
        raise Stale("This person has withdrawn. An organiser can reinstate them on the console.")
    attendance.check_in(tournament, player_of(request), [entrant_id], now=time.time())
    return _find_entrant(tournament, pk=entrant_id)


def _take_back(request: HttpRequest, tournament: Tournament, typed: str) -> Entrant:
    attendance.mark_missing(tournament, player_of(request), [read_int(typed)], now=time.time())
    return _find_entrant(tournament, pk=read_int(typed))


def _check_in_by_code(request: HttpRequest, tournament: Tournament, typed: str) -> Entrant:
    """The code is a claim link, or its last part."""
    token = typed.rstrip("/").rpartition("/")[2]
    return _check_in_one(request, tournament, _find_entrant(tournament, claim_token=token).pk)


def _add_walk_in(request: HttpRequest, tournament: Tournament, typed: str) -> Entrant:
    name = clean_name(typed)
    sign_up.add_walk_in(tournament, player_of(request), name=name, now=time.time())
    return _find_entrant(tournament, name=name)


ACTIONS: dict[str, Callable[[HttpRequest, Tournament, str], Entrant]] = {
    "here": _check_in,
    "missing": _take_back,
    "code": _check_in_by_code,
    "name": _add_walk_in,
}
"""Actions, by the name of the field that asks for them."""


def _find_entrant(tournament: Tournament, **where: Any) -> Entrant:
    found = Entrant.objects.filter(tournament=tournament, bot="", **where).first()
    if found is None:
        raise NotFound("This code does not belong to anybody in this tournament.")
    return found


def _claim_url(entrant: Entrant) -> str:
    return reverse("tournaments:claim", args=[entrant.tournament_id, entrant.claim_token])


def _say_done(entrant: Entrant) -> str:
    """What the entry has become, with the name."""
    name = isolate(entrant.name)
    if entrant.status == Entrant.Status.WAITING:
        return _("%(name)s is on the waiting list.") % {"name": name}
    if entrant.status == Entrant.Status.PRESENT:
        return _("%(name)s is here.") % {"name": name}
    return _("%(name)s is signed up and not here yet.") % {"name": name}


def _is_here(entrant: Entrant) -> bool:
    return entrant.status == Entrant.Status.PRESENT


def _list_people(book: Book) -> list[Entrant]:
    """The people of the list, those who are missing first, without bots and those who have withdrawn."""
    people = (entrant for entrant in book.entrants.values() if not entrant.bot and entrant.status in ORDER)
    return sorted(cached_rows.sort_by_name(people), key=lambda entrant: ORDER.index(entrant.status))


def _spell_for_search(name: str) -> str:
    """The words of a name by which the page's script finds it: without accents, ü also as ue."""
    return " ".join(sorted({key.split(" ", 1)[0] for key in list_keys(name)}))


def _count_by_state(people: Sequence[Entrant]) -> dict[str, int]:
    return {
        "here": sum(map(_is_here, people)),
        "missing": sum(entrant.status == Entrant.Status.ENTERED for entrant in people),
        "waiting": sum(entrant.status == Entrant.Status.WAITING for entrant in people),
    }


def _describe_list(book: Book) -> dict[str, Any]:
    people = _list_people(book)
    return {
        "version": find_page_version(book.tournament),
        "html": _render_people(book, people),
        **_count_by_state(people),
    }


def _render_people(book: Book, people: Sequence[Entrant]) -> str:
    render_row, has_check_in = macro("entrants.jinja", "at_door"), book.tournament.phase in CHECK_IN_PHASES
    can_take_back = book.tournament.phase == Phase.CHECK_IN
    waiting = {one.pk: at for at, one in enumerate(waiting_list.sort_waiting(list(book.entrants.values())), start=1)}
    return cached_rows.join(
        render_row(
            id=entrant.pk,
            status=entrant.status,
            name=entrant.name,
            words=_spell_for_search(entrant.name),
            note=_say_note(book, entrant, waiting.get(entrant.pk)),
            has_check_in=has_check_in,
            can_take_back=can_take_back,
        )
        for entrant in people
    )


def _say_note(book: Book, entrant: Entrant, waits_at: int | None) -> str:
    """The words beside a name: whether they are here, where they play, their club."""
    if waits_at is not None:
        state = _("waiting list: %(number)s") % {"number": waits_at}
    elif _is_here(entrant):
        state = _("sits out") if entrant.is_away else pgettext("checked in", "here")
    else:
        state = pgettext("checked in", "not here yet")
    where = cached_rows.name_venue(entrant) if book.tournament.venue in BOTH_PLACES else ""
    return " · ".join(filter(None, (state, where, entrant.club_name)))
