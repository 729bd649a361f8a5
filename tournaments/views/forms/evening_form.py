"""The form of an evening; a valid one becomes an `EveningPlan`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.presenters.names import GAMES
from tournaments.flow.evenings.sessions import GAMES as TIMED_GAMES
from tournaments.flow.evenings.sessions import MINUTES, EveningPlan
from tournaments.flow.planning.plan_templates import MOST_WEEKS
from tournaments.views.forms.moment_form import MomentForm


class EveningForm(MomentForm):
    """The plan of an evening: game, start and length."""

    name = forms.CharField(label=_("Name of the evening"), min_length=2, max_length=80)
    game = forms.ChoiceField(label=_("Game"))
    minutes = forms.IntegerField(
        label=_("Length (minutes)"), min_value=MINUTES[0], max_value=MINUTES[-1], initial=90,
        help_text=_("After that, each table finishes its deal. You can change the end later."),
    )  # fmt: skip
    weeks = forms.IntegerField(
        label=_("Evenings, one a week"), required=False, min_value=1, max_value=MOST_WEEKS,
        help_text=_("Plans the same evening for this many weeks. Leave empty for one evening."),
    )  # fmt: skip
    EMPTY = _("Leave empty to start now.")
    field_order = ("name", "game", "minutes", "starts_at", "weeks")

    def __init__(self, data: Any = None, *, copied: EveningPlan | None = None, can_repeat: bool = False) -> None:
        """copied: the plan that the form begins with; can_repeat: whether it asks for weeks."""
        super().__init__(data, initial=None if copied is None else _list_values(copied))
        if not can_repeat:
            del self.fields["weeks"]
        self.fields["game"].choices = [(slug, GAMES[slug].name) for slug in TIMED_GAMES]  # type: ignore[attr-defined]

    def plan(self) -> EveningPlan:
        """The valid form as a plan."""
        data = self.cleaned_data
        starts_at = data["starts_at"].timestamp() if data["starts_at"] else None
        return EveningPlan(data["name"], data["game"], data["minutes"], starts_at)


def _list_values(plan: EveningPlan) -> dict[str, Any]:
    """The initial values for a plan."""
    starts_at = None if plan.starts_at is None else datetime.fromtimestamp(plan.starts_at, tz=UTC)
    return {"name": plan.name, "game": plan.game, "minutes": plan.minutes, "starts_at": starts_at}
