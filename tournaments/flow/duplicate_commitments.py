"""Duplicate deals that nobody can choose: a commitment for each round, what entrants contribute, and the seed.

The server commits to the secret of a round when the round before is complete (of the first: when check-in opens), in
an arena to that of the next seating when one is seated. Entrants contribute until the draw is released. Every step of
a tournament ends with `keep`, which looks at where the tournament stands and not at what the step was: so undoing,
redoing, drawing again and reopening change no commitment. There is another one for a round only after its deals have
been published.
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

OPEN = (Phase.CHECK_IN, Phase.RUNNING)
"""When rounds are to come."""
OVER = (Phase.FINISHED, Phase.ARCHIVED, Phase.CALLED_OFF)
"""When none is to come any more."""


class Key(NamedTuple):
    """Which deals of a tournament. seating: of an arena from 1, else 0."""

    number: int
    seating: int = 0


class Place(NamedTuple):
    """Where a tournament stands. released: the latest deals that are played; coming: those to be played next."""

    released: Key | None
    coming: Key | None


def keep(tournament_id: str, *, now: float) -> dict[str, Any]:
    """Within a step: close what has been released, commit to what comes next, publish what is never played.

    Returns words for the log: `deals` of the round that has been released, `committed` to deals that come.
    """
    tournament = Tournament.everything.get(pk=tournament_id)  # as the step leaves it
    if not tournament.duplicate:
        return {}
    if tournament.phase in OVER:
        _reveal_unplayed(tournament, now=now)
    if tournament.phase not in OPEN:
        return {}
    place, told = _find_place(tournament), dict[str, Any]()
    if place.released is not None:
        closed = [_close(row, now=now) for row in _list_open(tournament, place.released)]
        told |= {"deals": [_tell(row) for row in closed]} if closed else {}
    if place.coming is not None:
        latest = find(tournament, place.coming)
        if latest is None or latest.revealed_at is not None:
            told |= {"committed": [_tell(_commit(tournament, place.coming, latest, now=now))]}
    return told


def _find_place(tournament: Tournament) -> Place:
    latest = Round.objects.filter(tournament=tournament).order_by("-number").first()
    if not formats.of(tournament).has_rounds:
        wave = Pod.objects.filter(round__tournament=tournament).order_by("-wave").values_list("wave", flat=True).first()
        is_open = latest is None or (latest.status == Round.Status.RELEASED and not latest.has_rung)
        return Place(Key(1, wave) if wave else None, Key(1, (wave or 0) + 1) if is_open else None)
    if latest is None:
        return Place(None, Key(1))
    here = Key(latest.number)
    if latest.status == Round.Status.RELEASED:
        return Place(here, None)
    return Place(here, Key(latest.number + 1)) if latest.status == Round.Status.COMPLETE else Place(None, here)


def _list_open(tournament: Tournament, upto: Key) -> list[RoundDeals]:
    """What has been released, and to which entrants still contribute; held, so that nobody contributes meanwhile."""
    rows = RoundDeals.objects.filter(tournament=tournament, closed_at=None, revealed_at=None, number__lte=upto.number)
    rows = rows.filter(seating__gt=0, seating__lte=upto.seating) if upto.seating else rows.filter(seating=0)
    return list(rows.select_for_update(of=("self",)).select_related("deal").order_by("number", "seating"))


def _close(row: RoundDeals, *, now: float) -> RoundDeals:
    """The contributions as they stand: one entry for each number of an entrant, from 1."""
    row.deal.contributions = msgspec.json.encode(list_given(row)).decode()
    row.deal.save(update_fields=["contributions"])
    row.closed_at = now
    row.save(update_fields=["closed_at"])
    row.given.all().delete()
    return row


def _commit(tournament: Tournament, key: Key, latest: RoundDeals | None, *, now: float) -> RoundDeals:
    secret = _find_former_secret(tournament, key) if latest is None else b""
    secret = secret or secrets.token_bytes(32)
    deal = SharedDeal.objects.create(
        tournament=tournament.pk, round=key.number, seating=key.seating, secret=secret.hex(), commitment=commit(secret)
    )
    attempt = 1 if latest is None else latest.attempt + 1
    return RoundDeals.objects.create(
        tournament=tournament, number=key.number, seating=key.seating, attempt=attempt, deal=deal, committed_at=now
    )


def _find_former_secret(tournament: Tournament, key: Key) -> bytes:
    """Of a round that was drawn when commitments were still made with the draw: its own, unless it was published."""
    if key.seating or was_completed(tournament, key.number):
        return b""
    drawn = Round.objects.filter(tournament=tournament, number=key.number).values_list("deal_secret", flat=True)
    return bytes.fromhex(drawn[0]) if drawn else b""


def was_completed(tournament: Tournament, number: int) -> bool:
    """Whether this round has ever been complete, whatever has been taken back since."""
    told = Step.objects.filter(tournament=tournament, kind=Step.Kind.COMPLETE).values_list("details", flat=True)
    return any(msgspec.json.decode(details).get("round") == number for details in told)


def _tell(row: RoundDeals) -> dict[str, Any]:
    told = {"round": row.number, "seating": row.seating, "commitment": row.deal.commitment}
    if row.closed_at is None:
        return told
    return told | {"contributions": sum(given is not None for given in read_contributions(row.deal))}


def find(tournament: Tournament, key: Key) -> RoundDeals | None:
    """The latest commitment to these deals; None for a round from before there were any."""
    rows = RoundDeals.objects.filter(tournament=tournament, number=key.number, seating=key.seating)
    return rows.select_related("deal").order_by("-attempt").first()


def find_coming(tournament: Tournament) -> RoundDeals | None:
    """The deals to which entrants contribute now, if there are any to come."""
    if not tournament.duplicate or tournament.phase not in OPEN:
        return None
    coming = _find_place(tournament).coming
    row = None if coming is None else find(tournament, coming)
    return row if row is not None and row.closed_at is None and row.revealed_at is None else None


def find_shown(tournament: Tournament) -> RoundDeals | None:
    """What the pages of a tournament show: the deals that come, or else those that are played."""
    if not tournament.duplicate or tournament.phase not in OPEN:
        return None
    place = _find_place(tournament)
    key = place.coming or place.released
    return None if key is None else find(tournament, key)


def list_all(tournament: Tournament) -> tuple[RoundDeals, ...]:
    """All commitments of a tournament, in order."""
    if not tournament.duplicate:
        return ()
    rows = RoundDeals.objects.filter(tournament=tournament).select_related("deal")
    return tuple(rows.order_by("number", "seating", "attempt"))


def list_given(row: RoundDeals) -> list[str | None]:
    """What has been contributed, by number of the entrant from 1, None for nothing."""
    if row.closed_at is not None:
        return list(read_contributions(row.deal))
    numbers = Entrant.objects.filter(tournament=row.tournament_id).order_by("-number").values_list("number", flat=True)
    given: list[str | None] = [None] * (numbers.first() or 0)
    for number, text in row.given.exclude(entrant=None).values_list("entrant__number", "text"):
        given[number - 1] = text
    return given


def read_contributions(deal: SharedDeal) -> tuple[str | None, ...]:
    """The contributions as they stand since the draw was released."""
    return tuple(msgspec.json.decode(deal.contributions)) if deal.contributions else ()


def tell_deal(deal: SharedDeal, seats: int) -> RoundDeal:
    """What the seed of tables of this size is made of, besides the secret."""
    return RoundDeal(deal.tournament, deal.round, deal.seating, seats, read_contributions(deal))


def derive_seed(row: RoundDeals, seats: int) -> str:
    """The seed of all tables of this size, as hexadecimal digits. Raises Stale before the draw is released."""
    if row.closed_at is None:
        raise Stale("The draw of this round has not been released yet.")
    return derive_round_seed(bytes.fromhex(row.deal.secret), tell_deal(row.deal, seats)).hex()


def contribute(
    tournament: Tournament, player: Player, commitment: str, text: str, *, replace: bool = False, now: float
) -> str:
    """Add to the deals with this commitment; once, or with `replace` in place of what one has added before.

    Returns what counts: the first contribution stays if it is not to be replaced. Raises NotAllowed for anybody who is
    not in the tournament, Stale once the draw is released, BadInput, Busy.
    """
    mine = Entrant.objects.filter(tournament=tournament, player=player).first()
    if mine is None:
        raise NotAllowed("Only people who have entered this tournament contribute to its deals.")
    text = clean_entropy(text)
    row = RoundDeals.objects.filter(tournament=tournament, deal__commitment=commitment).first()
    if row is None:
        raise Stale("There are no such deals to come. Reload the page.")
    try:
        with transaction.atomic():
            held = RoundDeals.objects.select_for_update().get(pk=row.pk)
            if held.closed_at is not None or held.revealed_at is not None:
                raise Stale("The draw has been released: the contributions of this round stand.")
            known, is_new = Contribution.objects.get_or_create(
                deals=held, entrant=mine, defaults={"text": text, "at": now}
            )
            if not is_new and replace and known.text != text:
                known.text, known.at = text, now
                known.save(update_fields=["text", "at"])
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error
    return known.text


def find_mine(row: RoundDeals, entrant: Entrant) -> str | None:
    """What this entrant has contributed."""
    if row.closed_at is not None:
        given = read_contributions(row.deal)
        return given[entrant.number - 1] if entrant.number <= len(given) else None
    return row.given.filter(entrant=entrant).values_list("text", flat=True).first()


def reveal(tournament: Tournament, number: int, *, now: float) -> int:
    """Publish the secrets of a round that is complete, and that nobody plays any more. How many there were."""
    rows = RoundDeals.objects.filter(tournament=tournament, number=number, revealed_at=None)
    return rows.update(revealed_at=now)


def _reveal_unplayed(tournament: Tournament, *, now: float) -> None:
    """Of rounds that are not played any more, as the tournament is over or called off."""
    played = Round.objects.filter(tournament=tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    rows = RoundDeals.objects.filter(tournament=tournament, revealed_at=None)
    rows.exclude(number__in=played.values("number")).update(revealed_at=now)
