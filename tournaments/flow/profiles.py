"""What a profile tells of a person: queries whose number does not depend on how much he has played."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Avg, Count, F, Max, Min, Q, QuerySet, Sum

from games.models import Player
from games.play.errors import NotAllowed, NotFound
from tournaments.careers.chart import Stop
from tournaments.careers.entries import Record
from tournaments.models import BoardRow, CareerEntry, PersonResult
from tournaments.ratings.placement import Rating, is_settled
from tournaments.scoring.points import WHOLE

SHOWN_DEALS = 60
SHOWN_GAMES = 10
SHOWN_RATINGS = 100
RIVALS = 3


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


def find_careers(player: Player, entries: QuerySet[CareerEntry] | None = None) -> list[Career]:
    """The careers of a person, one a climbing game, most played first. entries: of a part of his time."""
    own = CareerEntry.objects.filter(player=player) if entries is None else entries
    top, bottom = Q(rank=1), Q(rank=F("of"))
    sums = own.values("game").annotate(
        deals=Count("pk"),
        average=Avg("rank"),
        reign=Max("spell", filter=top),
        bottom=Max("spell", filter=bottom),
        climb=Min("climb", filter=top),
        promotions=Count("pk", filter=Q(rank__lt=F("before"))),
        falls=Count("pk", filter=Q(rank__gt=F("before"))),
    )
    return [_career(game, own.filter(game=game), row) for row in sums.order_by("-deals") for game in [row.pop("game")]]


def _career(game: str, entries: QuerySet[CareerEntry], sums: dict[str, Any]) -> Career:
    jobs = entries.values("job").annotate(deals=Count("pk"), height=Avg("rank"))
    rivals = entries.filter(demoted_by__is_listed=True).values_list(
        "demoted_by", "demoted_by__name", "demoted_by__avatar"
    )
    latest = entries.order_by("-at", "-deal").values_list("table_id", "at", "job", "rank", "of")[:SHOWN_DEALS]
    return Career(
        game=game,
        record=Record(**sums),
        shares=tuple(
            (row["job"], row["deals"], row["deals"] / sums["deals"]) for row in jobs.order_by("height", "job")
        ),
        rivals=tuple(
            Rival(*row) for row in rivals.annotate(times=Count("pk")).order_by("-times", "demoted_by")[:RIVALS]
        ),
        entries=tuple(Deal(*row) for row in reversed(latest)),
    )


def sum_games(results: QuerySet[PersonResult]) -> list[dict[str, Any]]:
    """Per game: tables, places, wins, best score, greatest feat; share: per cent of the people beaten, or None."""
    met = Q(people__gt=1)
    rows = results.values("game").annotate(
        games=Count("pk"),
        wins=Count("pk", filter=Q(place=1)),
        average=Avg("place"),
        best=Max("score"),
        feat=Max("feat"),
        met=Count("pk", filter=met),
        beaten=Sum("beaten", filter=met),
    )
    return [
        row | {"share": round(100 * row["beaten"] / (WHOLE * row["met"])) if row["met"] else None}
        for row in rows.order_by("-games", "game")
    ]


def list_latest(player: Player) -> list[PersonResult]:
    """The latest tables."""
    rows = results_of(player).select_related("counted__table", "counted__pod__round__tournament")
    rows = rows.defer("counted__table__state", "counted__table__desk", "counted__pod__round__solution")
    return list(rows.order_by("-ended_at", "-counted")[:SHOWN_GAMES])


def list_years(player: Player) -> list[int]:
    """The years in which a person has played, the latest first."""
    ends = results_of(player).aggregate(first=Min("ended_at"), last=Max("ended_at"))
    if ends["first"] is None:
        return []
    return list(range(_year(ends["last"]), _year(ends["first"]) - 1, -1))


def _year(at: float) -> int:
    return datetime.fromtimestamp(at, tz=UTC).year


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


class Year(NamedTuple):
    """A person's year. months: tables a month; company: whom he met most; gain: of the rating of all games."""

    games: list[dict[str, Any]]
    tables: int
    wins: int
    months: tuple[int, ...]
    company: tuple[Rival, ...]
    careers: list[Career]
    gain: int | None


def review(player: Player, year: int) -> Year:
    """A year in review (UTC)."""
    begin = datetime(year, 1, 1, tzinfo=UTC).timestamp()
    end = datetime(year + 1, 1, 1, tzinfo=UTC).timestamp()
    results = results_of(player).filter(ended_at__gte=begin, ended_at__lt=end)
    games = sum_games(results)
    months = [0] * 12
    for at in results.values_list("ended_at", flat=True):
        months[datetime.fromtimestamp(at, tz=UTC).month - 1] += 1
    met = PersonResult.objects.filter(counted__in=results.values("counted")).exclude(player=player)
    names = met.filter(player__left_at=None, player__is_listed=True).values_list(
        "player", "player__name", "player__avatar"
    )
    return Year(
        games=games,
        tables=sum(months),
        wins=sum(row["wins"] for row in games),
        months=tuple(months),
        company=tuple(Rival(*row) for row in names.annotate(times=Count("pk")).order_by("-times", "player")[:RIVALS]),
        careers=find_careers(player, CareerEntry.objects.filter(player=player, at__gte=begin, at__lt=end)),
        gain=_gain(results, player, begin),
    )


def _gain(results: QuerySet[PersonResult], player: Player, begin: float) -> int | None:
    rated = results.filter(total_mu__isnull=False).order_by("-ended_at", "-counted").first()
    if rated is None:
        return None
    earlier = results_of(player).filter(total_mu__isnull=False, ended_at__lt=begin).order_by("-ended_at").first()
    before = Rating(earlier.total_mu or 0.0, 0.0).number if earlier is not None else 1500
    return Rating(rated.total_mu or 0.0, 0.0).number - before
