"""Counts finished tables: results, ratings, careers, leaderboards."""
