"""What a game declares of itself: its package has one `GameInfo` called `INFO`, and nothing else lists games. Pure.

Texts are English and are translated where they are shown. `gettext_noop` and `pgettext_noop` only mark them for
`make extract`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, NamedTuple

from games.rules.base import Rules


class ContextText(NamedTuple):
    """A text whose translation depends on the context, as with `pgettext`."""

    context: str
    message: str


Text = str | ContextText


def gettext_noop(message: str) -> str:
    """Marks a text for translation."""
    return message


def pgettext_noop(context: str, message: str) -> ContextText:
    """Marks a text for translation in a context."""
    return ContextText(context, message)


class Feat(NamedTuple):
    """What profiles and clubs keep a record of in a game without jobs.

    source: "score" for the game's own score, "duel" for the longest duel in cards (`tournaments/careers/feats.py`).
    """

    name: Text
    source: Literal["score", "duel"]


class GuideTip(NamedTuple):
    """One sentence of the guide through somebody's first game, shown while the page matches the CSS selector."""

    selector: str
    text: Text


FIRST_GAME_OVER = GuideTip(
    'body:has(#board[data-status="over"])',
    gettext_noop(
        "That was your first game. “New table” gives you a link for your friends. The rules explain the rest."
    ),
)
"""The last remark of every guide."""
OTHERS_TURN = "body:has(#action:not(.mine))"
MY_TURN = "body:has(#action.mine)"


@dataclass(frozen=True, kw_only=True)
class GameInfo:
    """A game: what the lobby, forms, profiles and workers need to know about it.

    rules, bots, presenter: modules, as dotted paths. `rules` has `RULES`, an object that fulfils
    `games.rules.base.Rules`; `bots` has `choose(view, legal, rng, level)`; `presenter` fulfils
    `games.presenters.contract.GamePresenter`. All are imported when they are first needed.
    """

    slug: str
    """Its name in addresses, records and the database; never changes."""
    name: Text
    tagline: Text
    """One sentence for the lobby."""
    duration: Text
    """How long a usual game takes, e.g. "20–30 minutes"."""
    deal_word: Text
    """What one deal of it is called: "Deal", "Round"."""
    rules: str
    bots: str
    presenter: str
    bot_levels: tuple[str, ...]
    """Levels of its bots (`games.presenters.names.BOT_LEVELS`), weakest first."""
    has_hints: bool = False
    """Whether players can ask for hints: `bots` has `explain(view, legal, move)` or `find_hint(view)`."""
    deals_option: str = ""
    """The option by which a table agrees on a number of deals; empty for a game of one deal."""
    usual_length: Text = ""
    """What ends a game if no length was agreed, e.g. "3 deals"; empty if options always say it."""
    jobs: Mapping[str, Text] = field(default_factory=dict)
    """Slug → name of each job or position, from the top; empty for games without jobs."""
    feat: Feat | None = None
    guide: tuple[GuideTip, ...] = (FIRST_GAME_OVER,)
    """Remarks for somebody's first game; the last one that matches is shown."""
    turn_seconds: int = 45
    """What forms propose for a turn, and tables that nobody filled in a form for."""
    option_labels: Mapping[str, Text] = field(default_factory=dict)
    """Labels of its options in the table form; `deals`, `sessions` and `minutes` have one."""
    option_help: Mapping[str, Text] = field(default_factory=dict)
    """Help for its options in the table form; `minutes` has one, which this replaces."""
    option_phrases: Mapping[str, Text] = field(default_factory=dict)
    """How options of the kinds "flag" and "seat" are described once they are agreed on: "seat %(number)s begins"."""
    option_initial: Mapping[str, int] = field(default_factory=dict)
    """What the table form proposes; an empty field stays the game's own default."""
    lesson: str = ""
    """A module, as a dotted path, with the lesson of this game, `LESSON` (`games.rules.lessons.Lesson`); or none."""
    template_tags: str = ""
    """A module of Django template tags for its rules page, loaded by the slug with underscores; or none."""
    shares: tuple[str, ...] = ()
    """Packages of several games whose `templates`, `static` and `locale` folders it uses besides its own."""
    emblem: str = "a paw"
    """Its small picture in lists, as CSS classes: `a` and the slug of an animal, or `chair` and `j1` to `j8`."""
    colour: str = "green"
    """Colour of the ground of its pictures: green, red, teal, violet or blue; the lobby has green, red and teal
    only."""
    picture_styles: tuple[str, ...] = ()
    """Style sheets of `picture.html` for the lobby, and of the rules page; paths below `static`."""
    order: int = 1000
    """Position in the lobby; games of equal order are sorted by slug."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that hold its `templates`, `static` and `locale` folders."""
        return (self.rules.rpartition(".")[0], *self.shares)

    def agree_on_deals(self, count: int) -> dict[str, int]:
        """Options for a game of this many deals; none where a game is one deal."""
        return {self.deals_option: count} if self.deals_option else {}

    def load_rules(self) -> Rules[Any]:
        """The engine."""
        rules: Rules[Any] = import_module(self.rules).RULES
        return rules
