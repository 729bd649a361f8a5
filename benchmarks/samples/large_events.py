"""Large tournaments, clubs and careers as database rows, for page timings: inserted at once, as their flow leaves them.

Seats and winners are random: what a page costs depends on the number of rows, not on their content.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.models import Player
    from tournaments.models import Club, Entrant, Round, Season, Tournament

BATCH = 2000
POD_SIZE = 4
"""People in a pod."""


def lay_tournament(
    club: Club,
    owner: Player,
    format_: str,
    *,
    people: int,
    rounds: int,
    open_rounds: int = 1,
    pods: int | None = None,
    deals: int = 0,
    **more: Any,
) -> Tournament:
    """A tournament under way: so many rounds, the last `open_rounds` of them without results.

    pods: of a round, if not everybody's; deals: of a table on screens, of an evening's length; 0 for real tables.
    """
    from tournaments.models import Phase, Step, Tournament

    number = next(_numbers)
    wanted = {"game": "karriere-poker", "venue": "online" if deals else "real", "rounds_planned": rounds, **more}
    made = Tournament.objects.create(
        id=f"big{number}", club=club, name=f"Large {format_} {number}", format=format_, phase=Phase.RUNNING,
        entry_token=f"entry{number}", lot_seed="ab" * 32, about="As large as they come.", version=rounds * 2, **wanted,
    )  # fmt: skip
    Step.objects.bulk_create(
        Step(tournament=made, number=at, kind=kind, actor=owner, actor_name=owner.name, at=time.time() - 9999 + at,
             details=json.dumps({"round": at // 2 + 1}))
        for at, kind in enumerate(["plan", *["release", "complete"] * rounds])
    )  # fmt: skip
    entrants = _enter(made, people)
    rng = random.Random(number)
    there = list(entrants)
    for at in range(1, rounds + 1):
        groups = _seat(there, rng, pods)
        winners = _lay_round(made, at, groups, deals=deals, is_over=at <= rounds - open_rounds)
        if format_ == "knockout":
            there = winners
    return made


_numbers = itertools.count(1)


def _enter(made: Tournament, people: int) -> list[Entrant]:
    """Half of them with an account; the same people in every tournament."""
    from games.models import Player
    from tournaments.models import Entrant

    regulars = list(Player.objects.filter(name__startswith="Regular ").order_by("pk")[: people // 2])
    missing = [Player(name=f"Regular {at}", avatar="fox") for at in range(len(regulars), people // 2)]
    players = regulars + Player.objects.bulk_create(missing)
    names = [player.name for player in players] + [f"Walk-in {at}" for at in range(people - len(players))]
    Entrant.objects.bulk_create(
        [
            Entrant(
                tournament=made, number=at + 1, name=name, player=players[at] if at < len(players) else None,
                status=Entrant.Status.PRESENT, claim_token=f"{made.pk}-{at}",
            )
            for at, name in enumerate(names)
        ],
        batch_size=BATCH,
    )  # fmt: skip
    return list(Entrant.objects.filter(tournament=made).order_by("number"))


def _seat(people: Sequence[Entrant], rng: random.Random, pods: int | None) -> list[list[Entrant]]:
    if pods is not None:
        return [rng.sample(people, POD_SIZE) for _ in range(pods)]
    order = rng.sample(people, len(people))
    return [order[at : at + POD_SIZE] for at in range(0, len(order) - len(order) % POD_SIZE, POD_SIZE)]


def _lay_round(
    made: Tournament, number: int, groups: Sequence[Sequence[Entrant]], *, deals: int, is_over: bool
) -> list[Entrant]:
    """A round with its tables, and results if it is over; the first two of each table."""
    from tournaments.models import Pod, PodSeat, Result, Round

    stages = {"ladder": "ladder", "arena": "arena", "knockout": "knockout", "round-robin": "round-robin"}
    played = Round.objects.create(
        tournament=made, number=number, stage=stages.get(made.format, "swiss"), seed="cd" * 32,
        status=Round.Status.COMPLETE if is_over else Round.Status.RELEASED, released_at=time.time() - 3600,
        ends_at=time.time() + 3600,
    )  # fmt: skip
    Pod.objects.bulk_create(
        [
            Pod(round=played, number=at, is_online=bool(deals), table_id=_table(made, played, at, group, deals))
            for at, group in enumerate(groups, start=1)
        ],
        batch_size=BATCH,
    )
    pods = list(Pod.objects.filter(round=played).order_by("number"))
    seats = [
        PodSeat(pod=pod, index=at, entrant=one)
        for pod, group in zip(pods, groups, strict=True)
        for at, one in enumerate(group)
    ]
    PodSeat.objects.bulk_create(seats, batch_size=BATCH)
    # An arena is one long round: all but the last sixty of its games are over.
    done = pods if is_over else pods[:-60] if made.format == "arena" else []
    Result.objects.bulk_create(
        [
            Result(pod=pod, source="organiser", places="[1,2,3,4]", scores="null", status="accepted",
                   at=time.time() - 3600 + at)
            for at, pod in enumerate(done)
        ],
        batch_size=BATCH,
    )  # fmt: skip
    return [one for group in groups for one in group[:2]]


def _table(made: Tournament, played: Round, number: int, group: Sequence[Entrant], deals: int) -> str | None:
    """A table on screens of these people, with so many deals behind it."""
    from games.models import Ply, Seat, Table

    if not deals:
        return None
    made_table = Table.objects.create(
        id=f"{made.pk}-{played.number}-{number}"[-16:], game=made.game, rules=1, options='{"minutes":60}',
        status=Table.Status.PLAYING, invite=f"{made.pk}-{played.number}-{number}", seat_count=len(group),
        turn_seconds=45, created_at=time.time(), started_at=time.time(), ply=deals * len(group), secret="",
        commitment="", seed="ef" * 32,
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(table=made_table, index=at, player_id=one.player_id, name=one.name, avatar="fox")
        for at, one in enumerate(group)
    )
    Ply.objects.bulk_create(play_deals(made_table.pk, len(group), range(1, deals + 1)), batch_size=BATCH)
    return str(made_table.pk)


def play_deals(table_id: str, seats: int, numbers: Sequence[int]) -> list[Any]:
    """The plies of these deals: in each a move of everybody's, after which it is over. All are promoted in turn."""
    from games.models import Ply

    return [
        Ply(
            table_id=table_id, number=(one - 1) * seats + seat + 1, event=f'{{"seat":{seat},"move":{{"pass":true}}}}',
            key=f"{seat}:{one}", at=float(one), events=_tell_end(seats, one) if seat == seats - 1 else "[]",
        )
        for one in numbers
        for seat in range(seats)
    ]  # fmt: skip


