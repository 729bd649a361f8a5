"""Parses a player's screen from the received fragments, and chooses a greedy move."""

from __future__ import annotations

import re
from collections.abc import Sequence

JOKER = 14
_ROOT = b'<div data-ply="'
_HAND, _ACTION, _MIDDLE = b'<div id="hand"', b'<div id="action"', b'<div id="middle"'
_MINE = b'<div id="action" class="mine"'
_BEAT = re.compile(rb'<div id="middle"\s+data-seat="\d+"\s+data-number="(\d+)"\s+data-count="(\d+)"')
_STACK = re.compile(rb'data-n="(\w+)">((?:<i>[^<]*</i>)*)')
_OVER = b'data-status="over"'


class Screen:
    """One seat's screen of a climbing game: only what the fragments of this socket said."""

    def __init__(self) -> None:
        self.hand: dict[int, int] = {}
        self.to_beat: tuple[int, int] | None = None
        self.is_my_turn = False
        self.is_over = False

    def show(self, frame: bytes) -> int:
        """Take in a fragment. Returns its ply."""
        if (at := frame.find(_HAND)) >= 0:
            self.hand = _read_hand(frame[at : frame.index(b"</div>", at)])
        if _MIDDLE in frame:
            found = _BEAT.search(frame)
            self.to_beat = (int(found[1]), int(found[2])) if found else None
        if _ACTION in frame:
            self.is_my_turn = _MINE in frame
        if _OVER in frame:
            self.is_over = True
        return int(frame[len(_ROOT) : frame.index(b'"', len(_ROOT))])

    def choose(self) -> list[str] | None:
        """The cards to play, or None to pass."""
        cards = greedy(self.hand, self.to_beat)
        return None if cards is None else ["J" if card == JOKER else str(card) for card in cards]


def is_fragment(frame: bytes) -> bool:
    """Whether this is a picture of the table, and not a message."""
    return frame.startswith(_ROOT)


def greedy(hand: dict[int, int], to_beat: tuple[int, int] | None) -> Sequence[int] | None:
    """The lowest play that beats `to_beat` (number, count), jokers only where needed; leading: the lowest number."""
    jokers = hand.get(JOKER, 0)
    if to_beat is None:
        lowest = min(hand)
        return [lowest] * hand[lowest]
    number, count = to_beat
    above = [kind for kind in sorted(hand) if number < kind < JOKER]
    for kind in above:
        if hand[kind] >= count:
            return [kind] * count
    for kind in above:
        if hand[kind] + jokers >= count:
            return [kind] * hand[kind] + [JOKER] * (count - hand[kind])
    return [JOKER] * count if number < JOKER and jokers >= count else None


def _read_hand(html: bytes) -> dict[int, int]:
    return {JOKER if kind == b"J" else int(kind): cards.count(b"<i>") for kind, cards in _STACK.findall(html)}
