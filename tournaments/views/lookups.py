"""What every page of a club or tournament begins with: who asks, about what, and whether he may."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import sha256

import segno
from django.contrib import messages as notes
from django.db.models import Case, Count, F, Q, TextField, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games.accounts.current_player import player_id
from games.play.errors import BadInput, NotAllowed, NotFound, Refusal
from games.play.storage import codec
from games.play.storage.table import PLAYING
from games.views import error_pages
from tournaments import formats
from tournaments.flow import permissions
from tournaments.flow.entry import entrant_names
from tournaments.flow.permissions import OPENED
from tournaments.flow.seasons import season_changes
from tournaments.models import CareerEntry, Club, Pod, Role, Round, Season, Tournament

KEPT = 100
_IS_LEFT = Q(table__status=PLAYING) & ~Q(table__desk__contains=codec.NO_STAND_INS)
_DESK_OF_LEFT = Case(When(_IS_LEFT, then=F("table__desk")), default=Value(""), output_field=TextField())
"""What a table's row says of the bots that play for people; nothing where there are none."""


def find_club(request: HttpRequest, slug: str) -> tuple[Club, Role | None]:
    """The club and the reader's role in it. Raises NotFound, NotAllowed."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise NotFound("There is no such club. Perhaps the link is incomplete.")
    role = permissions.role_of(club, player_id(request))
    if not club.is_public and role is None:
        raise NotAllowed("This club shows itself to its members only. Ask one of them for an invitation.")
    return club, role


class Missing(NotFound):
    """There is no tournament of this id; perhaps there is a season, or the other way round (`seasons.addresses`)."""

    def __init__(self) -> None:
        super().__init__("There is no such tournament. Perhaps the link is incomplete.")


def find_tournament(request: HttpRequest, tournament_id: str) -> tuple[Tournament, Role | None]:
    """The tournament and the reader's role in its club. Raises Missing, NotAllowed."""
    return require_sight(tournament_id, player_id(request), request.session.get(OPENED, ()))


def require_sight(tournament_id: str, me: int | None, opened: Collection[str]) -> tuple[Tournament, Role | None]:
    """The same for this person, whose browser has opened the links of these. Raises Missing, NotAllowed."""
    tournament = Tournament.objects.select_related("club", "season").filter(pk=tournament_id).first()
    if tournament is None:
        raise Missing
    role = permissions.role_of(tournament.club, me)
    if tournament_id not in opened and not permissions.can_see(tournament, me, role):
        raise NotAllowed("This tournament is for members of its club. Ask its organiser for the link.")
    return tournament, role


def find_season(request: HttpRequest, season_id: str) -> tuple[Season, Role | None]:
    """The season and the reader's role in its club. Raises Missing, NotAllowed."""
    return require_sight_of_season(season_id, player_id(request))


def require_sight_of_season(season_id: str, me: int | None) -> tuple[Season, Role | None]:
    """The same for this person. Raises Missing, NotAllowed."""
    season = Season.objects.select_related("club").filter(pk=season_id).first()
    if season is None:
        raise Missing
    role = permissions.role_of(season.club, me)
    if not permissions.can_see_season(season, role):
        raise NotAllowed("This tournament is for members of its club. Ask its organiser for the link.")
    return season, role


def stamp(of: Tournament | Season) -> str:
    """What a page of a tournament shows changes when this does: steps, draws under way, tables, club and season, and
    who runs it. What one of a season shows: its own steps, those of its tournaments, what it is offered.

    Found once for each time that the tournament or season is read: a page says the present from which it was drawn,
    and no later one.
    """
    known: str = vars(of).setdefault("_stamp", "")
    if not known:
        known = vars(of)["_stamp"] = _find_season_stamp(of) if isinstance(of, Season) else _find_stamp(of)
    return known


def _find_season_stamp(season: Season) -> str:
    head = (season.club.name, permissions.list_organisers(season.club_id))
    return f"{season.version}-{_shorten((head, season_changes.list_marks(season)))}"


