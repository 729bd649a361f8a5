"""Fair deals: the commitment, and the seed that nobody could choose. docs/fair-deals.md specifies the bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple

from games.records.duplicate import MAX_CONTRIBUTION, MAX_CONTRIBUTIONS, MAX_TOURNAMENT, RoundDeal
from games.records.faults import Fault
from games.records.format import MAX_ENTROPY, MAX_TABLE, Entropy, RandomEvent, Record
from games.rules.chance import Stream

SECRET_BYTES: Final = 32
PROCEDURE: Final = 2
"""How deals are made today: nothing is accepted from anybody before the commitment is published. 1, of older tables:
the host's contribution came in the request that opened the table."""
_DOMAIN: Final = b"menagerie-seed/1"
_SEATS_DOMAIN: Final = b"menagerie-seats/1"
_ROUND_DOMAIN: Final = b"menagerie-round-seed/1"


class DealCommitment(NamedTuple):
    """The commitment of a table to the deals of its game. digest: 64 digits; secret: None until it is published.

    procedure: by which its deal was made; chairs: by seat, that of the waiting room, if seats were drawn.
    """

    digest: str
    table: str
    entropy: Entropy
    secret: bytes | None = None
    procedure: int = PROCEDURE
    chairs: tuple[int, ...] | None = None


class RoundCommitment(NamedTuple):
    """The commitment of a round to its duplicate deals. digest: 64 digits; secret: None until it is published."""

    digest: str
    deal: RoundDeal
    secret: bytes | None = None


def commit(secret: bytes) -> str:
    """The commitment to a secret of 32 bytes: its SHA-256, as 64 hexadecimal digits."""
    _check_secret(secret)
    return sha256(secret).hexdigest()


def derive_seed(secret: bytes, table: str, entropy: Sequence[str | None]) -> bytes:
    """The seed of a game: SHA-256(domain ‖ 0x00 ‖ secret ‖ text(table) ‖ count ‖ the seats in order).

    text(t) is the length of t's UTF-8 bytes (8 bytes, big-endian), then these bytes; count is the number of
    seats (8 bytes); a seat is 0x00 for None (a bot), or 0x01 ‖ text(entropy). Raises ValueError beyond the limits.
    """
    _check_secret(secret)
    if len(table) > MAX_TABLE or any(given is not None and len(given) > MAX_ENTROPY for given in entropy):
        raise ValueError("the table's id or an entropy is too long")
    return sha256(b"".join([_DOMAIN, b"\0", secret, _encode_text(table), *_encode_entries(entropy)])).digest()


def draw_seats(secret: bytes, table: str, entropy: Sequence[str | None]) -> tuple[int, ...]:
    """Who sits where, by lot: by seat, the chair of the waiting room from which that player comes.

    entropy: in order of the chairs. The list of chairs, shuffled by the stream `seats` of SHA-256(domain ‖ 0x00 ‖
    secret ‖ text(table) ‖ count ‖ the chairs in order), spelled as in `derive_seed`. Raises ValueError for a secret
    that is none.
    """
    _check_secret(secret)
    root = sha256(b"".join([_SEATS_DOMAIN, b"\0", secret, _encode_text(table), *_encode_entries(entropy)])).digest()
    return tuple(Stream(root, "seats", 0).shuffled(range(len(entropy))))


def derive_round_seed(secret: bytes, deal: RoundDeal) -> bytes:
    """The seed of all tables of one size in a round of duplicate deals.

    SHA-256(domain ‖ 0x00 ‖ secret ‖ text(tournament) ‖ round ‖ seating ‖ seats ‖ count ‖ the contributions in order),
    spelled as in `derive_seed`; count is how many contributions are listed. Raises ValueError beyond the limits.
    """
    _check_secret(secret)
    given = [contribution for contribution in deal.contributions if contribution is not None]
    if len(deal.contributions) > MAX_CONTRIBUTIONS or any(len(item) > MAX_CONTRIBUTION for item in given):
        raise ValueError("there are too many contributions, or one is too long")
    if len(deal.tournament) > MAX_TOURNAMENT:
        raise ValueError("the tournament's id is too long")
    numbers = [_encode_number(number) for number in (deal.round, deal.seating, deal.seats)]
    parts = [
        _ROUND_DOMAIN,
        b"\0",
        secret,
        _encode_text(deal.tournament),
        *numbers,
        *_encode_entries(deal.contributions),
    ]
    return sha256(b"".join(parts)).digest()


