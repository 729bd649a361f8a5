"""Long lists of a tournament, row by row: each row is drawn once for what it shows, not once for each reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.live.render import macro
from tournaments.flow.book import Book
from tournaments.models import Entrant, Format, Tournament, Venue
from tournaments.views import shown
from tournaments.views.seating import PodView

CSRF = "\0csrf\0"
"""Stands in what is kept for the reader's own token."""


def _join(rows: Iterable[str]) -> SafeString:
    return mark_safe("".join(rows))  # noqa: S308 - drawn by our own autoescaping fragments


def draw_pods(tournament: Tournament, pods: Sequence[PodView]) -> SafeString:
    """The tables of a round, for everybody."""
    draw = macro("pods.jinja", "public")
    return _join(draw(tournament.pk, pod) for pod in pods)


def draw_hall(pods: Sequence[PodView]) -> SafeString:
    """The tables of a round, to be read from ten metres."""
    draw = macro("pods.jinja", "hall")
    return _join(draw(pod) for pod in pods)


def draw_desk(request: HttpRequest, tournament: Tournament, pods: Sequence[PodView], *, can_keep: bool) -> SafeString:
    """The tables of a round with the organiser's buttons. can_keep: whether another draw could leave one as it is."""
    draw, may_move = macro("pods.jinja", "desk"), tournament.venue == Venue.MIXED
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request))
    return _join(draw(tournament.pk, CSRF, pod, can_keep, may_move).replace(CSRF, token) for pod in pods)


def draw_ticks(people: Sequence[Entrant]) -> SafeString:
    """Everybody who entered, to be ticked."""
    draw = macro("entrants.jinja", "tick")
    return _join(draw(one.pk, one.status, one.name, _marks(one)) for one in people)


def _marks(one: Entrant) -> tuple[str, ...]:
    has_screen = one.player_id is not None or one.bot
    return (_state(one),) if has_screen else (_state(one), _("no screen"))


def _state(one: Entrant) -> str:
    if one.bot:
        return _("bot")
    if one.status == Entrant.Status.WITHDRAWN:
        return _("withdrawn")
    if one.is_away:
        return _("sits out")
    return _("here") if one.status == Entrant.Status.PRESENT else _("not here yet")


def draw_people(people: Sequence[Entrant], me: Entrant | None, *, is_checking: bool) -> SafeString:
    """Who is in, for everybody. is_checking: those who have not come yet are marked."""
    draw = macro("entrants.jinja", "person")
    return _join(draw(one.name, one == me, _mark(one, is_checking=is_checking)) for one in people)


def _mark(one: Entrant, *, is_checking: bool) -> str:
    if one.bot:
        return _("bot")
    if one.status == Entrant.Status.ENTERED:
        return _("not here yet") if is_checking else ""
    return _("sits out") if one.is_away else ""


def draw_sitting(pods: Sequence[PodView]) -> SafeString:
    """Everybody by name, with the number of his table."""
    draw = macro("entrants.jinja", "sits")
    return _join(
        draw(*row) for row in sorted((seat.name, pod.number, seat.is_me) for pod in pods for seat in pod.seats)
    )


def draw_standings(book: Book, after: int | None, me: Entrant | None) -> SafeString:
    """The standings after a round, the reader's own row marked."""
    draw, has_values = macro("standings.jinja", "row"), book.tournament.format != Format.KNOCKOUT
    is_arena = book.tournament.format == Format.ARENA
    return _join(
        draw(
            line["entrant"].number,
            line["place"],
            line["entrant"].name,
            bool(line["entrant"].bot),
            line["is_out"],
            line["is_me"],
            line["points"],
            line["played"] if is_arena else None,
            tuple(line["rounds"]),
            tuple(line["values"]) if has_values else (),
        )
        for line in shown.list_standings(book, shown.rank(book, after), me)
    )


def draw_chart(book: Book, me: Entrant | None) -> SafeString:
    """The bump chart over the complete rounds; empty before the second."""
    bump = shown.plot_ways(book, me)
    return _join([macro("bump.jinja", "chart")(bump)] if bump else [])


def draw_claims(tournament: Tournament, people: Sequence[Entrant]) -> SafeString:
    """The links by which those without a screen become players with one."""
    draw = macro("entrants.jinja", "claim")
    unclaimed = (one for one in people if one.player_id is None and not one.bot)
    return _join(draw(tournament.pk, one.claim_token, one.name) for one in unclaimed)


def draw_options(people: Sequence[Entrant]) -> SafeString:
    """Everybody, to be chosen from."""
    return _join([macro("entrants.jinja", "options")(tuple((one.pk, one.name) for one in people))])


def draw_places(pods: Sequence[PodView], byes: Sequence[Entrant]) -> SafeString:
    """Everybody by table, to be swapped."""
    resting = tuple((one.pk, one.name) for one in byes)
    return _join([macro("entrants.jinja", "places")(tuple(pods), resting)])
