"""The form of an evening; a valid one becomes an `EveningPlan`."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.presenters.names import GAMES
from tournaments.flow.evenings.sessions import GAMES as TIMED_GAMES
from tournaments.flow.evenings.sessions import MINUTES, EveningPlan
from tournaments.views.forms.moment_form import MomentForm


class EveningForm(MomentForm):
    """The plan of an evening: game, start and length."""

    name = forms.CharField(label=_("Name of the evening"), min_length=2, max_length=80)
    game = forms.ChoiceField(label=_("Game"))
    minutes = forms.IntegerField(
        label=_("Length (minutes)"), min_value=MINUTES[0], max_value=MINUTES[-1], initial=90,
        help_text=_("After that, each table finishes its deal. You can change the end later."),
    )  # fmt: skip
    EMPTY = _("Leave empty to start now.")
    field_order = ("name", "game", "minutes", "starts_at")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["game"].choices = [(slug, GAMES[slug].name) for slug in TIMED_GAMES]  # type: ignore[attr-defined]

    def plan(self) -> EveningPlan:
        """The valid form as a plan."""
        data = self.cleaned_data
        starts_at = data["starts_at"].timestamp() if data["starts_at"] else None
        return EveningPlan(data["name"], data["game"], data["minutes"], starts_at)
