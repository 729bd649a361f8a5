"""The closed list of events of Super Zwierzaki, for the log and for animation. Cards are kind words.

kind           seat           data
dealt          None           order: seats in playing order; sizes; top
timed_out      who was slow   {}; what the clock does for that seat follows
empty_turn     whose          left: turns that seat still loses
played         who            card, count
nine           who            cards: in the order played
drew           who            count: cards drawn; why: "draw", "red", "orc", "duel", "call", "stopped"
drawn          who            cards; follows "drew", only that seat knows
reacted        who            card: Cyraneczka or Dzięcioł
rejected       who played     {}: the last window closed and the play does nothing
stands         who played     {}: reactions cancelled each other, the play takes effect
counter        who            name: red, orc, stop, demand; value: what it is now
zeroed         who            {}: all four counters are 0
colour         who            colour: the new given one
named          who            card: the kind that is demanded
expired        who named      card: nobody added to the demand for a whole round
reversed       who            order: the new playing order
swapped        who            seats: the two
permuted       who            sigma, giver, taker, count: of the random half, which follows
discarded      who            count: cards put under the top one
buried         who            cards; follows "discarded", only that seat knows
gave           who            to, count
gift           who            to, cards; follows "gave", only the two know
loses_turns    who            count: after this one
declined       who            what: the choice (a phase) that was not taken
duel_begun     who            kind: "Oth" or "Giv"; points
dueled         who            card; points
folded         who            {}
duel_over      winner|None    points
called         who            {}: said in time
forgot         who            {}: not said in time; two cards are drawn
reshuffled     None           count: cards in the new draw pile
win_window     without cards  {}
prevented      without cards  by; card
bell           None           {}
game_over      None           places; scores (None)
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

Kind: TypeAlias = Literal[
    "dealt", "timed_out", "empty_turn", "played", "nine", "drew", "drawn", "reacted", "rejected", "stands",
    "counter", "zeroed", "colour", "named", "expired", "reversed", "swapped", "permuted", "discarded",
    "buried", "gave", "gift", "loses_turns", "declined", "duel_begun", "dueled", "folded", "duel_over", "called",
    "forgot", "reshuffled", "win_window", "prevented", "bell", "game_over",
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
