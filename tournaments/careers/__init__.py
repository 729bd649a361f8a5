"""Timelines and records from career entries. Pure."""
