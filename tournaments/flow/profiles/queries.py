"""Queries of profiles; their number does not depend on how much a person has played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Max, Q, QuerySet

from games.models import Player, Table
from games.play.errors import NotAllowed, NotFound
from games.play.storage.table import OVER, PLAYING
from games.presenters.names import RANKS, chair_of
from tournaments.careers.chart import ChartDeal
from tournaments.careers.totals import Record, Total
from tournaments.flow.counting import place_counts, player_totals
from tournaments.flow.counting.calendar_years import bounds_of
from tournaments.flow.profiles import head_to_head
from tournaments.models import (
    BoardRow,
    CareerEntry,
    Club,
    Entrant,
    Membership,
    PersonResult,
    PersonTotal,
    Phase,
    Tournament,
)
from tournaments.ratings.placement import NEWCOMER, Rating
from tournaments.scoring.points import WHOLE

SHOWN_DEALS = 60
DEALS_A_PAGE = 144
"""Deals on one page of a whole career."""
SHOWN_GAMES = 10
SHOWN_RATINGS = 100
SHOWN_WINS = 3
SEARCHED_WINS = 100
"""The latest rated tables of a person in which their best wins are looked for."""
SHOWN_CLUBS = 20
SHOWN_IN_PLAY = 3
LATEST = (
    "player", "game", "ended_at", "place", "of", "score", "counted__table__is_public", "counted__pod__number",
    "counted__pod__round__number", "counted__pod__round__tournament__name",
    "counted__pod__round__tournament__is_public",
)  # fmt: skip
"""What is shown of a latest table; the rest of tables and tournaments is long."""


class Standing(NamedTuple):
    """A rating for display. game: a slug, "" for all games; place: on its leaderboard, None for who is on none."""

    game: str
    number: int
    spread: int
    is_settled: bool
    place: int | None


SHOWN_OF_A_DEAL = ("table_id", "deal", "at", "job", "rank", "of")


class Deal(NamedTuple):
    """One entry of a career, as far as it is shown. deal: of its table, from 1; at: seconds since 1970; is_last: the
    game ended with it, so that whatever was won in it ended with its table."""

    table: str
    deal: int
    at: float
    job: str
    rank: int
    of: int
    is_last: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether a reign was not lost, but ended with the game."""
        return self.is_last and self.rank == 1


class Career(NamedTuple):
    """A career in one climbing game. shares: (job, deals, share of all deals), from the top; entries: the latest.

    is_reign_kept: whether the longest reign was not lost, but ended with its game.
    """

    game: str
    record: Record
    shares: tuple[tuple[str, int, float], ...]
    rivals: tuple[head_to_head.Rival, ...]
    entries: tuple[Deal, ...]
    is_reign_kept: bool

    @property
    def stops(self) -> list[ChartDeal]:
        """For the picture."""
        return [ChartDeal(deal.table, deal.rank, deal.of, deal.is_last) for deal in self.entries]


class GameSum(NamedTuple):
    """One game: tables, first places, average place, best score, greatest feat; share: per cent of the people beaten,
    None without any."""

    game: str
    games: int
    wins: int
    average: float
    best: int | None
    feat: int | None
    share: int | None


