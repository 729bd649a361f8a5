"""Tables at which the same five bot accounts play, opened and started by the project's own use cases.

Run as a program over an installation's settings: writes one JSON object to stdout.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

SEATS = 5
TURN_SECONDS = 3600
MAX_GAMES = 30_000
"""Games at once of these accounts: beyond what people may choose, so that tables can be prepared."""


def main() -> None:
    """Prepare tables, and print them with the tokens of the five."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--games", type=int, default=1, help="to be played one after the other in each place")
    parser.add_argument("--deals", type=int, default=10)
    options = parser.parse_args()

    import django

    django.setup()
    json.dump(prepare(options.tables * options.games, options.deals), sys.stdout)


def prepare(count: int, deals: int) -> dict[str, Any]:
    """Tokens of five bot accounts, and so many tables under way at which they sit."""
    from django.conf import settings
    from django.db import transaction

    from games.accounts import access_tokens
    from games.accounts.animal_pictures import AVATARS
    from games.models import Player, User
    from games.play.seats import opening, sitting

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    wanted = opening.TableRequest(
        game="karriere-poker",
        seats=SEATS,
        options={"deals": deals},
        turn_seconds=TURN_SECONDS,
        is_public=False,
        is_rated=False,
    )
    with transaction.atomic():
        owner = Player.objects.create(name="Owner", avatar=AVATARS[0], user=User.objects.create_user("owner"))
        bots = [
            Player.objects.create(name=f"{seat} (bot)", avatar=AVATARS[seat], owner=owner, games_at_once=MAX_GAMES)
            for seat in range(SEATS)
        ]
        tables = []
        for _ in range(count):
            now = time.time()
            table = opening.open_table(bots[0], wanted, avatars=AVATARS, now=now)
            for bot in bots[1:]:
                sitting.sit(table.id, bot, now=now)
            for bot in bots:
                sitting.contribute(table.id, bot.pk, commitment=table.commitment, entropy=f"{bot.pk}", now=now)
            opening.start(table.id, bots[0].pk, fill="", avatars=AVATARS, now=now)
            tables.append(table.id)
        now = time.time()
        tokens = [access_tokens.issue(owner, bot.pk, name="bench", scopes=["play"], days=7, now=now) for bot in bots]
    return {"tables": tables, "tokens": tokens}


if __name__ == "__main__":
    main()
