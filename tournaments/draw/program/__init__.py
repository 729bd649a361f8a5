"""The draw as an integer program: columns, linear relaxation, cuts, branch and bound (HiGHS)."""
