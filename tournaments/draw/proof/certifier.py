"""The certificate of a draw, line by line; where a line is not yet the best there is, a better draw as well."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from tournaments.draw.problem.attainable_costs import PLAIN
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.solution import LINES
from tournaments.draw.program.column_filters import Sieve, build_sieve
from tournaments.draw.program.column_sources import Rules
from tournaments.draw.program.columns import TooMany
from tournaments.draw.program.costs import cost_columns, count_units
from tournaments.draw.program.entrant_groups import Nodes, list_everybody
from tournaments.draw.program.line_programs import build_shape, describe_draw
from tournaments.draw.program.listed_columns import Listed
from tournaments.draw.program.lock_groups import bound_locks
from tournaments.draw.program.reduced_costs import look_beyond
from tournaments.draw.program.relaxation import Columns, Rows, bound_pods, reduce_costs
from tournaments.draw.proof.diving import dive
from tournaments.draw.proof.equal_cost_draws import Ranking, weigh_second
from tournaments.draw.proof.exact import free_rows, list_everything
from tournaments.draw.proof.incumbent import Certified, Drawn, read_draw
from tournaments.draw.proof.line_stages import Root, close_gap, solve_root
from tournaments.draw.proof.lock_bound import sum_whole

FIRST_PAIRS: Final = LINES.index("thirds")
LAST: Final = LINES[FIRST_PAIRS + 2 :]
MOST_LAST: Final = 300_000
"""Pods that the last lines are proven over, at most, among no more people than these; of more, MOST_COLUMNS."""
MOST_COLUMNS: Final = 20_000
FEW: Final = 64
"""People."""
LISTED_COST: Final = 4
"""For each of them."""
ROOT_SHARE: Final = 60
"""Of the work that is left, in percent, for the linear program of a line; the rest is to make use of it."""
DIVE_SHARE: Final = 30
"""Of what is left then, for dives."""
CLOSE_SHARE: Final = 15
"""Where a draw has many pods: of what is left, for closing the gap before any dive."""
FIRST_EFFORT: Final = 200_000
EFFORT_GROWTH: Final = 4
MOST_COST: Final = 1 << 59
"""Of what costs more, 64 bits do not hold the tables (bands.py)."""
FAR: Final = 1.5
"""Where the bound is so many times lower, of very many people, it may be for want of their locks."""
LARGEST: Final = 260
"""Among more people than this a program does not tell everybody apart; `afar.py` does, where nearly all differ."""


class Proof(Certified):
    """A draw under proof. levels: of very many, whom a coarse program tells apart."""

    def __init__(self, instance: Instance, drawn: Drawn, scales: Scales, levels: Nodes | None) -> None:
        super().__init__(instance, drawn, scales)
        self.budget: Budget
        self.is_whole = instance.size <= LARGEST
        self.levels = levels
        self.root: Root | None = None
        self.depth = FIRST_PAIRS
        """So many lines must stay as they are for the root to hold."""
        self.rules: Rules
        self.sieve: Sieve | None = None

    @property
    def may_improve(self) -> bool:
        """Whether the pairing can still be better, as far as is known, and its cost is one to count with."""
        return self.drawn.values.pairing > self.bounds.pairing and self._is_countable()

    def take(self, drawn: Drawn) -> None:
        """The better of the two; if it differs in lines that the root counts on, that is another one's."""
        depth = self.depth
        if drawn.values < self.drawn.values and drawn.values[:depth] != self.drawn.values[:depth]:
            self.root = None
        super().take(drawn)

    def prove_pairs(self, budget: Budget) -> None:
        """Everything up to the pairing, as far as the budget goes."""
        self.budget = budget
        if self.drawn.values == self.bounds:
            return
        if not self.is_whole:
            if self.may_improve:
                self._find_root("pairing")
            if self.drawn.values.pairing > FAR * self.bounds.pairing and self.may_improve:
                most = self.count_units("pairing")
                self.raise_bound("pairing", bound_locks(self.instance, self.scales, most, budget))
            return
        if self._is_countable():
            self._prove_before_pairing()
        if not self._is_countable():  # also where fewer third meetings cost so much
            self.root = None
            self._prove_over_everything(LINES)
            return
        self._find_root("pairing")
        self._close("pairing")

    def _prove_before_pairing(self) -> None:
        if self.drawn.values[:FIRST_PAIRS] != self.bounds[:FIRST_PAIRS]:
            self._prove_over_everything(LINES[:FIRST_PAIRS])
        if self.drawn.values.thirds > self.bounds.thirds:
            self._find_root("thirds")
            self._close("thirds")

    def prove_rest(self, budget: Budget) -> None:
        """Odd sizes and seats, over the pods that the pairing leaves."""
        self.budget = budget
        if self.is_whole and self.root is not None and self.drawn.values != self.bounds:
            self._prove_rest(self.root)

    def go_on(self, budget: Budget) -> None:
        """With the pairing, once a better draw was taken."""
        self.budget = budget
        self._close("pairing")

    def _prove_over_everything(self, lines: Sequence[str]) -> None:
        """Where nothing else can: over every pod there is, if these are few."""
        with suppress(TooMany):
            self._settle(lines, list_everything(self.instance, self.budget), free_rows(self.instance))

    def _find_root(self, line: str) -> None:
        """Thirds or pairing: pods come from the rules."""
        nodes = list_everybody(self.instance) if self.is_whole else self.levels
        if nodes is None:
            return
        self.depth = LINES.index(line)
        shape, rows = build_shape(self.instance, self.drawn.values, self.scales, line=line, nodes=nodes)
        self.sieve = self._build_sieve(len(rows.low) - 1) if line == "pairing" and self.root is not None else None
        self.rules = Rules(shape)
        start = describe_draw(self.rules, self.drawn.pods, self.drawn.byes)
        part = self.budget.part(self.budget.left() * (ROOT_SHARE if self.is_whole else 100) // 100)
        self.root = solve_root(self.rules, rows, start, self.count_units(line), part)
        if self.root is not None:
            self.raise_bound(line, max(self.root.bound, self._bound_whole(self.root)))

    def _build_sieve(self, count: int) -> Sieve | None:
        """What the program of third meetings says; count: of its rows that are no cuts."""
        value, root = self.drawn.values.thirds, self.root
        return None if root is None or not value else build_sieve(root.prices, root.floor, value, count)

    def _bound_whole(self, root: Root) -> int:
        """With locks whole, where there are any to share a pod."""
        if len(self.rules.shape.groups) < 2:
            return 0
        try:
            least = sum_whole(self.rules, root.prices, self.budget)
        except TooMany:
            return 0
        return root.rows.prove(bound_pods(root.rows, root.prices, 0) + least, root.prices.fine)

    def _close(self, line: str) -> None:
        """Better draws and higher bounds as long as there are any, by dives as well.

        Where a draw has many pods, only if that is not soon done without; of many people dives find nothing.
        """
        is_short = self.root is not None and self.root.rows.is_short
        if self.instance.size <= FEW and not is_short:
            self._go_through_gaps(line, self.budget.part(self.budget.left() * CLOSE_SHARE // 100))
        if self._is_open(line) and self.root is not None and (is_short or self.instance.size <= FEW):
            self._dive(line, self.root)
        self._go_through_gaps(line, self.budget)

    def _go_through_gaps(self, line: str, budget: Budget) -> None:
        while self._is_open(line) and self.root is not None:
            known = count_units(self.instance, self.bounds, line, self.scales)
            outcome = close_gap(self.rules, self.root, self.count_units(line), budget, known, self.sieve)
            if outcome.pods is not None:
                self.take(read_draw(self.instance, outcome.pods))
            self.raise_bound(line, outcome.bound)
            if outcome.pods is None:
                break

    def _is_countable(self) -> bool:
        """Whether what the pairing costs is told apart from what is barred."""
        return self.count_units("pairing") < MOST_COST

    def _is_open(self, line: str) -> bool:
        return self.is_whole and getattr(self.drawn.values, line) > getattr(self.bounds, line)

    def _dive(self, line: str, root: Root) -> None:
        """A better draw from the linear program, and all pods met on the way."""
        part = self.budget.part(self.budget.left() * DIVE_SHARE // 100)
        dived = dive(self.rules, root, self.count_units(line), part)
        self.root = dived.root
        if dived.pods is not None:
            self.take(read_draw(self.instance, dived.pods))

    def _prove_rest(self, root: Root) -> None:
        """Odd sizes and seats: over all pods that the pairing leaves, in both ways in turn, each time for longer."""
        budget, value, rows = self.budget, self.count_units("pairing"), root.rows
        most = MOST_LAST if self.instance.size <= FEW else MOST_COLUMNS
        try:
            limit = value // rows.grit * root.prices.fine - root.floor
            columns = self.rules.list_all(root.prices, limit, most=most, budget=budget)
        except TooMany:
            return
        budget.spend(LISTED_COST * len(columns.cost))
        if not reduce_costs(columns, root.prices).any():
            self._settle(LAST, columns, rows)
            return
        rows, _, _, columns, paid = look_beyond(rows, root.prices, root.floor, columns)
        value -= paid
        ranking = self._open_ranking(columns, rows, value) if len(columns.cost) <= MOST_COLUMNS else None
        listed, effort, before = columns, FIRST_EFFORT, -1
        while not self._is_rest_proven() and budget.left() and budget.spent > before:
            self.budget, before = budget.part(effort), budget.spent
            if ranking is not None:
                self._rank(ranking, listed)
                columns, rows = ranking.columns, ranking.rows
            if not self._is_rest_proven():
                self._settle(LAST, *_add_row(columns, rows, value // rows.grit))
            effort *= EFFORT_GROWTH
        self.budget = budget

    def _is_rest_proven(self) -> bool:
        return self.drawn.values[FIRST_PAIRS + 1 :] == self.bounds[FIRST_PAIRS + 1 :]

    def _open_ranking(self, columns: Columns, rows: Rows, value: int) -> Ranking:
        """The last lines by going through all draws that cost no more."""
        odd, seats = (cost_columns(self.instance, columns, line, self.scales) for line in LAST)
        return Ranking(rows, columns, weigh_second(odd, seats, rows.pods), value)

    def _rank(self, ranking: Ranking, columns: Columns) -> None:
        best = ranking.run(self.budget.part(self.budget.left() // 2))
        if best.chosen is not None:
            self.take(read_draw(self.instance, columns.take(best.chosen)))
        if best.bound == best.value:
            for line in ("pairing", *LAST):
                self.raise_bound(line, self.count_units(line))

    def _settle(self, lines: Sequence[str], columns: Columns, rows: Rows) -> None:
        """Each of the lines over all these columns, the ones before kept."""
        rows = rows._replace(grain=PLAIN, grit=1, rate=None)
        for line in lines:
            if line == LINES[-1] and self.drawn.values.seats == self.bounds.seats:
                break
            columns = columns._replace(cost=cost_columns(self.instance, columns, line, self.scales))
            if getattr(self.drawn.values, line) > getattr(self.bounds, line):
                self._prove_listed(line, columns, rows)
            columns, rows = _add_row(columns, rows, self.count_units(line))

    def _prove_listed(self, line: str, columns: Columns, rows: Rows) -> None:
        value, source = self.count_units(line), Listed(columns, rows.pods)
        root = solve_root(source, rows, self._find_columns(columns), value, self.budget)
        if root is None:
            return
        outcome = close_gap(source, root, value, self.budget)
        if outcome.pods is not None:
            self.take(read_draw(self.instance, outcome.pods))
        self.raise_bound(line, max(root.bound, outcome.bound))

    def _find_columns(self, columns: Columns) -> Columns:
        """Those of the draw."""
        wanted = {tuple(sorted(pod)) for pod in [*self.drawn.pods, *((bye,) for bye in self.drawn.byes)]}
        rows = [tuple(one for one in row if one >= 0) for row in columns.members.tolist()]
        return columns.take(np.array([number for number, row in enumerate(rows) if row in wanted], dtype=np.int64))


def _add_row(columns: Columns, rows: Rows, most: int) -> tuple[Columns, Rows]:
    """A further row: the costs of the line just settled must not come to more than this."""
    extra = np.concatenate([columns.extra, columns.cost[:, None]], axis=1)
    widest = int(columns.cost.max(initial=1))
    low, high, widths = np.append(rows.low, 0), np.append(rows.high, most), np.append(rows.widest, widest)
    return columns._replace(extra=extra), rows._replace(low=low, high=high, widest=widths)
