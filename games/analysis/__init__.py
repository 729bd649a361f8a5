"""The analysis of a finished game: what each decision was worth, from what its seat could know then. Pure.

`decisions` judges one decision from a view alone; `report` goes through a record. Results are shares of the other
players that a seat finishes ahead of: 1 is a win, 0 the last place. docs/performance.md says what it costs.
"""
