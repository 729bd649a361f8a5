"""Names in the reader's language for the slugs that rules use: games, jobs, levels of bots, animals, phrases."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import bidirectional

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import texts
from games.rules import registry

Text = str | Promise
translate = texts.translate
name_game = texts.name_game
_NUMBERED = re.compile(r"(?P<stem>.+) (?P<number>\d{1,4}(?: \(bot\))?)")


class GameTexts(NamedTuple):
    """A game as pages show it, from its `GameInfo`. duration: of a usual game."""

    slug: str
    name: Text
    tagline: Text
    duration: Text
    deal_word: Text

    @property
    def has_short_game(self) -> bool:
        """Whether a game may be one deal or several."""
        return bool(registry.infos()[self.slug].deals_option)

    @property
    def seat_counts(self) -> range:
        """How many may play, as its rules say."""
        return registry.find(self.slug).seat_counts

    @property
    def picture(self) -> str:
        """The template of its picture in the lobby."""
        return f"games/{self.slug}/picture.html"

    @property
    def picture_styles(self) -> tuple[str, ...]:
        """The style sheets of that picture."""
        return registry.infos()[self.slug].picture_styles

    @property
    def emblem(self) -> str:
        """The CSS classes of its small picture in lists."""
        return registry.infos()[self.slug].emblem

    @property
    def colour(self) -> str:
        """The colour of that picture's ground."""
        return registry.infos()[self.slug].colour

    @property
    def rules(self) -> str:
        """The template of its rules page."""
        return f"games/{self.slug}/rules.html"


GAMES = {
    info.slug: GameTexts(
        info.slug, translate(info.name), translate(info.tagline), translate(info.duration), translate(info.deal_word)
    )
    for info in registry.infos().values()
}

RANKS: dict[str, dict[str, Promise]] = {
    info.slug: {slug: translate(name) for slug, name in info.jobs.items()}
    for info in registry.infos().values()
    if info.jobs
}
"""Positions and jobs, from the top; the n-th sits on the n-th chair of the ladder."""

BOT_LEVELS: dict[str, Text] = {
    "random": pgettext_lazy("bot", "plays anything"),
    "easy": pgettext_lazy("bot", "plays simply"),
    "steady": pgettext_lazy("bot", "plays sensibly"),
    "sharp": pgettext_lazy("bot", "plays to win"),
}

PACES: dict[str, Text] = {
    "quick": pgettext_lazy("pace", "quick"),
    "normal": pgettext_lazy("pace", "normal"),
    "slow": pgettext_lazy("pace", "slow"),
}
"""How long bots take to move."""

PHRASES: dict[str, Text] = {
    "well-played": _("Well played"),
    "coffee": _("Coffee, trainee!"),
    "low-prices": "Codziennie niskie ceny!",
    "good-luck": _("Good luck, everybody"),
    "thanks": _("Thank you"),
    "ouch": _("Ouch!"),
    "one-moment": _("One moment, please"),
    "once-more": _("Once more?"),
}
"""What can be said at one press; one is the same in every language."""

TALK_ROLES: dict[str, Text] = {"host": _("host"), "organiser": _("Organiser"), "owner": _("Owner")}
"""What people at a table or in a club do besides playing and talking."""


def say_marks(role: str, has_account: bool) -> str:
    """The marks beside a name in words: the role, a slug of `TALK_ROLES` or empty, and the account; empty without."""
    marks = (TALK_ROLES.get(role, ""), _("Has an account") if has_account else "")
    return " · ".join([str(mark) for mark in marks if mark])


TALKS: dict[str, Text] = {
    "phrases": _("Ready-made phrases only"),
    "free": _("Phrases and free text"),
    "off": _("No chat"),
}
"""What may be said at a table."""

WEEKDAYS = (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))
"""Short names of weekdays. Listed here so that our translations are used: Django's Polish ones begin with a capital."""
ANIMALS: dict[str, Text] = {
    "badger": _("badger"),
    "bear": _("bear"),
    "beaver": _("beaver"),
    "bison": _("bison"),
    "butterfly": _("butterfly"),
    "camel": _("camel"),
    "cat": _("cat"),
    "cow": _("cow"),
    "deer": _("deer"),
    "dog": _("dog"),
    "duck": _("duck"),
    "elephant": _("elephant"),
    "flamingo": _("flamingo"),
    "fox": _("fox"),
    "frog": _("frog"),
    "giraffe": _("giraffe"),
    "goose": _("goose"),
    "gorilla": _("gorilla"),
    "hamster": _("hamster"),
    "hedgehog": _("hedgehog"),
    "horse": _("horse"),
    "kangaroo": _("kangaroo"),
    "koala": _("koala"),
    "ladybird": _("ladybird"),
    "lion": _("lion"),
    "monkey": _("monkey"),
    "mouse": _("mouse"),
    "octopus": _("octopus"),
    "otter": _("otter"),
    "owl": _("owl"),
    "panda": _("panda"),
    "peacock": _("peacock"),
    "penguin": _("penguin"),
    "pig": _("pig"),
    "rabbit": _("rabbit"),
    "raccoon": _("raccoon"),
    "rooster": _("rooster"),
    "seal": _("seal"),
    "sloth": _("sloth"),
    "snail": _("snail"),
    "squirrel": _("squirrel"),
    "tiger": _("tiger"),
    "turtle": _("turtle"),
    "unicorn": _("unicorn"),
    "wolf": _("wolf"),
    "zebra": _("zebra"),
}

TILE_ANIMALS: dict[str, Text] = {"crocodile": _("crocodile"), "rhino": _("rhino")}
"""Animals that only tiles show, not players' pictures."""


def find_emblem(slug: str) -> str:
    """The CSS classes of a game's small picture; of several games, or of one that is not installed, a paw."""
    return GAMES[slug].emblem if slug in GAMES else "a paw"


def find_colour(slug: str) -> str:
    """The colour of the ground of that picture; of several games, or of one that is not installed, green."""
    return GAMES[slug].colour if slug in GAMES else "green"


def name_rank(game: str, slug: str) -> str:
    """The name of a position or job, e.g. "Department Head"."""
    return str(RANKS.get(game, {}).get(slug) or slug.replace("-", " ").title())


def chair_of(game: str, slug: str) -> int:
    """Which of the eight chairs goes with a position or job: 1 = throne … 8 = crate."""
    ladder = list(RANKS.get(game, ()))
    return ladder.index(slug) + 1 if slug in ladder else 8


def name_level(level: str) -> str:
    """The name of a bot's level."""
    return str(BOT_LEVELS.get(level, level))


def name_animal(slug: str) -> str:
    """The name of an animal."""
    return str(ANIMALS.get(slug) or TILE_ANIMALS.get(slug, slug))


def split_number(name: str) -> tuple[str, str]:
    """A name without, and the number that tells it from one that looks like it, with the mark of a bot account; the
    number is empty if there is none."""
    found = _NUMBERED.fullmatch(name)
    return (found["stem"], found["number"]) if found else (name, "")


def shorten_name(name: str, most: int) -> str:
    """A name of at most so many characters; its number stays."""
    if len(name) <= most:
        return name
    stem, number = split_number(name)
    ending = f"… {number}" if number else "…"
    return stem[: most - len(ending)].rstrip() + ending


def isolate(name: str) -> str:
    """A name written from right to left, so that it does not turn the sentence around it."""
    return f"\u2068{name}\u2069" if any(bidirectional(sign) in ("R", "AL") for sign in name) else name
