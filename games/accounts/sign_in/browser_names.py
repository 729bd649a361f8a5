"""Readable names of browsers for lists of devices."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

_BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)  # fmt: skip


def describe_agent(agent: str) -> str:
    """A browser by its User-Agent header: "Firefox, Android"."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if re.search(rf"\b{mark}", agent)), "")
    return ", ".join(part for part in (browser, system) if part) or _("Browser")
