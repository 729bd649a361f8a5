"""The draw as an integer program: columns, relaxation, cuts and branching (HiGHS)."""
