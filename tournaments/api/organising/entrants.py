"""Who is in a tournament: walk-ins, bots, imports, check-in, withdrawals, seeds, penalties, rules about pairs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.http import HttpRequest

from games.play.errors import BadInput
from games.play.sentences import say_sentence
from tournaments.api import tournaments
from tournaments.api.organising.acting import (
    ORGANISE,
    can_organise,
    digest_key,
    do_once,
    find_actor,
    find_entrant_ids,
    find_led,
    make_once_here,
)
from tournaments.api.organising.shapes import (
    EntrantIn,
    ImportedOut,
    ImportIn,
    MarkIn,
    NewEntrantIn,
    PairRuleIn,
    PairRuleOut,
    PenaltyIn,
)
from tournaments.api.readers import CHANGE_REFUSED, REFUSED, RefusalOut
from tournaments.api.routes import Router
from tournaments.api.shapes import EntrantOut, PenaltyOut
from tournaments.api.tournaments import describe_entrant, describe_entrants, list_penalties
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import attendance, imports, organiser_decisions, sign_up
from tournaments.flow.permissions import is_at_least, require_organiser, role_of
from tournaments.models import Entrant, PairRule, Role, Tournament, Venue

router = Router(tags=ORGANISE)
MARKS: Final[dict[str, Callable[..., None]]] = {
    "present": attendance.check_in,
    "missing": attendance.mark_missing,
    "away": partial(attendance.set_away, away=True),
    "back": partial(attendance.set_away, away=False),
    "device": partial(attendance.play_where, on_device=True),
    "room": partial(attendance.play_where, on_device=False),
    "withdraw": attendance.withdraw,
    "return": attendance.bring_back,
}


@tournaments.router.post(
    "/tournaments/{tournament_id}/entrants",
    tags=ORGANISE,
    auth=can_organise,
    response={200: EntrantOut, **CHANGE_REFUSED},
)
def add_entrant(request: HttpRequest, tournament_id: str, wanted: NewEntrantIn) -> Any:
    """Add somebody by name, or a bot. At check-in and later they count as present. The same `key` twice is one."""
    found = find_led(request, tournament_id)
    number = make_once_here(request, wanted.key, lambda: str(_add_entrant(request, found, wanted)))
    return describe_entrant(Entrant.objects.get(tournament=found, number=int(number)))


def _add_entrant(request: HttpRequest, found: Tournament, wanted: NewEntrantIn) -> int:
    """Returns the number of the new entrant. Raises NotAllowed, BadInput, Stale."""
    actor, now = find_actor(request), time.time()
    if not wanted.bot:
        sign_up.add_walk_in(found, actor, name=wanted.name, club_name=wanted.club, now=now)
    elif wanted.bot in draw_requests.list_levels(found.game):
        sign_up.add_bot(found, actor, name=wanted.name, level=wanted.bot, now=now)
    else:
        raise BadInput("There is no bot level “%(level)s”.", level=wanted.bot[:20])
    return found.entrants.order_by("-number").values_list("number", flat=True)[0]


@router.post(
    "/tournaments/{tournament_id}/import",
    auth=can_organise,
    response={200: ImportedOut, 422: RefusalOut, **CHANGE_REFUSED},
)
def import_entrants(request: HttpRequest, tournament_id: str, wanted: ImportIn) -> Any:
    """Import a list as CSV. People on the list stay on it. One bad line refuses all, unless `skip` is set."""
    found = find_led(request, tournament_id)
    require_organiser(found.club, find_actor(request))
    names = set(found.entrants.values_list("name", flat=True))
    levels = () if found.venue == Venue.REAL else draw_requests.list_levels(found.game)
    preview = imports.preview(wanted.csv, present=names, levels=levels, has_teams=found.team_size is not None)
    left_out = [(line.number, line.fault) for line in preview.bad if line.fault]
    if left_out and not wanted.skip:
        number, fault = left_out[0]
        raise BadInput("Line %(line)s: %(why)s", line=number, why=say_sentence(fault))
    added = make_once_here(
        request,
        wanted.key,
        lambda: str(sign_up.add_imported(found, find_actor(request), preview.good, now=time.time())),
    )
    return {
        "added": int(added),
        "left_out": [{"line": number, "sentence": say_sentence(fault)} for number, fault in left_out],
        "doubts": [say_sentence(doubt) for doubt in preview.doubts],
        "entrants": describe_entrants(found),
    }


@router.post(
    "/tournaments/{tournament_id}/attendance", auth=can_organise, response={200: list[EntrantOut], **CHANGE_REFUSED}
)
def mark_entrants(request: HttpRequest, tournament_id: str, wanted: MarkIn) -> Any:
    """Check in, pause, move, withdraw or return these entrants, in one step. The answer is all entrants."""
    found = find_led(request, tournament_id)
    ids = find_entrant_ids(found, wanted.entrants)
    actor = find_actor(request)
    do_once(request, wanted.key, lambda: MARKS[wanted.mark](found, actor, ids, now=time.time()))
    entrants = describe_entrants(found)
    if is_at_least(role_of(found.club, actor.pk), Role.ORGANISER):
        return entrants
    return [entrant | {"fixed_table": None} for entrant in entrants]


@router.post(
    "/tournaments/{tournament_id}/entrants/{entrant}", auth=can_organise, response={200: EntrantOut, **CHANGE_REFUSED}
)
def change_entrant(request: HttpRequest, tournament_id: str, entrant: int, wanted: EntrantIn) -> Any:
    """Correct a name, set a seed, or keep a table for somebody."""
    found = find_led(request, tournament_id)
    [pk] = find_entrant_ids(found, [entrant])
    actor = find_actor(request)

    def act() -> None:
        if wanted.name is not None:
            organiser_decisions.rename(found, actor, pk, wanted.name, now=time.time())
        if "seed" in wanted.model_fields_set:
            organiser_decisions.seed(found, actor, pk, wanted.seed, now=time.time())
        if "fixed_table" in wanted.model_fields_set:
            organiser_decisions.fix_table(found, actor, pk, wanted.fixed_table, now=time.time())

    do_once(request, wanted.key, act)
    return describe_entrant(Entrant.objects.get(pk=pk))


@router.post(
    "/tournaments/{tournament_id}/penalties", auth=can_organise, response={200: list[PenaltyOut], **CHANGE_REFUSED}
)
def penalise_entrant(request: HttpRequest, tournament_id: str, wanted: PenaltyIn) -> Any:
    """Take points away, or give some. Send a `key`: the same one twice is one penalty. The answer is all penalties."""
    found = find_led(request, tournament_id)
    [pk] = find_entrant_ids(found, [wanted.entrant])
    organiser_decisions.penalise(
        found, find_actor(request), pk, points=wanted.points, reason=wanted.reason,
        key=digest_key(request, wanted.key), now=time.time(),
    )  # fmt: skip
    return list_penalties(found)


@router.get("/tournaments/{tournament_id}/pair-rules", auth=can_organise, response={200: list[PairRuleOut], **REFUSED})
def list_pair_rules(request: HttpRequest, tournament_id: str) -> Any:
    """Who may not meet, and who sits together."""
    found = find_led(request, tournament_id)
    require_organiser(found.club, find_actor(request))
    return _list_rules(found)


@router.post(
    "/tournaments/{tournament_id}/pair-rules", auth=can_organise, response={200: list[PairRuleOut], **CHANGE_REFUSED}
)
def set_pair_rule(request: HttpRequest, tournament_id: str, wanted: PairRuleIn) -> Any:
    """Set a rule for two people: they may not meet, they sit together, or neither. The answer is all rules."""
    found = find_led(request, tournament_id)
    first, second = find_entrant_ids(found, [wanted.first, wanted.second])
    kind = None if wanted.kind is None else PairRule.Kind(wanted.kind)
    do_once(
        request,
        wanted.key,
        lambda: organiser_decisions.rule_pair(found, find_actor(request), first, second, kind, now=time.time()),
    )
    return _list_rules(found)


def _list_rules(found: Tournament) -> list[dict[str, Any]]:
    rows = PairRule.objects.filter(tournament=found).order_by("pk").values("first__number", "second__number", "kind")
    return [{"first": row["first__number"], "second": row["second__number"], "kind": row["kind"]} for row in rows]
