"""A club with its owner, and tournaments of it in any state."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from games import models as people
from games.play.errors import BadInput
from games.play.storage import store
from tests.cast import NOW, come_to_table, finish, person
from tournaments.flow.archive import background_jobs, import_job, job_kinds
from tournaments.flow.clubs import membership
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import sign_up
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.seasons import season_plan
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import BackgroundJob, Club, Entrant, Phase, Pod, Result, Round, Season, Tournament
from tournaments.words.terms import say_trouble

NAMES = (
    "Ada", "Bea", "Cem", "Dan", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan", "Kai", "Lea",
    "Mia", "Ned", "Ole", "Pia", "Quy", "Rut", "Sam", "Tom", "Uma", "Vic", "Wim", "Xia",
)  # fmt: skip
LOT_SEED = "0001" * 16
"""Of every tournament planned here: no number in a test depends on a draw or a lot of this run only."""


def found(owner: people.Player, name: str = "Harbour Club") -> Club:
    """A club of this owner."""
    return membership.found_club(owner, name=name)


def plan(owner: people.Player, club: Club | None = None, **overrides: Any) -> Tournament:
    """A tournament, planned. Its lots are the same in each run."""
    wanted = {"name": "Thursday", "game": "karriere-poker", "options": {"deals": 1}, "most": 5, **overrides}
    one = tournament_plan.plan_tournament(club or found(owner), owner, tournament_plan.Agreement(**wanted), now=NOW)
    one.lot_seed = LOT_SEED
    one.save(update_fields=["lot_seed"])
    return one


def plan_season(owner: people.Player, club: Club | None = None, **overrides: Any) -> Season:
    """A season, planned."""
    wanted = SeasonPlan(**{"name": "Winter", "tie_breaks": ["wins"], **overrides})
    return season_plan.plan_season(club or found(owner), owner, wanted, now=NOW)


def check_in(owner: people.Player, tournament: Tournament, walk_ins: Sequence[str] = ()) -> None:
    """Entry and check-in, and these walk-ins."""
    for phase in (Phase.ENTRY, Phase.CHECK_IN):
        phases.move_on(tournament, owner, phase, now=NOW)
        tournament.refresh_from_db()
    for name in walk_ins:
        sign_up.add_walk_in(tournament, owner, name=name, now=NOW)


def begin(owner: people.Player, walk_ins: Sequence[str] = NAMES[:8], **overrides: Any) -> Tournament:
    """A tournament of these walk-ins, checked in."""
    tournament = plan(owner, **overrides)
    check_in(owner, tournament, walk_ins)
    return tournament


def draw(owner: people.Player, tournament: Tournament, number: int, *, again: bool = False) -> Round:
    """The drawn round: the same in each run, and another one if it is drawn again."""
    asked = draw_requests.request_draw(tournament, owner, number, again=again, now=NOW)
    if asked is not None:
        asked.drawing = sha256(f"{number} {asked.seed}".encode()).hexdigest()[:20]
        asked.save(update_fields=["drawing"])
        draw_requests.run_draw(asked.pk, asked.drawing, owner, now=NOW)
    return Round.objects.get(tournament=tournament, number=number)


def release(owner: people.Player, tournament: Tournament, number: int, *, now: float = NOW) -> Round:
    """The drawn and released round."""
    draw(owner, tournament, number)
    lifecycle.release(tournament, owner, number, now=now)
    return Round.objects.get(tournament=tournament, number=number)


def decide_all(owner: people.Player, tournament: Tournament, number: int) -> None:
    """Results by seat for every pod without one: the first seat wins."""
    done = Result.objects.filter(status="accepted").values("pod")
    for pod in Pod.objects.filter(round__tournament=tournament, round__number=number).exclude(pk__in=done):
        places = tuple(range(1, pod.seats.count() + 1))
        results.decide(tournament, owner, pod.pk, ReportedResult(places), now=NOW)


def play_online(tournament: Tournament, number: int) -> None:
    """Everybody comes to their table, and plays it to its end."""
    for pod in Pod.objects.filter(round__tournament=tournament, round__number=number).exclude(table=None):
        assert pod.table_id is not None
        table = store.refresh(pod.table_id)
        for place in table.places:
            table = come_to_table(table.id, place.player_id, now=NOW)
        finish(table)


def play_round(owner: people.Player, tournament: Tournament, number: int) -> None:
    """Draw, release, play and complete a round."""
    release(owner, tournament, number)
    play_online(tournament, number)
    decide_all(owner, tournament, number)
    lifecycle.complete(tournament, owner, number, now=NOW)


def table_of(tournament: Tournament, number: int) -> list[tuple[str, ...]]:
    """The names of each pod of a round, sorted."""
    pods = Pod.objects.filter(round__tournament=tournament, round__number=number).order_by("number")
    return [tuple(sorted(pod.seats.values_list("entrant__name", flat=True))) for pod in pods]


def standing(tournament: Tournament, after: int | None = None) -> list[tuple[str, int, int]]:
    """Name, place and points of everybody."""
    book = open_book(tournament)
    return [(book.by_key[line.entrant].name, line.place, line.points) for line in ranking.rank(book, after)]


def entrant(tournament: Tournament, name: str) -> Entrant:
    """The entrant of this name."""
    return Entrant.objects.get(tournament=tournament, name=name)


def enter(tournament: Tournament, *names: str) -> list[people.Player]:
    """These people, with a browser each, entered by themselves."""
    players = [person(name) for name in names]
    for player in players:
        sign_up.enter(tournament, player, now=NOW)
    return players


def import_file(club: Club, owner: people.Player, raw: bytes, *, now: float = NOW) -> Tournament:
    """The tournament that comes of a file. Raises BadInput with what was said of it."""
    job = _read_in(club, owner, raw, now=now)
    if job.tournament is None:
        raise BadInput(say_trouble(job.error))
    return job.tournament


def bring_season(club: Club, owner: people.Player, raw: bytes, *, now: float = NOW) -> Season:
    """The season that comes of a file. Raises BadInput with what was said of it."""
    job = _read_in(club, owner, raw, now=now)
    if job.season is None:
        raise BadInput(say_trouble(job.error))
    return job.season


def _read_in(club: Club, owner: people.Player, raw: bytes, *, now: float) -> BackgroundJob:
    job = import_job.ask(club, owner, raw, "archive.zip", is_copy_wanted=True, now=now)
    background_jobs.run(job.pk, job_kinds.HANDLERS, now=now)
    job.refresh_from_db()
    return job
