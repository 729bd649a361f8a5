"""Django's admin of clubs and tournaments: clubs, people and connections can be changed, what was played cannot."""

from django.apps import apps

from games.admin.names import name_in_words
from tournaments.admin import clubs, connections, people, talk, tournaments

__all__ = ["clubs", "connections", "people", "talk", "tournaments"]

name_in_words(apps.get_app_config("tournaments").get_models())
