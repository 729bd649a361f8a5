"""Finding a rearrangement, exactly: the best play for a hand and a table, or that there is none.

An integer program (model.py) over what each cell of number and suit holds and which melds cover it, solved by HiGHS;
every variable is whole, so its answer is taken apart into cards again (laying.py) and is a legal move.
"""