def _tell_end(seats: int, deal: int) -> str:
    return json.dumps([["deal_over", None, {"deal": deal, "ranks": _ranks(seats, deal)}, None]])


def _ranks(seats: int, deal: int) -> list[int]:
    return [(seat + deal) % seats + 1 for seat in range(seats)]


def lay_season(club: Club, owner: Player, *, tournaments: int, people: int) -> Season:
    """A season of so many finished tournaments of five rounds each, under way."""
    from tournaments.models import Phase, Season, Tournament

    season = Season.objects.create(
        id="bigseason", club=club, name="A long season", phase=Phase.RUNNING, points="table",
        lot_seed="ab" * 32, tie_breaks='["best","wins","head-to-head","lot"]',
    )  # fmt: skip
    for number in range(tournaments):
        made = lay_tournament(club, owner, "swiss", people=people, rounds=5, open_rounds=0)
        Tournament.objects.filter(pk=made.pk).update(
            season=season, phase=Phase.FINISHED, finished_at=time.time() - 1e6 + number, starts_at=made.created_at
        )
    return season


def lay_career(person: Player, *, tables: int, deals: int) -> None:
    """So many deals of Animal Poker at each of so many finished tables of six, counted as a real evening's are."""
    from games.models import Player, Ply, Seat, Table
    from tournaments.flow.counting import finished_tables

    others = Player.objects.bulk_create(Player(name=f"Rival {at}", avatar="wolf") for at in range(40))
    rng = random.Random(3)
    for number in range(tables):
        began = time.time() - 86400.0 * 2 * (tables - number)
        table = Table.objects.create(
            id=f"past{number}", game="animal-poker", rules=1, options='{"minutes":60}', status=Table.Status.OVER,
            invite=f"past{number}", seat_count=6, turn_seconds=45, created_at=began, started_at=began,
            ended_at=began + 3600, ply=deals * 6, secret="", commitment="", seed="ef" * 32,
            result=json.dumps({"places": [1, 2, 3, 4, 5, 6], "scores": None}),
        )  # fmt: skip
        chairs = [person, *rng.sample(others, 5)]
        Seat.objects.bulk_create(
            Seat(table=table, index=at, player=one, name=one.name, avatar="fox") for at, one in enumerate(chairs)
        )
        plies = play_deals(table.pk, 6, range(1, deals + 1))
        Ply.objects.bulk_create(plies)
        finished_tables.count_table(table.pk, now=began + 3600)


def lay_club(club: Club, owner: Player, *, members: int, tournaments: int) -> None:
    """So many members, and small tournaments with a date; every second one is over."""
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Player
    from tournaments.models import Membership, Phase, Tournament

    missing = members - Membership.objects.filter(club=club).count()
    people = Player.objects.bulk_create(Player(name=f"Member {at}", avatar="fox") for at in range(missing))
    Membership.objects.bulk_create(Membership(club=club, player=one) for one in people)
    for number in range(tournaments):
        made = lay_tournament(club, owner, "swiss", people=16, rounds=2, open_rounds=number % 2)
        at = timezone.now() + timedelta(days=number - tournaments // 2)
        over = {} if number % 2 else {"phase": Phase.FINISHED, "finished_at": time.time() - number}
        Tournament.objects.filter(pk=made.pk).update(starts_at=at, **over)
