"""Cards of Super Zwierzaki on its rules page, and what each of them does."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.catalogue.super_zwierzaki.presenter.faces import SYMBOLS, describe_kind
from games.catalogue.super_zwierzaki.presenter.log import ONE_CARD_CALL
from games.catalogue.super_zwierzaki.presenter.names import COLOUR_NAMES
from games.catalogue.super_zwierzaki.rules.kinds import KINDS
from games.presenters.render import macro

register = template.Library()


class FunctionText(NamedTuple):
    """A function on the rules page. kind: the animal that shows it."""

    code: str
    kind: str
    title: Promise
    text: Promise
    example: Promise

    @property
    def animals(self) -> str:
        """All kinds that have it."""
        return _(", ").join(describe_kind(kind.word).name for kind in KINDS.values() if kind.function == self.code)


FUNCTION_TEXTS = (
    FunctionText(
        "Red",
        "32",
        gettext_lazy("Red +2"),
        gettext_lazy(
            "Two red points per card. The next player answers them or takes as many cards as there are points."
        ),
        gettext_lazy("Example: a crocodile brings two points. The next player adds two mosquitoes, which makes six."),
    ),
    FunctionText(
        "All",
        "4",
        gettext_lazy("Big Five"),
        gettext_lazy("Each of them has every colour and every class, and sets the red points to zero."),
        gettext_lazy("Example: with six red points on the table, a lion saves you. The next player may play anything."),
    ),
    FunctionText(
        "Orc",
        "51",
        gettext_lazy("Orca"),
        gettext_lazy(
            "Three orca points per card, and you may name a new colour. The next player must answer "
            "the points or draw that many cards."
        ),
        gettext_lazy(
            "Example: you play one orca and name yellow. The next player cannot answer and draws three cards."
        ),
    ),
    FunctionText(
        "Stp",
        "22",
        pgettext_lazy("function", "Stop"),
        gettext_lazy("One stop point per card. The next player must answer the points or lose that many turns."),
        gettext_lazy(
            "Example: you play two monarch butterflies. The next player cannot answer and loses this turn and one more."
        ),
    ),
    FunctionText(
        "Dem",
        "14",
        gettext_lazy("Demand"),
        gettext_lazy(
            "You name a kind of animal without a function. Until the demand ends, only that kind, "
            "another Demand or a Veto may be played."
        ),
        gettext_lazy("Example: you play a honey badger and demand koalas. The next player has none and draws a card."),
    ),
    FunctionText(
        "Cch",
        "99",
        gettext_lazy("New colour"),
        gettext_lazy("You may name a new colour. It replaces the given colour. The given class stays."),
        gettext_lazy(
            "Example: a wapiti is pink. You name dark green, so the next player must match dark green "
            "or hoofed animals."
        ),
    ),
    FunctionText(
        "Mch",
        "93",
        gettext_lazy("Reverse"),
        gettext_lazy("The playing order is reversed for everybody."),
        gettext_lazy("Example: in a game of four, the player who used to play before you now plays after you."),
    ),
    FunctionText(
        "Oth",
        "47",
        gettext_lazy("Ape duel"),
        gettext_lazy(
            "A duel begins. When it is over, everybody but the winner draws as many cards as there are duel points."
        ),
        gettext_lazy(
            "Example: a chimpanzee, then an orangutan, then all others fold. That makes two points, and "
            "everybody but the winner draws two cards."
        ),
    ),
    FunctionText(
        "Giv",
        "2",
        gettext_lazy("Gift duel"),
        gettext_lazy(
            "A duel begins. The winner may give another player as many cards as there are duel points. "
            "With more than one card, they keep at least one."
        ),
        gettext_lazy("Example: two cheetahs, and nobody answers. The winner may give two cards away."),
    ),
    FunctionText(
        "Pol",
        "66",
        gettext_lazy("Tuck"),
        gettext_lazy("You may put half of your hand under the top card of the heap."),
        gettext_lazy("Example: you have five cards left. Three of them go under the heap."),
    ),
    FunctionText(
        "Kaz",
        "33",
        gettext_lazy("Give half"),
        gettext_lazy("You may give half of your hand to another player. You choose the cards."),
        gettext_lazy("Example: you have six cards left. The three worst go to the player with the fewest cards."),
    ),
    FunctionText(
        "War",
        "53",
        gettext_lazy("Swap hands"),
        gettext_lazy("You choose two players who swap hands. You may be one of them. You cannot decline."),
        gettext_lazy("Example: you have eight cards and Eva has two. You swap, and now you have two."),
    ),
    FunctionText(
        "Cyr",
        "107",
        gettext_lazy("Veto: the teal"),
        gettext_lazy("On your turn, it always fits and sets all counters to zero. Out of turn, it rejects a play."),
        gettext_lazy("Example: somebody plays two Komodo dragons. You play a teal, and every hand stays where it is."),
    ),
    FunctionText(
        "Dzi",
        "24",
        gettext_lazy("Guard: the woodpecker"),
        gettext_lazy("On your turn, it does nothing. Out of turn, it stops a win or the nine colours."),
        gettext_lazy("Example: Tom has no cards left. You play a woodpecker, and Tom draws one card."),
    ),
)


@register.simple_tag
def animal_card(kind: str) -> SafeString:
    """One card."""
    return mark_safe(macro("super_zwierzaki.jinja", "card")(describe_kind(kind)))  # noqa: S308 - a fragment of ours, escaped there


@register.simple_tag
def card_colours() -> SafeString:
    """The nine colours with their symbols, as list items."""
    hues = tuple((colour, str(COLOUR_NAMES[colour])) for colour in SYMBOLS)
    return mark_safe(macro("super_zwierzaki.jinja", "hues")(hues))  # noqa: S308 - a fragment of ours, escaped there


@register.simple_tag
def one_card_call() -> str:
    """What is said with one card left."""
    return ONE_CARD_CALL


@register.simple_tag
def animal_functions() -> tuple[FunctionText, ...]:
    """All fourteen functions."""
    return FUNCTION_TEXTS
