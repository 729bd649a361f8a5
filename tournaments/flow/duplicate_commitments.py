"""Duplicate deals that nobody can choose: a commitment for each round, contributions of entrants, and the seed.

The server commits to the secret of a round when the round before is complete (of the first: when check-in opens), in
an arena to that of the next seating when one is seated. Entrants contribute until the draw is released. Every step of
a tournament ends with `update_commitments`, which depends only on the state of the tournament, not on the step. So
undos, redos, new draws and reopened rounds change no commitment. A round gets another one only after its deals were
published.
"""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

import msgspec
from django.db import DatabaseError, transaction

from games.models import Player, SharedDeal
from games.play.errors import Busy, NotAllowed, Stale
from games.play.seats.sitting import clean_entropy
from games.records.duplicate import RoundDeal
from games.records.fair import commit, derive_round_seed
from tournaments import formats
from tournaments.models import Contribution, Entrant, Phase, Pod, Round, RoundDeals, Step, Tournament

PHASES_OPEN = (Phase.CHECK_IN, Phase.RUNNING)
"""Phases in which further rounds can come."""
PHASES_OVER = (Phase.FINISHED, Phase.ARCHIVED, Phase.CALLED_OFF)
"""Phases in which no further round comes."""


class DealKey(NamedTuple):
    """Identifies deals of a tournament. number: of the round; seating: in an arena from 1, else 0."""

    number: int
    seating: int = 0


class DealStage(NamedTuple):
    """Which deals are due. released: the latest deals being played; coming: those to be played next."""

    released: DealKey | None
    coming: DealKey | None


def update_commitments(tournament_id: str, *, now: float) -> dict[str, Any]:
    """At the end of a step: close the contributions of released deals, commit to the next ones, and reveal secrets of
    deals that will never be played.

    Returns log details: `deals` that were closed, and the new commitment as `committed`.
    """
    tournament = Tournament.everything.get(pk=tournament_id)  # as the step leaves it
    if not tournament.duplicate:
        return {}
    if tournament.phase in PHASES_OVER:
        _reveal_unplayed(tournament, now=now)
    if tournament.phase not in PHASES_OPEN:
        return {}
    place, details = _find_stage(tournament), dict[str, Any]()
    if place.released is not None:
        closed = [_close(row, now=now) for row in _list_open(tournament, place.released)]
        details |= {"deals": [_describe(row) for row in closed]} if closed else {}
    if place.coming is not None:
        latest = find(tournament, place.coming)
        if latest is None or latest.revealed_at is not None:
            details |= {"committed": [_describe(_commit(tournament, place.coming, latest, now=now))]}
    return details


def _find_stage(tournament: Tournament) -> DealStage:
    latest = Round.objects.filter(tournament=tournament).order_by("-number").first()
    if not formats.of(tournament).has_rounds:
        wave = Pod.objects.filter(round__tournament=tournament).order_by("-wave").values_list("wave", flat=True).first()
        is_open = latest is None or (latest.status == Round.Status.RELEASED and not latest.has_rung)
        return DealStage(DealKey(1, wave) if wave else None, DealKey(1, (wave or 0) + 1) if is_open else None)
    if latest is None:
        return DealStage(None, DealKey(1))
    current = DealKey(latest.number)
    if latest.status == Round.Status.RELEASED:
        return DealStage(current, None)
    return (
        DealStage(current, DealKey(latest.number + 1))
        if latest.status == Round.Status.COMPLETE
        else DealStage(None, current)
    )


def _list_open(tournament: Tournament, upto: DealKey) -> list[RoundDeals]:
    """The released deals whose contributions are still open, locked against further contributions."""
    rows = RoundDeals.objects.filter(tournament=tournament, closed_at=None, revealed_at=None, number__lte=upto.number)
    rows = rows.filter(seating__gt=0, seating__lte=upto.seating) if upto.seating else rows.filter(seating=0)
    return list(rows.select_for_update(of=("self",)).select_related("deal").order_by("number", "seating"))


def _close(row: RoundDeals, *, now: float) -> RoundDeals:
    """Close the contributions and store them: one entry for each entrant number, from 1."""
    row.deal.contributions = msgspec.json.encode(list_contributions(row)).decode()
    row.deal.save(update_fields=["contributions"])
    row.closed_at = now
    row.save(update_fields=["closed_at"])
    row.given.all().delete()
    return row


def _commit(tournament: Tournament, key: DealKey, latest: RoundDeals | None, *, now: float) -> RoundDeals:
    secret = _find_former_secret(tournament, key) if latest is None else b""
    secret = secret or secrets.token_bytes(32)
    deal = SharedDeal.objects.create(
        tournament=tournament.pk, round=key.number, seating=key.seating, secret=secret.hex(), commitment=commit(secret)
    )
    attempt = 1 if latest is None else latest.attempt + 1
    return RoundDeals.objects.create(
        tournament=tournament, number=key.number, seating=key.seating, attempt=attempt, deal=deal, committed_at=now
    )


def _find_former_secret(tournament: Tournament, key: DealKey) -> bytes:
    """The unpublished secret of a round whose commitment was made with its draw, by an older version; else empty."""
    if key.seating or was_completed(tournament, key.number):
        return b""
    drawn = Round.objects.filter(tournament=tournament, number=key.number).values_list("deal_secret", flat=True)
    return bytes.fromhex(drawn[0]) if drawn else b""


def was_completed(tournament: Tournament, number: int) -> bool:
    """Whether this round has ever been complete, undone completions included."""
    completed = Step.objects.filter(tournament=tournament, kind=Step.Kind.COMPLETE).values_list("details", flat=True)
    return any(msgspec.json.decode(details).get("round") == number for details in completed)


