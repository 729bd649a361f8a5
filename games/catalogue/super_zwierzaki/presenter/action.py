"""The region "action" of Super Zwierzaki: the choices of one seat, as buttons, colours, players and kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalogue.super_zwierzaki.presenter import standing_choices
from games.catalogue.super_zwierzaki.presenter.faces import SYMBOLS, describe_kind
from games.catalogue.super_zwierzaki.presenter.log import ONE_CARD_CALL
from games.catalogue.super_zwierzaki.presenter.names import CLASS_NAMES, COLOUR_NAMES, name_kind
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, NONFUNCTIONAL, WORDS
from games.catalogue.super_zwierzaki.rules.standing import WINDOWS
from games.catalogue.super_zwierzaki.rules.view import OwnView, SuperZwierzakiView
from games.presenters.board_layout import BOARD
from games.presenters.render import cache_by_language, macro
from games.presenters.screen import Screen
from games.records import strict_json

FILE = "super_zwierzaki.jinja"


class Question(NamedTuple):
    """One question. go: the label of the main button while nothing is chosen, or "" where there is none."""

    ask: str
    body: str = ""
    go: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    """Further buttons: (label, move as JSON). Where there is no main button, the first is the one to press."""
    why: str = ""
    """What to say when something that is not possible is tapped."""
    nine: bool = False


def render_action(screen: Screen, view: SuperZwierzakiView, seat: int) -> str:
    """The region "action" of this seat."""
    mine = view["mine"]
    assert mine is not None  # noqa: S101 - a seat's view
    if screen.chairs[seat].stand_in:
        return macro(BOARD, "away")()
    owes = screen.dues.get(f"call-{seat}", 0) if seat in view["must_call"] else None
    standing = standing_choices.list_choices(screen, seat)
    passing = standing_choices.say_passing(screen, view, seat, mine)
    if seat not in view["to_act"] or passing:
        is_turn = view["turn"] == seat and view["phase"] != "over"
        label = _("Wait for the others") if is_turn else _("Not your turn yet")
        may_plan = screen.has_standing_answers and not is_turn and bool(mine["hand"])
        return macro(FILE, "idle")(
            label=label,
            passing=passing,
            owes=owes,
            may_call=mine["may_call"],
            cry=ONE_CARD_CALL,
            may_plan=may_plan,
            choices=standing,
        )
    asked = _QUESTIONS[view["phase"]](screen, view, seat, mine)
    has_limit = not screen.is_untimed or view["phase"] in WINDOWS
    return macro(FILE, "action")(
        asked=asked,
        phase=view["phase"],
        need=view["need"],
        plays=strict_json.write(mine["plays"], separators=strict_json.COMPACT),
        due=_find_due(screen, view),
        default=say_default(screen, mine["default"], view) if has_limit else "",
        owes=owes,
        may_call=mine["may_call"],
        cry=ONE_CARD_CALL,
        hold=screen.holds.get(seat),
        choices=standing if view["phase"] in WINDOWS else (),
    )


def _find_due(screen: Screen, view: SuperZwierzakiView) -> int | None:
    return screen.dues.get(view["phase"]) if view["phase"] in WINDOWS else screen.due


def _build_button(label: str, move: Mapping[str, Any]) -> tuple[str, str]:
    return label, strict_json.write(move, separators=strict_json.COMPACT)


def _ask_turn(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    counters = view["counters"]
    if points := counters["red"]:
        words = ngettext("Take %(count)d card", "Take %(count)d cards", points) % {"count": points}
        ask = _("Your turn: answer the red points or take the cards.")
        return Question(ask, go=_render_go(mine), extra=(_build_button(words, {"accept": True}),), why=_counter_why())
    if counters["orc"] or counters["stop"]:
        return _ask_forced(counters, mine)
    extra = (_build_button(_("Draw a card"), {"draw": True}),)
    if counters["demand"] and view["named"]:
        ask = _("Your turn: play %(card)s, a Demand or a Veto, or draw a card.") % {"card": name_kind(view["named"])}
        return Question(
            ask, go=_render_go(mine), extra=extra, why=_("You can only play the demanded animal, a Demand or a Veto.")
        )
    ask, why = _say_match(tuple(view["given"]["colours"]), tuple(view["given"]["classes"]))
    return Question(ask, go=_render_go(mine), extra=extra, why=why, nine=mine["nine"])


def _render_go(mine: OwnView) -> str:
    """The label of the main button before cards are chosen; none where no card can be played."""
    return _("Choose cards") if mine["plays"] else ""


def _counter_why() -> str:
    return _("This card does not answer the points, or does not match.")


def _ask_forced(counters: Mapping[str, int], mine: OwnView) -> Question:
    if mine["plays"]:
        ask = _("Your turn: you can answer the points, so you must.")
        return Question(ask, go=_("Choose cards"), why=_counter_why())
    if points := counters["orc"]:
        words = ngettext("Draw %(count)d card", "Draw %(count)d cards", points) % {"count": points}
        return Question(
            _("You have no card to answer the orca points."),
            extra=(_build_button(words, {"accept": True}),),
            why=_counter_why(),
        )
    points = counters["stop"]
    words = ngettext("Lose %(count)d turn", "Lose %(count)d turns", points) % {"count": points}
    return Question(
        _("You have no card to answer the stop points."),
        extra=(_build_button(words, {"accept": True}),),
        why=_counter_why(),
    )


@cache_by_language
def _say_match(colours: tuple[str, ...], classes: tuple[str, ...]) -> tuple[str, str]:
    names = {"colour": COLOUR_NAMES[colours[0]], "group": CLASS_NAMES[classes[0]]}
    if len(colours) > 1 and len(classes) > 1:
        return _("Your turn: anything fits."), ""
    if len(colours) > 1:
        return _("Your turn: any colour fits."), ""
    if len(classes) > 1:
        return (
            _("Your turn: %(colour)s or any class, so every card fits.") % names,
            _("This card matches neither the colour (%(colour)s) nor a class.") % names,
        )
    return (
        _("Your turn: match %(colour)s or %(group)s.") % names,
        _("This card must match %(colour)s or %(group)s.") % names,
    )


def _ask_reaction(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    ask = _("Do you reject it?")
    why = _("You can only play a Veto here. Against the nine colours, a Guard works too.")
    return Question(ask, extra=(_build_allow_button(), *_list_reactions(mine)), why=why)


def _ask_win(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    winner = screen.chairs[view["winner"]].name if view["winner"] is not None else ""
    ask = _("%(name)s is about to win. Do you stop them?") % {"name": winner}
    return Question(
        ask, extra=(*_list_reactions(mine), _build_allow_button()), why=_("You can only play a Guard or a Veto here.")
    )


def _build_allow_button() -> tuple[str, str]:
    return _build_button(_("Allow"), {"decline": True})


def _list_reactions(mine: OwnView) -> tuple[tuple[str, str], ...]:
    # A Guard where it is enough: the Veto can do more
    kinds = sorted(mine["plays"], key=lambda kind: KINDS[int(kind)].function == "Cyr")
    return tuple(_build_button(_("Play %(card)s") % {"card": name_kind(kind)}, {"react": kind}) for kind in kinds)


def _ask_duel(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    ask = _("Duel: answer with a card or fold.")
    why = _("This card does not change the duel points now.")
    go = _("Choose a card") if mine["plays"] else ""
    return Question(ask, go=go, extra=(_build_button(_("Fold"), {"fold": True}),), why=why)


def _ask_colour(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    best = _find_commonest_colour(mine["hand"])
    words = _("Name %(colour)s") % {"colour": COLOUR_NAMES[best]}
    extra = (_build_button(words, {"colour": best}), *_list_decline_button())
    return Question(_("Name a new colour or decline."), macro(FILE, "wheel")(_list_colours()), extra=extra)


def _find_commonest_colour(hand: Sequence[str]) -> str:
    """The colour of most cards in the hand, the first of them where several have as many."""
    held = Counter(KINDS[int(word)].colour for word in hand)
    return max(SYMBOLS, key=lambda colour: held[colour])


def _list_decline_button() -> tuple[tuple[str, str], ...]:
    return (_build_button(_("Decline"), {"decline": True}),)


def _list_colours() -> tuple[tuple[str, str], ...]:
    return tuple((colour, str(COLOUR_NAMES[colour])) for colour in SYMBOLS)


def _ask_name(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    return Question(_("Which animal do you demand?"), _render_kinds(tuple(mine["hand"])), go=_("Demand this animal"))


@cache_by_language
def _render_kinds(hand: tuple[str, ...]) -> str:
    """The player's own kinds first: those they can answer themselves."""
    words = [WORDS[number] for number in NONFUNCTIONAL]
    groups = [(_("In your hand"), [word for word in words if word in hand])]
    for colour, name in _list_colours():
        groups.append((name, [word for word in words if KINDS[int(word)].colour == colour and word not in hand]))
    named = tuple(
        (title, tuple((word, describe_kind(word).name) for word in members)) for title, members in groups if members
    )
    return macro(FILE, "kinds")(named, _("Kind of animal"))


