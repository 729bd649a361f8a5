"""An analysis in words and as a chart: what the page of a game's analysis shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from games.analysis.report import read_reason
from games.models.texts import say_percent
from games.play.sentences import say_sentence
from games.presenters.hints import name_move
from games.records.playback import Playback

LABEL_NAMES: Final[dict[str, Promise]] = {
    "best": pgettext_lazy("decision", "best"),
    "good": pgettext_lazy("decision", "good"),
    "inaccurate": pgettext_lazy("decision", "inaccurate"),
    "mistake": pgettext_lazy("decision", "mistake"),
}
WIDTH: Final = 900
HEIGHT: Final = 260
MARGIN: Final = 24
"""Units of the chart's SVG."""


class ChartLine(NamedTuple):
    """One seat's line, in several parts in a game of several deals. points: "x,y x,y …" of each part."""

    seat: int
    name: str
    parts: tuple[str, ...]


class ChartMark(NamedTuple):
    """A turning point. x, y: its place; before: the ply of the replay that shows the position."""

    x: str
    y: str
    ply: int
    before: int
    name: str


class ShownPoint(NamedTuple):
    """A point of the chart in words. before: the ply of the replay that shows the position; value: in percent."""

    ply: int
    before: int
    name: str
    value: str
    is_turning_point: bool


class ShownDecision(NamedTuple):
    """A decision that cost something. before: the ply of the replay that shows the position."""

    ply: int
    before: int
    seat: int
    name: str
    label: str
    label_name: str
    loss: str
    move: str
    best: str
    reason: str
    is_turning_point: bool


class ShownSeat(NamedTuple):
    """One seat's figures; None for a bot's. average_loss, luck: in percent, as the reader writes it."""

    seat: int
    name: str
    decisions: int
    average_loss: str | None
    counts: tuple[tuple[str, str, int], ...]
    luck: str | None


def list_seats(found: Mapping[str, Any], names: Sequence[str]) -> list[ShownSeat]:
    """The figures of each seat."""
    return [
        ShownSeat(
            seat["seat"],
            names[seat["seat"]],
            seat["decisions"],
            None if seat["average_loss"] is None else say_percent(100 * seat["average_loss"], decimals=1),
            tuple((label, str(LABEL_NAMES[label]), count) for label, count in seat["labels"].items()),
            None if seat["luck"] is None else say_percent(100 * seat["luck"], signed=True),
        )
        for seat in found["seats"]
    ]


def list_decisions(found: Mapping[str, Any], names: Sequence[str], watched: Playback) -> list[ShownDecision]:
    """The decisions that cost something, in the order of the game, each with what would have been better, and why."""
    shown = []
    for decision in found["decisions"]:
        if decision["loss"] <= 0:
            continue
        view = watched.rules.view(watched.moments[decision["ply"] - 1].state, decision["seat"])
        shown.append(
            ShownDecision(
                decision["ply"],
                decision["ply"] - 1,
                decision["seat"],
                names[decision["seat"]],
                decision["label"],
                str(LABEL_NAMES[decision["label"]]),
                say_percent(-100 * decision["loss"]),
                name_move(found["game"], view, decision["move"]),
                name_move(found["game"], view, decision["best"]),
                say_sentence(read_reason(decision["reason"])),
                decision["ply"] in found["turning_points"],
            )
        )
    return shown


def list_lines(found: Mapping[str, Any], names: Sequence[str]) -> list[ChartLine]:
    """A line for each seat; a new part begins with each deal."""
    lines = []
    for seat, name in enumerate(names):
        parts: dict[int, list[str]] = {}
        for point in found["curve"]:
            if point["seat"] == seat:
                x, y = place_point(point["ply"], point["value"], found["plies"])
                parts.setdefault(point["deal"], []).append(f"{x},{y}")
        lines.append(ChartLine(seat, name, tuple(" ".join(part) for part in parts.values())))
    return lines


def list_marks(found: Mapping[str, Any], names: Sequence[str]) -> list[ChartMark]:
    """The turning points on the lines of the seats whose decisions they are."""
    points = {point["ply"]: point for point in found["curve"]}
    marks = []
    for ply in found["turning_points"]:
        if (point := points.get(ply)) is not None:
            x, y = place_point(ply, point["value"], found["plies"])
            marks.append(ChartMark(x, y, ply, ply - 1, names[point["seat"]]))
    return marks


def place_point(ply: int, value: float, plies: int) -> tuple[str, str]:
    """Where a value stands in the chart, 1 at the top: x and y as SVG writes them, with a point in every language."""
    x = MARGIN + (WIDTH - 2 * MARGIN) * ply / max(1, plies)
    return f"{x:.1f}", f"{MARGIN + (HEIGHT - 2 * MARGIN) * (1 - value):.1f}"


def list_curve(found: Mapping[str, Any], names: Sequence[str]) -> list[ShownPoint]:
    """The chart as text."""
    return [
        ShownPoint(
            point["ply"],
            point["ply"] - 1,
            names[point["seat"]],
            say_percent(100 * point["value"]),
            point["ply"] in found["turning_points"],
        )
        for point in found["curve"]
    ]
