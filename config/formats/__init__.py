"""Formats of dates and times by language; others are Django's."""
