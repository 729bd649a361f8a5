"""What a format draws the next round from (`formats.base.DrawContext`), read from a book."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.rules import registry
from tournaments import draw
from tournaments.flow.drawing import bot_places, venues
from tournaments.flow.drawing.draw_input import group_by_club, group_by_team, list_attending, list_present
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.formats.base import ReportProgress
from tournaments.models import ClubsApart, Entrant, PairRule, Rest, Round, Tournament, Venue
from tournaments.scoring.results import RoundResult
from tournaments.scoring.standings import Standing

TIME_LIMIT = 10.0
"""Seconds the solver may search in one draw of a round; it trades quality for waiting. docs/draw.md has figures."""


@dataclass(frozen=True)
class BookDrawContext:
    """The context of a draw. book: of the tournament before the round that is drawn."""

    book: Book

    @property
    def plan(self) -> Tournament:
        """The tournament."""
        return self.book.tournament

    @property
    def people(self) -> Mapping[str, Entrant]:
        """The entrants by key."""
        return self.book.by_key

    @property
    def rounds(self) -> Sequence[Round]:
        """All rounds before the one that is drawn."""
        return self.book.rounds

    def result(self, number: int) -> RoundResult:
        """A round, pods without a result left out."""
        return self.book.round_result(self.book.find_round(number))

    def list_seated(self, number: int) -> Mapping[int, tuple[str, ...]]:
        """Table number → keys by seat, in this round."""
        book = self.book
        return {
            pod.number: tuple(book.key(seat.entrant_id) for seat in book.seats.get(pod.pk, ()))
            for pod in book.pods.get(book.find_round(number).pk, ())
        }

    def list_present(self, number: int) -> list[str]:
        """The keys of who would be drawn, bots on empty seats included, in the order of entry."""
        return [str(entrant.number) for entrant in list_present(self.book, number)]

    def find_standings(self) -> Sequence[Standing]:
        """The standings after all complete rounds."""
        return ranking.rank(self.book)

    def can_fill(self, people: Sequence[str], number: int, more: int) -> bool:
        """Whether so many more bots can play with these people, so that all tables are full."""
        return bot_places.can_fill(self.book, [self.people[key] for key in people], number, more)

    def find_smallest_table(self) -> int:
        """The smallest number of seats of the game."""
        return registry.find(self.book.tournament.game).seat_counts.start

    def build_problem(
        self, number: int, *, seed: str, locked: Sequence[Sequence[int]], rounds: int | None = None
    ) -> draw.Problem:
        """The draw of this round as a problem of `menagerie-draw/1` (docs/draw.md)."""
        return build_problem(self.book, number, seed=seed, locked=locked, rounds=rounds)

    def solve(self, number: int, problem: draw.Problem, report: ReportProgress | None) -> draw.Solution:
        """The best draw found in `TIME_LIMIT`. Raises draw.DrawError."""
        splits = _list_venue_splits(self.book, number, problem)
        return venues.solve(problem, splits, report) if splits else draw.solve(problem, report)


def _list_venue_splits(book: Book, number: int, problem: draw.Problem) -> tuple[venues.VenueSplit, ...]:
    """The possible splits into room and screens, best first; empty unless the venue draws these apart."""
    if book.tournament.venue != Venue.APART:
        return ()
    pks = {entrant.name: entrant.pk for entrant in book.entrants.values()}
    tied = [[pks[name] for name in group if name in pks] for group in problem.locked]
    return venues.list_splits(book, list_present(book, number), number, tied=tied, seed=problem.seed)


def build_problem(
    book: Book, number: int, *, seed: str, locked: Sequence[Sequence[int]] = (), rounds: int | None = None
) -> draw.Problem:
    """The draw of this round, or of so many rounds from it on, as a problem of `menagerie-draw/1`. Ids are names."""
    tournament, present = book.tournament, list_present(book, number)
    points = {line.entrant: line.points for line in ranking.rank(book)}
    rules = list(PairRule.objects.filter(tournament=tournament).order_by("pk"))
    names = {pk: one.name for pk, one in book.entrants.items()}
    together = [(names[rule.first_id], names[rule.second_id]) for rule in rules if rule.kind == PairRule.Kind.TOGETHER]
    return draw.Problem(
        entrants=tuple(draw.Entrant(entrant.name, points.get(str(entrant.number), 0)) for entrant in present),
        wanted=tournament.wanted,
        min_size=tournament.least,
        max_size=tournament.most,
        seed=seed,
        time_limit=TIME_LIMIT,
        repeat_worth=tournament.repeat_worth,
        history=tuple(_to_past_round(book, played) for played in book.rounds if played.number < number),
        apart=(
            *_list_groups(tournament, present, ClubsApart.WISH),
            *(tuple(entrant.name for entrant in group) for group in group_by_team(book, present)),
        ),
        forbidden=(
            *pair_up(_list_groups(tournament, present, ClubsApart.MUST)),
            *((names[rule.first_id], names[rule.second_id]) for rule in rules if rule.kind == PairRule.Kind.APART),
            *bot_places.keep_apart(tournament, present),
        ),
        locked=(*together, *(tuple(names[pk] for pk in group) for group in locked)),
        swiss=rounds is None,
        rounds=rounds,
    )


def _list_groups(tournament: Tournament, present: Sequence[Entrant], rule: ClubsApart) -> tuple[tuple[str, ...], ...]:
    """The names of those present by club or family, if this is the tournament's rule about them."""
    return tuple(tuple(entrant.name for entrant in group) for group in group_by_club(tournament, present, rule))


def pair_up(groups: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """All pairs of two from one group."""
    return [pair for group in groups for pair in combinations(group, 2)]


def _to_past_round(book: Book, played: Round) -> draw.PastRound:
    return draw.PastRound(
        pods=tuple(list_attending(book, pod) for pod in book.pods.get(played.pk, ())),
        byes=tuple(
            book.entrants[rest.entrant_id].name for rest in book.rests.get(played.pk, ()) if rest.kind == Rest.Kind.BYE
        ),
    )
