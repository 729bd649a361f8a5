"""What the pages of a season share: the template context of their frame."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.presenters.names import name_game
from tournaments.models import Phase, Role, Season
from tournaments.views.lookups import find_page_version, is_organiser
from tournaments.words.terms import PHASES


def build_frame(_request: HttpRequest, season: Season, role: Role | None, page: str) -> dict[str, Any]:
    """The template context of the header and tabs around each page of a season. page: the slug of the open tab."""
    return {
        "season": season,
        "phase": PHASES[season.phase],
        "game": name_game(season.game) if season.game else _("All games"),
        "role": role,
        "is_organiser": is_organiser(role),
        "page": page,
        "stamp": find_page_version(season),
        "is_called_off": season.phase == Phase.CALLED_OFF,
    }
