"""Prints an organiser's token and their club as JSON; run as a program over an installation's settings."""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Make an account that owns a club, with a token for everything."""
    import django

    django.setup()

    from games.accounts import access_tokens
    from games.models import Player, User
    from tournaments.flow.clubs import membership

    user = User.objects.create_user("ana", password="a long pass phrase")
    owner = Player.objects.create(name="Ana", avatar="fox", user=user)
    club = membership.found_club(owner, name="Harbour Club")
    token = access_tokens.issue(owner, owner.pk, name="t", scopes=access_tokens.SCOPES, days=7, now=time.time())
    json.dump({"token": token, "club": club.slug, "person": owner.pk}, sys.stdout)


if __name__ == "__main__":
    main()
