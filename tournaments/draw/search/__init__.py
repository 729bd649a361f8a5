"""Heuristics for a good draw: initial draw, tabu search, windows, tie-breaking swaps."""
