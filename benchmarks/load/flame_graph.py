"""A flame graph as one static SVG: no script, no fonts, a tooltip for each bar. From collapsed stacks, as py-spy's.

A line of collapsed stacks is the frames of a stack from the outermost to the innermost, joined by semicolons, and how
many samples had it: `main (a.py);move (b.py) 17`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Final, NamedTuple
from zlib import crc32

WIDTH: Final = 1200.0
ROW: Final = 17
LETTER: Final = 6.4
"""Width of a letter in the unit of the picture, for what fits into a bar."""
MIN_SHARE: Final = 0.003
"""Bars narrower than this part of the picture are left out."""
_STACK = re.compile(r"(.+) (\d+)")
_FRAME = re.compile(r"(?P<function>.+) \((?P<file>[^()]*?)(?::\d+)?\)")
_PACKAGES = re.compile(r".*/(?:site-packages|python\d\.\d+)/")


class Stack(NamedTuple):
    """Frames from the outermost to the innermost, and the number of samples with just these."""

    frames: tuple[str, ...]
    samples: int


@dataclass(slots=True)
class Bar:
    """A frame with all that it calls: its samples, and its callees by name."""

    samples: int = 0
    callees: dict[str, Bar] = field(default_factory=dict)


def read_stacks(lines: Iterable[str], *, root: str) -> Iterator[Stack]:
    """The stacks of these lines, a frame as "games/live/hub.py: show". root: the folder that files are named from."""
    for line in lines:
        if (found := _STACK.fullmatch(line.strip())) is not None:
            yield Stack(tuple(name_frame(frame, root) for frame in found[1].split(";")), int(found[2]))


def name_frame(frame: str, root: str) -> str:
    """A frame of py-spy as "file: function"; files of packages without the folder where packages are."""
    found = _FRAME.fullmatch(frame)
    if found is None:
        return frame
    file = _PACKAGES.sub("", found["file"].removeprefix(root).lstrip("/"))
    return f"{file}: {found['function']}"


def share_out(stacks: Iterable[Stack], parts: Mapping[str, re.Pattern[str]], *, rest: str) -> dict[str, float]:
    """The share of each part in all samples. A sample belongs to the first part that any of its frames fits."""
    found = dict.fromkeys([*parts, rest], 0)
    for stack in stacks:
        named = (part for part, pattern in parts.items() if any(map(pattern.search, stack.frames)))
        found[next(named, rest)] += stack.samples
    total = sum(found.values())
    return {part: samples / total if total else 0.0 for part, samples in found.items()}


def render(stacks: Iterable[Stack], title: str) -> str:
    """The SVG: callers above, what they call below them; a bar is as wide as its part of all samples."""
    whole = Bar()
    for stack in stacks:
        at = whole
        at.samples += stack.samples
        for frame in stack.frames:
            at = at.callees.setdefault(frame, Bar())
            at.samples += stack.samples
    bars = list(_draw_bars(whole, whole.samples or 1, 0.0, 0))
    height = ROW * (2 + max((row for row, _svg in bars), default=0) + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height}" font-family="monospace" '
        f'font-size="10.5">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text x="4" y="14" font-size="13">{escape(title)}</text>\n'
        + "\n".join(svg for _row, svg in bars)
        + "\n</svg>\n"
    )


def _draw_bars(bar: Bar, total: int, left: float, row: int) -> Iterator[tuple[int, str]]:
    for name, callee in sorted(bar.callees.items(), key=lambda pair: -pair[1].samples):
        share = callee.samples / total
        if share < MIN_SHARE:
            continue
        width = share * WIDTH
        yield row, _draw_bar(name, share, left, ROW * (row + 1.5), width)
        yield from _draw_bars(callee, total, left, row + 1)
        left += width


def _draw_bar(name: str, share: float, left: float, top: float, width: float) -> str:
    file, _, function = name.rpartition(": ")
    letters = int((width - 4) / LETTER)
    text = next((text for text in (name, function, function[: max(0, letters - 1)] + "…") if len(text) <= letters), "")
    written = f'<text x="{left + 2:.1f}" y="{top + 12:.1f}">{escape(text)}</text>' if len(text) > 2 else ""
    return (
        f'<g><title>{escape(name)}, {share:.1%}</title><rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
        f'height="{ROW - 1}" fill="{_choose_colour(file)}"/>{written}</g>'
    )


def _choose_colour(file: str) -> str:
    """The same for the same file: ours warm, those of packages grey-blue."""
    number = crc32(file.encode())
    if file.startswith(("games/", "tournaments/", "config/")):
        return f"hsl({15 + number % 40},85%,{68 + number // 64 % 10}%)"
    return f"hsl({200 + number % 40},30%,{76 + number // 64 % 10}%)"
