"""The history of ranks, deal by deal: as a table, as a picture, and as an arrow at the seat."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.catalogue.climbing.rules.view import ClimbingView
from games.presenters.names import GAMES, chair_of, name_rank
from games.presenters.render import DUE_PLACEHOLDER, PART_PLACEHOLDER, cache_by_language, fill_due, fill_part, macro
from games.presenters.screen import Screen


def describe_rank_change(view: ClimbingView, seat: int) -> str:
    """ " up" or " down" if this deal's rank is better or worse than the one before, else nothing."""
    past = view["past"]
    if len(past) < 2 or view["ranks"] is None:
        return ""
    before, now = past[-2]["ranks"][seat], past[-1]["ranks"][seat]
    return " up" if now < before else " down" if now > before else ""


def render_history(screen: Screen, view: ClimbingView) -> str:
    """The table of chairs won so far."""
    past = tuple([(gone["deal"], *gone["ranks"]) for gone in view["past"]])
    names = tuple([chair.name for chair in screen.chairs])
    return _render_history(screen.game, tuple(view["rank_names"]), names, past)


@cache_by_language
def _render_history(
    game: str, rank_names: tuple[str, ...], names: tuple[str, ...], past: tuple[tuple[int, ...], ...]
) -> str:
    cells = [
        {"rank": rank, "name": name_rank(game, slug), "chair": chair_of(game, slug)}
        for rank, slug in enumerate(rank_names, start=1)
    ]
    rows = [
        {"name": name, "cells": [cells[ranks[seat] - 1] for _deal, *ranks in past]} for seat, name in enumerate(names)
    ]
    return macro("climbing.jinja", "history")(rows, [deal for deal, *_ranks in past], _("Jobs won, deal by deal"))


def render_ceremony(screen: Screen, view: ClimbingView) -> str:
    """Who took which chair in the deal before this one, in the interlude before the next one is played."""
    if screen.interlude is None or not view["past"]:
        return '<section id="ceremony" hidden></section>'
    gone = view["past"][-1]
    ways = tuple([describe_rank_change(view, chair.index).strip() for chair in screen.chairs])
    names = tuple([chair.name for chair in screen.chairs])
    html = _render_ceremony(screen.game, tuple(view["rank_names"]), names, ways, gone["deal"], tuple(gone["ranks"]))
    return fill_due(fill_part(html, str(screen.interlude.since)), screen.interlude.until)


@cache_by_language
def _render_ceremony(
    game: str,
    rank_names: tuple[str, ...],
    names: tuple[str, ...],
    ways: tuple[str, ...],
    deal: int,
    ranks: tuple[int, ...],
) -> str:
    rows = [
        {"name": names[seat], "job": name_rank(game, slug), "chair": chair_of(game, slug), "way": ways[seat]}
        for slug, seat in zip(rank_names, sorted(range(len(ranks)), key=ranks.__getitem__), strict=True)
    ]
    title = _("%(deal)s %(number)s is over") % {"deal": GAMES[game].deal_word, "number": deal}
    return macro("climbing.jinja", "ceremony")(since=PART_PLACEHOLDER, until=DUE_PLACEHOLDER, title=title, rows=rows)
