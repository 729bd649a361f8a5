"""Lists of tournaments and seasons: one query for both, and rows that are rendered once and cached."""

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
from games.templatetags.menagerie import date_chip, game_tile, moment
from tournaments.models import Season, Tournament
from tournaments.words.terms import FORMATS, PHASES

SEASON: Final = "season"
"""The value of `ListedTournament.format` for a season."""
KINDS = {**FORMATS, SEASON: gettext_lazy("Season")}
Order: TypeAlias = str | Expression | OrderBy


class ListedTournament(NamedTuple):
    """The columns of a list of tournaments and seasons. format: of a season it is `SEASON`."""

    pk: str
    name: str
    game: str
    format: str
    phase: str
    starts_at: datetime | None


def list_both(
    tournaments: QuerySet[Tournament], seasons: QuerySet[Season], *order: Order, where: Q | None = None
) -> QuerySet[Any, Any]:
    """Tournaments and seasons by one UNION query. Each row begins with the columns of `ListedTournament`.

    order, where: in terms of tournaments; the `starts_at` of a season is null.
    """
    others: QuerySet[Any, Any] = seasons.annotate(
        format=Value(SEASON), starts_at=Cast(Value(None), DateTimeField(null=True))
    )
    rows: QuerySet[Any, Any] = tournaments
    if where is not None:
        rows, others = rows.filter(where), others.filter(where)
    keys = {f"key_{number}": _read_order(one) for number, one in enumerate(order)}
    columns = (*ListedTournament._fields, *keys)
    by = {name: key.expression for name, key in keys.items()}
    both = rows.annotate(**by).values_list(*columns).union(others.annotate(**by).values_list(*columns), all=True)
    ordered: QuerySet[Any, Any] = both.order_by(
        *(OrderBy(F(name), key.descending, key.nulls_first, key.nulls_last) for name, key in keys.items())
    )
    return ordered


def _read_order(key: Order) -> Any:
    """A sort key as an OrderBy expression; a string is a column, with "-" for descending."""
    if isinstance(key, str):
        return OrderBy(F(key.removeprefix("-")), descending=key.startswith("-"))
    return key if isinstance(key, OrderBy) else OrderBy(key)


def render_list(rows: Iterable[tuple[Any, ...]]) -> SafeString:
    """The rows as HTML. Each begins with the columns of `ListedTournament`; further columns are ignored."""
    zone, width = get_current_timezone_name(), len(ListedTournament._fields)
    return SafeString("".join(_render_row(*row[:width], zone) for row in rows))


@cache_by_language
def _render_row(pk: str, name: str, game: str, format_: str, phase: str, starts_at: datetime | None, zone: str) -> str:
    """One row. zone: the active time zone, here only as part of the cache key."""
    about = (name_game(game) if game else _("All games"), str(KINDS[format_]))
    starts = (moment(starts_at),) if starts_at is not None else ()
    chip = date_chip(starts_at)
    return macro("tournaments.jinja", "row")(
        id=pk, name=name, about=(*about, *starts), phase=str(PHASES[phase]), chip=chip, tile=game_tile(game)
    )
