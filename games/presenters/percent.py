"""Shares in percent, as the reader's language writes them."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def say_percent(percent: float, *, decimals: int = 0, signed: bool = False) -> str:
    """ "12%", in German "12 %"; with a decimal "12.5%", "12,5 %"; signed: "+12%", "−12%"."""
    rounded = round(percent, decimals)
    number = number_format(f"{abs(rounded):.{decimals}f}", use_l10n=True)
    sign = "−" if rounded < 0 else "+" if signed else ""
    return _("%(number)s%%") % {"number": f"{sign}{number}"}
