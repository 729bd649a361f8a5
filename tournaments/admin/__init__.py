"""Django's admin for clubs and tournaments: people and connections are looked after, what was played is read-only."""

from tournaments.admin import clubs, connections, people, tournaments

__all__ = ["clubs", "connections", "people", "tournaments"]
