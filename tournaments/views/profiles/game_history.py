"""The page of all tables of a person, and how a table of theirs is described."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.models import Player
from games.presenters.names import name_game
from tournaments.flow.profiles import game_history, queries
from tournaments.models import PersonResult
from tournaments.views.lookups import read_query_number, read_search
from tournaments.views.profiles.careers import say_day


@require_safe
def show_games(request: HttpRequest, person: int) -> HttpResponse:
    """All tables of a person: `?page=`, `?game=`, and `?q=` for those with somebody. Raises NotFound, NotAllowed."""
    player = queries.find_person(person, player_id(request))
    played = [row.game for row in queries.sum_games(queries.list_totals(player))]
    game = request.GET.get("game", "")
    game = game if game in played else ""
    wanted = read_search(request)
    page = game_history.list_tables(player, game=game, wanted=wanted, number=read_query_number(request, "page", 1))
    given = {name: value for name, value in (("game", game), ("q", wanted)) if value}
    context = {
        "person": player,
        "games": [(slug, name_game(slug)) for slug in played],
        "game": game,
        "wanted": wanted,
        "page": page,
        "search": f"&{urlencode(given)}" if given else "",
        "tables": describe_tables(player, page.results),
    }
    return render(request, "people/history.html", context)


def describe_tables(player: Player, results: Sequence[PersonResult]) -> list[dict[str, Any]]:
    """Tables of a person in a list, with the other people at each."""
    companions = game_history.find_companions(player, results)
    return [_describe_result(result) | _describe_companions(companions[result.counted_id]) for result in results]


def _describe_companions(companions: game_history.Companions) -> dict[str, Any]:
    others = companions.others
    more = ngettext("and %(count)s more", "and %(count)s more", others) % {"count": others} if others else ""
    return {"with": companions.named, "more": more}


def _describe_result(result: PersonResult) -> dict[str, Any]:
    """A table of a person in a list: game, day, place, and where it can be looked at."""
    table, pod = result.counted.table, result.counted.pod
    tournament = pod.round.tournament if pod is not None else None
    return {
        "name": name_game(result.game),
        "game": result.game,
        "day": say_day(result.ended_at),
        "place": result.place,
        "of": result.of,
        "score": result.score,
        "table": table.pk if table is not None and table.is_public else "",
        "tournament": tournament if tournament is not None and tournament.is_public else None,
        "round": pod.round.number if pod is not None else 0,
        "number": pod.number if pod is not None else 0,
        "is_real": pod is not None,
    }
