"""Decisions of organisers about entrants: names, seeds, fixed tables, penalties, pair rules."""

from __future__ import annotations

from games.models import Player
from games.play.errors import BadInput
from tournaments import formats
from tournaments.flow.entry.entrant_names import clean_name, is_taken
from tournaments.flow.entry.entry_deadline import list_stages, next_round, require_going, require_no_draw
from tournaments.flow.entry.sign_up import find_entrants
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.models import PairRule, Penalty, Round, Tournament


def rename(tournament: Tournament, actor: Player | None, entrant_id: int, name: str, *, now: float) -> None:
    """Correct a name. Raises NotAllowed, BadInput."""
    require_organiser(tournament.club, actor)
    name = clean_name(name)
    with take_step(tournament.pk, Kind.RENAME, actor=actor, now=now) as step:
        for entrant in find_entrants(step.tournament, [entrant_id]):
            if is_taken(step.tournament, name, besides=entrant.pk):
                raise BadInput(
                    "“%(name)s” is already in this tournament. Add a letter to tell the two apart.", name=name
                )
            step.details |= {"before": entrant.name, "name": name}
            step.change(entrant, name=name)


LARGEST_SEED = 99_999
"""Imports take five digits."""


def seed(tournament: Tournament, actor: Player | None, entrant_id: int, place: int | None, *, now: float) -> None:
    """Say how strong somebody is before the first draw, 1 the strongest; None: not. Of equal seeds the lot decides.

    Idempotent. Raises NotAllowed, NotFound, BadInput, Stale.
    """
    require_organiser(tournament.club, actor)
    if place is not None and not 1 <= place <= LARGEST_SEED:
        raise BadInput("A seed must be a whole number from 1 (the strongest).")
    with take_step(tournament.pk, Kind.SEED, actor=actor, now=now) as step:
        require_going(step.tournament)
        if not formats.of(step.tournament).takes_seeds:
            raise BadInput("This format does not use seeds.")
        require_no_draw(step.tournament)
        for entrant in find_entrants(step.tournament, [entrant_id]):
            step.details["name"] = entrant.name
            step.details |= {"as": "none"} if place is None else {"place": str(place)}
            if entrant.rank_hint != place:
                step.change(entrant, rank_hint=place)


LARGEST_TABLE = 9_999
"""Numbers of real tables have four digits."""


def fix_table(tournament: Tournament, actor: Player | None, entrant_id: int, table: int | None, *, now: float) -> None:
    """Say at which real table somebody always sits, from the next draw on; None: at any. Idempotent.

    Raises NotAllowed, NotFound, BadInput, Stale.
    """
    require_organiser(tournament.club, actor)
    if table is not None and not 1 <= table <= LARGEST_TABLE:
        raise BadInput("The number of a table is a whole number from 1 to 9,999.")
    with take_step(tournament.pk, Kind.FIXED_TABLE, actor=actor, now=now) as step:
        require_going(step.tournament)
        for entrant in find_entrants(step.tournament, [entrant_id]):
            step.details["name"] = entrant.name
            step.details |= {"as": "none"} if table is None else {"table": str(table)}
            step.change(entrant, fixed_table=table)


def penalise(
    tournament: Tournament, actor: Player | None, entrant_id: int, *, points: int, reason: str, key: str, now: float
) -> None:
    """Take points away, in 840ths (negative: give), for the present round. key: once only. Raises BadInput."""
    require_organiser(tournament.club, actor)
    reason = " ".join(reason.split())
    if not reason or len(reason) > 200 or not reason.isprintable() or not -840_000 <= points <= 840_000 or not points:
        raise BadInput("A penalty needs points and a reason of up to 200 characters.")
    with take_step(tournament.pk, Kind.PENALTY, actor=actor, now=now, key=key, points=points, reason=reason) as step:
        if step.is_repeat:
            return
        require_going(step.tournament)
        if not formats.of(step.tournament).columns.has_points or list_stages(step).exists():
            raise BadInput("A knockout has no points to take away. Only results decide who advances.")
        for entrant in find_entrants(step.tournament, [entrant_id]):
            number = max(1, next_round(step) - 1)
            row = Penalty(
                tournament=step.tournament, entrant=entrant, round_number=number, points=points, reason=reason
            )
            step.create(row)
            step.details["name"] = entrant.name


def rule_pair(
    tournament: Tournament,
    actor: Player | None,
    first_id: int,
    second_id: int,
    kind: PairRule.Kind | None,
    *,
    now: float,
) -> None:
    """Set the rule for a pair: they may not meet, sit together, or None. Idempotent. Raises NotAllowed, BadInput."""
    require_organiser(tournament.club, actor)
    if first_id == second_id:
        raise BadInput("Choose two different people.")
    first_id, second_id = sorted((first_id, second_id))
    with take_step(tournament.pk, Kind.PAIR_RULE, actor=actor, now=now, rule=kind) as step:
        require_going(step.tournament)
        if kind is not None and kind not in formats.of(step.tournament).pair_kinds:
            raise BadInput("This format does not use such rules. Only results decide who sits together.")
        if kind is not None and _is_by_results(step):
            raise BadInput("The knockout does not use such rules. Only results decide who sits together.")
        first, second = find_entrants(step.tournament, [first_id, second_id])
        step.details |= {"first": first.name, "second": second.name}
        rule = PairRule.objects.filter(tournament=step.tournament, first=first, second=second).first()
        if rule is not None and rule.kind == kind:
            return
        if rule is not None:
            step.delete(rule)
        if kind is not None:
            step.create(PairRule(tournament=step.tournament, first=first, second=second, kind=kind))


def _is_by_results(step: TournamentStep) -> bool:
    rounds = list(Round.objects.filter(tournament=step.tournament).order_by("number"))
    return formats.of(step.tournament).is_by_results(step.tournament, rounds, next_round(step))
