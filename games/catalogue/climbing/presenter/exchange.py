"""The exchange before a deal: envelopes between two players, open to those two only."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.climbing.presenter.card_words import name_play
from games.catalogue.climbing.rules.view import ClimbingView, Exchange
from games.presenters.names import name_rank
from games.presenters.render import cache_by_language, macro
from games.presenters.screen import Screen

FILE = "climbing.jinja"


def render_exchange(screen: Screen, view: ClimbingView) -> str:
    """Who is at each end of the ladder now, and who exchanged cards. Hidden from the first move on."""
    if not view["exchanged_now"]:
        return macro(FILE, "exchange")("", ())
    pairs = [_describe_pair(screen, gift) for gift in view["exchanges"] if _is_from_above(view, gift)]
    return macro(FILE, "exchange")(_say_first_and_last(screen, view), pairs)


def list_gifts(screen: Screen, view: ClimbingView, seat: int) -> tuple[ShownGift, ...]:
    """What this seat gave and got before this deal."""
    gifts = [gift for gift in view["exchanges"] if seat in (gift["giver"], gift["taker"])]
    return tuple([_read_gift(screen, gift, seat) for gift in gifts])


class ShownGift(NamedTuple):
    """A gift as one of the two players sees it: whether they gave it, the other one's name, and the cards."""

    is_mine: bool
    other: str
    cards: tuple[str, ...]


NO_ENVELOPES = '<div id="envelopes" hidden></div>'


def render_open_envelopes(gifts: tuple[ShownGift, ...]) -> dict[str, str]:
    """In an interlude: the gifts large on the table, and no reminder of them yet."""
    return {"envelopes": _render_envelopes(gifts), "gifts": render_gifts(())}


def render_closed_envelopes(gifts: tuple[ShownGift, ...]) -> dict[str, str]:
    """While a deal is played: a small reminder of the gifts."""
    return {"envelopes": NO_ENVELOPES, "gifts": render_gifts(gifts)}


@cache_by_language
def _render_envelopes(gifts: tuple[ShownGift, ...]) -> str:
    return macro(FILE, "envelopes")([_fill_envelope(gift) for gift in gifts]) if gifts else NO_ENVELOPES


@cache_by_language
def render_gifts(gifts: tuple[ShownGift, ...]) -> str:
    """These gifts, face up, for the whole deal."""
    return macro(FILE, "gifts")([_fill_envelope(gift) for gift in gifts])


def _fill_envelope(gift: ShownGift) -> dict[str, Any]:
    way = "sent" if gift.is_mine else "got"
    words = _("You gave %(taker)s") if gift.is_mine else _("%(giver)s gave you")
    named = name_play(gift.cards)
    return {
        "way": way,
        "words": words % {"taker": gift.other, "giver": gift.other},
        "cards": gift.cards,
        "named": named,
    }


def _say_first_and_last(screen: Screen, view: ClimbingView) -> str:
    if view["ranks"] is None:
        return _("First deal: nobody has a job yet, so there is no exchange.")
    top, bottom = view["order"][0], view["order"][-1]
    return _("%(top)s is %(best)s, %(bottom)s is %(last)s.") % {
        "top": screen.chairs[top].name,
        "best": name_rank(screen.game, view["rank_names"][0]),
        "bottom": screen.chairs[bottom].name,
        "last": name_rank(screen.game, view["rank_names"][-1]),
    }


def _is_from_above(view: ClimbingView, gift: Exchange) -> bool:
    """Two gifts make a pair; one line is enough for both."""
    return view["order"].index(gift["giver"]) < view["order"].index(gift["taker"])


def _describe_pair(screen: Screen, gift: Exchange) -> dict[str, Any]:
    count = gift["count"]
    words = ngettext(
        "%(giver)s and %(taker)s exchange %(count)d card", "%(giver)s and %(taker)s exchange %(count)d cards", count
    )
    return {"giver": gift["giver"], "taker": gift["taker"], "count": count, "words": words % _name_values(screen, gift)}


def _read_gift(screen: Screen, gift: Exchange, seat: int) -> ShownGift:
    is_mine = gift["giver"] == seat
    other = gift["taker"] if is_mine else gift["giver"]
    return ShownGift(is_mine, screen.chairs[other].name, tuple(gift["cards"] or ()))


def _name_values(screen: Screen, gift: Exchange) -> dict[str, Any]:
    return {
        "giver": screen.chairs[gift["giver"]].name,
        "taker": screen.chairs[gift["taker"]].name,
        "count": gift["count"],
    }
