"""Tournaments, evenings, ratings, careers: who plays at which table, and what came of it."""
