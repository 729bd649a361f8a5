"""Tournaments and seasons in lists, each drawn once for what it shows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from django.db.models import DateTimeField, F, Q, QuerySet, Value
from django.db.models.expressions import Expression, OrderBy
from django.db.models.functions import Cast
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.presenters.names import name_game
from games.presenters.render import cache_by_language, macro
from games.templatetags.menagerie import moment
from tournaments.models import Season, Tournament
from tournaments.words.terms import FORMATS, PHASES

SEASON: Final = "season"
"""Stands in a list instead of a format."""
KINDS = {**FORMATS, SEASON: gettext_lazy("Season")}
Order: TypeAlias = str | Expression | OrderBy


class Listed(NamedTuple):
    """What a list shows of a tournament, or of a season (then format is `SEASON`)."""

    pk: str
    name: str
    game: str
    format: str
    phase: str
    starts_at: datetime | None


def list_both(
    tournaments: QuerySet[Tournament], seasons: QuerySet[Season], *order: Order, where: Q | None = None
) -> QuerySet[Any, Any]:
    """Tournaments and seasons in one list, found in one query, as rows that begin with what `Listed` has.

    where, order: as for tournaments; a season begins at no time.
    """
    others: QuerySet[Any, Any] = seasons.annotate(
        format=Value(SEASON), starts_at=Cast(Value(None), DateTimeField(null=True))
    )
    rows: QuerySet[Any, Any] = tournaments
    if where is not None:
        rows, others = rows.filter(where), others.filter(where)
    keys = {f"key_{number}": _read_order(one) for number, one in enumerate(order)}
    columns = (*Listed._fields, *keys)
    by = {name: key.expression for name, key in keys.items()}
    both = rows.annotate(**by).values_list(*columns).union(others.annotate(**by).values_list(*columns), all=True)
    ordered: QuerySet[Any, Any] = both.order_by(
        *(OrderBy(F(name), key.descending, key.nulls_first, key.nulls_last) for name, key in keys.items())
    )
    return ordered


def _read_order(one: Order) -> Any:
    """What is ordered by, and in which direction."""
    if isinstance(one, str):
        return OrderBy(F(one.removeprefix("-")), descending=one.startswith("-"))
    return one if isinstance(one, OrderBy) else OrderBy(one)


def draw_list(rows: Iterable[tuple[Any, ...]]) -> SafeString:
    """A line for each of these rows, which begin with what `Listed` has; nothing where there is none."""
    zone, width = get_current_timezone_name(), len(Listed._fields)
    return SafeString("".join(_draw_row(*row[:width], zone) for row in rows))


@cache_by_language
def _draw_row(pk: str, name: str, game: str, format_: str, phase: str, starts_at: datetime | None, zone: str) -> str:
    """zone: in which the time is said, which is the present one."""
    about = (name_game(game) if game else _("All games"), str(KINDS[format_]))
    starts = (moment(starts_at),) if starts_at is not None else ()
    return macro("tournaments.jinja", "row")(pk, name, (*about, *starts), str(PHASES[phase]))
