"""Commitments to the duplicate deals that are still to come.

A round that has been drawn and not released keeps the secret whose SHA-256 was published with its draw. Rounds that
have been released stay as they are.
"""

from hashlib import sha256
from secrets import token_hex
from time import time
from typing import Any

from django.db import migrations


def _find_coming(apps: Any, tournament: Any) -> tuple[int, int, str] | None:
    """Number, seating and known secret of the deals that come next."""
    rounds = apps.get_model("tournaments", "Round").objects.filter(tournament=tournament)
    latest = rounds.order_by("-number").first()
    if tournament.format == "arena":
        pods = apps.get_model("tournaments", "Pod").objects.filter(round__tournament=tournament)
        wave = pods.order_by("-wave").values_list("wave", flat=True).first() or 0
        is_open = latest is None or (latest.status == "released" and not latest.has_rung)
        return (1, wave + 1, "") if is_open else None
    if latest is None:
        return 1, 0, ""
    if latest.status == "complete":
        return latest.number + 1, 0, ""
    return None if latest.status == "released" else (latest.number, 0, latest.deal_secret)


def commit(apps: Any, schema_editor: Any) -> None:
    """One commitment for each tournament with duplicate deals in which a round is to come."""
    tournaments = apps.get_model("tournaments", "Tournament").objects
    deals, promises = apps.get_model("games", "SharedDeal"), apps.get_model("tournaments", "RoundDeals")
    for tournament in tournaments.filter(duplicate=True, phase__in=["check-in", "running"]).iterator():
        coming = _find_coming(apps, tournament)
        if coming is None:
            continue
        number, seating, known = coming
        secret = known or token_hex(32)
        commitment = sha256(bytes.fromhex(secret)).hexdigest()
        deal = deals.objects.create(
            tournament=tournament.pk, round=number, seating=seating, secret=secret, commitment=commitment
        )
        promises.objects.create(
            tournament=tournament, number=number, seating=seating, deal=deal, committed_at=time()
        )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0030_round_deals")]

    operations = [migrations.RunPython(commit, migrations.RunPython.noop)]
