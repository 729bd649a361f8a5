"""What the climbing games add to the end screen: the chair under each name, and the history of ranks."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext as _

from games.catalogue.climbing.presenter import history
from games.catalogue.climbing.rules.view import ClimbingView
from games.presenters.contract import EndNote
from games.presenters.names import chair_of, name_rank
from games.presenters.render import macro
from games.presenters.screen import Screen
from games.presenters.tie_breaks import list_tied_behind
from games.rules.base import View

FILE = "climbing.jinja"
STEP_X, STEP_Y, LEFT, TOP = 84, 40, 60, 30
LETTER, MARGIN, MAX_NAME_WIDTH = 9, 20, 190
"""Room for names beside their lines: of one letter, before and after them, and of all."""


def notes(screen: Screen, view: View) -> list[EndNote]:
    """The chair that each has won in the last deal, and whether that broke a tie."""
    shown = cast(ClimbingView, view)
    if not shown["past"]:
        return [EndNote("", "job j8")] * len(screen.chairs)
    slugs = [shown["rank_names"][rank - 1] for rank in shown["past"][-1]["ranks"]]
    return [
        EndNote(_say_job(screen, shown, seat, slug), f"job j{chair_of(screen.game, slug)}")
        for seat, slug in enumerate(slugs)
    ]


def _say_job(screen: Screen, view: ClimbingView, seat: int, slug: str) -> str:
    job = name_rank(screen.game, slug)
    if view["scores"] is None or not list_tied_behind(view["places"] or [], view["scores"], seat):
        return job
    reason = _("tie broken by the last deal")
    return f"{job} · {reason}"


def story(screen: Screen, view: View) -> str:
    """The ladder as a picture and as a table."""
    shown = cast(ClimbingView, view)
    ladder = render_ladder(screen, shown)
    return macro(FILE, "story")(_("Jobs in this game"), ladder, history.render_history(screen, shown))


def render_ladder(screen: Screen, view: ClimbingView) -> str:
    """A picture of the whole game: deals to the right, the throne on top, one line a player; nothing for one deal."""
    past, ranks = view["past"], len(view["rank_names"])
    if len(past) < 2:
        return ""
    lines = []
    for chair in screen.chairs:
        dots = [(LEFT + STEP_X * i, TOP + STEP_Y * (gone["ranks"][chair.index] - 1)) for i, gone in enumerate(past)]
        points = " ".join(f"{x},{y}" for x, y in dots)
        lines.append({"seat": chair.index, "name": chair.name, "dots": dots, "points": points, "end": dots[-1]})
    rungs = [
        {"y": TOP + STEP_Y * i, "chair": chair_of(screen.game, slug), "name": name_rank(screen.game, slug)}
        for i, slug in enumerate(view["rank_names"])
    ]
    longest = max(len(chair.name) for chair in screen.chairs)
    width = LEFT + STEP_X * (len(past) - 1) + min(MARGIN + LETTER * longest, MAX_NAME_WIDTH)
    deals = [{"x": LEFT + STEP_X * i, "deal": gone["deal"]} for i, gone in enumerate(past)]
    return macro(FILE, "ladder")(lines=lines, rungs=rungs, deals=deals, width=width, height=TOP + STEP_Y * ranks)
