"""The closed list of events of climbing games, for the log and for animation.

kind         seat          data
timed_out    who was slow  {}; what the clock plays for that seat follows
played       who           cards: words, sorted; number: 14 and more for jokers alone; count
passed       who           {}
out          who           rank: the rank won for the next deal, 1 = top
round_won    played last   leader: seat that leads the next round (another one if the winner is out)
deal_over    None          deal; ranks: won in it, by seat; points: by seat, None in Animal Poker
dealt        None          deal; order; ranks: held in it, by seat; sizes: cards by seat; leader
exchanged    giver         taker, count; everybody knows
gift         giver         taker, count, cards; follows "exchanged", only the two know
bell         None          deal: the one under way, which is the last
game_over    None          places, scores (None in Animal Poker), by seat
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.plays import Play
from games.catalogue.climbing.rules.state import Deal, Gift, State, rank_seats
from games.rules.base import Event, Outcome, Seat

Kind: TypeAlias = Literal[
    "timed_out",
    "played",
    "passed",
    "out",
    "round_won",
    "deal_over",
    "dealt",
    "exchanged",
    "gift",
    "bell",
    "game_over",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@lru_cache(maxsize=1 << 14)
def make_played(seat: Seat, play: Play, number: int) -> Event:
    """Shared between games, like all events here: not to be changed."""
    return Event("played", seat, {"cards": list(play.words), "number": number, "count": play.count})


@lru_cache
def make_passed(seat: Seat) -> tuple[Event, ...]:
    """A pass is all that happens, mostly."""
    return (Event("passed", seat, {}),)


def make_out(seat: Seat, rank: int) -> Event:
    """The seat is out of cards."""
    return Event("out", seat, {"rank": rank})


@lru_cache
def make_round_won(seat: Seat, leader: Seat) -> Event:
    """The event of a round that ends because nobody is left to beat the last play."""
    return Event("round_won", seat, {"leader": leader})


def make_deal_over(deal: int, ranks: tuple[int, ...], *, scored: bool) -> Event:
    """One player is left."""
    points = [len(ranks) - rank for rank in ranks] if scored else None
    return Event("deal_over", None, {"deal": deal, "ranks": list(ranks), "points": points})


def make_dealt(deal: Deal, wild: str) -> tuple[Event, ...]:
    """The new cards and what was exchanged, card words only for the two concerned."""
    sizes = [cards.count_cards(deal.start[place - 1]) for place in rank_seats(deal.order)]
    data = {
        "deal": deal.number,
        "order": list(deal.order),
        "ranks": rank_seats(deal.order) if deal.is_ranked else None,
        "sizes": sizes,
        "leader": deal.order[0],
    }
    return (Event("dealt", None, data), *(event for gift in deal.gifts for event in _make_gift(gift, wild)))


def _make_gift(gift: Gift, wild: str) -> tuple[Event, Event]:
    count = cards.count_cards(gift.cards)
    public = {"taker": gift.taker, "count": count}
    private = {**public, "cards": cards.write_words(gift.cards, wild)}
    return (
        Event("exchanged", gift.giver, public),
        Event("gift", gift.giver, private, tuple(sorted((gift.giver, gift.taker)))),
    )


def make_bell(state: State) -> Event:
    """The agreed time is over."""
    return Event("bell", None, {"deal": state.deal.number})


def make_game_over(outcome: Outcome) -> Event:
    """The last deal is played."""
    scores = list(outcome.scores) if outcome.scores is not None else None
    return Event("game_over", None, {"places": list(outcome.places), "scores": scores})