def find_person(player_id: int, reader: int | None) -> Player:
    """The person, if this reader may see their profile. Raises NotFound, NotAllowed."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None or player.left_at is not None:
        raise NotFound("This profile does not exist. The person may have deleted their account.")
    if not player.is_listed and reader != player.pk:
        raise NotAllowed("This profile is private.")
    return player


def list_standings(player: Player) -> list[Standing]:
    """The ratings of a person, the one of all games first."""
    rows = BoardRow.objects.filter(player=player, board__season=0, mu__isnull=False).select_related("board")
    found = list(rows.order_by("board__game"))
    places = place_counts.place_rows([row for row in found if row.is_listed])
    return [
        Standing(row.board.game, rating.number, rating.spread, rating.is_settled, places.get(row.board_id))
        for row in found
        if (rating := Rating(row.mu or 0.0, row.sigma or 0.0))
    ]


def list_tables_in_play(player: Player) -> list[tuple[str, str]]:
    """The id and game of tables that this person is playing at and everybody may watch, the latest first."""
    tables = Table.objects.filter(status=PLAYING, is_public=True, seats__player=player)
    return list(tables.order_by("-created_at").values_list("pk", "game")[:SHOWN_IN_PLAY])


class History(NamedTuple):
    """The history of a rating. before: its value before the first change; changes: when and to what, the earliest
    first, the latest only; is_whole: whether these are all changes that there were."""

    before: Rating
    changes: list[tuple[float, Rating]]
    is_whole: bool


def list_rating_history(player: Player, game: str) -> History:
    """The way of a rating, that of all games where none is named. It begins where every rating begins, at 1500."""
    rows = _list_ratings(head_to_head.results_of(player), game)[: SHOWN_RATINGS + 1]
    changes = [(at, Rating(mean, deviation)) for at, mean, deviation in reversed(rows)]
    if len(changes) > SHOWN_RATINGS:
        return History(changes[0][1], changes[1:], is_whole=False)
    return History(NEWCOMER, changes, is_whole=True)


def find_rating(results: QuerySet[PersonResult], game: str) -> Rating | None:
    """The rating after the last rated one of these results of a person; None without one."""
    found = _list_ratings(results, game).first()
    return None if found is None else Rating(*found[1:])


def _list_ratings(results: QuerySet[PersonResult], game: str) -> QuerySet[PersonResult, tuple[float, float, float]]:
    """When, mean and deviation after each rated one of these results, the latest first. game: "" for all games."""
    mu, sigma = ("mu", "sigma") if game else ("total_mu", "total_sigma")
    rated = results.filter(**{f"{mu}__isnull": False}, **({"game": game} if game else {}))
    return rated.order_by("-ended_at", "-counted").values_list("ended_at", mu, sigma)


def list_totals(player: Player, season: int = 0) -> list[tuple[str, Total]]:
    """A person's totals by game, for all time or a season, as `totals` stores them."""
    rows = PersonTotal.objects.filter(player=player, season=season).order_by("game")
    return [(row.game, player_totals.read(row)) for row in rows]


def find_careers(player: Player, totals: Sequence[tuple[str, Total]], season: int = 0) -> list[Career]:
    """The careers of a person, one a climbing game, most played first. totals: their totals of that season."""
    entries = CareerEntry.objects.filter(player=player)
    if season:
        begin, end = bounds_of(season)
        entries = entries.filter(at__gte=begin, at__lt=end)
    careers = sorted(((game, total) for game, total in totals if total.deals), key=lambda career: -career[1].deals)
    people = head_to_head.name_listed(
        {rival for _, total in careers for rival, _ in total.list_rivals()[: head_to_head.LISTING_CANDIDATES]}
    )
    return [_career(game, entries.filter(game=game), total, people) for game, total in careers]


class DealsPage(NamedTuple):
    """A page of a career. deals: the earliest first; number: from 1, the latest deals; of: how many pages; total: deals
    of the whole career."""

    deals: tuple[Deal, ...]
    number: int
    of: int
    total: int


def list_deals(player: Player, game: str, number: int) -> DealsPage:
    """This page of a career; beyond an end is that end. Raises NotFound for a game without careers, or a career without
    deals."""
    entries = CareerEntry.objects.filter(player=player, game=game)
    total = entries.count() if game in RANKS else 0
    if not total:
        raise NotFound("There is no career in this game because no deal was finished.")
    pages = -(-total // DEALS_A_PAGE)
    number = max(1, min(number, pages))
    start = (number - 1) * DEALS_A_PAGE
    latest = entries.order_by("-at", "-deal").values_list(*SHOWN_OF_A_DEAL)
    deals = _read_deals(latest[start : start + DEALS_A_PAGE])
    return DealsPage(deals[::-1], number, pages, total)


def _read_deals(rows: Iterable[tuple[Any, ...]]) -> tuple[Deal, ...]:
    """Rows of `SHOWN_OF_A_DEAL`, with the last deals of games that are over marked."""
    deals = [Deal(*row) for row in rows]
    entries = CareerEntry.objects.filter(table__in={deal.table for deal in deals}, table__status=OVER).order_by()
    last = dict(entries.values_list("table").annotate(Max("deal")))
    return tuple(deal._replace(is_last=last.get(deal.table) == deal.deal) for deal in deals)


def _is_reign_kept(entries: QuerySet[CareerEntry], reign: int | None) -> bool:
    """Whether the first reign of this length among these entries ended with its game."""
    if reign is None:
        return False
    longest = entries.filter(rank=1, spell=reign).order_by("at").values_list(*SHOWN_OF_A_DEAL)[:1]
    return any(deal.is_kept for deal in _read_deals(longest))


def _career(game: str, entries: QuerySet[CareerEntry], total: Total, people: Mapping[int, Player]) -> Career:
    latest = entries.order_by("-at", "-deal").values_list(*SHOWN_OF_A_DEAL)[:SHOWN_DEALS]
    return Career(
        game=game,
        record=total.record,
        shares=tuple(sorted(total.share_jobs(), key=lambda share: chair_of(game, share[0]))),
        rivals=head_to_head.list_rivals(total.list_rivals()[: head_to_head.LISTING_CANDIDATES], people),
        entries=_read_deals(reversed(latest)),
        is_reign_kept=_is_reign_kept(entries, total.reign),
    )


def sum_games(totals: Sequence[tuple[str, Total]]) -> list[GameSum]:
    """A person's games in sums, most played first."""
    rows = [
        GameSum(
            game=game, games=total.games, wins=total.wins, average=total.places / total.games, best=total.best,
            feat=total.feat,
            share=round(100 * total.beaten / (WHOLE * total.met)) if total.met else None,
        )
        for game, total in totals
        if total.games
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row.games, row.game))


