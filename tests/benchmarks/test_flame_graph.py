"""Flame graphs from collapsed stacks: shares of the parts of a move, and a picture without scripts."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from benchmarks.load.flame_graph import read_stacks, render, share_out

RUN = "run (/site/lib/python3.11/asyncio/base_events.py:12)"
LINES = [
    f"{RUN};show (/club/games/live/hub.py:3);draw (/club/games/a.py:7) 60",
    f"{RUN};show (/club/games/live/hub.py:3) 20",
    f"{RUN} 15",
    "<x> & y 5",
    "no number",
]


def test_a_sample_counts_for_the_first_part_that_one_of_its_frames_fits() -> None:
    stacks = list(read_stacks(LINES, root="/club"))
    parts = {"drawing": re.compile("games/a"), "showing": re.compile("hub.py: show"), "none": re.compile("nothing")}
    assert stacks[0].frames == ("asyncio/base_events.py: run", "games/live/hub.py: show", "games/a.py: draw")
    assert share_out(stacks, parts, rest="else") == {"drawing": 0.6, "showing": 0.2, "none": 0.0, "else": 0.2}


def test_the_picture_is_static_and_its_bars_are_as_wide_as_their_share() -> None:
    drawn = render(read_stacks(LINES, root="/club"), "A <move>")
    svg = ElementTree.fromstring(drawn)  # noqa: S314 - our own
    titles = [title.text for title in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[:2] == ["asyncio/base_events.py: run, 95.0%", "games/live/hub.py: show, 80.0%"]
    assert 'width="960.0"' in drawn  # 80 % of 1200
    assert "script" not in drawn
