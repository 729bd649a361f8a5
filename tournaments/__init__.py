"""Clubs, tournaments, evenings, ratings and careers, on top of the tables of `games`."""
