"""A small integer program, built row by row and solved by HiGHS. Same program, same answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import highspy
import numpy as np

Column: TypeAlias = int

_OPTIONS: Final = (
    ("output_flag", False),
    ("threads", 1),
    ("random_seed", 1),
    ("mip_detect_symmetry", False),
    ("mip_rel_gap", 0.0),
    ("mip_abs_gap", 20.0),
)
"""The worth only shows the way: any answer that is near the best will do, and no answer is a proof."""


class Program:
    """Whole variables and linear rows; what is worth most is looked for first."""

    def __init__(self) -> None:
        self._cost: list[float] = []
        self._most: list[float] = []
        self._low: list[float] = []
        self._high: list[float] = []
        self._starts: list[int] = [0]
        self._indices: list[int] = []
        self._values: list[float] = []

    def add_column(self, most: int, worth: int = 0) -> Column:
        """A variable 0 … most."""
        self._cost.append(-worth)
        self._most.append(most)
        return len(self._cost) - 1

    def add_row(self, terms: Mapping[Column, int], low: float, high: float = math.inf) -> None:
        """low ≤ the sum of the terms ≤ high."""
        self._low.append(low)
        self._high.append(high)
        self._indices.extend(terms)
        self._values.extend(terms.values())
        self._starts.append(len(self._indices))

    def limit(self, column: Column, most: int) -> None:
        """Bound a variable to 0 … most."""
        self._most[column] = most

    def solve(self, nodes: int | None = None) -> Sequence[int] | None:
        """The value of each variable; None if there is no answer, or none was found at so many nodes of the search."""
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in _OPTIONS:
            highs.setOptionValue(option, value)
        if nodes is not None:
            highs.setOptionValue("mip_max_nodes", nodes)
        highs.passModel(self._write())
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return [round(value) for value in highs.getSolution().col_value]

    def _write(self) -> highspy.HighsLp:
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self._cost), len(self._low)
        lp.col_cost_ = np.array(self._cost, dtype=float)
        lp.col_lower_ = np.zeros(len(self._cost))
        lp.col_upper_ = np.array(self._most, dtype=float)
        lp.row_lower_ = np.array(self._low, dtype=float)
        lp.row_upper_ = np.array(self._high, dtype=float)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.array(self._starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(self._indices, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(self._values, dtype=float)
        lp.integrality_ = [highspy.HighsVarType.kInteger] * len(self._cost)
        return lp
