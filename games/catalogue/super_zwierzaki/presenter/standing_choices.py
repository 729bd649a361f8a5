"""A player's own standing answers: which they can order, and which window passes without asking them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.catalogue.super_zwierzaki.rules.kinds import NUMBERS
from games.catalogue.super_zwierzaki.rules.standing import (
    EVERYTHING,
    HITS,
    WINDOWS,
    WINS,
    covers,
    is_about_win,
    is_hit,
)
from games.catalogue.super_zwierzaki.rules.state import Play
from games.catalogue.super_zwierzaki.rules.view import OwnView, SuperZwierzakiView
from games.presenters.screen import Screen

Choice = tuple[str, str, bool]
"""Value of the order, its label, whether it is in force."""


def list_choices(screen: Screen, seat: int) -> tuple[Choice, ...]:
    """The orders this seat can give, at a table that keeps them."""
    if not screen.has_standing_answers:
        return ()
    ordered = screen.standing_answers.get(seat, "")
    return (
        (EVERYTHING, _("Let everything pass until my turn"), ordered == EVERYTHING),
        (HITS, _("Ask me only about wins and plays that affect me"), ordered == HITS),
        (WINS, _("Ask me only about wins"), ordered == WINS),
    )


def say_passing(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> str:
    """Why the window that is open passes without a word of this seat; empty where it is asked, or no window is open."""
    if view["phase"] not in WINDOWS or seat not in view["to_act"]:
        return ""
    if not mine["plays"] and not screen.is_over_days:
        if seat in view["must_call"]:
            return _("No card of yours can answer this. It passes once you have said it.")
        return _("No card of yours can answer this. It passes by itself.")
    if seat in view["must_call"]:
        return ""
    is_win = is_about_win(view["phase"], view["winner"])
    hit = is_hit(seat, _read_play(view), len(view["chain"]), view["order"])
    if covers(screen.standing_answers.get(seat, ""), is_about_win=is_win, is_hit=hit):
        return _("You let this pass, as you chose in advance.")
    return ""


def _read_play(view: SuperZwierzakiView) -> Play | None:
    """The play under way, as the rules have it."""
    play = view["play"]
    if play is None:
        return None
    return Play(play["seat"], NUMBERS[play["card"]], play["count"], tuple(NUMBERS[card] for card in play["nine"]))
