"""Placement ratings with their uncertainty. Pure."""
