"""What templates ask of the games' words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from games.live.presenters.shared_words import describe_options
from games.names import name_animal

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
