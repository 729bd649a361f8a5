"""What a profile tells of a person: queries whose number does not depend on how much he has played."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from games.models import Player
from games.names import RANKS, chair_of
from games.play import naming
from games.play.errors import NotAllowed, NotFound
from tournaments.careers.chart import Stop
from tournaments.careers.totals import Record, Total
from tournaments.flow import totals
from tournaments.flow.seasons import bounds_of
from tournaments.models import BoardRow, CareerEntry, PersonResult, PersonTotal
from tournaments.ratings.placement import Rating, is_settled
from tournaments.scoring.points import WHOLE

SHOWN_DEALS = 60
DEALS_A_PAGE = 144
"""Of the page of a whole career."""
SHOWN_GAMES = 10
SHOWN_RATINGS = 100
RIVALS = 3
FOUND = 20
"""So many people a search shows."""
MET_LATELY = 100
"""Tables that are looked through for whom somebody met of late."""
LATEST = (
    "player", "game", "ended_at", "place", "of", "score", "counted__table__is_public", "counted__pod__number",
    "counted__pod__round__number", "counted__pod__round__tournament__name",
    "counted__pod__round__tournament__is_public",
)  # fmt: skip
"""What is shown of a latest table; the rest of tables and tournaments is long."""
ASKED = 12
"""Of how many rivals it is asked who they are: some may not want to be named."""


class Standing(NamedTuple):
    """A rating as it is shown. game: a slug, "" for all games."""

    game: str
    number: int
    spread: int
    is_settled: bool


class Rival(NamedTuple):
    """Somebody, and how often."""

    player_id: int
    name: str
    avatar: str
    times: int


class Deal(NamedTuple):
    """One entry of a career, as far as it is shown. at: seconds since 1970."""

    table: str
    at: float
    job: str
    rank: int
    of: int


class Career(NamedTuple):
    """A career in one climbing game. shares: (job, deals, share of all deals), from the top; entries: the latest."""

    game: str
    record: Record
    shares: tuple[tuple[str, int, float], ...]
    rivals: tuple[Rival, ...]
    entries: tuple[Deal, ...]

    @property
    def stops(self) -> list[Stop]:
        """For the picture."""
        return [Stop(deal.table, deal.rank, deal.of) for deal in self.entries]


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
    """The person, if this reader may see his profile. Raises NotFound, NotAllowed."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None or player.left_at is not None:
        raise NotFound("There is nobody here. Perhaps the person has gone, with name and all.")
    if not player.is_listed and reader != player.pk:
        raise NotAllowed("This profile is private.")
    return player


def results_of(player: Player) -> QuerySet[PersonResult]:
    """What a person's tables came to; voided ones have no results."""
    return PersonResult.objects.filter(player=player)


def list_standings(player: Player) -> list[Standing]:
    """The ratings of a person, the one of all games first."""
    rows = BoardRow.objects.filter(player=player, board__season=0, mu__isnull=False).select_related("board")
    return [
        Standing(row.board.game, rating.number, rating.spread, is_settled(row.rated))
        for row in rows.order_by("board__game")
        if (rating := Rating(row.mu or 0.0, row.sigma or 0.0))
    ]


def list_rating_history(player: Player, game: str) -> list[tuple[float, Rating]]:
    """When a rating changed and to what, the earliest first: the latest changes only."""
    mu, sigma = ("mu", "sigma") if game else ("total_mu", "total_sigma")
    rated = results_of(player).filter(**{f"{mu}__isnull": False})
    if game:
        rated = rated.filter(game=game)
    rows = rated.order_by("-ended_at", "-counted")[:SHOWN_RATINGS].values_list("ended_at", mu, sigma)
    return [(at, Rating(mean, deviation)) for at, mean, deviation in reversed(rows)]


def list_totals(player: Player, season: int = 0) -> list[tuple[str, Total]]:
    """What a person's games come to, ever or in a season: by game, as `totals` keeps it."""
    rows = PersonTotal.objects.filter(player=player, season=season).order_by("game")
    return [(row.game, totals.read(row)) for row in rows]


def find_careers(player: Player, known: Sequence[tuple[str, Total]], season: int = 0) -> list[Career]:
    """The careers of a person, one a climbing game, most played first. known: his totals of that season."""
    entries = CareerEntry.objects.filter(player=player)
    if season:
        begin, end = bounds_of(season)
        entries = entries.filter(at__gte=begin, at__lt=end)
    careers = sorted(((game, total) for game, total in known if total.deals), key=lambda one: -one[1].deals)
    people = _name({rival for _, total in careers for rival, _ in total.list_rivals()[:ASKED]})
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
        raise NotFound("There is no career in this game: nobody has finished a deal.")
    pages = -(-total // DEALS_A_PAGE)
    number = max(1, min(number, pages))
    start = (number - 1) * DEALS_A_PAGE
    latest = entries.order_by("-at", "-deal").values_list("table_id", "at", "job", "rank", "of")
    deals = tuple(Deal(*row) for row in latest[start : start + DEALS_A_PAGE])
    return DealsPage(deals[::-1], number, pages, total)


def _name(ids: Collection[int]) -> dict[int, Player]:
    """Those of these people who may be named on the pages of others."""
    return Player.objects.filter(is_listed=True, left_at=None).in_bulk(list(ids)) if ids else {}


def _career(game: str, entries: QuerySet[CareerEntry], total: Total, people: Mapping[int, Player]) -> Career:
    latest = entries.order_by("-at", "-deal").values_list("table_id", "at", "job", "rank", "of")[:SHOWN_DEALS]
    return Career(
        game=game,
        record=total.record,
        shares=tuple(sorted(total.share_jobs(), key=lambda share: chair_of(game, share[0]))),
        rivals=_list_rivals(total.list_rivals()[:ASKED], people),
        entries=tuple(Deal(*row) for row in reversed(latest)),
    )


def _list_rivals(
    times: Sequence[tuple[int, int]], people: Mapping[int, Player], *, most: int = RIVALS
) -> tuple[Rival, ...]:
    named = [Rival(one, people[one].name, people[one].avatar, count) for one, count in times if one in people]
    return tuple(named[:most])


def sum_games(known: Sequence[tuple[str, Total]]) -> list[GameSum]:
    """What the games of a person come to, most played first."""
    rows = [
        GameSum(
            game=game, games=total.games, wins=total.wins, average=total.places / total.games, best=total.best,
            feat=total.feat,
            share=round(100 * total.beaten / (WHOLE * total.met)) if total.met else None,
        )
        for game, total in known
        if total.games
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row.games, row.game))


