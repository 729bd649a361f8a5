"""What Super Zwierzaki adds to the end screen: the cards that everybody had left, and the last card."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.super_zwierzaki.presenter.faces import describe_kind
from games.catalogue.super_zwierzaki.rules.view import SuperZwierzakiView
from games.presenters.contract import EndNote
from games.presenters.render import macro

FILE = "super_zwierzaki.jinja"


def notes(view: SuperZwierzakiView) -> list[EndNote]:
    """How many cards each had left."""
    return [
        EndNote(
            ngettext("%(count)d card left", "%(count)d cards left", size) % {"count": size}
            if size
            else _("no cards left")
        )
        for size in view["hand_sizes"]
    ]


def story(view: SuperZwierzakiView) -> str:
    """The last card, and how long it took."""
    turns = ngettext("The game took %(count)d turn.", "The game took %(count)d turns.", view["turns"]) % {
        "count": view["turns"]
    }
    words = _("The last card was %(card)s.") % {"card": describe_kind(view["top"]).name}
    return macro(FILE, "story")(describe_kind(view["top"]), f"{words} {turns}")
