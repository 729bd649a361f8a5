"""Evenings (timed sessions) of a club: plan, tables, guests, bell."""