def check_fairness(record: Record) -> None:
    """Check the commitment and seed of a record, as far as it has the keys for it. Raises Fault.

    With `commitment` and `secret`: one is the other's SHA-256. With `seed`, `secret`, `table` and `entropy`: the
    seed is made of the other three, and so are `chairs`. With `seed`, `secret` and `duplicate`: the seed is made of
    the other two.
    """
    secret, entropy = record.secret, record.entropy
    if secret is None:
        return
    if record.commitment is not None and record.commitment.hex() != commit(secret):
        raise Fault("the commitment is not the SHA-256 of the secret, so the server did not commit to this secret")
    if record.seed is not None and record.duplicate is not None:
        if record.seed != derive_round_seed(secret, record.duplicate):
            raise Fault("the seed does not follow from this secret, round and contributions")
        return
    if record.seed is None or record.table is None or entropy is None:
        return
    if record.seed != derive_seed(secret, record.table, entropy):
        raise Fault("the seed does not follow from this secret, table and contributions")
    if record.chairs is not None and not _are_drawn(record.chairs, secret, record.table, entropy):
        raise Fault("the seats do not follow from this secret, table and contributions")


def _are_drawn(chairs: Sequence[int], secret: bytes, table: str, entropy: Entropy) -> bool:
    given = dict(zip(chairs, entropy, strict=True))
    return tuple(chairs) == draw_seats(secret, table, [given[chair] for chair in range(len(chairs))])


def is_deal_proved(record: Record) -> bool:
    """Whether a record that holds proves, too, that nobody chose its cards: all keys there, nothing set by hand."""
    keys = (record.seed, record.commitment, record.secret)
    made_of = (record.table, record.entropy) if record.duplicate is None else (record.duplicate,)
    return (
        None not in (*keys, *made_of)
        and not record.setup
        and not any(isinstance(entry, RandomEvent) for entry in record.events)
    )


class FairnessClaim(StrEnum):
    """What a verified record proves of its deal: who could have chosen its cards."""

    NOBODY = "nobody"
    """Somebody contributed after the commitment was published."""
    SERVER = "server"
    """The server alone could have: nobody contributed."""
    EARLY = "early"
    """An older procedure, in which contributions could come before the commitment."""
    HAND = "hand"
    """Cards of the record were laid by hand."""
    NOTHING = "nothing"
    """The record lacks what a proof needs."""


def judge_record(record: Record) -> FairnessClaim:
    """What a record that holds proves of its deal, and no more."""
    if record.setup or any(isinstance(entry, RandomEvent) for entry in record.events):
        return FairnessClaim.HAND
    if not is_deal_proved(record):
        return FairnessClaim.NOTHING
    if record.duplicate is not None:
        return judge_deal(record.duplicate.contributions, PROCEDURE)
    return judge_deal(record.entropy or (), record.procedure)


def judge_deal(contributions: Iterable[str | None], procedure: int) -> FairnessClaim:
    """The same of a deal that was made from a secret and these contributions by this procedure."""
    if not any(contributions):
        return FairnessClaim.SERVER
    return FairnessClaim.NOBODY if procedure >= PROCEDURE else FairnessClaim.EARLY


def _encode_entries(given: Sequence[str | None]) -> list[bytes]:
    """How many there are, and each of them."""
    return [_encode_number(len(given)), *(b"\0" if item is None else b"\1" + _encode_text(item) for item in given)]


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")


def _encode_text(text: str) -> bytes:
    data = text.encode()
    return _encode_number(len(data)) + data


def _encode_number(number: int) -> bytes:
    return number.to_bytes(8, "big")
