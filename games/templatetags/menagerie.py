"""What templates ask of the games' words."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.models.texts import say_percent
from games.presenters.names import find_colour, find_emblem, name_animal, name_game
from games.presenters.render import count_decimals
from games.presenters.script_imports import list_imports
from games.presenters.table_texts import describe_options

register = template.Library()
register.filter("decimals", count_decimals)
register.filter("percent", say_percent)


@register.simple_tag
def once() -> SafeString:
    """A hidden field for a form that makes something: sent twice, it makes it once (`games.views.forms.sent_key`)."""
    return format_html('<input type="hidden" name="once" value="{}" data-once>', secrets.token_urlsafe(12))


@register.simple_tag
def preload_imports(*scripts: str | Sequence[str]) -> SafeString:
    """Links to what these scripts import, each a static file or several."""
    names = [name for given in scripts for name in ([given] if isinstance(given, str) else given)]
    links = ((static(path),) for path in list_imports(tuple(names)))
    return format_html_join("", '<link rel="modulepreload" href="{}">', links)


@register.filter
def agreed(options: Mapping[str, Any], game: str) -> str:
    """A table's options in words: "3 deals · 30 minutes"."""
    return " · ".join(describe_options(game, options))


@register.filter
def entry(entries: Mapping[str, Any], key: str) -> Any:
    """The entry of a mapping with this key; None without one."""
    return entries.get(key)


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


@register.simple_tag
def game_tile(slug: str) -> SafeString:
    """A game's small picture, for the beginning of a row; its name stands beside it."""
    return format_html(
        '<span class="game-tile ground-{}" aria-hidden="true"><i class="{}"></i></span>',
        find_colour(slug),
        find_emblem(slug),
    )


@register.filter
def date_chip(at: datetime | None) -> str:
    """A day as a leaf of a calendar. The moment in words stands beside it."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    return format_html(
        '<time class="date-chip" datetime="{}" data-chip aria-hidden="true"><b>{}</b><span>{}</span></time>',
        local.isoformat(),
        local.day,
        date_format(local, "M"),
    )


def _local_time(at: float) -> datetime:
    return datetime.fromtimestamp(at, tz=timezone.get_current_timezone())


@register.filter
def day(at: float | None) -> str:
    """The day of a moment where the reader is, in their language's format."""
    return "" if at is None else date_format(_local_time(at), "SHORT_DATE_FORMAT")


@register.filter
def moment(at: datetime | None) -> str:
    """A day and its time where the reader is; where the server does not know that yet, the page's script does."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    text = date_format(local, "SHORT_DATETIME_FORMAT")
    return format_html('<time datetime="{}" data-moment>{}</time>', local.isoformat(), text)


@register.filter
def moment_of(at: int) -> str:
    """The same of milliseconds since 1970."""
    return moment(_local_time(at / 1000))


@register.filter
def moment_at(at: float) -> str:
    """The same of seconds since 1970."""
    return moment(_local_time(at))


@register.filter
def clock_time(at: float | None) -> str:
    """Seconds since 1970 as hour and minute where the reader is; the page's script writes them in their format."""
    if at is None:
        return ""
    moment = _local_time(at)
    return format_html('<time datetime="{}" data-clock>{}</time>', moment.isoformat(), f"{moment:%H:%M}")