def list_latest(player: Player) -> list[PersonResult]:
    """The latest tables."""
    rows = (
        head_to_head.results_of(player)
        .select_related("counted__table", "counted__pod__round__tournament")
        .only(*LATEST)
    )
    return list(rows.order_by("-ended_at", "-counted")[:SHOWN_GAMES])


def list_table_ends(player: Player, *, since: float) -> list[float]:
    """When the tables of a person ended since then, in seconds since 1970."""
    return list(head_to_head.results_of(player).filter(ended_at__gte=since).values_list("ended_at", flat=True))


class Win(NamedTuple):
    """Somebody strong who was beaten at a table. rating: theirs over all games, after that table."""

    player_id: int
    name: str
    avatar: str
    rating: Rating
    game: str
    ended_at: float


def list_best_wins(player: Player) -> list[Win]:
    """The strongest people this person finished ahead of at their latest rated tables, by cautious rating, each once.

    Only those who may be named on the pages of others.
    """
    rated = head_to_head.results_of(player).filter(total_mu__isnull=False)
    ranks = dict(rated.order_by("-ended_at", "-counted").values_list("counted", "rank")[:SEARCHED_WINS])
    others = PersonResult.objects.filter(counted__in=ranks, total_mu__isnull=False).exclude(player=player)
    found: dict[int, tuple[Rating, str, float]] = {}
    for counted, other, rank, mu, sigma, game, ended_at in others.values_list(
        "counted", "player", "rank", "total_mu", "total_sigma", "game", "ended_at"
    ):
        rating = Rating(mu or 0.0, sigma or 0.0)
        if ranks[counted] < rank and (other not in found or rating.cautious > found[other][0].cautious):
            found[other] = rating, game, ended_at
    strongest = sorted(found, key=lambda player_id: (-found[player_id][0].cautious, player_id))[
        : head_to_head.LISTING_CANDIDATES
    ]
    people = head_to_head.name_listed(strongest)
    wins = [
        Win(player_id, people[player_id].name, people[player_id].avatar, *found[player_id])
        for player_id in strongest
        if player_id in people
    ]
    return wins[:SHOWN_WINS]


def list_clubs(player: Player, reader: int | None) -> list[Club]:
    """The clubs of a person that this reader can see, by name."""
    seen = Club.objects.filter(Q(is_public=True) | Q(pk__in=_query_clubs(reader)), memberships__player=player)
    return list(seen.order_by("name")[:SHOWN_CLUBS])


def query_tournaments(player: Player, reader: int | None) -> QuerySet[Tournament]:
    """The latest tournaments of a person that this reader can see; those they withdrew from are left out."""
    entries = Entrant.objects.filter(player=player).exclude(status=Entrant.Status.WITHDRAWN)
    seen = Q(is_public=True) | Q(club__in=_query_clubs(reader))
    rows = Tournament.objects.filter(seen, pk__in=entries.values("tournament")).exclude(phase=Phase.CALLED_OFF)
    return rows.order_by("-created_at", "pk")[:SHOWN_GAMES]


def _query_clubs(reader: int | None) -> QuerySet[Any, Any]:
    return Membership.objects.filter(player=reader or 0).values("club")


def list_years(player: Player) -> list[int]:
    """The years in which a person has played, the latest first."""
    seasons = PersonTotal.objects.filter(player=player, season__gt=0, games__gt=0).values_list("season", flat=True)
    return sorted(set(seasons), reverse=True)