def list_latest(player: Player) -> list[PersonResult]:
    """The latest tables."""
    rows = results_of(player).select_related("counted__table", "counted__pod__round__tournament").only(*LATEST)
    return list(rows.order_by("-ended_at", "-counted")[:SHOWN_GAMES])


def list_years(player: Player) -> list[int]:
    """The years in which a person has played, the latest first."""
    seasons = PersonTotal.objects.filter(player=player, season__gt=0, games__gt=0).values_list("season", flat=True)
    return sorted(set(seasons), reverse=True)


class Duel(NamedTuple):
    """Two people at the same tables. ahead, level, behind: from the first one's side; latest: (game, when it
    ended, his place, the other's)."""

    tables: int
    ahead: int
    level: int
    behind: int
    demotions: int
    demoted: int
    latest: tuple[tuple[str, float, int, int], ...]


def compare(player: Player, other: Player) -> Duel:
    """How two people fared against each other."""
    both = results_of(player).filter(counted__results__player=other).annotate(rival=F("counted__results__place"))
    sums = both.aggregate(
        tables=Count("pk"),
        ahead=Count("pk", filter=Q(place__lt=F("counted__results__place"))),
        behind=Count("pk", filter=Q(place__gt=F("counted__results__place"))),
    )
    level = sums["tables"] - sums["ahead"] - sums["behind"]
    latest = both.order_by("-ended_at", "-counted").values_list("game", "ended_at", "place", "rival")[:SHOWN_GAMES]
    return Duel(
        **sums,
        level=level,
        demotions=CareerEntry.objects.filter(player=other, demoted_by=player).count(),
        demoted=CareerEntry.objects.filter(player=player, demoted_by=other).count(),
        latest=tuple(latest),
    )


def search_rivals(player: Player, wanted: str) -> tuple[Rival, ...]:
    """Other people with these beginnings of words in their names, whom everybody may see, and how often they sat at one
    table with this one: first who did most often. At most `FOUND`."""
    people = naming.list_listed(wanted, most=FOUND, besides=player.pk)
    met = PersonResult.objects.filter(Exists(results_of(player).filter(counted=OuterRef("counted"))), player__in=people)
    times = dict(met.values_list("player").annotate(times=Count("*")).order_by())
    found = [Rival(one.pk, one.name, one.avatar, times.get(one.pk, 0)) for one in people]
    return tuple(sorted(found, key=lambda one: -one.times))


def list_met(player: Player) -> tuple[Rival, ...]:
    """Whom somebody met most at his latest tables."""
    latest = results_of(player).order_by("-ended_at", "-counted").values_list("counted", flat=True)[:MET_LATELY]
    return _find_company(player, list(latest), most=ASKED)


class Year(NamedTuple):
    """A person's year. months: tables a month; company: whom he met most; gain: of the rating of all games."""

    games: list[GameSum]
    tables: int
    wins: int
    months: tuple[int, ...]
    company: tuple[Rival, ...]
    careers: list[Career]
    gain: int | None


def review(player: Player, year: int) -> Year:
    """A year in review (UTC)."""
    begin, end = bounds_of(year)
    results = results_of(player).filter(ended_at__gte=begin, ended_at__lt=end)
    known = list_totals(player, year)
    games = sum_games(known)
    begins = [datetime(year, month, 1, tzinfo=UTC).timestamp() for month in range(1, 13)]
    times = Counter(bisect_right(begins, at) for at in results.values_list("ended_at", flat=True))
    months = [times[month] for month in range(1, 13)]
    return Year(
        games=games,
        tables=sum(months),
        wins=sum(row.wins for row in games),
        months=tuple(months),
        company=_find_company(player, results.values("counted")),
        careers=find_careers(player, known, year),
        gain=_gain(results, player, begin),
    )


def _find_company(player: Player, tables: Any, *, most: int = RIVALS) -> tuple[Rival, ...]:
    """Whom somebody met most at these tables: counted first, named afterwards."""
    met = PersonResult.objects.filter(counted__in=tables).exclude(player=player)
    times = met.values_list("player").annotate(times=Count("*")).order_by("-times", "player")[:ASKED]
    return _list_rivals(list(times), _name({one for one, _ in times}), most=most)


def _gain(results: QuerySet[PersonResult], player: Player, begin: float) -> int | None:
    after = _rate_last(results)
    if after is None:
        return None
    before = _rate_last(results_of(player).filter(ended_at__lt=begin))
    return after - (1500 if before is None else before)


def _rate_last(results: QuerySet[PersonResult]) -> int | None:
    """The number of the rating of all games after the last rated one of these."""
    rated = results.filter(total_mu__isnull=False).order_by("-ended_at", "-counted")
    last = rated.values_list("total_mu", flat=True).first()
    return None if last is None else Rating(last, 0.0).number
