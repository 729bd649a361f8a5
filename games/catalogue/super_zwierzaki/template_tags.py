"""Cards of Super Zwierzaki on its rules page, and what each of them does."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
        gettext_lazy("Red"),
        gettext_lazy(
            "Two red points for each copy. The next player answers, or takes as many cards as there are points."
        ),
        gettext_lazy("Example: a crocodile makes two points; two mosquitoes of the next player make six."),
    ),
    FunctionText(
        "All",
        "4",
        gettext_lazy("Big five"),
        gettext_lazy("Each of them has every colour and every class, and brings the red points to zero."),
        gettext_lazy("Example: at six red points a lion saves you; the next player may play anything."),
    ),
    FunctionText(
        "Orc",
        "51",
        gettext_lazy("Orca"),
        gettext_lazy(
            "Three orca points for each copy: the next player must answer or draw them. Then you may name a colour."
        ),
        gettext_lazy("Example: one orca, and you name yellow; the next player has no orca and draws three."),
    ),
    FunctionText(
        "Stp",
        "22",
        gettext_lazy("Stop"),
        gettext_lazy("A stop point for each copy: the next player must answer, or loses as many turns."),
        gettext_lazy("Example: two monarchs; the next player has no Stop and loses this turn and one more."),
    ),
    FunctionText(
        "Dem",
        "14",
        gettext_lazy("Demand"),
        gettext_lazy(
            "You name a kind of animal that has no function. Until the demand is over only that kind may be played."
        ),
        gettext_lazy("Example: a honey badger demands koalas; the next player has none, and draws."),
    ),
    FunctionText(
        "Cch",
        "99",
        gettext_lazy("New colour"),
        gettext_lazy("You may name a colour. It counts instead of the given ones; the class stays."),
        gettext_lazy(
            "Example: a wapiti is pink; you name dark green, and the next player matches dark green or hoofed."
        ),
    ),
    FunctionText(
        "Mch",
        "93",
        gettext_lazy("Turn round"),
        gettext_lazy("The playing order is turned round, for everybody."),
        gettext_lazy(
            "Example: with four players the last becomes the first, and the player before you is now after you."
        ),
    ),
    FunctionText(
        "Oth",
        "47",
        gettext_lazy("Duel of apes"),
        gettext_lazy(
            "A duel begins. In the end everybody but the winner draws as many cards as there are duel points."
        ),
        gettext_lazy("Example: a chimpanzee, an orangutan, all others fold: two points, and all but one draw two."),
    ),
    FunctionText(
        "Giv",
        "2",
        gettext_lazy("Gift duel"),
        gettext_lazy("A duel, too; the winner may give one player as many cards as there are points, keeping one."),
        gettext_lazy("Example: two cheetahs, nobody answers: the winner gives two cards away."),
    ),
    FunctionText(
        "Pol",
        "66",
        gettext_lazy("Under the heap"),
        gettext_lazy("You may put half of your hand under the heap's top card."),
        gettext_lazy("Example: five cards left; three of them go under the heap."),
    ),
    FunctionText(
        "Kaz",
        "33",
        gettext_lazy("Give half"),
        gettext_lazy("You may give half of your hand, cards you choose, to another player."),
        gettext_lazy("Example: six cards left; the three worst go to the player with the fewest cards."),
    ),
    FunctionText(
        "War",
        "53",
        gettext_lazy("Swap hands"),
        gettext_lazy("You choose two players, who swap their hands. You may be one of them; somebody has to."),
        gettext_lazy("Example: you hold eight cards, Eva two: now you hold two."),
    ),
    FunctionText(
        "Cyr",
        "107",
        gettext_lazy("Veto: the teal"),
        gettext_lazy(
            "In turn it fits anywhere and brings all counters to zero. Out of turn it rejects what somebody played."
        ),
        gettext_lazy("Example: somebody plays two Komodo dragons; a teal, and every hand stays where it is."),
    ),
    FunctionText(
        "Dzi",
        "24",
        gettext_lazy("Guard: the woodpecker"),
        gettext_lazy("In turn it does nothing. Out of turn it stops a win, and the nine colours."),
        gettext_lazy("Example: Tom has no card left; a woodpecker, and they draw one."),
    ),
)


@register.simple_tag
def zoo_card(kind: str) -> SafeString:
    """One card."""
    return mark_safe(macro("super_zwierzaki.jinja", "card")(describe_kind(kind)))  # noqa: S308 - a fragment of ours, escaped there


@register.simple_tag
def zoo_colours() -> SafeString:
    """The nine colours with their symbols, as list items."""
    hues = tuple((colour, str(COLOUR_NAMES[colour])) for colour in SYMBOLS)
    return mark_safe(macro("super_zwierzaki.jinja", "hues")(hues))  # noqa: S308 - a fragment of ours, escaped there


@register.simple_tag
def zoo_cry() -> str:
    """What is said with one card left."""
    return ONE_CARD_CALL


@register.simple_tag
def zoo_deeds() -> tuple[FunctionText, ...]:
    """All fourteen functions."""
    return FUNCTION_TEXTS
