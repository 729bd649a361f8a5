"""Tournaments in a list, each drawn once for what it shows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _

from games.presenters.names import name_game
from games.presenters.render import cache_by_language, macro
from games.templatetags.menagerie import moment
from tournaments.models import Tournament
from tournaments.words.terms import FORMATS, PHASES


def draw_list(tournaments: Iterable[Tournament]) -> SafeString:
    """A row for each; nothing where there is none."""
    zone = get_current_timezone_name()
    rows = (_draw_row(one.pk, one.name, one.game, one.format, one.phase, one.starts_at, zone) for one in tournaments)
    return SafeString("".join(rows))


@cache_by_language
def _draw_row(pk: str, name: str, game: str, format_: str, phase: str, starts_at: datetime | None, zone: str) -> str:
    """zone: in which the time is said, which is the present one."""
    about = (name_game(game) if game else _("All games"), str(FORMATS[format_]))
    starts = (moment(starts_at),) if starts_at is not None else ()
    return macro("tournaments.jinja", "row")(pk, name, (*about, *starts), str(PHASES[phase]))
