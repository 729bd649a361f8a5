"""What the pages of a season share: the frame around their content."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.presenters.names import name_game
from tournaments.models import Phase, Role, Season
from tournaments.views.lookups import is_organiser, stamp
from tournaments.words.terms import PHASES


def frame(_request: HttpRequest, season: Season, role: Role | None, page: str) -> dict[str, Any]:
    """What every page of a season shows around its content."""
    return {
        "season": season,
        "phase": PHASES[season.phase],
        "game": name_game(season.game) if season.game else _("All games"),
        "role": role,
        "is_organiser": is_organiser(role),
        "page": page,
        "stamp": stamp(season),
        "is_called_off": season.phase == Phase.CALLED_OFF,
    }
