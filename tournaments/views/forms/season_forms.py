"""The form of a season's plan, and fields for points that the forms of tournaments share."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.presenters.names import GAMES
from games.rules import registry
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.scoring.points import read_points
from tournaments.scoring.seasons import TIE_BREAKS as SEASON_TIE_BREAKS
from tournaments.views.forms.tie_break_field import TieBreaksField
from tournaments.words import terms


class PointsField(forms.DecimalField):
    """Points typed as rounds won (0.5; 0.33 is a third), cleaned to whole 840ths."""

    def __init__(self, *, least: int = -1000, **settings: Any) -> None:
        super().__init__(min_value=least, max_value=1000, decimal_places=2, **settings)

    def clean(self, value: Any) -> Any:
        """Whole 840ths. A disabled field holds them already."""
        if self.disabled:
            return value
        number = super().clean(value)
        return None if number is None else read_points(float(number))

    def prepare_value(self, value: Any) -> Any:
        """Whole 840ths as rounds won, for the form."""
        return terms.say_points(value).replace(",", ".") if isinstance(value, int) else value


class SeasonForm(forms.Form):
    """The plan of a season."""

    name = forms.CharField(label=_("Name of the season"), min_length=2, max_length=80)
    game = forms.ChoiceField(label=_("Game"), required=False)
    best_of = forms.IntegerField(
        label=_("Number of tournaments that count"), required=False, min_value=1, max_value=100,
        help_text=_("Each person's best ones count. Leave empty to count all."),
    )  # fmt: skip
    points = forms.ChoiceField(
        label=_("Points for a tournament"), choices=list(terms.POINTS_OF_SEASON.items()), initial="beaten",
        help_text=_("Share of opponents beaten: 1 for first place, 0 for last place."),
    )  # fmt: skip
    points_table = forms.CharField(label=_("Points by place, from first place down"), initial="10, 7, 5, 4, 3, 2, 1")
    tie_breaks = TieBreaksField(
        SEASON_TIE_BREAKS, initial=list(SEASON_TIE_BREAKS),
        help_text=_("The first one decides between equal points, then the next one."),
    )  # fmt: skip
    about = forms.CharField(
        label=_("Description"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
    is_public = forms.BooleanField(label=_("Visible to everyone"), required=False, initial=True)

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        games = [("", _("All games")), *((slug, GAMES[slug].name) for slug in registry.slugs() if slug in GAMES)]
        self.fields["game"].choices = games  # type: ignore[attr-defined]
        self.fields["points_table"].widget.attrs |= {"data-by": "points", "data-values": "table"}

    def clean_points_table(self) -> list[int]:
        """The points by place as whole numbers."""
        return read_points_table(self.cleaned_data["points_table"])

    def clean_tie_breaks(self) -> list[str]:
        """The names of the tie-breaks, in order."""
        names: list[str] = self.cleaned_data["tie_breaks"]
        if set(names) - set(SEASON_TIE_BREAKS):
            raise forms.ValidationError(_("Choose each tie-break from the list."))
        return names

    def season_plan(self) -> SeasonPlan:
        """The valid form as a plan."""
        return SeasonPlan(**self.cleaned_data)

    @staticmethod
    def initial_of(plan: SeasonPlan) -> dict[str, Any]:
        """The initial values for a plan, with those tie-breaks that exist for seasons."""
        breaks = [name for name in plan.tie_breaks if name in SEASON_TIE_BREAKS]
        return {
            "name": plan.name, "game": plan.game, "best_of": plan.best_of, "about": plan.about,
            "points": plan.points, "points_table": ", ".join(map(str, plan.points_table)),
            "tie_breaks": breaks, "is_public": plan.is_public,
        }  # fmt: skip


def read_points_table(text: str) -> list[int]:
    """Up to 20 whole numbers, separated by spaces, commas or dashes. Raises ValidationError."""
    parts = text.replace(",", " ").replace("-", " -").split()
    try:
        return [int(part) for part in parts][:20]
    except ValueError as error:
        raise forms.ValidationError(_("Enter points as whole numbers, for example: 5, 3, 2, 1.")) from error
