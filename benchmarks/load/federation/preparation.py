"""A federation's Saturday, prepared inside an installation.

40 clubs, 2,000 people at 400 tables, 20 hall displays, 5,000 spectators of a final, or so many parts in a hundred.

Run as a program over an installation's settings: `prepare` writes what was prepared as a JSON object to stdout, `log`
what the log of the games says, a JSON list a ply.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict

PEOPLE_AT_TABLE, BOTS_AT_TABLE = 5, 3
BOT_LEVEL = "sharp"
DEALS = 50
TURN_SECONDS = 300
"""Seconds for a move; one that nobody answers in time runs out."""


@dataclass(frozen=True, slots=True)
class Size:
    """So many parts in a hundred of the federation; of each kind at least one."""

    percent: float

    @property
    def clubs(self) -> int:
        """Each with an organiser, a token and a tournament of 50."""
        return self._part(40)

    @property
    def tables(self) -> int:
        """At which five people play Karriere Poker; the first is the final."""
        return self._part(400)

    @property
    def bot_tables(self) -> int:
        """Tables among them, the last ones, at which three bots sit, too."""
        return self._part(40)

    @property
    def people(self) -> int:
        """Who play."""
        return PEOPLE_AT_TABLE * self.tables

    @property
    def walls(self) -> int:
        """Hall displays, each of a tournament."""
        return self._part(20)

    @property
    def spectators(self) -> int:
        """Of the final."""
        return self._part(5000)

    @property
    def clock_tables(self) -> int:
        """Tables of eight beside them, at which nobody answers: every turn of five seconds runs out."""
        return self._part(20)

    @property
    def pages_per_second(self) -> float:
        """Pages that people ask for: each person one in 200 seconds."""
        return 10 * self.percent / 100

    def count_rounds(self, seconds: float) -> int:
        """Rounds that begin in this time: each club one in five minutes."""
        return min(self.clubs, self._part(40 * seconds / 300))

    def _part(self, whole: float) -> int:
        return max(1, math.ceil(whole * self.percent / 100 - 1e-9))


class PreparedTable(TypedDict):
    """A game under way, and the sessions of its people by seat."""

    table: str
    sessions: list[str]


class PreparedClub(TypedDict):
    """A club, and a personal token of its owner for the API."""

    slug: str
    token: str


class Prepared(TypedDict):
    """Who is there. spectators: sessions; the final is the first table, those with bots are the last `bot_tables`."""

    tables: list[PreparedTable]
    bot_tables: int
    spectators: list[str]
    clubs: list[PreparedClub]


def main() -> None:
    """Do one of the two."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["prepare", "log"])
    parser.add_argument("--percent", type=float, default=100.0)
    parser.add_argument("--turn-seconds", type=int, default=TURN_SECONDS)
    options = parser.parse_args()

    import django

    django.setup()
    if options.what == "prepare":
        json.dump(prepare(Size(options.percent), turn_seconds=options.turn_seconds), sys.stdout)
    else:
        json.dump(list(read_log()), sys.stdout)


def prepare(size: Size, *, turn_seconds: int = TURN_SECONDS) -> Prepared:
    """Clubs with members and tokens, games under way, sessions of all who come."""
    from django.conf import settings
    from django.db import transaction

    from benchmarks import timers
    from benchmarks.load.prepare_tables import sign_in
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    with transaction.atomic():
        clubs = [_found(number) for number in range(size.clubs)]
        made: list[PreparedTable] = []
        for number in range(size.tables):
            has_bots = number >= size.tables - size.bot_tables
            club = clubs[number % len(clubs)][0]
            made.append(_open(number, club, turn_seconds, has_bots=has_bots, is_public=number == 0))
        guests = [Player(name=f"Spectator {number}", avatar=AVATARS[0]) for number in range(size.spectators)]
        spectators = [sign_in(guest.pk) for guest in Player.objects.bulk_create(guests)]
    timers.prepare(size.clock_tables)
    return Prepared(
        tables=made, bot_tables=size.bot_tables, spectators=spectators, clubs=[prepared for _, prepared in clubs]
    )


def _found(number: int) -> tuple[Any, PreparedClub]:
    from games.accounts import access_tokens
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player, User
    from tournaments.flow.clubs import membership

    user = User.objects.create_user(f"organiser-{number}")
    owner = Player.objects.create(name=f"Organiser {number}", avatar=AVATARS[number % len(AVATARS)], user=user)
    club = membership.found_club(owner, name=f"Club {number}")
    scopes = ["read", "club", "tournaments:write"]
    token = access_tokens.issue(owner, owner.pk, name="bench", scopes=scopes, days=7, now=time.time())
    return club, PreparedClub(slug=club.slug, token=token)


def _open(number: int, club: Any, turn_seconds: int, *, has_bots: bool, is_public: bool) -> PreparedTable:
    """A table of five members of a club, under way."""
    from benchmarks.load.prepare_tables import sign_in
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player
    from games.play.seats import opening, sitting
    from tournaments.models import Membership

    request = opening.TableRequest(
        game="karriere-poker",
        seats=PEOPLE_AT_TABLE + (BOTS_AT_TABLE if has_bots else 0),
        options={"deals": DEALS},
        turn_seconds=turn_seconds,
        is_public=is_public,
    )
    now = time.time()
    people = [
        Player.objects.create(name=f"Person {number}-{seat + 1}", avatar=AVATARS[seat])
        for seat in range(PEOPLE_AT_TABLE)
    ]
    Membership.objects.bulk_create([Membership(club=club, player=person) for person in people])
    table = opening.open_table(people[0], request, avatars=AVATARS, now=now)
    for person in people[1:]:
        sitting.sit(table.id, person, now=now)
    for person in people:
        sitting.contribute(table.id, person.pk, commitment=table.commitment, entropy=f"{person.pk}", now=now)
    opening.start(table.id, people[0].pk, fill=BOT_LEVEL if has_bots else "", avatars=AVATARS, now=now)
    return PreparedTable(table=table.id, sessions=[sign_in(person.pk) for person in people])


def read_log() -> Iterable[tuple[str, int, str, str | None, float]]:
    """Of each ply: its table, number, what it was (`game_log.Row`), its key, and when it was made."""
    from games.models import Ply

    plies = Ply.objects.order_by("table_id", "number").values_list(
        "table_id", "number", "event", "key", "table__started_at", "at"
    )
    for table, number, event, key, started, at in plies.iterator():
        clock = json.loads(event).get("clock") if key is None else None
        kind = "person" if key else "clock" if clock == "turn" else "window" if clock else "bot"
        yield table, number, kind, key.partition(":")[2] if key else None, (started or 0.0) + at


if __name__ == "__main__":
    main()
