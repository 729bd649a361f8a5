"""The form of a club: name, description and settings."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Colour
from tournaments.words import terms


class ClubForm(forms.Form):
    """Name, description and settings of a club."""

    name = forms.CharField(label=_("Name of the club"), min_length=2, max_length=60)
    about = forms.CharField(
        label=_("Description"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
    place = forms.CharField(
        label=_("Where the club meets"),
        required=False,
        max_length=120,
        help_text=_("An address, or “online”. It is shown with the next night."),
    )
    colour = forms.ChoiceField(
        label=_("Colour of the club's page"), choices=list(terms.COLOURS.items()), required=False
    )
    is_public = forms.BooleanField(
        label=_("Visible to everyone (otherwise only to members)"), required=False, initial=True
    )
    can_talk = forms.BooleanField(
        label=_("Members may write their own messages, not only choose phrases"), required=False, initial=True
    )

    def clean_colour(self) -> str:
        """The chosen colour; that of new clubs without a choice."""
        return self.cleaned_data["colour"] or Colour.FELT
