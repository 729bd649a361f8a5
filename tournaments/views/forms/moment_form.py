"""Forms with a start time, read in the time zone in which they were shown."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.time_zones import find_zone, in_zone
from tournaments.words import terms


class MomentForm(forms.Form):
    """A form with `starts_at`, read in the time zone in which it was shown (hidden field `zone`)."""

    EMPTY: ClassVar[terms.Text] = ""
    """What an empty `starts_at` means, as a sentence of its help text."""

    starts_at = forms.DateTimeField(
        label=_("Start time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial={**(initial or {}), "zone": get_current_timezone_name()})
        zone = find_zone(self["zone"].value()) or get_current_timezone_name()
        hint = gettext("Your time zone: %(zone)s.") % {"zone": str(zone).replace("_", " ")}
        self.fields["starts_at"].help_text = f"{self.EMPTY} {hint}".strip()

    def full_clean(self) -> None:
        """Clean in the time zone of the form."""
        with in_zone(self.data.get("zone")):
            super().full_clean()
