"""Django's admin for clubs and tournaments: people and connections are looked after, what was played is read-only."""

from django.apps import apps

from games.admin.names import name_in_words
from tournaments.admin import clubs, connections, people, talk, tournaments

__all__ = ["clubs", "connections", "people", "talk", "tournaments"]

name_in_words(apps.get_app_config("tournaments").get_models())
