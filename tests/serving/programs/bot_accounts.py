"""Prints two bot accounts and their tokens as JSON; run as a program over an installation's settings."""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Make two accounts with a bot account each."""
    import django

    django.setup()

    from games.accounts import access_tokens, bot_accounts
    from games.models import Player, User

    made: dict[str, list[object]] = {"bots": [], "tokens": []}
    for name in ("Ana", "Ben"):
        user = User.objects.create_user(name.lower(), password="a long pass phrase")
        owner = Player.objects.create(name=name, avatar="fox", user=user)
        bot = bot_accounts.create(owner, name=f"{name}s program", games_at_once=10)
        made["bots"].append(bot.pk)
        now = time.time()
        made["tokens"].append(access_tokens.issue(owner, bot.pk, name="t", scopes=["play", "read"], days=7, now=now))
    json.dump(made, sys.stdout)


if __name__ == "__main__":
    main()
