"""Tournaments, evenings, ratings, careers: who plays with whom, and what became of it."""
