"""The form field for tie-breaks: one choice after the other, in order. It needs no script and no typing of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.words import terms

NONE = pgettext_lazy("tie-break", "none")


class OrderedSelects(forms.Widget):
    """As many selects as there are choices, in an ordered list and all of one name. Its value is a list of names."""

    use_fieldset = True

    def __init__(self, choices: Iterable[tuple[str, terms.Text]]) -> None:
        super().__init__()
        self.choices = tuple(choices)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """The chosen names in order. Older pages send all of them in one text."""
        given = data.getlist(name) if hasattr(data, "getlist") else data.get(name, ())
        texts = [given] if isinstance(given, str) else given
        return [word for text in texts for word in str(text).split()]

    def id_for_label(self, id_: str) -> str:
        """That of the first select."""
        return f"{id_}_0" if id_ else id_

    def render(self, name: str, value: Any, attrs: Mapping[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """The list of selects."""
        settings = {**(attrs or {})}
        valid = [item for item in value or () if item in dict(self.choices)]
        chosen = [*valid, *[""] * len(self.choices)][: len(self.choices)]
        rows = (
            (
                format_html(
                    '<select name="{}" id="{}_{}" aria-label="{}"{}>{}</select>',
                    name,
                    settings.get("id", f"id_{name}"),
                    at,
                    gettext("Tie-break %(number)s") % {"number": at + 1},
                    SafeString(" disabled" if settings.get("disabled") else ""),
                    self._render_options(one),
                ),
            )
            for at, one in enumerate(chosen)
        )
        return format_html(
            '<ol class="in-order" data-up="{}" data-down="{}"{}>{}</ol>',
            gettext("Move up: tie-break"),
            gettext("Move down: tie-break"),
            flatatt({key: value for key, value in self.attrs.items() if key.startswith("data-")}),
            format_html_join("", "<li>{}</li>", rows),
        )

    def _render_options(self, chosen: str) -> SafeString:
        options = (
            (one, SafeString(" selected" if one == chosen else ""), label) for one, label in (("", NONE), *self.choices)
        )
        return format_html_join("", '<option value="{}"{}>{}</option>', options)


class TieBreaksField(forms.Field):
    """Tie-breaks of these names, each at most once; cleaned to a list of names."""

    def __init__(self, names: Iterable[str], **settings: Any) -> None:
        choices = [(name, terms.TIE_BREAKS[name]) for name in names]
        super().__init__(label=_("Tie-breaks, in order"), required=False, widget=OrderedSelects(choices), **settings)

    def to_python(self, value: Any) -> list[str]:
        """A list of names, as they were chosen."""
        return list(value or ())

    def validate(self, value: Any) -> None:
        """Raises ValidationError for one that is chosen twice."""
        for at, name in enumerate(value):
            if name in value[:at] and name in terms.TIE_BREAKS:
                raise forms.ValidationError(
                    _("You chose “%(name)s” twice. Choose each tie-break only once."),
                    params={"name": terms.TIE_BREAKS[name]},
                )
