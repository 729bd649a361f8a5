"""Names that nobody can take, since a reader would think that the site, somebody in charge or a bot is speaking."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from games.models.skeletons import collect_skeletons
from games.models.spelling import collapse_spaces
from games.play.errors import BadInput

_HYPHEN: Final = re.compile(r"(?<=\w)[-‐‑’'](?=\w)")
_AS_LETTERS: Final = str.maketrans("0134578!|@$€", "oieastbiiase")
"""Digits and signs that are written for letters, as in "Adm1n". A skeleton knows only what looks the same."""


def _collect_looks(*names: str) -> set[str]:
    """The skeletons of these names in small letters and capitals."""
    return collect_skeletons(look for name in names for look in (name, name.upper()))


RESERVED: Final = frozenset(
    _collect_looks(
        "Anonymous", "Anonym", "Anonimowa osoba", "Anonimowo", "Anonim", "System", "Support", "Staff", "Site",
        "Diese Seite", "Ta strona", "Official", "Offiziell", "Oficjalnie", "Webmaster", "Sysop", "Root", "Mod", "Mods",
    )
)  # fmt: skip
"""Names of the site, in English, German and Polish, that are words in other names, too."""
ROLES: Final = frozenset(
    _collect_looks(
        "Owner", "Owners", "Zarząd", "Zarząd klubu", "Właściciel", "Właścicielka", "Inhaber", "Inhaberin", "Vorstand",
        "Eigentümer", "Eigentümerin",
    )
)  # fmt: skip
"""Roles that are words in other names, too, but not the last ones: there a page writes the role of a person."""
HOST: Final = frozenset(_collect_looks("Host", "Gastgeber", "Gastgeberin", "Gospodarz", "Prowadzi stół"))
"""Roles that people are called by, too. Nobody has them behind a sign, as in "Ana (host)"."""
LEADING: Final = frozenset(
    _collect_looks(
        "Menagerie", "Admin", "Admins", "Sysadmin", "Administrator", "Administrators", "Administratorin",
        "Administratoren", "Administratorka", "Administratorzy", "Administration", "Administracja", "Moderator",
        "Moderators", "Moderatorin", "Moderatoren", "Moderatorka", "Moderatorzy", "Moderation", "Moderacja",
        "Turnierleitung", "Turnierleiter", "Turnierleiterin", "Clubleitung", "Clubleiter", "Clubleiterin",
        "Tischleitung", "Organiser", "Organisers", "Organizer", "Organizers", "Organisator", "Organisatorin",
        "Organisatoren", "Organizator", "Organizatorka", "Organizatorzy", "Veranstalter", "Veranstalterin",
    )
)  # fmt: skip
"""Words that nobody has in their name."""
BOT: Final = frozenset(_collect_looks("Bot", "Bots", "Boty"))
"""First and last words that only bots have: pages write the word behind the names of bots."""


def is_reserved(name: str, *, is_bot: bool = False) -> bool:
    """Whether this name, or one that looks like it, is the site's own, a role or a bot's.

    is_bot: it is to be the name of a bot account, without the mark; that may be a bot's.
    """
    return any(_is_reserved(look, is_bot=is_bot) for look in (name, name.translate(_AS_LETTERS)))


def _is_reserved(name: str, *, is_bot: bool) -> bool:
    words, parts = _split_words(collapse_spaces(name)), _split_parts(name)
    return (
        _is_like(RESERVED, name, *parts)
        or _is_like(ROLES, name, *parts, *(" ".join(words[at:]) for at in range(len(words))))
        or (len(parts) > 1 and _is_like(HOST, *parts))
        or _is_like(LEADING, name, *words)
        or (not is_bot and _is_like(BOT, *words[:1], *words[-1:]))
    )


def _split_words(name: str) -> list[str]:
    return "".join(" " if unicodedata.category(sign)[0] in "ZPSC" else sign for sign in name).split()


def _split_parts(name: str) -> list[str]:
    """What stands between signs, such as brackets and dashes; a hyphen within a word is none."""
    joined = _HYPHEN.sub(" ", name)
    return "".join("\n" if unicodedata.category(sign)[0] in "PS" else sign for sign in joined).split("\n")


def _is_like(taken: frozenset[str], *names: str) -> bool:
    """Whether one of these looks like a taken one, also with a number at its end."""
    looks = {look for name in names for look in (name, name.rstrip(" 0123456789")) if look}
    return not taken.isdisjoint(collect_skeletons(looks))


def require_free(name: str, *, is_bot: bool = False) -> None:
    """Raises BadInput for a name that is the site's own, a role or a bot's. is_bot: as for `is_reserved`."""
    if is_reserved(name, is_bot=is_bot):
        raise BadInput("“%(name)s” is reserved for this site, for roles or for bots. Choose another name.", name=name)
