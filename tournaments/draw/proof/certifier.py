"""The certificate of a draw, line by line; where a line is not yet optimal, a better draw as well."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from tournaments.draw.problem.attainable_costs import ANY_COST
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.solution import OBJECTIVE_LINES
from tournaments.draw.program.column_filters import ColumnFilter, build_column_filter
from tournaments.draw.program.column_sources import GeneratedColumns, join
from tournaments.draw.program.columns import TooManyPods
from tournaments.draw.program.costs import convert_to_units, cost_columns
from tournaments.draw.program.entrant_groups import Nodes, list_single_nodes
from tournaments.draw.program.line_programs import build_pod_model, describe_draw
from tournaments.draw.program.listed_columns import ListedColumns
from tournaments.draw.program.lock_groups import bound_locks
from tournaments.draw.program.reduced_costs import deduct_prices
from tournaments.draw.program.relaxation import FEW_PODS, Columns, Rows, bound_draw_cost, reduce_costs
from tournaments.draw.proof.diving import dive
from tournaments.draw.proof.equal_cost_draws import EqualCostSearch, combine_costs
from tournaments.draw.proof.exact import build_cover_rows, list_all_pods
from tournaments.draw.proof.incumbent import Incumbent, SeatedDraw, read_draw, seat_draw
from tournaments.draw.proof.line_stages import RootRelaxation, close_gap, search_known_columns, solve_root
from tournaments.draw.proof.lock_bound import bound_whole_locks
from tournaments.draw.search.annealed_tabu import MAX_FAILED_RUNS, DrawAnnealer
from tournaments.draw.search.start import build_initial_draw

FIRST_PAIR_LINE: Final = OBJECTIVE_LINES.index("thirds")
"""The index of the first line that depends on pairs."""
LAST_LINES: Final = OBJECTIVE_LINES[FIRST_PAIR_LINE + 2 :]
"""The lines after the pairing."""
MAX_LAST_COLUMNS: Final = 300_000
"""Pods that the last lines are proven over, at most, among up to FEW_PEOPLE; among more, MAX_COLUMNS."""
MAX_COLUMNS: Final = 20_000
"""The same among more people; and pods over which equally good draws are enumerated."""
FEW_PEOPLE: Final = 64
"""People, up to which dives and the longer list of pods are worth it."""
LISTED_COST: Final = 4
"""Units of work for each pod listed for the last lines (measured)."""
ROOT_SHARE: Final = 60
"""Percent of the remaining work for the linear program of a line; the rest is for branching."""
WIDE_ROOT_SHARE: Final = 40
"""The same where a draw has few and wide pods."""
DIVE_SHARE: Final = 30
"""Percent of what then remains, for dives."""
ANNEAL_SHARE: Final = 70
"""Percent of what then remains, for annealed tabu search, where a draw has few and wide pods."""
RECOMBINE_SHARE: Final = 40
"""Percent of what then remains, for the best draw of the pods that the annealing met."""
RECOMBINED_COST: Final = 5
"""Units of work for each of these pods (measured)."""
MAX_UNANNEALED_PEOPLE: Final = 48
"""People. Up to this many the linear program proves more draws if it has the time."""
CLOSE_SHARE: Final = 15
"""Percent of what remains, for branching before any dive, where a draw has many pods."""
FIRST_EFFORT: Final = 200_000
"""Units of work for the first attempt at the last lines. Two methods take turns; which one is faster is not known
before.
"""
EFFORT_GROWTH: Final = 4
"""Factor by which each further attempt may cost more."""
MAX_PAIRING_COST: Final = 1 << 59
"""Costs of draws, in units of scale²; beyond, 64 bits do not hold the tables of columns.py."""
LOCK_BOUND_RATIO: Final = 1.5
"""If the value is so many times the bound, among very many people, the locks are bounded by themselves, too."""
MAX_SINGLE_PEOPLE: Final = 260
"""People. Among more, a program does not tell everybody apart, except in `fix_and_solve`. More rows would take longer
than the time limit.
"""


class Certifier(Incumbent):
    """A draw with its bounds. levels: among very many people, which of them a coarse program tells apart."""

    def __init__(self, instance: Instance, drawn: SeatedDraw, scales: Scales, levels: Nodes | None) -> None:
        super().__init__(instance, drawn, scales)
        self.budget: Budget
        self.is_whole = instance.size <= MAX_SINGLE_PEOPLE
        self.levels = levels
        self.root: RootRelaxation | None = None
        self.depth = FIRST_PAIR_LINE
        """The root relaxation holds as long as the first so many lines keep their values."""
        self.source: GeneratedColumns
        self.column_filter: ColumnFilter | None = None

    @property
    def may_improve(self) -> bool:
        """Whether the pairing may still be better, as far as is known, and its cost can be computed with."""
        return self.drawn.values.pairing > self.bounds.pairing and self._is_countable()

    def take(self, drawn: SeatedDraw) -> None:
        """The better of the two draws; if lines differ that the root relaxation builds on, it is discarded."""
        depth = self.depth
        if drawn.values < self.drawn.values and drawn.values[:depth] != self.drawn.values[:depth]:
            self.root = None
        super().take(drawn)

    def prove_pairing(self, budget: Budget) -> None:
        """Prove everything up to the pairing, as far as the budget goes."""
        self.budget = budget
        if self.drawn.values == self.bounds:
            return
        if not self.is_whole:
            if self.may_improve:
                self._find_root("pairing")
            if self.drawn.values.pairing > LOCK_BOUND_RATIO * self.bounds.pairing and self.may_improve:
                most = self.convert_to_units("pairing")
                self.raise_bound("pairing", bound_locks(self.instance, self.scales, most, budget))
            return
        if self._is_countable():
            self._prove_before_pairing()
        if not self._is_countable():  # fewer third meetings may have raised the pairing's cost
            self.root = None
            self._prove_over_all_pods(OBJECTIVE_LINES)
            return
        self._find_root("pairing")
        self._close_line("pairing")

    def _prove_before_pairing(self) -> None:
        if self.drawn.values[:FIRST_PAIR_LINE] != self.bounds[:FIRST_PAIR_LINE]:
            self._prove_over_all_pods(OBJECTIVE_LINES[:FIRST_PAIR_LINE])
        if self.drawn.values.thirds > self.bounds.thirds:
            self._find_root("thirds")
            self._close_line("thirds")

    def prove_last_lines(self, budget: Budget) -> None:
        """Prove odd sizes and seats, over the pods that the pairing leaves."""
        self.budget = budget
        if self.is_whole and self.root is not None and self.drawn.values != self.bounds:
            self._prove_rest(self.root)

    def resume(self, budget: Budget) -> None:
        """Continue with the pairing, after a better draw was taken."""
        self.budget = budget
        self._close_line("pairing")

    def _prove_over_all_pods(self, lines: Sequence[str]) -> None:
        """Prove over all possible pods, if these are few. The last resort."""
        with suppress(TooManyPods):
            self._prove_lines(lines, list_all_pods(self.instance, self.budget), build_cover_rows(self.instance))

    def _find_root(self, line: str) -> None:
        """Solve the root relaxation of `thirds` or `pairing`, over pods generated from the rules."""
        nodes = list_single_nodes(self.instance) if self.is_whole else self.levels
        if nodes is None:
            return
        self.depth = OBJECTIVE_LINES.index(line)
        shape, rows = build_pod_model(self.instance, self.drawn.values, self.scales, line=line, nodes=nodes)
        self.column_filter = (
            self._build_column_filter(len(rows.low) - 1) if line == "pairing" and self.root is not None else None
        )
        self.source = GeneratedColumns(shape)
        start = describe_draw(self.source, self.drawn.pods, self.drawn.byes)
        share = (WIDE_ROOT_SHARE if self._is_wide() else ROOT_SHARE) if self.is_whole else 100
        part = self.budget.split_off(self.budget.remaining() * share // 100)
        self.root = solve_root(self.source, rows, start, self.convert_to_units(line), part)
        if self.root is not None:
            self.raise_bound(line, max(self.root.bound, self._bound_with_whole_locks(self.root)))

    def _build_column_filter(self, count: int) -> ColumnFilter | None:
        """The filter from the program of third meetings. count: its rows that are not cuts."""
        value, root = self.drawn.values.thirds, self.root
        return None if root is None or not value else build_column_filter(root.prices, root.floor, value, count)

    def _bound_with_whole_locks(self, root: RootRelaxation) -> int:
        """The bound with locks whole, where several could share a pod; 0 if nothing is proven."""
        if len(self.source.model.locks) < 2:
            return 0
        try:
            least = bound_whole_locks(self.source, root.prices, self.budget)
        except TooManyPods:
            return 0
        return root.rows.bound_true_cost(bound_draw_cost(root.rows, root.prices, 0) + least, root.prices.fractions)

    def _close_line(self, line: str) -> None:
        """Better draws and higher bounds as long as there are any, also by diving.

        Where a draw has many pods, diving comes only if branching does not soon end; among many people it finds
        nothing.
        """
        has_few_pods = self.root is not None and self.root.rows.has_few_pods
        if self.instance.size <= FEW_PEOPLE and not has_few_pods and not self._is_wide():
            self._close_gaps(line, self.budget.split_off(self.budget.remaining() * CLOSE_SHARE // 100))
        if self._is_open(line) and self.root is not None and (has_few_pods or self.instance.size <= FEW_PEOPLE):
            self._dive(line, self.root)
        if self._is_wide():
            self._anneal(line)
        self._close_gaps(line, self.budget)

    def _close_gaps(self, line: str, budget: Budget) -> None:
        """Close the gap of a line from draw to better draw."""
        while self._is_open(line) and self.root is not None:
            bound = convert_to_units(self.instance, self.bounds, line, self.scales)
            outcome = close_gap(self.source, self.root, self.convert_to_units(line), budget, bound, self.column_filter)
            if outcome.pods is not None:
                self.take(read_draw(self.instance, outcome.pods))
            self.raise_bound(line, outcome.bound)
            if outcome.pods is None:
                break

    def _is_wide(self) -> bool:
        """Whether many people sit in few pods: there are too many pods to list, and swaps find better draws."""
        return self.is_whole and self.instance.size > MAX_UNANNEALED_PEOPLE and len(self.drawn.pods) <= FEW_PODS

    def _is_countable(self) -> bool:
        """Whether the cost of the pairing can be told apart from the cost of barred pods."""
        return self.convert_to_units("pairing") < MAX_PAIRING_COST

    def _is_open(self, line: str) -> bool:
        return self.is_whole and getattr(self.drawn.values, line) > getattr(self.bounds, line)

    def _dive(self, line: str, root: RootRelaxation) -> None:
        """A better draw from the linear program; the columns met on the way join the root."""
        part = self.budget.split_off(self.budget.remaining() * DIVE_SHARE // 100)
        dived = dive(self.source, root, self.convert_to_units(line), part)
        self.root = dived.root
        if dived.pods is not None:
            self.take(read_draw(self.instance, dived.pods))

    def _anneal(self, line: str) -> None:
        """A better draw by annealed tabu search."""
        part = self.budget.split_off(self.budget.remaining() * ANNEAL_SHARE // 100)
        annealer = DrawAnnealer(self.instance, self.scales, random.Random(self.instance.problem.seed))
        initial, failed = build_initial_draw(self.instance, self.scales, part), 0
        if initial is None or len(initial.byes) != self.drawn.values.byes:
            return
        while self._is_open(line) and failed < MAX_FAILED_RUNS and part.remaining():
            found = annealer.run(initial, part)
            before, failed = self.drawn.values, failed + 1
            if found is not None and is_allowed(self.instance, found.pods[:-1], found.pods[-1]):
                self.take(seat_draw(self.instance, found.pods[:-1], found.pods[-1]))
            if self.drawn.values[: self.depth + 1] < before[: self.depth + 1]:
                failed = 0
            if self.root is None:
                return
        if self._is_open(line):
            self._recombine(line, list(annealer.pods_met))

    def _recombine(self, line: str, pods: list[tuple[int, ...]]) -> None:
        """The best draw of pods that better and worse draws had, and those that the linear program met."""
        if self.root is None or not pods:
            return
        self.budget.spend(RECOMBINED_COST * len(pods))
        columns = join([self.root.columns, describe_draw(self.source, pods, [])])
        part = self.budget.split_off(2 * self.budget.remaining() * RECOMBINE_SHARE // 100)
        root = self.root._replace(columns=columns)
        outcome = search_known_columns(root, self.convert_to_units(line), root.bound, part)
        if outcome.pods is not None:
            self.take(read_draw(self.instance, outcome.pods))

    def _prove_rest(self, root: RootRelaxation) -> None:
        """Odd sizes and seats over all pods that the pairing leaves, by two methods in turn, each time for longer."""
        budget, value, rows = self.budget, self.convert_to_units("pairing"), root.rows
        most = MAX_LAST_COLUMNS if self.instance.size <= FEW_PEOPLE else MAX_COLUMNS
        try:
            limit = value // rows.cost_unit * root.prices.fractions - root.floor
            columns = self.source.list_all(root.prices, limit, most=most, budget=budget)
        except TooManyPods:
            return
        budget.spend(LISTED_COST * len(columns.cost))
        if not reduce_costs(columns, root.prices).any():
            self._prove_lines(LAST_LINES, columns, rows)
            return
        rows, _, _, columns, paid = deduct_prices(rows, root.prices, root.floor, columns)
        value -= paid
        equal_cost_search = (
            self._open_equal_cost_search(columns, rows, value) if len(columns.cost) <= MAX_COLUMNS else None
        )
        listed, effort, before = columns, FIRST_EFFORT, -1
        while not self._is_rest_proven() and budget.remaining() and budget.spent > before:
            self.budget, before = budget.split_off(effort), budget.spent
            if equal_cost_search is not None:
                self._search_equal_costs(equal_cost_search, listed)
                columns, rows = equal_cost_search.columns, equal_cost_search.rows
            if not self._is_rest_proven():
                self._prove_lines(LAST_LINES, *_add_row(columns, rows, value // rows.cost_unit))
            effort *= EFFORT_GROWTH
        self.budget = budget

    def _is_rest_proven(self) -> bool:
        return self.drawn.values[FIRST_PAIR_LINE + 1 :] == self.bounds[FIRST_PAIR_LINE + 1 :]

    def _open_equal_cost_search(self, columns: Columns, rows: Rows, value: int) -> EqualCostSearch:
        """The search for the last lines among all draws that cost no more."""
        odd, seats = (cost_columns(self.instance, columns, line, self.scales) for line in LAST_LINES)
        return EqualCostSearch(rows, columns, combine_costs(odd, seats, rows.pods), value)

    def _search_equal_costs(self, equal_cost_search: EqualCostSearch, columns: Columns) -> None:
        best = equal_cost_search.run(self.budget.split_off(self.budget.remaining() // 2))
        if best.chosen is not None:
            self.take(read_draw(self.instance, columns.take(best.chosen)))
        if best.bound == best.value:
            for line in ("pairing", *LAST_LINES):
                self.raise_bound(line, self.convert_to_units(line))

    def _prove_lines(self, lines: Sequence[str], columns: Columns, rows: Rows) -> None:
        """Prove each of the lines over all these columns, keeping the values of the ones before."""
        rows = rows._replace(attainable=ANY_COST, cost_unit=1, true_cost=None)
        for line in lines:
            if line == OBJECTIVE_LINES[-1] and self.drawn.values.seats == self.bounds.seats:
                break
            columns = columns._replace(cost=cost_columns(self.instance, columns, line, self.scales))
            if getattr(self.drawn.values, line) > getattr(self.bounds, line):
                self._prove_listed(line, columns, rows)
            columns, rows = _add_row(columns, rows, self.convert_to_units(line))

    def _prove_listed(self, line: str, columns: Columns, rows: Rows) -> None:
        value, listed_source = self.convert_to_units(line), ListedColumns(columns, rows.pods)
        root = solve_root(listed_source, rows, self._find_columns(columns), value, self.budget)
        if root is None:
            return
        outcome = close_gap(listed_source, root, value, self.budget)
        if outcome.pods is not None:
            self.take(read_draw(self.instance, outcome.pods))
        self.raise_bound(line, max(root.bound, outcome.bound))

    def _find_columns(self, columns: Columns) -> Columns:
        """The columns of the incumbent."""
        wanted = {tuple(sorted(pod)) for pod in [*self.drawn.pods, *((bye,) for bye in self.drawn.byes)]}
        rows = [tuple(member for member in row if member >= 0) for row in columns.members.tolist()]
        return columns.take(np.array([number for number, row in enumerate(rows) if row in wanted], dtype=np.int64))


def _add_row(columns: Columns, rows: Rows, most: int) -> tuple[Columns, Rows]:
    """A further row: the line just proven may not exceed this value."""
    extra = np.concatenate([columns.extra, columns.cost[:, None]], axis=1)
    max_coefficient = int(columns.cost.max(initial=1))
    low, high, widths = (
        np.append(rows.low, 0),
        np.append(rows.high, most),
        np.append(rows.max_coefficient, max_coefficient),
    )
    return columns._replace(extra=extra), rows._replace(low=low, high=high, max_coefficient=widths)
