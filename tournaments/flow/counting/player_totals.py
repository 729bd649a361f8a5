"""The totals of each person's results and deals, updated with each of them. Profiles read only these.

The ledger is locked by the process that adds, so that nothing is added twice. Where something is taken
away, the totals of its people are derived again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from games.play.storage import codec
from tournaments.careers.totals import CareerDeal, CareerResult, Total
from tournaments.flow.counting import ledger
from tournaments.flow.counting.bulk_updates import RowDifference, write_differences
from tournaments.flow.counting.calendar_years import season_of
from tournaments.models import CareerEntry, PersonResult, PersonTotal

COLUMNS: Final = tuple(field.name for field in fields(Total))
TEXTS: Final = 2
"""Number of columns, the last ones, that are JSON text."""
AT_ONCE: Final = 500
"""People whose totals are derived at a time."""
ROWS_PER_WRITE: Final = 200
"""Rows written together, while nobody else can write."""

Key: TypeAlias = tuple[int, str, int]
"""Person, game, season (0: ever)."""
Values: TypeAlias = tuple[Any, ...]
"""The values of a row, in the order of `COLUMNS`."""


class Change(NamedTuple):
    """What is wrong with a row: as it is (id and values; None: there is none) and as it should be (None: gone)."""

    key: Key
    stored: tuple[int, Values] | None
    wanted: Values | None


def add_results(results: Sequence[PersonResult]) -> None:
    """Count new results. The ledger is locked."""
    _add_totals(
        (key, Total.add_result, _played(result))
        for result in results
        for key in keys_of(result.player_id, result.game, result.ended_at)
    )


def add_entries(entries: Sequence[CareerEntry]) -> None:
    """Count new career entries. The ledger is locked."""
    _add_totals(
        (key, Total.add_deal, _deal(entry))
        for entry in entries
        for key in keys_of(entry.player_id, entry.game, entry.at)
    )


def keys_of(player_id: int, game: str, at: float) -> tuple[Key, Key]:
    """The keys of the totals for all time and for the season of this moment."""
    return (player_id, game, 0), (player_id, game, season_of(at))


def _add_totals(counted: Iterable[tuple[Key, Callable[[Total, Any], None], Any]]) -> None:
    wanted = list(counted)
    stored = _read_rows({key[0] for key, _, _ in wanted}, games={key[1] for key, _, _ in wanted})
    totals: dict[Key, Total] = {}
    for key, add, what in wanted:
        if key not in totals:
            totals[key] = _total_of(stored[key][1]) if key in stored else Total()
        add(totals[key], what)
    _write([Change(key, stored.get(key), values_of(total)) for key, total in totals.items()])


def read(row: PersonTotal) -> Total:
    """The totals of a row."""
    return _total_of([getattr(row, column) for column in COLUMNS])


def _total_of(values: Sequence[Any]) -> Total:
    return Total(*values[:-TEXTS], *(codec.read(text) for text in values[-TEXTS:]))


_all_of: Callable[[Total], Values] = attrgetter(*COLUMNS)


def values_of(total: Total) -> Values:
    """The totals as a row has them."""
    *numbers, jobs, rivals = _all_of(total)
    return *numbers, _write_text(jobs), _write_text(rivals)


def _write_text(counted: Mapping[str, Any]) -> str:
    return codec.write(dict(sorted(counted.items())))


def _write(changes: Sequence[Change]) -> None:
    """The ledger is locked."""
    PersonTotal.objects.filter(
        pk__in=[change.stored[0] for change in changes if change.stored and change.wanted is None]
    ).delete()
    PersonTotal.objects.bulk_create(
        [
            _new_total(change.key, change.wanted)
            for change in changes
            if change.stored is None and change.wanted is not None
        ]
    )
    differences = [
        RowDifference(*change.stored, change.wanted)
        for change in changes
        if change.stored and change.wanted is not None
    ]
    write_differences(PersonTotal, COLUMNS, differences)


def _new_total(key: Key, values: Values) -> PersonTotal:
    return PersonTotal(player_id=key[0], game=key[1], season=key[2], **dict(zip(COLUMNS, values, strict=True)))


def refresh(player_ids: Iterable[int]) -> int:
    """Derive the totals of these people again from what is stored; how many rows were wrong."""
    ids = sorted(set(player_ids))
    return sum(
        written for start in range(0, len(ids), AT_ONCE) for written in correct_rows(ids[start : start + AT_ONCE])
    )


def correct_rows(player_ids: Sequence[int]) -> Iterator[int]:
    """As `refresh`, in small steps; yields how many rows each has written. Correct rows are read without locks."""
    yield from ledger.compare_in_batches(lambda: _compare(player_ids), _write, most=ROWS_PER_WRITE)


def _compare(player_ids: Sequence[int]) -> list[Change]:
    stored = _read_rows(player_ids)
    wanted = {key: values_of(total) for key, total in derive(player_ids).items()}
    wrong = [
        Change(key, stored.get(key), values)
        for key, values in wanted.items()
        if key not in stored or stored[key][1] != values
    ]
    return wrong + [Change(key, row, None) for key, row in stored.items() if key not in wanted]


def _read_rows(player_ids: Collection[int], *, games: Collection[str] = ()) -> dict[Key, tuple[int, Values]]:
    """The stored rows of these people: id and values. games: only of these, if there are any."""
    rows = PersonTotal.objects.filter(player__in=player_ids, **({"game__in": games} if games else {}))
    columns = "player_id", "game", "season", "pk", *COLUMNS
    return {(player, game, season): (pk, tuple(values))
            for player, game, season, pk, *values in rows.values_list(*columns)}  # fmt: skip


def derive(ids: Sequence[int]) -> dict[Key, Total]:
    """The totals of these people, from their results and career entries."""
    totals: dict[Key, Total] = defaultdict(Total)
    for player_id, game, played in _read_results(ids):
        for key in keys_of(player_id, game, played.at):
            totals[key].add_result(played)
    for player_id, game, deal in _read_entries(ids):
        for key in keys_of(player_id, game, deal.at):
            totals[key].add_deal(deal)
    return totals


def _read_results(ids: Sequence[int]) -> Iterator[tuple[int, str, CareerResult]]:
    columns = "player_id", "game", "place", "people", "beaten", "score", "feat", "ended_at"
    for player_id, game, *values in PersonResult.objects.filter(player__in=ids).values_list(*columns):
        yield player_id, game, CareerResult(*values)


def _read_entries(ids: Sequence[int]) -> Iterator[tuple[int, str, CareerDeal]]:
    columns = "player_id", "game", "rank", "of", "before", "spell", "climb", "job", "demoted_by_id", "at"
    for player_id, game, *values in CareerEntry.objects.filter(player__in=ids).values_list(*columns):
        yield player_id, game, CareerDeal(*values)


def _played(result: PersonResult) -> CareerResult:
    return CareerResult(result.place, result.people, result.beaten, result.score, result.feat, result.ended_at)


def _deal(entry: CareerEntry) -> CareerDeal:
    return CareerDeal(
        entry.rank, entry.of, entry.before, entry.spell, entry.climb, entry.job, entry.demoted_by_id, entry.at
    )  # fmt: skip
