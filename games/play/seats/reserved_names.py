"""Names that nobody can take, since a reader would think that the site itself, or a bot, is speaking."""

from __future__ import annotations

from typing import Final

from games.models.skeletons import collect_skeletons, list_skeletons
from games.models.spelling import collapse_spaces
from games.play.errors import BadInput

RESERVED: Final = frozenset(
    collect_skeletons(
        (
            "Menagerie", "Admin", "Administrator", "Administrators", "Administration", "Administracja",
            "Administrator strony", "Anonymous", "Anonym", "Anonimowa osoba", "Anonimowo", "Anonim", "Moderator",
            "Moderation", "Moderacja", "System", "Support", "Staff", "Site", "Diese Seite", "Ta strona", "Owner",
            "Organiser", "Organisers", "Organizer", "Turnierleitung", "Clubleitung", "Tischleitung", "Organizatorzy",
            "Zarząd klubu",
        )
    )
)  # fmt: skip
"""The site's own names and the roles, in English, German and Polish."""
BOT: Final = frozenset(collect_skeletons(("Bot", "Bots", "Boty")))
"""First words that only bots have."""


def is_reserved(name: str) -> bool:
    """Whether this name, or one that looks like it, is the site's own or a bot's."""
    words = collapse_spaces(name).replace("-", " ").replace("_", " ").replace(":", " ").split()
    first = list_skeletons(words[0]) if words else frozenset()
    return not RESERVED.isdisjoint(list_skeletons(name)) or not BOT.isdisjoint(first)


def require_free(name: str) -> None:
    """Raises BadInput for a name that is the site's own or a bot's."""
    if is_reserved(name):
        raise BadInput("“%(name)s” is reserved for this site or for bots. Choose another name.", name=name)
