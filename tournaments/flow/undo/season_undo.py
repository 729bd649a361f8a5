"""Undo and redo of the steps of a season, as `step_undo` does it for tournaments."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Player
from games.play.errors import NotFound, Refusal, Stale
from tournaments.flow.permissions import require_organiser
from tournaments.flow.seasons.season_phases import require_all_finished, require_open
from tournaments.flow.steps.kinds import KINDS, Kind
from tournaments.flow.steps.recorder import SeasonStep, read_changes, take_season_step
from tournaments.flow.steps.step_kind import Need
from tournaments.flow.undo import undo_offers
from tournaments.flow.undo.row_values import restore_rows
from tournaments.flow.undo.step_undo import FINAL_KINDS, is_candidate, is_redo, is_reverted, origin_of
from tournaments.models import Season, Step


def revert(season: Season, actor: Player | None, number: int, *, now: float) -> None:
    """Undo a step; of an undo, redo what was undone. Idempotent.

    Raises NotAllowed, NotFound, Stale if later steps depend on it, or the season is over.
    """
    require_organiser(season.club, actor)
    with take_season_step(season.pk, Kind.UNDO, actor=actor, now=now) as step:
        _revert(step, number)


def _revert(step: SeasonStep, number: int) -> None:
    """Within a step: restore the rows."""
    found = Step.objects.filter(season=step.season, number=number).first()
    if found is None:
        raise NotFound("This step does not exist.")
    if is_reverted(found):
        return
    origin = origin_of(found)
    if origin.kind in FINAL_KINDS:
        raise Stale("This step cannot be undone. If a result is wrong, an organiser can decide it again.")
    kind, is_again = KINDS[origin.kind], is_redo(found)
    if not kind.is_open_after_end:
        require_open(step.season)
    restore_rows(step, list(reversed(read_changes(found))))
    if is_again and Need.ALL_PLAYED in kind.redo_leaves:
        require_all_finished(step)
    step.reverts = found
    step.details = {"kind": origin.kind, "redo": is_again, "step": origin.number}


def can_offer(step: Step, season: Season, *, now: float) -> bool:
    """Whether this step could be undone (an undo: redone) now. It is tried in a transaction that is rolled back."""
    if not is_candidate(step, season):
        return False
    try:
        with take_season_step(season.pk, Kind.UNDO, actor=None, now=now) as taking:
            _revert(taking, step.number)
            raise _Possible
    except _Possible:
        return True
    except Refusal:
        return False


class _Possible(Exception):
    """Rolls back a trial undo that succeeded."""


def find_offered(season: Season, steps: Sequence[Step], *, now: float) -> frozenset[int]:
    """The numbers of the steps that can be undone or redone. steps: loaded with their changes."""
    likely = undo_offers.list_standing([step for step in steps if is_candidate(step, season)])
    return frozenset(step.number for step in likely if can_offer(step, season, now=now))
