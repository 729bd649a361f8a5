"""What stored values of rounds, results, entrants, jobs and steps are called in the admin."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.admin.labels import Labels
from tournaments.flow.steps.kinds import EVENING_KINDS, KINDS, Kind
from tournaments.flow.steps.step_kind import Text
from tournaments.models import BackgroundJob, Entrant, PodSeat, Result, Round, Stage
from tournaments.words.terms import FORMATS, STAGES

ENTRANT_STATUS: Final[Labels] = {
    Entrant.Status.ENTERED: pgettext_lazy("status of an entrant", "signed up"),
    Entrant.Status.PRESENT: pgettext_lazy("status of an entrant", "checked in"),
    Entrant.Status.WITHDRAWN: pgettext_lazy("status of an entrant", "withdrawn"),
    Entrant.Status.WAITING: _("on the waiting list"),
}
ROUND_STATUS: Final[Labels] = {
    Round.Status.DRAWING: pgettext_lazy("status of a round", "being drawn"),
    Round.Status.DRAFT: pgettext_lazy("status of a round", "draft"),
    Round.Status.RELEASED: pgettext_lazy("status of a round", "released"),
    Round.Status.COMPLETE: pgettext_lazy("status of a round", "complete"),
}
ROUND_STAGES: Final[Labels] = {
    **{stage.value: FORMATS[stage.value] for stage in Stage if stage.value in FORMATS},
    **STAGES,
}
RESULT_STATUS: Final[Labels] = {
    Result.Status.PROPOSED: pgettext_lazy("status of a result", "to be confirmed"),
    Result.Status.ACCEPTED: pgettext_lazy("status of a result", "accepted"),
    Result.Status.REJECTED: pgettext_lazy("status of a result", "disputed"),
}
RESULT_SOURCES: Final[Labels] = {
    Result.Source.TABLE: pgettext_lazy("source of a result", "online table"),
    Result.Source.PLAYER: pgettext_lazy("source of a result", "player"),
    Result.Source.ORGANISER: pgettext_lazy("source of a result", "organiser"),
}
FATES: Final[Labels] = {
    PodSeat.Fate.PLAYS: pgettext_lazy("fate of a seat", "plays"),
    PodSeat.Fate.NO_SHOW: pgettext_lazy("fate of a seat", "no-show"),
    PodSeat.Fate.FORFEIT: pgettext_lazy("fate of a seat", "forfeit"),
}
JOB_KINDS: Final[Labels] = {
    BackgroundJob.Kind.RESTORE: pgettext_lazy("background job", "import an archive"),
    BackgroundJob.Kind.ARCHIVE: pgettext_lazy("background job", "archive of a tournament"),
    BackgroundJob.Kind.SEASON: pgettext_lazy("background job", "archive of a season"),
    BackgroundJob.Kind.PERSON: pgettext_lazy("background job", "data of a person"),
}
JOB_STATUS: Final[Labels] = {
    BackgroundJob.Status.WAITING: pgettext_lazy("status of a job", "waiting or under way"),
    BackgroundJob.Status.DONE: pgettext_lazy("status of a job", "done"),
    BackgroundJob.Status.FAILED: pgettext_lazy("status of a job", "failed"),
}


class _AnyNumber(int):
    """A number in a sentence that is about any number."""

    def __str__(self) -> str:
        return "…"


def _say_generally(template: Text) -> str:
    """A sentence with an ellipsis for each name and number."""
    return str(template % defaultdict(_AnyNumber))


STEP_KINDS: Final[Labels] = {
    **{kind: lazy(_say_generally, str)(one.label) for kind, one in {**EVENING_KINDS, **KINDS}.items() if one.label},
    Kind.FATE: _("recorded who played"),
    Kind.UNDO: _("undid or redid a step"),
}
"""Kinds of steps as the logs call them."""
