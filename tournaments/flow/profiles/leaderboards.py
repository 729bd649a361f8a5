"""A page of a leaderboard: read by index from stored rows and counts, however many people there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import spelling
from games.play.errors import BadInput, NotFound
from games.play.seats import player_names
from games.rules import registry
from tournaments.flow.counting import place_counts
from tournaments.flow.counting.place_counts import ORDERS
from tournaments.flow.names_in_club import find_numbered_names
from tournaments.models import Board, BoardRow, Club, Membership, PersonTotal
from tournaments.ratings.placement import Rating
from tournaments.scoring.points import WHOLE

PAGE = 50
AHEAD = 5
"""Rows above one's own on the page to which one is led."""
FOUND = 20
"""Lines that a search shows."""
LARGE_CLUB = 2000
"""Members from which on it is faster to walk down the board than to gather the members."""
Row = TypeVar("Row", BoardRow, PersonTotal)
SEASONS = range(2000, 3000)


class Query(NamedTuple):
    """Which board, and from where. game: a slug or "" for all; season: a year or 0; club: a slug or ""; by: of
    `ORDERS`; after: the last row of the page before as (value of the column, player)."""

    game: str = ""
    season: int = 0
    club: str = ""
    by: str = "rating"
    after: tuple[int, int] | None = None


class LeaderboardLine(NamedTuple):
    """A row as it is shown. place: shared by equals; was: the place at the moment that is compared with, None if they
    were not on the list; share: per cent; rating, spread, at_least (the cautious rating): None where nothing was rated.
    """

    place: int
    was: int | None
    player_id: int
    name: str
    avatar: str
    has_account: bool
    rating: int | None
    spread: int | None
    at_least: int | None
    is_settled: bool
    games: int
    share: int
    wins: int
    tops: int

    @property
    def moved(self) -> int | None:
        """Places won since then, below 0 for lost ones; None if they are new on the list."""
        return None if self.was is None else self.was - self.place


class LeaderboardPage(NamedTuple):
    """lines: in order; next: what `after` is for the page that follows, None at the end."""

    lines: tuple[LeaderboardLine, ...]
    next: tuple[int, int] | None


def read_query(fields: Mapping[str, str]) -> Query:
    """The query of an address. Raises BadInput for anything that no link of ours says."""
    game, by, season = fields.get("game", ""), fields.get("by", "") or "rating", fields.get("season", "") or "0"
    if game not in ("", *registry.slugs()) or by not in ORDERS:
        raise BadInput("This leaderboard does not exist. Choose one from the lists.")
    if season != "0" and not (season.isascii() and season.isdigit() and len(season) == 4 and int(season) in SEASONS):
        raise BadInput("The year is not valid. Use a year such as 2026.")
    return Query(game, int(season), fields.get("club", "")[:40], by, _read_after(fields.get("after", "")))


