"""Everything that this house knows of a person, as one JSON document, written piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Prefetch, Q

from games.models import Player, Ply, Remark, Report, Seat, Upload
from games.play import codec
from tournaments.flow.packing import Tell, say_nothing
from tournaments.models import (
    ApiKey,
    BoardRow,
    CareerEntry,
    Entrant,
    Errand,
    Invitation,
    Membership,
    PersonResult,
    PodSeat,
    Result,
    Step,
    TimedSession,
)

FORMAT = "menagerie-person/1"


def export_person(player: Player, tell: Tell = say_nothing) -> Iterator[str]:
    """The pieces of the document: one object with a list a kind of thing, one row a line; any number of rows.

    tell: hears after each game how many of how many are in.
    """
    yield f'{{"format": "{FORMAT}",\n"person": {codec.write(_describe(player))}'
    for name, rows in _sections(player, tell):
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


def _sections(player: Player, tell: Tell) -> Iterator[tuple[str, Iterable[Any]]]:
    yield (
        "clubs",
        Membership.objects.filter(player=player).values("club__slug", "club__name", "role", "since").iterator(),
    )
    entrants = Entrant.objects.filter(player=player).order_by("pk")
    yield (
        "tournaments",
        entrants.values(
            "tournament", "tournament__name", "number", "name", "avatar", "status", "joined_round", "club_name"
        ).iterator(),
    )
    yield "tournament_tables", _tournament_tables(player)
    yield "tournament_results", _entered(player)
    steps = Step.objects.filter(actor=player).order_by("pk")
    yield "tournament_steps", steps.values("tournament", "number", "kind", "at").iterator()
    evenings = TimedSession.objects.filter(owner=player).order_by("pk")
    yield "evenings", evenings.values("id", "club__slug", "name", "game", "starts_at", "ends_at").iterator()
    yield "invitations", Invitation.objects.filter(made_by=player).values("club__slug", "role", "created_at").iterator()
    yield "api_keys", ApiKey.objects.filter(made_by=player).values("club__slug", "name", "created_at").iterator()
    seats = Seat.objects.filter(player=player).order_by("table")
    yield (
        "seats",
        seats.values(
            "table", "table__game", "table__created_at", "table__ended_at", "index", "name", "avatar", "entropy"
        ).iterator(),
    )
    yield "moves", _moves(player, tell)
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
    boards = BoardRow.objects.filter(player=player).order_by("board__game", "board__season")
    yield (
        "leaderboards",
        boards.values(
            "board__game", "board__season", "games", "wins", "tops", "beaten", "rated", "mu", "sigma"
        ).iterator(),
    )
    yield "uploads", Upload.objects.filter(player=player).values("key", "at", "text").iterator()
    errands = Errand.objects.filter(player=player).order_by("asked_at")
    yield "errands", errands.values("kind", "name", "club__slug", "status", "asked_at", "ended_at").iterator()
    yield "remarks", Remark.objects.filter(player=player).values("table", "at", "phrase", "words").iterator()
    yield "reports", Report.objects.filter(player=player).values("remark", "at").iterator()


def _tournament_tables(player: Player) -> Iterator[dict[str, Any]]:
    """Where the person sat in tournaments, for himself or for somebody else, and what came of it for his chair."""
    mine = Q(entrant__player=player, substitute=None, substitute_name="") | Q(substitute=player)
    seats = PodSeat.objects.filter(mine).select_related("pod__round").order_by("pk")
    accepted = Result.objects.filter(status=Result.Status.ACCEPTED)
    for seat in seats.prefetch_related(Prefetch("pod__results", accepted)):
        pod = seat.pod
        result = next(iter(pod.results.all()), None)
        scores = codec.read(result.scores) if result else None
        yield {
            "tournament": pod.round.tournament_id,
            "round": pod.round.number,
            "table": pod.number,
            "online_table": pod.table_id,
            "seat": seat.index,
            "fate": seat.fate,
            "is_substitute": seat.substitute_id == player.pk,
            "place": codec.read(result.places)[seat.index] if result else None,
            "score": scores[seat.index] if scores else None,
            "is_void": result.is_void if result else None,
        }


def _entered(player: Player) -> Iterator[dict[str, Any]]:
    """The results that the person has entered or confirmed."""
    rows = Result.objects.filter(Q(entered_by=player) | Q(confirmed_by=player)).order_by("pk")
    columns = "pod__round__tournament", "pod__round__number", "pod__number", "places", "scores", "status", "at"
    yield from rows.values(*columns).iterator()


def _moves(player: Player, tell: Tell) -> Iterator[dict[str, Any]]:
    """What the person did at every table; a stand-in's moves were made for him."""
    seats = list(Seat.objects.filter(player=player).order_by("table").values_list("table_id", "index"))
    for done, (table_id, seat) in enumerate(seats, start=1):
        for number, event, at in (
            Ply.objects.filter(table_id=table_id).order_by("number").values_list("number", "event", "at")
        ):
            said = codec.read(event)
            if said.get("seat") == seat:
                yield {"table": table_id, "ply": number, "at": at, "move": said.get("move")}
        tell(done, len(seats))
