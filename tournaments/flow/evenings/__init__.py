"""Timed sessions of a club: opened, extended, ended; who sits where."""