def _read_after(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    value, _, player = text.partition("_")
    digits = value.removeprefix("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in (digits, player)):
        raise BadInput("This page of the leaderboard does not exist. Start at its first page.")
    return int(value), int(player)


def find_club(slug: str, reader: int | None) -> Club | None:
    """The club whose members are compared, None without a slug. Raises NotFound, also for one that is not shown."""
    if not slug:
        return None
    club = Club.objects.filter(slug=slug).first()
    if club is None or not (club.is_public or Membership.objects.filter(club=club, player=reader).exists()):
        raise NotFound("This club does not exist, or only its members can see it.")
    return club


def list_page(query: Query, club: Club | None) -> LeaderboardPage:
    """One page. Six queries at most, each by index, whatever page it is."""
    board = Board.objects.filter(game=query.game, season=query.season).first()
    if board is None:
        return LeaderboardPage((), None)
    column = ORDERS[query.by]
    part = _select_rows(board, club, query.by)
    if query.after is not None:
        value, player = query.after
        part = part.filter(Q(**{f"{column}__lte": value})).exclude(Q(**{column: value}) & Q(player__lte=player))
    found = list(part.select_related("player").order_by(f"-{column}", "player")[: PAGE + 1])
    shown = found[:PAGE]
    last = shown[-1] if len(found) > PAGE else None
    scope = club.pk if club else place_counts.EVERYBODY
    ahead = (0, 0)
    if shown and query.after is not None:
        ahead = place_counts.count_ahead(board, scope, query.by, getattr(shown[0], column))
    return LeaderboardPage(
        _name_for_club(_place_rows(shown, _find_former_places(board, scope, query.by, shown), query.by, *ahead), club),
        None if last is None else (getattr(last, column), last.player_id),
    )


def find_page_of(player_id: int, query: Query, club: Club | None) -> Query | None:
    """The page on which this person stands, with a few who are ahead of them; None if they are not on the board."""
    board = Board.objects.filter(game=query.game, season=query.season).first()
    column = ORDERS[query.by]
    row = None if board is None else _select_rows(board, club, query.by).filter(player=player_id).first()
    if board is None or row is None:
        return None
    mine, others = getattr(row, column), _listed(board, club)
    equals = others.filter(**{column: mine}, player__lt=player_id).order_by("-player")
    better = others.filter(**{f"{column}__gt": mine}).order_by(column, "-player")
    ahead = [person for part in (equals, better) for person in part.values_list(column, "player")[: AHEAD + 1]]
    return query._replace(after=ahead[AHEAD] if len(ahead) > AHEAD else None)


def find_own_line(player_id: int, query: Query, club: Club | None) -> LeaderboardLine | None:
    """This person's line of a leaderboard; None if they are not on it."""
    board = Board.objects.filter(game=query.game, season=query.season).first()
    row = (
        None
        if board is None
        else _select_rows(board, club, query.by).filter(player=player_id).select_related("player").first()
    )
    if board is None or row is None:
        return None
    scope = club.pk if club else place_counts.EVERYBODY
    above, _same = place_counts.count_ahead(board, scope, query.by, getattr(row, ORDERS[query.by]))
    was = _find_former_places(board, scope, query.by, [row])
    line = _build_line(row, above + 1, was.get(getattr(row, f"was_{query.by}")))
    return _name_for_club([line], club)[0]


def search_lines(wanted: str, query: Query, club: Club | None) -> tuple[LeaderboardLine, ...]:
    """The lines of people whose names contain words that begin like this, by place; at most `FOUND`."""
    board = Board.objects.filter(game=query.game, season=query.season).first()
    if board is None:
        return ()
    column, scope = ORDERS[query.by], club.pk if club else place_counts.EVERYBODY
    rows = _select_rows(board, club, query.by)
    ids = _search_ids(wanted, rows, club)
    found = list(rows.filter(player__in=ids).select_related("player").order_by(f"-{column}", "player"))
    places = place_counts.place_values(board, scope, query.by, {getattr(row, column) for row in found})
    was = _find_former_places(board, scope, query.by, found)
    lines = [_build_line(row, places[getattr(row, column)], was.get(getattr(row, f"was_{query.by}"))) for row in found]
    return _name_for_club(lines, club)


def _search_ids(wanted: str, rows: QuerySet[BoardRow], club: Club | None) -> list[int]:
    """Ids of people on these rows: of a small club found by its members' names, else in the index of names."""
    if club is not None:
        members = Membership.objects.filter(club=club).order_by("player__name", "pk")
        names = list(members.values_list("player", "player__name")[: LARGE_CLUB + 1])
        if len(names) <= LARGE_CLUB:
            queries = spelling.parse_name_query(wanted)
            found = [player_id for player_id, name in names if spelling.finds(queries, name)]
            return list(rows.filter(player__in=found).values_list("player", flat=True)[:FOUND])
    return player_names.search_ids(wanted, most=FOUND, among=Q(Exists(rows.filter(player=OuterRef("player")))))


def _name_for_club(lines: Sequence[LeaderboardLine], club: Club | None) -> tuple[LeaderboardLine, ...]:
    """The same under the names by which a club tells its members apart."""
    if club is None or not lines:
        return tuple(lines)
    names = find_numbered_names(club.pk, [line.player_id for line in lines])
    return tuple(line._replace(name=names.get(line.player_id, line.name)) for line in lines)


def _find_former_places(board: Board, scope: int, by: str, rows: Sequence[BoardRow]) -> Mapping[int, int]:
    """The former places of these rows: at the moment that is compared with."""
    values = {value for row in rows if (value := getattr(row, f"was_{by}")) is not None and value > BoardRow.UNRATED}
    return place_counts.place_values(board, scope, f"was_{by}", values)


def _select_rows(board: Board, club: Club | None, by: str) -> QuerySet[BoardRow]:
    rows = _listed(board, club)
    return rows.filter(by_rating__gt=BoardRow.UNRATED) if by == "rating" else rows


def _listed(board: Board, club: Club | None) -> QuerySet[BoardRow]:
    rows = BoardRow.objects.filter(board=board, is_listed=True)
    return rows if club is None else filter_members(rows, Membership.objects.filter(club=club))


def filter_members(rows: QuerySet[Row], members: QuerySet[Membership]) -> QuerySet[Row]:
    """The rows of members: of a small club found by its members, of a large one met on the way down the order."""
    if members.values("pk")[LARGE_CLUB : LARGE_CLUB + 1].exists():
        return rows.filter(Exists(members.filter(player=OuterRef("player"))))
    return rows.filter(player__in=members.values("player"))


def _place_rows(
    shown: Sequence[BoardRow], was: Mapping[int, int], by: str, above: int, same: int
) -> tuple[LeaderboardLine, ...]:
    """Places: one more than there are people who are better; equals share one. was: former places; above, same: how
    many are ahead of the first of these, and how many share its value (on the first page it does not matter)."""
    column = ORDERS[by]
    lines: list[LeaderboardLine] = []
    place, before, skipped = above + 1, None, None
    for index, row in enumerate(shown):
        value = getattr(row, column)
        if before is not None and value != before:
            skipped = max(0, above + same - index) if skipped is None else skipped
            place = skipped + index + 1
        before = value
        lines.append(_build_line(row, place, was.get(getattr(row, f"was_{by}"))))
    return tuple(lines)


def _build_line(row: BoardRow, place: int, was: int | None) -> LeaderboardLine:
    rating = None if row.mu is None or row.sigma is None else Rating(row.mu, row.sigma)
    return LeaderboardLine(
        place=place,
        was=was,
        player_id=row.player_id,
        name=row.player.name,
        avatar=row.player.avatar,
        has_account=row.player.user_id is not None,
        rating=None if rating is None else rating.number,
        spread=None if rating is None else rating.spread,
        at_least=None if rating is None else rating.cautious,
        is_settled=rating is not None and rating.is_settled,
        games=row.games,
        share=round(100 * row.beaten / (WHOLE * row.games)) if row.games else 0,
        wins=row.wins,
        tops=row.tops,
    )


def list_seasons() -> list[int]:
    """The years in which somebody played, the latest first."""
    return list(Board.objects.filter(game="", season__gt=0).order_by("-season").values_list("season", flat=True))


def list_clubs(reader: int | None) -> list[Club]:
    """The clubs of the reader."""
    return [] if reader is None else list(Club.objects.filter(memberships__player=reader).order_by("name")[:50])
