"""Everything that this house knows of a person, as one JSON document, written piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from games.models import Player, Ply, Remark, Report, Seat
from games.play import codec
from tournaments.models import CareerEntry, Entrant, Membership, PersonResult

FORMAT = "menagerie-person/1"


def export_person(player: Player) -> Iterator[str]:
    """The pieces of the document: one object with a list a kind of thing, one row a line; any number of rows."""
    yield f'{{"format": "{FORMAT}",\n"person": {codec.write(_describe(player))}'
    for name, rows in _sections(player):
        yield f',\n"{name}": ['
        between = "\n"
        for row in rows:
            yield between + codec.write(row)
            between = ",\n"
        yield "]"
    yield "}\n"


def _describe(player: Player) -> dict[str, Any]:
    user = player.user
    account = None
    if user is not None:
        addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
        keys = Authenticator.objects.filter(user=user).values_list("type", "created_at", "last_used_at")
        account = {
            "name": user.username,
            "email": user.email,
            "addresses": list(addresses),
            "second_factors": [list(key) for key in keys],
            "since": user.date_joined,
            "last_sign_in": user.last_login,
        }
    return {
        "id": player.pk,
        "name": player.name,
        "animal": player.avatar,
        "language": player.language,
        "is_listed": player.is_listed,
        "since": player.created_at,
        "account": account,
    }


def _sections(player: Player) -> Iterator[tuple[str, Iterable[Any]]]:
    yield (
        "clubs",
        Membership.objects.filter(player=player).values("club__slug", "club__name", "role", "since").iterator(),
    )
    yield "tournaments", Entrant.objects.filter(player=player).values("tournament", "tournament__name").iterator()
    seats = Seat.objects.filter(player=player).order_by("table")
    yield (
        "seats",
        seats.values(
            "table", "table__game", "table__created_at", "table__ended_at", "index", "name", "avatar", "entropy"
        ).iterator(),
    )
    yield "moves", _moves(player)
    results = PersonResult.objects.filter(player=player).order_by("pk")
    yield (
        "results",
        results.values(
            "counted__table",
            "counted__pod__round__tournament",
            "counted__pod__round__number",
            "game",
            "ended_at",
            "seat",
            "place",
            "of",
            "rank",
            "people",
            "score",
            "mu",
            "sigma",
        ).iterator(),
    )
    entries = CareerEntry.objects.filter(player=player).order_by("pk")
    yield "career", entries.values("table", "game", "deal", "seat", "rank", "of", "job", "at").iterator()
    yield "remarks", Remark.objects.filter(player=player).values("table", "at", "phrase", "words").iterator()
    yield "reports", Report.objects.filter(player=player).values("remark", "at").iterator()


def _moves(player: Player) -> Iterator[dict[str, Any]]:
    """What the person did at every table; a stand-in's moves were made for him."""
    for table_id, seat in list(Seat.objects.filter(player=player).order_by("table").values_list("table_id", "index")):
        for number, event, at in (
            Ply.objects.filter(table_id=table_id).order_by("number").values_list("number", "event", "at")
        ):
            said = codec.read(event)
            if said.get("seat") == seat:
                yield {"table": table_id, "ply": number, "at": at, "move": said.get("move")}
