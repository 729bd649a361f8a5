"""What templates ask of the games' words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html

from games.live.presenters.shared_words import describe_options
from games.names import name_animal, name_game

register = template.Library()


@register.filter
def agreed(options: Mapping[str, Any], game: str) -> str:
    """A table's options in words: "3 deals · 30 minutes"."""
    return " · ".join(describe_options(game, options))


@register.filter
def animal(slug: str) -> str:
    """The name of an animal."""
    return name_animal(slug)


@register.filter
def minutes(seconds: float) -> str:
    """A time in a game, "2:05"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


@register.filter
def game_name(slug: str) -> str:
    """The name of a game."""
    return name_game(slug)


@register.filter
def day(at: float | None) -> str:
    """The day of a moment (UTC), in the reader's way of writing it."""
    return "" if at is None else date_format(datetime.fromtimestamp(at, tz=UTC), "SHORT_DATE_FORMAT")


@register.filter
def clock_time(at: float | None) -> str:
    """Seconds since 1970 as hour and minute; the page's script says them in the reader's own time."""
    if at is None:
        return ""
    moment = datetime.fromtimestamp(at, tz=UTC)
    return format_html('<time datetime="{}" data-clock>{}</time>', moment.isoformat(), f"{moment:%H:%M}")
