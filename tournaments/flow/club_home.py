"""The top of a club's page: its next night, tables in play, the last winners, the season's leaders."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.models import Seat
from games.play.storage.table import PLAYING
from tournaments.flow.entry.waiting_list import IN
from tournaments.flow.evenings.guest_list import name_guests
from tournaments.flow.names_in_club import find_numbered_names
from tournaments.flow.planning.phases import NOT_BEGUN
from tournaments.flow.seasons.season_standings import SeasonTable, read_table
from tournaments.flow.standings import book_cache, ranking
from tournaments.models import (
    Club,
    Entrant,
    EveningGuest,
    PersonResult,
    Phase,
    Pod,
    PodSeat,
    Result,
    Role,
    Round,
    Season,
    SessionTable,
    TimedSession,
    Tournament,
)
from tournaments.scoring.seasons import SeasonLine

SHOWN_PEOPLE = 12
"""People of the next night who are shown; the others are counted."""
SHOWN_TABLES = 8
SHOWN_PLACES = 3
"""Places of the last tournament."""
SHOWN_LEADERS = 5
"""People of the season's standings."""
LATE_HOURS = 12
"""How long after its start a tournament that has not begun is still the next one."""


class Person(NamedTuple):
    """A person or bot as a list shows them."""

    name: str
    avatar: str


class NextNight(NamedTuple):
    """The tournament or evening that comes next, or that is on now; the other one of both is None.

    people: the first of those who come, of `total`; is_in: whether the reader is one of them.
    """

    tournament: Tournament | None
    evening: TimedSession | None
    is_now: bool
    people: tuple[Person, ...]
    total: int
    is_in: bool

    @property
    def game(self) -> str:
        """The slug of its game; empty for several."""
        found = self.tournament or self.evening
        return found.game if found is not None else ""

    @property
    def starts_at(self) -> datetime | None:
        """When it begins."""
        if self.evening is not None:
            return datetime.fromtimestamp(self.evening.starts_at, tz=UTC)
        return self.tournament.starts_at if self.tournament is not None else None


class TableNow(NamedTuple):
    """A table that is being played: of a round of a tournament (`pod`), or of an evening."""

    game: str
    number: int
    names: tuple[str, ...]
    where: str
    pod: Pod | None = None
    evening_id: str = ""


class Winner(NamedTuple):
    """A place in the final standings."""

    place: int
    person: Person


class LastNight(NamedTuple):
    """The tournament that finished last, with its first places, or the evening, with who won its tables; the other one
    of both is None."""

    tournament: Tournament | None
    evening: TimedSession | None
    winners: tuple[Winner, ...]

    @property
    def name(self) -> str:
        """Its name."""
        found = self.tournament or self.evening
        return found.name if found is not None else ""


class Leaders(NamedTuple):
    """The season under way, else the latest finished one, with the first of its standings."""

    season: Season
    table: SeasonTable
    lines: tuple[SeasonLine, ...]


def query_tournaments(club: Club, role: Role | None) -> QuerySet[Tournament]:
    """The tournaments of the club that somebody with this role sees in lists."""
    found = Tournament.objects.filter(club=club)
    return found if role is not None else found.filter(is_public=True)


def _query_evenings(club: Club, role: Role | None) -> QuerySet[TimedSession]:
    """The evenings that are not over. Who is not a member sees them of a public club only."""
    found = TimedSession.objects.filter(club=club, ended_at=None)
    return found if role is not None or club.is_public else found.none()


def find_next(club: Club, role: Role | None, me: int | None, *, now: float) -> NextNight | None:
    """What is on now, else what begins next, else a tournament without a date that is open. None for nothing."""
    evenings, tournaments = _query_evenings(club, role), query_tournaments(club, role)
    running = tournaments.filter(phase=Phase.RUNNING).order_by(F("starts_at").desc(nulls_last=True), "-created_at")
    if (found := running.first()) is not None:
        return _describe_tournament(found, me, is_now=True)
    going = evenings.filter(has_rung=False, starts_at__lte=now).order_by("-starts_at").first()
    if going is not None:
        return _describe_evening(going, me, is_now=True)
    since = datetime.fromtimestamp(now, tz=UTC) - timedelta(hours=LATE_HOURS)
    coming = tournaments.filter(phase__in=NOT_BEGUN, starts_at__gte=since).order_by("starts_at", "pk").first()
    agreed = evenings.filter(has_rung=False, starts_at__gt=now).order_by("starts_at", "pk").first()
    if agreed is not None and (coming is None or agreed.starts_at < _round_seconds(coming)):
        return _describe_evening(agreed, me, is_now=False)
    coming = coming or tournaments.filter(phase__in=NOT_BEGUN, starts_at=None).order_by("-created_at").first()
    return None if coming is None else _describe_tournament(coming, me, is_now=False)


def _round_seconds(tournament: Tournament) -> float:
    return tournament.starts_at.timestamp() if tournament.starts_at is not None else 0.0


def _describe_tournament(tournament: Tournament, me: int | None, *, is_now: bool) -> NextNight:
    inside = Entrant.objects.filter(tournament=tournament, status__in=IN, is_filler=False)
    rows = inside.order_by("number").values_list("name", "avatar")[:SHOWN_PEOPLE]
    mine = Entrant.objects.filter(tournament=tournament, player_id=me or 0).exclude(status=Entrant.Status.WITHDRAWN)
    people = tuple(Person(*row) for row in rows)
    return NextNight(tournament, None, is_now, people, inside.count(), mine.exists())


