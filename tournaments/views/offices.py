"""Who holds which job at a table, and every job of everybody, as the pages of evenings and ladders show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.live.render import environment, macro
from games.names import chair_of, name_rank
from games.play.codec import read_desk
from tournaments.flow import jobs
from tournaments.flow.recent import Recent

_kept: Recent[tuple[Any, ...], SafeString] = Recent(256)
"""Chronicles, as long as they are the present of somebody's page: many look at one evening."""


def forget_all() -> None:
    """Keep nothing (between tests)."""
    _kept.clear()


def describe(story: jobs.Story, me: int | None) -> dict[str, Any]:
    """A table as the page shows it: the ladder now, and a row of jobs for everybody."""
    game, before = story.table.game, story.deals[-2].ranks if len(story.deals) > 1 else None
    held = story.held or ()
    ladder = [
        {
            "seat": story.seats[seat],
            "is_me": me is not None and story.seats[seat].player_id == me,
            "job": name_rank(game, story.jobs[rank - 1]),
            "chair": chair_of(game, story.jobs[rank - 1]),
            "moved": 0 if before is None else before[seat] - rank,
        }
        for rank, seat in sorted((rank, seat) for seat, rank in enumerate(held) if seat < len(story.seats))
    ]
    return {
        "number": story.number,
        "table": story.table,
        "seats": story.seats,
        "ladder": ladder,
        "deals": story.deals,
        "chronicle": _keep_chronicle(story, me) if story.deals or story.first else "",
        "is_mine": me is not None and any(seat.player_id == me for seat in story.seats),
        "is_brought": read_desk(story.table.desk).arranged is None,
        "is_host": me is not None and story.table.host_id == me,
    }


def draw_offices(told: dict[str, Any]) -> SafeString:
    """The ladder of a described table, from the top."""
    rows = tuple(
        (row["is_me"], row["chair"], row["job"], row["seat"].name, bool(row["seat"].bot), row["moved"])
        for row in told["ladder"]
    )
    return SafeString(macro("jobs.jinja", "offices")(rows) if rows else "")


def _keep_chronicle(story: jobs.Story, me: int | None) -> SafeString:
    people = tuple((seat.name, bool(seat.bot), me is not None and seat.player_id == me) for seat in story.seats)
    key = (get_language(), story.table.pk, story.table.seed, story.number, len(story.deals), people)
    drawn = _kept.get(key)
    if drawn is None:
        drawn = _draw_chronicle(story, people)
        _kept.put(key, drawn)
    return drawn


def _draw_chronicle(story: jobs.Story, people: tuple[tuple[str, bool, bool], ...]) -> SafeString:
    """people: name, whether a bot, whether the reader, by seat."""
    cells = [_draw_cell(story, rank) for rank in range(1, len(story.jobs) + 1)]
    told = [*([story.first] if story.first else []), *(deal.ranks for deal in story.deals)]
    rows = [
        (*person, "".join(cells[ranks[seat.index] - 1] for ranks in told))
        for person, seat in zip(people, story.seats, strict=True)
    ]
    draw = environment.get_template("jobs.jinja").module.chronicle  # type: ignore[attr-defined]
    drawn: str = draw(story.number, story.first is not None, [deal.number for deal in story.deals], rows)
    return SafeString(drawn)


def _draw_cell(story: jobs.Story, rank: int) -> str:
    slug = story.jobs[rank - 1]
    edge = "at-top" if rank == 1 else "at-bottom" if rank == len(story.jobs) else ""
    draw: Callable[[str, int, str], str] = macro("jobs.jinja", "cell")
    return draw(name_rank(story.table.game, slug), chair_of(story.table.game, slug), edge)
