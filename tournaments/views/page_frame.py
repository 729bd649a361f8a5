"""What the pages of a tournament share: the template context of their frame, and the chosen round."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.accounts.current_player import player_id, player_of
from games.presenters.names import GAMES
from tournaments import formats
from tournaments.flow.permissions import ON_DUTY_IN, list_duties
from tournaments.models import Duty, Phase, Role, Round, Tournament
from tournaments.views.duplicate_promise import find_shown_commitment
from tournaments.views.lookups import find_page_version, is_organiser
from tournaments.words.terms import FORMATS, PHASES


def build_frame(request: HttpRequest, tournament: Tournament, role: Role | None, page: str) -> dict[str, Any]:
    """The template context of the header and tabs around each page of a tournament. page: the slug of the open tab."""
    return {
        "tournament": tournament,
        "phase": PHASES[tournament.phase],
        "format": FORMATS[tournament.format],
        "traits": formats.of(tournament),
        "game": GAMES[tournament.game].name if tournament.game in GAMES else tournament.game,
        "role": role,
        "is_organiser": is_organiser(role),
        "page": page,
        "stamp": find_page_version(tournament),
        "season": tournament.season if tournament.season_id else None,
        "is_live": tournament.phase in (Phase.ENTRY, Phase.CHECK_IN, Phase.RUNNING),
        "is_called_off": tournament.phase == Phase.CALLED_OFF,
        "duties": _list_duties(request, tournament, role),
        "promise": find_shown_commitment(tournament, player_of(request)),
    }


def _list_duties(request: HttpRequest, tournament: Tournament, role: Role | None) -> frozenset[str]:
    """The pages of a night's duties that the reader can open. An organiser has the results on the console."""
    if tournament.phase not in ON_DUTY_IN:
        return frozenset()
    if is_organiser(role):
        return frozenset() if tournament.phase == Phase.PLANNED else frozenset({Duty.DOOR})
    return frozenset(list_duties(tournament, player_id(request)))


def choose_round(request: HttpRequest, rounds: list[Round]) -> Round | None:
    """The round named by `?round=`, else the last of `rounds`; None if there are none."""
    wanted = request.GET.get("round", "")
    found = [played for played in rounds if str(played.number) == wanted]
    return found[0] if found else (rounds[-1] if rounds else None)