def _list_people(screen: Screen, view: SuperZwierzakiView) -> tuple[Mapping[str, Any], ...]:
    """Everybody at the table, with how many cards they hold, which the choice depends on."""
    return tuple(
        {
            "index": chair.index,
            "name": chair.name,
            "avatar": chair.avatar,
            "count": (count := view["hand_sizes"][chair.index]),
            "word": ngettext("card", "cards", count),
        }
        for chair in screen.chairs
    )


def _render_people(screen: Screen, view: SuperZwierzakiView, seat: int | None, wanted: int, label: str) -> str:
    persons = tuple(person for person in _list_people(screen, view) if person["index"] != seat)
    return macro(FILE, "people")(wanted, persons, label)


def _ask_swap(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    body = _render_people(screen, view, None, 2, _("Two players"))
    why = _("Choose two players first.")
    return Question(_("Which two players swap hands?"), body, go=_("Swap their hands"), why=why)


def _ask_discard(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    count = view["need"]
    ask = ngettext(
        "You may put exactly %(count)d card under the heap.",
        "You may put exactly %(count)d cards under the heap.",
        count,
    )
    return Question(ask % {"count": count}, go=_("Choose cards"), extra=_list_decline_button())


def _ask_give(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    count, may = view["need"], view["may_decline"]
    if may:
        ask = ngettext(
            "You may give exactly %(count)d card to somebody.",
            "You may give exactly %(count)d cards to somebody.",
            count,
        )
    else:
        ask = ngettext("Give exactly %(count)d card to somebody.", "Give exactly %(count)d cards to somebody.", count)
    body = _render_people(screen, view, seat, 1, _("Choose a player"))
    return Question(ask % {"count": count}, body, go=_("Choose cards"), extra=_list_decline_button() if may else ())


def _ask_sigma(screen: Screen, view: SuperZwierzakiView, seat: int, mine: OwnView) -> Question:
    body = macro(FILE, "sigma")(_list_people(screen, view))
    return Question(_("Two Komodo dragons: decide who gets which hand."), body, go=_("Move the hands"))


_QUESTIONS: Mapping[str, Callable[[Screen, SuperZwierzakiView, int, OwnView], Question]] = {
    "turn": _ask_turn,
    "reaction": _ask_reaction,
    "win": _ask_win,
    "duel": _ask_duel,
    "colour": _ask_colour,
    "name": _ask_name,
    "swap": _ask_swap,
    "discard": _ask_discard,
    "give": _ask_give,
    "sigma": _ask_sigma,
}


def say_default(screen: Screen, move: Mapping[str, Any] | None, view: SuperZwierzakiView) -> str:
    """What happens if time runs out."""
    if move is None:
        return _("When time runs out, you allow it.") if view["to_act"] else ""
    if "draw" in move:
        return _("When time runs out, you draw a card.")
    if "accept" in move:
        return _("When time runs out, you take the cards or lose the turns.")
    if "fold" in move:
        return _("When time runs out, you fold.")
    if "play" in move:
        return _("When time runs out, %(card)s is played.") % {"card": name_kind(move["play"])}
    if "name" in move:
        return _("When time runs out, %(card)s is demanded.") % {"card": name_kind(move["name"])}
    if "swap" in move:
        names = [screen.chairs[seat].name for seat in move["swap"]]
        return _("When time runs out, %(first)s and %(second)s swap hands.") % {"first": names[0], "second": names[1]}
    if "sigma" in move:
        names = [screen.chairs[move[way]].name for way in ("from", "to")]
        return _("When time runs out, %(first)s gives %(second)s a random half of their hand. Nothing else moves.") % {
            "first": names[0],
            "second": names[1],
        }
    if "give" in move:
        return _("When time runs out, %(name)s gets all your cards but one.") % {"name": screen.chairs[move["to"]].name}
    return _("When time runs out, you decline.")
