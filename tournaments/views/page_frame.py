"""What the pages of a tournament share: the frame around their content, and the round that a reader has chosen."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.accounts.current_player import player_of
from games.presenters.names import GAMES
from tournaments import formats
from tournaments.models import Phase, Role, Round, Tournament
from tournaments.views.duplicate_promise import find_promise
from tournaments.views.lookups import is_organiser, stamp
from tournaments.words.terms import FORMATS, PHASES


def frame(request: HttpRequest, tournament: Tournament, role: Role | None, page: str) -> dict[str, Any]:
    """What every page of a tournament shows around its content."""
    return {
        "tournament": tournament,
        "phase": PHASES[tournament.phase],
        "format": FORMATS[tournament.format],
        "traits": formats.of(tournament),
        "game": GAMES[tournament.game].name if tournament.game in GAMES else tournament.game,
        "role": role,
        "is_organiser": is_organiser(role),
        "page": page,
        "stamp": stamp(tournament),
        "season": tournament.season if tournament.season_id else None,
        "is_live": tournament.phase in (Phase.ENTRY, Phase.CHECK_IN, Phase.RUNNING),
        "is_called_off": tournament.phase == Phase.CALLED_OFF,
        "promise": find_promise(tournament, player_of(request)),
    }


def choose_round(request: HttpRequest, rounds: list[Round]) -> Round | None:
    """The round that the reader asks for (`?round=`), else the last one; None where there is none."""
    wanted = request.GET.get("round", "")
    found = [one for one in rounds if str(one.number) == wanted]
    return found[0] if found else (rounds[-1] if rounds else None)
