"""What Super Zwierzaki adds to the end screen: the cards that everybody had left, and the last card."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.super_zwierzaki.presenter.faces import describe_kind
from games.catalogue.super_zwierzaki.rules.view import SuperZwierzakiView
from games.presenters.contract import EndNote
from games.presenters.render import macro
from games.presenters.tie_breaks import list_tied_behind

FILE = "super_zwierzaki.jinja"


def notes(view: SuperZwierzakiView) -> list[EndNote]:
    """How many cards each had left, and who was first of several without cards."""
    return [EndNote(_say_rest(view, seat)) for seat in range(len(view["hand_sizes"]))]


def _say_rest(view: SuperZwierzakiView, seat: int) -> str:
    size = view["hand_sizes"][seat]
    if size:
        return ngettext("%(count)d card left", "%(count)d cards left", size) % {"count": size}
    none, reason = _("no cards left"), _("tie broken by the playing order")
    return f"{none} · {reason}" if list_tied_behind(view["places"] or [], view["hand_sizes"], seat) else none


def story(view: SuperZwierzakiView) -> str:
    """The last card, and how long it took."""
    turns = ngettext("The game took %(count)d turn.", "The game took %(count)d turns.", view["turns"]) % {
        "count": view["turns"]
    }
    words = _("The last card was %(card)s.") % {"card": describe_kind(view["top"]).name}
    return macro(FILE, "story")(describe_kind(view["top"]), f"{words} {turns}")
