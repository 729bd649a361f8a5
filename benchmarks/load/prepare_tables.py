"""Tables with five persons each, opened and started by the project's own use cases.

Run as a program over an installation's settings: writes one JSON object a group of five to stdout.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

SEATS = 5
TURN_SECONDS = 3600


def main() -> None:
    """Prepare groups, each with the sessions of its five and the tables they play at, one after the other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--groups", type=int, required=True)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--spectators", type=int, default=0, help="of each group; its tables are public then")
    options = parser.parse_args()

    import django

    django.setup()
    for _ in range(options.groups):
        json.dump(prepare_group(options.games, options.deals, spectators=options.spectators), sys.stdout)
        sys.stdout.write("\n")


def prepare_group(games: int, deals: int, *, spectators: int = 0) -> dict[str, Any]:
    """Five people and so many tables under way at which they sit, and guests who look at them."""
    from django.conf import settings
    from django.db import transaction

    from games.accounts.animal_pictures import AVATARS
    from games.models import Player
    from games.play.seats import opening, sitting

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    with transaction.atomic():
        people = [Player.objects.create(name=f"Guest {seat + 1}", avatar=AVATARS[seat]) for seat in range(SEATS)]
        guests = [Player.objects.create(name=f"Spectator {number}", avatar=AVATARS[0]) for number in range(spectators)]
        tables = []
        request = opening.TableRequest(
            game="karriere-poker",
            seats=SEATS,
            options={"deals": deals},
            turn_seconds=TURN_SECONDS,
            is_public=bool(spectators),
        )
        for _ in range(games):
            now = time.time()
            table = opening.open_table(people[0], request, avatars=AVATARS, now=now)
            for person in people[1:]:
                sitting.sit(table.id, person, now=now)
            for person in people:
                sitting.contribute(table.id, person.pk, commitment=table.commitment, entropy=f"{person.pk}", now=now)
            opening.start(table.id, people[0].pk, fill="", avatars=AVATARS, now=now)
            tables.append(table.id)
        return {
            "sessions": [sign_in(person.pk) for person in people],
            "tables": tables,
            "spectators": [sign_in(guest.pk) for guest in guests],
        }


def sign_in(player_id: int) -> str:
    """The key of a session of this person."""
    from django.contrib.sessions.backends.db import SessionStore

    from games.accounts.session import PLAYER

    session = SessionStore()
    session[PLAYER] = player_id
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    main()
