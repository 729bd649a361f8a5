"""Counting cards of Animal Poker: `find_census` looks for `Census` here."""

from __future__ import annotations

from tests.catalogue.climbing.census import ClimbingCensus as Census

__all__ = ["Census"]
