"""Creates a demo club with past, present and planned events.

Everything goes through the same use cases as in a real club, only faster: games are played to their ends by our bots'
judgement on everybody's behalf, and the moments are laid into the past.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from typing import Any

from games.accounts.animal_pictures import AVATARS
from games.models import Player
from games.play.clocks import timers
from games.play.errors import Stale
from games.play.moves import submission
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING, LoadedTable
from tournaments.flow.clubs import membership
from tournaments.flow.counting import finished_tables, real_tables
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.evenings import evening_sweeper, sessions
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.seasons import season_changes, season_phases, season_plan
from tournaments.models import Club, Entrant, Format, Membership, Phase, Pod, Round, SessionTable, Tournament, Venue

DAY = 86_400.0
MINUTE = 60.0
MOVE_SECONDS = 4.0
NAMES = (
    "Olga", "Jonas", "Zofia", "Emre", "Hannah", "Piotr", "Leni", "Marek", "Aisha", "Bruno K.", "Clara", "Dawid",
    "Elif", "Friedrich", "Gosia", "Henry", "Ines", "Jakub", "Katrin", "Luis", "Magda", "Nils", "Oskar", "Paula",
)  # fmt: skip
"""The members of the club; the first one runs it."""

Report = Callable[[str], None]


@dataclass
class Showcase:
    """Builds the demo club. now: seconds since 1970; report: called with what is being created."""

    owner: Player
    club: Club
    people: list[Player]
    now: float
    report: Report
    chance: random.Random = field(default_factory=lambda: random.Random(5))


def make_up(owner: Player, *, now: float, report: Report) -> Club:
    """The whole club. owner: who shall run it, with or without an account. Takes about ten seconds."""
    club = membership.found_club(
        owner, name="The Harbour Lights", about="A made-up club to look around in. We meet every other week."
    )
    people = [owner, *(Player.objects.create(name=name, avatar=_avatar(index)) for index, name in enumerate(NAMES[1:]))]
    long_ago = datetime.fromtimestamp(now - 60 * DAY, tz=UTC)
    Player.objects.filter(pk__in=[player.pk for player in people]).update(created_at=long_ago)
    Membership.objects.bulk_create([Membership(club=club, player=player) for player in people[1:]])
    show = Showcase(owner, club, people, now, report)
    planned = season_plan.SeasonPlan(name="The season", game="animal-poker")
    season = season_plan.plan_season(club, owner, planned, now=now - 50 * DAY)
    season_phases.open_season(season, owner, now=now - 50 * DAY)
    for name, ago in (("First night", 36 * DAY), ("Second night", 22 * DAY)):
        night = _play_swiss(show, name, ago=ago)
        season_changes.count_tournament(season, owner, night.pk, counts=True, now=now - ago + DAY)
    _play_knockout(show, ago=15 * DAY)
    _play_friendly_games(show, ago=10 * DAY)
    _play_evening(show, ago=8 * DAY)
    _begin_tonight(show)
    _announce(show)
    _count_results(show)
    return club


def _evening(show: Showcase, ago: float) -> float:
    """Seven in the evening (UTC), so many seconds ago or thereabouts."""
    return (show.now - ago) // DAY * DAY + 19 * 60 * MINUTE


def _avatar(index: int) -> str:
    return AVATARS[(index + 1) % len(AVATARS)]


def _plan(show: Showcase, name: str, game: str, *, starts: float, **fields: Any) -> Tournament:
    when = datetime.fromtimestamp((show.now + starts) // 3600 * 3600, tz=UTC)
    agreement = tournament_plan.Agreement(name=name, game=game, starts_at=when, **fields)
    return tournament_plan.plan_tournament(show.club, show.owner, agreement, now=show.now + min(starts, 0) - 9 * DAY)


def _gather(show: Showcase, tournament: Tournament, players: Sequence[Player], *, at: float) -> None:
    """Entry, by each of them, and check-in."""
    phases.move_on(tournament, show.owner, Phase.ENTRY, now=at - 5 * DAY)
    for index, player in enumerate(players):
        sign_up.enter(tournament, player, now=at - 4 * DAY + index * 60 * MINUTE)
    phases.move_on(tournament, show.owner, Phase.CHECK_IN, now=at)
    everybody = Entrant.objects.filter(tournament=tournament).values_list("pk", flat=True)
    attendance.check_in(tournament, show.owner, list(everybody), now=at)


def _release(show: Showcase, tournament: Tournament, number: int, *, at: float) -> Round:
    show.report(f"{tournament.name}: {number}")
    asked = draw_requests.request_draw(tournament, show.owner, number, again=False, now=at)
    if asked is not None:
        draw_requests.run_draw(asked.pk, asked.drawing, show.owner, now=at)
    lifecycle.release(tournament, show.owner, number, now=at)
    return Round.objects.get(tournament=tournament, number=number)


def _play_rounds(show: Showcase, tournament: Tournament, *, at: float) -> None:
    """Round after round, on screens, to the end of the tournament."""
    number, pods = 0, 2
    while number < tournament.rounds_planned and pods > 1:
        number += 1
        played = _release(show, tournament, number, at=at)
        opened = list(Pod.objects.filter(round=played).exclude(table=None).values_list("table", flat=True))
        at = max(_play_out(_seat_everybody(table, at=at), at=at) for table in opened) + 5 * MINUTE
        lifecycle.complete(tournament, show.owner, number, now=at)
        pods = len(opened)
    phases.move_on(tournament, show.owner, Phase.FINISHED, now=at)


def _seat_everybody(table_id: str, *, at: float) -> LoadedTable:
    """Seat everybody, so that the game is under way."""
    table = store.refresh(table_id)
    for place in table.places:
        if place.player_id is not None:
            table = sitting.return_to_table(table_id, place.player_id, now=at)
            if table.status == WAITING and table.has_own_deal:
                table = _contribute(table, place.player_id, at=at)
    return table


def _contribute(table: LoadedTable, player_id: int, *, at: float) -> LoadedTable:
    entropy = f"{table.seat_of(player_id)} of {table.id}"
    return sitting.contribute(table.id, player_id, commitment=table.commitment, entropy=entropy, now=at)


def _play_out(table: LoadedTable, *, at: float, until: float = inf) -> float:
    """Play until the game is over, or until this moment; when that was."""
    while table.status == PLAYING and at < until:
        at += MOVE_SECONDS
        table = _move(table, at=at)
    return at


def _move(table: LoadedTable, *, at: float) -> LoadedTable:
    """The table after whatever comes next: a move, or what a clock decides."""
    acting = table.rules.to_act(table.state)
    place = table.place(acting[0]) if acting else None
    if place is None or table.runtime.interlude is not None:  # a bot would wait for its end for ever
        return timers.run_clock(table.id, now=at)
    if place.player_id is None:
        played = submission.play_bot(table.id, ply=table.ply, now=at)
        return store.refresh(table.id) if played is None else played
    move = submission.choose_bot_move(table, place.seat)
    key = f"made-up-{table.ply}"
    try:
        return submission.submit_move(table.id, place.player_id, move, ply=table.ply, key=key, now=at).table
    except Stale:  # a clock was faster
        return store.refresh(table.id)


def _play_swiss(show: Showcase, name: str, *, ago: float) -> Tournament:
    """A club night of Animal Poker, on screens."""
    at = _evening(show, ago)
    people = show.people[:1] + show.chance.sample(show.people[1:], 11)
    night = _plan(
        show,
        name,
        "animal-poker",
        starts=at - show.now,
        options={"sessions": 2},
        rounds_planned=3,
        venue=Venue.ONLINE,
    )
    _gather(show, night, people, at=at)
    _play_rounds(show, night, at=at)
    return night


def _play_knockout(show: Showcase, *, ago: float) -> None:
    at = _evening(show, ago)
    cup = _plan(
        show,
        "The Ark Cup",
        "animals-on-board",
        starts=at - show.now,
        format=Format.KNOCKOUT,
        least=3,
        most=4,
        venue=Venue.ONLINE,
    )
    _gather(show, cup, show.people[4:12], at=at)
    _play_rounds(show, cup, at=at)


def _play_friendly_games(show: Showcase, *, ago: float) -> None:
    """A table of each other game, host and guests by its link, a bot on the last chair."""
    for game, options in (
        ("fancy-animals", {}),
        ("super-zwierzaki", {"minutes": 15}),
        ("karriere-poker", {"deals": 4}),
    ):
        at = _evening(show, ago)
        host, *guests = show.chance.sample(show.people, 3)
        show.report(game)
        table = opening.open_table(
            host, opening.TableRequest(game, 4, options=options, bots=1), avatars=AVATARS, now=at
        )
        for guest in guests:
            sitting.sit(table.id, guest, now=at)
        for player in (host, *guests):
            _contribute(store.refresh(table.id), player.pk, at=at)
        _play_out(opening.start(table.id, host.pk, fill="steady", avatars=AVATARS, now=at), at=at)


def _play_evening(show: Showcase, *, ago: float) -> None:
    """An evening of Animal Poker with two tables and its bell."""
    at = _evening(show, ago)
    evening = sessions.open_evening(show.club, show.owner, sessions.EveningPlan("Lamps on", "animal-poker", 40), now=at)
    show.report(evening.name)
    for group in (show.people[:5], show.people[5:10]):
        version = sessions.find(evening.pk).version
        sessions.add_table(evening, show.owner, [player.pk for player in group], version=version, now=at)
    opened = list(SessionTable.objects.filter(timed_session=evening).values_list("table", flat=True))
    for table_id in opened:
        _play_out(_seat_everybody(table_id, at=at), at=at, until=evening.ends_at)
    evening_sweeper.sweep_evenings(now=evening.ends_at)
    for table_id in opened:
        _play_out(store.refresh(table_id), at=evening.ends_at)
    evening_sweeper.sweep_evenings(now=evening.ends_at + 10 * MINUTE)


def _begin_tonight(show: Showcase) -> None:
    """A Swiss at real tables: one round is over, the second is played, and the first result of it is in."""
    at = show.now - 70 * MINUTE
    night = _plan(show, "Tonight", "karriere-poker", starts=-50 * MINUTE, options={"deals": 3}, venue=Venue.REAL)
    _gather(show, night, show.people[:20], at=at)
    for number, missing in ((1, 0), (2, 3)):
        played = _release(show, night, number, at=at + number * 20 * MINUTE)
        pods = list(Pod.objects.filter(round=played).order_by("number"))
        for pod in pods[: len(pods) - missing]:
            places = show.chance.sample(range(1, pod.seats.count() + 1), pod.seats.count())
            results.decide(
                night, show.owner, pod.pk, ReportedResult(tuple(places)), now=at + (number * 20 + 15) * MINUTE
            )
        if not missing:
            lifecycle.complete(night, show.owner, number, now=at + (number * 20 + 18) * MINUTE)


def _announce(show: Showcase) -> None:
    """Next week's night, open for entry."""
    starts = _evening(show, -7 * DAY) - show.now
    night = _plan(show, "Next week", "super-zwierzaki", starts=starts, options={"minutes": 20})
    phases.move_on(night, show.owner, Phase.ENTRY, now=show.now)
    for player in show.people[3:9]:
        sign_up.enter(night, player, now=show.now)


def _count_results(show: Showcase) -> None:
    """Ratings, careers and leaderboards, as the worker does it while a club plays."""
    for table_id in list(finished_tables.list_uncounted()):
        finished_tables.count_table(table_id, now=show.now)
    for tournament_id in Tournament.objects.filter(club=show.club).values_list("pk", flat=True):
        real_tables.follow(tournament_id, now=show.now)