def _describe(row: RoundDeals) -> dict[str, Any]:
    described = {"round": row.number, "seating": row.seating, "commitment": row.deal.commitment}
    if row.closed_at is None:
        return described
    return described | {"contributions": sum(given is not None for given in read_contributions(row.deal))}


def find(tournament: Tournament, key: DealKey) -> RoundDeals | None:
    """The latest commitment to these deals; None for rounds without commitments."""
    rows = RoundDeals.objects.filter(tournament=tournament, number=key.number, seating=key.seating)
    return rows.select_related("deal").order_by("-attempt").first()


def find_coming(tournament: Tournament) -> RoundDeals | None:
    """The deals to which entrants can contribute now; None if there are none."""
    if not tournament.duplicate or tournament.phase not in PHASES_OPEN:
        return None
    coming = _find_stage(tournament).coming
    row = None if coming is None else find(tournament, coming)
    return row if row is not None and row.closed_at is None and row.revealed_at is None else None


def find_shown(tournament: Tournament) -> RoundDeals | None:
    """The deals that the pages of a tournament show: the coming ones, or else those being played."""
    if not tournament.duplicate or tournament.phase not in PHASES_OPEN:
        return None
    place = _find_stage(tournament)
    key = place.coming or place.released
    return None if key is None else find(tournament, key)


def list_commitments(tournament: Tournament) -> tuple[RoundDeals, ...]:
    """All commitments of a tournament, in order."""
    if not tournament.duplicate:
        return ()
    rows = RoundDeals.objects.filter(tournament=tournament).select_related("deal")
    return tuple(rows.order_by("number", "seating", "attempt"))


def list_contributions(row: RoundDeals) -> list[str | None]:
    """The contributions by entrant number from 1; None for entrants without one."""
    if row.closed_at is not None:
        return list(read_contributions(row.deal))
    numbers = Entrant.objects.filter(tournament=row.tournament_id).order_by("-number").values_list("number", flat=True)
    given: list[str | None] = [None] * (numbers.first() or 0)
    for number, text in row.given.exclude(entrant=None).values_list("entrant__number", "text"):
        given[number - 1] = text
    return given


def read_contributions(deal: SharedDeal) -> tuple[str | None, ...]:
    """The closed contributions by entrant number from 1; empty while they are open."""
    return tuple(msgspec.json.decode(deal.contributions)) if deal.contributions else ()


def build_round_deal(deal: SharedDeal, seats: int) -> RoundDeal:
    """The public inputs of the seed of tables of this size."""
    return RoundDeal(deal.tournament, deal.round, deal.seating, seats, read_contributions(deal))


def derive_seed(row: RoundDeals, seats: int) -> str:
    """The seed of all tables of this size, as hexadecimal digits. Raises Stale before the draw is released."""
    if row.closed_at is None:
        raise Stale("The draw of this round has not been released yet.")
    return derive_round_seed(bytes.fromhex(row.deal.secret), build_round_deal(row.deal, seats)).hex()


def contribute(
    tournament: Tournament, player: Player, commitment: str, text: str, *, replace: bool = False, now: float
) -> str:
    """Contribute to the deals with this commitment: once, or again with `replace`.

    Returns the contribution that counts: the first one unless it is replaced. That is so after the draw was released,
    too: a page that sends once more learns what counted. Raises NotAllowed for people who are not in the tournament,
    Stale if the draw is released and nothing of theirs counts, or another text was to replace it; BadInput, Busy.
    """
    mine = Entrant.objects.filter(tournament=tournament, player=player).first()
    if mine is None:
        raise NotAllowed("Only entrants of this tournament can contribute to its deals.")
    text = clean_entropy(text)
    row = RoundDeals.objects.filter(tournament=tournament, deal__commitment=commitment).first()
    if row is None:
        raise Stale("You cannot contribute to these deals any more. Reload the page.")
    try:
        with transaction.atomic():
            held = RoundDeals.objects.select_for_update(of=("self",)).select_related("deal").get(pk=row.pk)
            if held.closed_at is not None or held.revealed_at is not None:
                counted = find_contribution(held, mine)
                if counted is not None and (not replace or counted == text):
                    return counted
                raise Stale("The draw has been released. The contributions to this round can no longer change.")
            contribution, is_new = Contribution.objects.get_or_create(
                deals=held, entrant=mine, defaults={"text": text, "at": now}
            )
            if not is_new and replace and contribution.text != text:
                contribution.text, contribution.at = text, now
                contribution.save(update_fields=["text", "at"])
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
    return contribution.text


def find_contribution(row: RoundDeals, entrant: Entrant) -> str | None:
    """The contribution of this entrant, if any."""
    if row.closed_at is not None:
        given = read_contributions(row.deal)
        return given[entrant.number - 1] if entrant.number <= len(given) else None
    return row.given.filter(entrant=entrant).values_list("text", flat=True).first()


def reveal(tournament: Tournament, number: int, *, now: float) -> int:
    """Publish the secrets of a round that is complete and no longer played. Returns how many."""
    rows = RoundDeals.objects.filter(tournament=tournament, number=number, revealed_at=None)
    return rows.update(revealed_at=now)


def _reveal_unplayed(tournament: Tournament, *, now: float) -> None:
    """Publish the secrets of rounds that will never be played, because the tournament is over or cancelled."""
    played = Round.objects.filter(tournament=tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    rows = RoundDeals.objects.filter(tournament=tournament, revealed_at=None)
    rows.exclude(number__in=played.values("number")).update(revealed_at=now)
