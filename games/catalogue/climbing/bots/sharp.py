"""The sharp player of the climbing games: deal the hidden cards anew, play the deal out, choose by the average result.

The work is bounded by the number of playouts, so that the same seed gives the same move. An end between two players
is solved exactly for each deal of the hidden cards (endgame.py), and for certain where they can only lie in one way.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from games.bots.appraisal import Appraiser
from games.bots.search import choose_best
from games.catalogue.climbing.bots.completing import HiddenCards, build_state
from games.catalogue.climbing.bots.endgame import OF_ANALYSES, OF_MOVES, Bounds, Endgame, TooLarge
from games.catalogue.climbing.bots.playout import PASS, USUAL, QuickPlay, QuickTable, Style, play_out
from games.catalogue.climbing.bots.steady import choose_steadily, rank_moves
from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import HIGHEST, JOKER, Hand
from games.catalogue.climbing.rules.state import NOBODY, OVER, State
from games.rules.base import Move, View

PLAYOUTS: Final = 400
"""Playouts of a decision, see docs/performance.md."""
MAX_CANDIDATES: Final = 12
"""Moves that are compared: those that cost least by rule of thumb, and a pass."""
OTHER_STYLES: Final = (Style(leads_low=True, limit=-6), Style(limit=4))
"""Other ways in which a seat may go on after a move that is appraised: patient, and eager. See docs/performance.md."""
CAREFUL_PLAYOUTS: Final = 24
"""Playouts of each further decision of a seat that goes on as `sharp` after a move that is appraised."""


def choose_sharply(view: View, legal: Sequence[Move], rng: random.Random, playouts: int = PLAYOUTS) -> Move:
    """One of `legal`. playouts: how many the decision may cost."""
    if len(legal) == 1:
        return legal[0]
    hand: Counter[str] = Counter(view["hand"])
    out = next((move for move in legal if Counter(move.get("play", ())) == hand), None)
    if out is not None:
        return out
    hidden = HiddenCards(view)
    table = read_table(view, hidden)
    candidates = list_candidates(view, legal)
    plays = {id(move): read_play(move, view, hidden) for move in candidates}
    judge = Judge(table)
    return choose_best(
        candidates, lambda: hidden.draw(rng), lambda hands, move: judge.value(hands, plays[id(move)]), playouts=playouts
    )


def appraise(view: View, rng: random.Random) -> Appraiser:
    """Values of moves in this deal: what a seat finishes ahead of in it, and not in the whole game."""
    hidden = HiddenCards(view)
    judge = Judge(read_table(view, hidden), OF_ANALYSES)

    def value(style: Style) -> Callable[[Sequence[Hand], Move], float]:
        return lambda hands, move: judge.value(hands, read_play(move, view, hidden), style)

    def careful_value(hands: Sequence[Hand], move: Move) -> float:
        return play_carefully(hidden, build_state(hidden, hands, rng), move, rng)

    others = tuple(value(style) for style in OTHER_STYLES)
    return Appraiser(lambda: hidden.draw(rng), value(USUAL), PLAYOUTS, others, careful_value)


def play_carefully(hidden: HiddenCards, state: State, move: Move, rng: random.Random) -> float:
    """The share of the others that the viewer finishes ahead of in this deal, if it plays this and goes on as `sharp`.

    All others go on as `steady`. Takes some hundredths of a second.
    """
    rules, seat, deal = hidden.rules, hidden.view["seat"], state.deal.number
    acting = seat
    while True:
        left = state.alive.bit_count()
        is_out = acting == seat and len(move.get("play", ())) == cards.count_cards(state.hands[state.turn])
        if is_out:
            return (left - 1) / (len(state.hands) - 1)
        state, _ = rules.apply(state, acting, move)
        if state.turn == OVER or state.deal.number != deal:
            return 0.0
        acting = state.deal.order[state.turn]
        view, legal = rules.view(state, acting), rules.legal_moves(state, acting)
        if acting == seat:
            move = choose_sharply(view, legal, rng, CAREFUL_PLAYOUTS)
        else:
            move = legal[0] if len(legal) == 1 else choose_steadily(view, legal)


def list_candidates(view: View, legal: Sequence[Move]) -> list[Move]:
    """What `steady` plays first, then a pass, then the others by their cost."""
    first = choose_steadily(view, legal)
    passing = [move for move in legal if "pass" in move]
    ranked = [first, *passing, *rank_moves(view, legal)]
    return list({id(move): move for move in ranked}.values())[:MAX_CANDIDATES]


def read_play(move: Move, view: View, hidden: HiddenCards) -> QuickPlay:
    """The move on packed cards."""
    if "pass" in move:
        return PASS
    play = hidden.rules.book.find(move["play"])
    assert play is not None  # noqa: S101 - the move is legal
    number = play.number
    if number == JOKER and view["can_name_jokers"]:
        number = max(view["table_number"] or 0, HIGHEST) + 1
    return play.cards, play.count, number


def read_table(view: View, hidden: HiddenCards) -> QuickTable:
    """The position of this view, without its hands."""
    order, rules = hidden.order, hidden.rules
    holder = NOBODY if view["table_seat"] is None else order.index(view["table_seat"])
    asked = view["done"] if rules.is_one_turn_each else view["passed"]
    acted = sum(1 << order.index(seat) for seat in asked)
    if holder != NOBODY and not rules.is_one_turn_each:
        acted |= 1 << holder
    return QuickTable(
        seats=len(order),
        is_one_turn_each=rules.is_one_turn_each,
        jokers_beat_jokers=rules.can_name_jokers,
        find_next_leader=rules.find_next_leader,
        turn=order.index(view["seat"]),
        width=len(view["table"]),
        number=view["table_number"] or 0,
        holder=holder,
        acted=acted,
        alive=sum(1 << place for place, seat in enumerate(order) if view["hand_sizes"][seat]),
    )


class Judge:
    """Values plays in one position."""

    def __init__(self, table: QuickTable, bounds: Bounds = OF_MOVES) -> None:
        self._table = table
        self._endgame: Endgame | None = None
        others = table.alive & ~(1 << table.turn)
        self._other = others.bit_length() - 1
        # Solved are ends in which the one other player made the play to beat, or nobody has.
        if others.bit_count() == 1 and table.holder in (NOBODY, self._other):
            self._endgame = Endgame(
                is_one_turn_each=table.is_one_turn_each, jokers_beat_jokers=table.jokers_beat_jokers, bounds=bounds
            )

    def value(self, hands: Sequence[Hand], play: QuickPlay, style: Style = USUAL) -> float:
        """The share of the others that the place to act finishes ahead of if it goes on in this style."""
        table = self._table
        if self._endgame is not None and self._endgame.is_small(hands[table.turn], hands[self._other]):
            mine, other = hands[table.turn], hands[self._other]
            solve = self._endgame.wins_answer if table.is_one_turn_each and table.width else self._endgame.wins
            try:
                return 1 / (table.seats - 1) if solve(mine, other, play) else 0.0
            except TooLarge:
                self._endgame = None
        return play_out(table, hands, play, style)