def _find_stamp(tournament: Tournament) -> str:
    season = tournament.season  # its end decides what can still be taken back
    runners = permissions.list_organisers(tournament.club_id)
    head = (tournament.club.name, runners, season and (season.pk, season.name, season.phase))
    drawn = Round.objects.filter(tournament=tournament).order_by("-number").values_list("number", "status").first()
    tables = Pod.objects.filter(round__tournament=tournament, round__status=Round.Status.RELEASED)
    counts = tables.values_list("table__status", "trouble", _DESK_OF_LEFT).annotate(count=Count("pk"))
    marks = sorted(
        (status or "", trouble, codec.read_stand_ins(desk) if desk else (), count)
        for status, trouble, desk, count in counts
    )
    deals = 0
    if formats.of(tournament).shows_jobs:  # its page says who holds which job
        deals = CareerEntry.objects.filter(
            table__pod__round__tournament=tournament, table__pod__round__status=Round.Status.RELEASED
        ).count()
    return f"{tournament.version}-{_shorten((head, drawn, marks, deals))}"


def _shorten(seen: object) -> str:
    return sha256(repr(seen).encode()).hexdigest()[:12]


def is_organiser(role: Role | None) -> bool:
    """Whether somebody with this role runs tournaments."""
    return permissions.is_at_least(role, Role.ORGANISER)


def require_organiser(role: Role | None) -> None:
    """Raises NotAllowed for everybody but organisers and owners."""
    if not is_organiser(role):
        raise NotAllowed("Only an organiser of this club does that.")


def remember(request: HttpRequest, tournament: Tournament) -> None:
    """Note that this browser has opened the tournament's link."""
    known = [one for one in request.session.get(OPENED, ()) if one != tournament.pk]
    request.session[OPENED] = [*known, tournament.pk][-KEPT:]


def find_table(tournament: Tournament, text: str) -> str:
    """The page of the table that is meant by "round-number", as on its card; empty for anything else."""
    numbers = text.split("-")
    if len(numbers) != 2 or not all(one.isdecimal() and len(one) < 5 for one in numbers):
        return ""
    return reverse("tournaments:pod", args=[tournament.pk, *map(int, numbers)])


def do(request: HttpRequest, act: Callable[[], object], *, back: str, typed: str = "") -> HttpResponse:
    """Act, and go back to a page; a refusal is said there, with nothing changed.

    typed: the field of the form that is found filled in there, as it was sent.
    """
    try:
        act()
    except Refusal as refusal:
        sentence = _(refusal.template) % refusal.values
        if error_pages.wants_json(request):
            return error_pages.answer(request, refusal.status, sentence, back=back)
        if refusal.status == 403:
            raise
        notes.error(request, sentence)
        if typed:
            request.session[_TYPED] = request.POST.get(typed, "")[: entrant_names.LONGEST]
    if getattr(request, "htmx", False):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = back
        return response
    return redirect(back)


PART = re.compile(r"[a-z][a-z0-9-]{0,30}")
"""Where on a console a button stands: there its organiser goes on, to the tap and with the keyboard."""


def find_way_back(request: HttpRequest, key: str) -> str:
    """The part of a console, of the tournament or season of this id, to which a button leads back."""
    part = request.POST.get("part", "")
    return f"{reverse('tournaments:console', args=[key])}#{part if PART.fullmatch(part) else 'step'}"


_TYPED = "typed"


def take_typed(request: HttpRequest) -> str | None:
    """What was typed into a field and refused, for the first page after that: in no address, so in nobody's log."""
    typed: str | None = request.session.pop(_TYPED) if _TYPED in request.session else None
    return typed


def read_int(text: str | None) -> int:
    """A whole number that was sent. Raises BadInput."""
    text = (text or "").strip()
    if not text.removeprefix("-").isdecimal() or len(text) > 12:
        raise BadInput("A number is missing.")
    return int(text)


def read_number(request: HttpRequest, name: str, otherwise: int) -> int:
    """A number in the address; `otherwise` where it has none of this name, or something else."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else otherwise


@lru_cache(maxsize=512)
def draw_qr(url: str) -> str:
    """The address as a QR code in SVG."""
    svg = segno.make(url, error="m").svg_inline(scale=4, border=2, svgclass="qr-code", lineclass=None, omitsize=True)
    return mark_safe(svg)  # noqa: S308 - made by the QR library from our own address


def fresh(response: HttpResponse) -> HttpResponse:
    """A page about the present is never kept."""
    response["Cache-Control"] = "no-store"
    return response