def _describe_evening(evening: TimedSession, me: int | None, *, is_now: bool) -> NextNight:
    seats = Seat.objects.filter(table__session_table__timed_session=evening).exclude(player=None)
    guests = EveningGuest.objects.filter(evening=evening).order_by("came_at")
    sitting = seats.order_by("table__session_table__number", "index").values_list("player", "name", "avatar")
    people = {player: Person(name, avatar) for player, name, avatar in sitting}
    coming = list(guests.values_list("player", "player__name", "player__avatar"))
    names = {**find_numbered_names(evening.club_id, [row[0] for row in coming]), **name_guests(evening)}
    for player, name, avatar in coming:
        people.setdefault(player, Person(names.get(player, name), avatar))
    shown = tuple(people.values())[:SHOWN_PEOPLE]
    return NextNight(None, evening, is_now, shown, len(people), me in people)


def list_tables_now(club: Club, role: Role | None) -> list[TableNow]:
    """The tables of the club that are being played, on devices and in the room, at most `SHOWN_TABLES`."""
    return [*_list_pods(club, role), *_list_evening_tables(club, role)][:SHOWN_TABLES]


def _list_pods(club: Club, role: Role | None) -> list[TableNow]:
    accepted = Result.objects.filter(pod=OuterRef("pk"), status=Result.Status.ACCEPTED)
    running = query_tournaments(club, role).filter(phase=Phase.RUNNING)
    pods = Pod.objects.filter(~Exists(accepted), round__tournament__in=running, round__status=Round.Status.RELEASED)
    pods = pods.filter(Q(table=None) | Q(table__status=PLAYING)).select_related("round__tournament")
    found = list(pods.order_by("-round__released_at", "number")[:SHOWN_TABLES])
    names: dict[int, list[str]] = defaultdict(list)
    for seat in PodSeat.objects.filter(pod__in=found).select_related("entrant").order_by("index"):
        names[seat.pod_id].append(seat.substitute_name or seat.entrant.name)
    return [
        TableNow(pod.round.tournament.game, pod.number, tuple(names[pod.pk]), pod.round.tournament.name, pod=pod)
        for pod in found
    ]


def _list_evening_tables(club: Club, role: Role | None) -> list[TableNow]:
    going = _query_evenings(club, role)
    rows = SessionTable.objects.filter(timed_session__in=going, table__status=PLAYING).select_related("timed_session")
    found = list(rows.order_by("timed_session__starts_at", "number")[:SHOWN_TABLES])
    names: dict[str, list[str]] = defaultdict(list)
    for table, name in (
        Seat.objects.filter(table__in=[row.table_id for row in found]).order_by("index").values_list("table_id", "name")
    ):
        names[table].append(name)
    return [
        TableNow(
            row.timed_session.game, row.number, tuple(names[row.table_id]), row.timed_session.name,
            evening_id=row.timed_session_id,
        )
        for row in found
    ]  # fmt: skip


def find_last_night(club: Club, role: Role | None) -> LastNight | None:
    """The tournament or evening with results that ended last; None without one."""
    over = query_tournaments(club, role).filter(phase__in=(Phase.FINISHED, Phase.ARCHIVED))
    last, evening = over.order_by("-finished_at", "-created_at").first(), _find_last_evening(club, role)
    if evening is not None and (last is None or (evening.ended_at or 0.0) > (last.finished_at or 0.0)):
        return LastNight(None, evening, _list_table_winners(evening))
    if last is None:
        return None
    book = book_cache.read(last)
    lines = [line for line in ranking.rank(book) if line.place <= SHOWN_PLACES][: SHOWN_PLACES + 1]
    people = ((line.place, book.by_key[line.entrant]) for line in lines)
    return LastNight(last, None, tuple(Winner(place, Person(one.name, one.avatar)) for place, one in people))


def _find_last_evening(club: Club, role: Role | None) -> TimedSession | None:
    """The last evening that is over and at which somebody won a table."""
    if role is None and not club.is_public:
        return None
    won = PersonResult.objects.filter(counted__table__session_table__timed_session=OuterRef("pk"))
    over = TimedSession.objects.filter(Exists(won), club=club, ended_at__isnull=False)
    return over.order_by("-starts_at").first()


def _list_table_winners(evening: TimedSession) -> tuple[Winner, ...]:
    """The best person at each table, by number of the table, as they are called on their seat; equals both."""
    best = PersonResult.objects.filter(counted__table__session_table__timed_session=evening, rank=1)
    seats = Seat.objects.filter(table__session_table__timed_session=evening, player__isnull=False)
    called = {(table, player): (name, avatar) for table, player, name, avatar in seats.values_list(
        "table", "player", "name", "avatar"
    )}  # fmt: skip
    won = best.order_by("counted__table__session_table__number", "seat").values_list("counted__table", "player")
    people = [Person(*called[key]) for key in won if key in called]
    return tuple(Winner(1, one) for one in people[:SHOWN_TABLES])


def find_leaders(club: Club, role: Role | None) -> Leaders | None:
    """The season under way (else the latest finished one) and its leaders; None while nothing has counted."""
    seasons = Season.objects.filter(club=club, phase__in=(Phase.RUNNING, Phase.FINISHED, Phase.ARCHIVED))
    if role is None:
        seasons = seasons.filter(is_public=True)
    season = seasons.filter(phase=Phase.RUNNING).order_by("-created_at").first()
    season = season or seasons.order_by("-finished_at", "-created_at").first()
    if season is None:
        return None
    table = read_table(season)
    lines = table.standing()[:SHOWN_LEADERS]
    return Leaders(season, table, tuple(lines)) if lines else None
