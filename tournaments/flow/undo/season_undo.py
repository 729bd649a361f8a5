"""Taking steps of a season back, and taking that back, as in a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Player
from games.play.errors import NotFound, Refusal, Stale
from tournaments.flow.permissions import require_organiser
from tournaments.flow.seasons.season_phases import require_all_finished, require_open
from tournaments.flow.steps.kinds import KINDS, Kind, Need
from tournaments.flow.steps.recorder import SeasonStep, read_changes, take_in_season
from tournaments.flow.undo import undo_offers
from tournaments.flow.undo.row_values import put_back
from tournaments.flow.undo.step_undo import FOR_GOOD, is_candidate, is_redo, is_reverted, origin_of
from tournaments.models import Season, Step


def revert(season: Season, actor: Player | None, number: int, *, now: float) -> None:
    """Take one step back. Of an undo: do again what was undone. Twice is once.

    Raises NotAllowed, NotFound, Stale if something rests on it, or the season is over.
    """
    require_organiser(season.club, actor)
    with take_in_season(season.pk, Kind.UNDO, actor=actor, now=now) as step:
        _revert(step, number)


def _revert(step: SeasonStep, number: int) -> None:
    """Within a step: put everything back."""
    found = Step.objects.filter(season=step.season, number=number).first()
    if found is None:
        raise NotFound("There is no such step.")
    if is_reverted(found):
        return
    origin = origin_of(found)
    if origin.kind in FOR_GOOD:
        raise Stale("This cannot be taken back: it is what was played. An organiser can decide a result instead.")
    kind, is_again = KINDS[origin.kind], is_redo(found)
    if not kind.is_open_after_end:
        require_open(step.season)
    put_back(step, list(reversed(read_changes(found))))
    if is_again and Need.ALL_PLAYED in kind.redo_leaves:
        require_all_finished(step)
    step.reverts = found
    step.details = {"kind": origin.kind, "redo": is_again, "step": origin.number}


def can_offer(step: Step, season: Season, *, now: float) -> bool:
    """Whether this step would be taken back, or done again: it is tried out, and nothing stays of it."""
    if not is_candidate(step, season):
        return False
    try:
        with take_in_season(season.pk, Kind.UNDO, actor=None, now=now) as taking:
            _revert(taking, step.number)
            raise _Possible
    except _Possible:
        return True
    except Refusal:
        return False


class _Possible(Exception):
    """Nothing was said against it."""


def find_offered(season: Season, steps: Sequence[Step], *, now: float) -> frozenset[int]:
    """The numbers of those of these steps, with their changes, that would be taken back or done again."""
    likely = undo_offers.list_standing([step for step in steps if is_candidate(step, season)])
    return frozenset(step.number for step in likely if can_offer(step, season, now=now))
