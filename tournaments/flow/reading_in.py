"""An archive that somebody sends, read in as an errand: first every record is checked and kept, one by one; then the
tournament, or the season with all of its tournaments, is written at one go, and is there."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from games.models import Player
from games.play import replays
from games.play.errors import BadInput
from tournaments.flow import errands, league_restoring, parcels, restoring
from tournaments.flow.errands import Claim, Work
from tournaments.flow.league_restoring import LeagueParcel
from tournaments.flow.parcels import Parcel
from tournaments.flow.permissions import require_role
from tournaments.flow.zips import require_size
from tournaments.models import Club, Errand, ErrandFile, Role, Tournament

AT_ONCE = 50_000
"""A file of up to so many bytes, some ten games, is read in while its sender waits."""


def ask(club: Club, player: Player | None, raw: bytes, name: str, *, now: float) -> Errand:
    """The errand that reads this archive into the club; the same file comes in once, whoever sends it how often.

    Raises NotAllowed, BadInput, Busy.
    """
    require_role(club, player.pk if player else None, Role.ORGANISER)
    require_size(len(raw))
    kind = Errand.Kind.RESTORE
    sameness = f"{kind}:{club.pk}:{sha256(raw).hexdigest()}"
    return errands.ask(errands.Wish(kind, sameness, player, club=club, name=name, content=raw), now=now)


def list_waiting(club: Club) -> list[Errand]:
    """What is being read in for this club, or waits to be, the oldest first."""
    waiting = Errand.objects.filter(club=club, kind=Errand.Kind.RESTORE, status=Errand.Status.WAITING)
    return list(waiting.order_by("asked_at"))


def bring(claim: Claim) -> None:
    """Read it in. Raises Overtaken, NotAllowed, BadInput with what is wrong."""
    errand = claim.errand
    club, player = errand.club, errand.player
    assert club is not None  # noqa: S101 - so it was asked for
    require_role(club, player.pk if player else None, Role.ORGANISER)
    sent = open_sent(claim.read_file(), errand.lot)
    _keep_records(sent, claim)
    with claim.ending():
        made = _restore(club, player, sent, now=claim.now)
        Errand.objects.filter(pk=errand.pk).update(tournament=made)
        ErrandFile.objects.filter(errand=errand).delete()
        errand.tournament = made


def open_sent(raw: bytes, lot: str) -> Parcel | LeagueParcel:
    """A tournament or a whole season, its records not looked at yet. Raises BadInput."""
    return league_restoring.open_parcel(raw, lot) or parcels.open_parcel(raw, lot)


def _list_parcels(sent: Parcel | LeagueParcel) -> Iterator[Parcel]:
    if isinstance(sent, Parcel):
        yield sent
    else:
        yield from sent.list_parcels()


def _keep_records(sent: Parcel | LeagueParcel, claim: Claim) -> None:
    """Check every record, and keep it under its own key; one that is kept was checked by whoever began this."""
    of = sum(len(one.records) for one in _list_parcels(sent))
    kept = replays.list_kept(parcels.begin_of_keys(claim.errand.lot))
    done = 0
    claim.tell(done, of)
    for parcel in _list_parcels(sent):
        for name in sorted(parcel.records):
            done += 1
            if parcel.key_of(name) not in kept:
                raw = _check_record(parcel, name)
                with claim.step(done, of):
                    replays.keep_checked(claim.errand.player, parcel.key_of(name), raw, now=claim.now)


def _check_record(parcel: Parcel, name: str) -> bytes:
    raw = parcel.read_record(name)
    try:
        replays.check_record(raw)
    except BadInput as error:
        raise BadInput("%(file)s cannot be taken: %(why)s", file=name[:60], why=error) from error
    return raw


def _restore(club: Club, player: Player | None, sent: Parcel | LeagueParcel, *, now: float) -> Tournament:
    if isinstance(sent, Parcel):
        return restoring.restore(club, player, sent, now=now)
    return league_restoring.restore(club, player, sent, now=now)


def throw_away(errand: Errand) -> None:
    """The records that were kept for a tournament which does not come."""
    replays.throw_away(parcels.begin_of_keys(errand.lot))


READING_IN = Work(bring, throw_away)
