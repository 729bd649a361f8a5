"""How good a draw is, line by line, and better draws where a line is not proven."""
