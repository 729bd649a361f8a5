"""The panel about a table's fair deal: commitment, contributions and proof, before, during and after the game."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.presenters.render import macro
from games.presenters.screen import Chair, Screen
from games.records.fair import FairnessClaim
from games.records.playback import FairnessProof

FILE = "fair.jinja"


class PublishedDeal(NamedTuple):
    """What is published once no game can go on, as hexadecimal digits. seed, claim: empty and None where none began.

    is_whole: the game was played to its end, so its record can be verified.
    """

    secret: str
    seed: str = ""
    claim: FairnessClaim | None = None
    is_whole: bool = False


class Contribution(NamedTuple):
    """What one person contributed. nothing: the words for it where they contributed nothing."""

    title: str
    entropy: str
    nothing: str


def render_deal(screen: Screen, published: PublishedDeal | None) -> str:
    """The commitment, everybody's contribution and what follows from them; the secret once it is published."""
    if not screen.has_own_deal:
        sentence = _("All tables in this round get the same cards. The round's seed decides them.")
        return macro(FILE, "no_deal")(sentence, published.seed if published else "")
    shares = tuple(_read_contribution(chair, screen) for chair in screen.chairs if chair.taken and not chair.bot)
    is_drawn = screen.status == "waiting" and screen.missing is None
    return macro(FILE, "deal")(
        table_id=screen.table_id,
        commitment=screen.commitment,
        shares=shares,
        published=published,
        sentences=_list_sentences(published),
        is_drawn=is_drawn,
    )


def _read_contribution(chair: Chair, screen: Screen) -> Contribution:
    title = _("Contribution of %(name)s") % {"name": chair.name}
    nothing = _("nothing yet") if screen.status == "waiting" else _("nothing")
    return Contribution(title, screen.contributions[chair.index] or "", nothing)


def _list_sentences(published: PublishedDeal | None) -> tuple[str, ...]:
    if published is None:
        return (
            _("The server drew a secret and published its fingerprint, the commitment."),
            _("The browser of each player adds a contribution. The secret and the contributions decide all cards."),
            _("After the game the secret is published, and anybody can verify the deal."),
        )
    if published.claim is None:
        return (
            _("No game began at this table. Its secret is published. The commitment is the SHA-256 of the secret."),
        )
    return (
        say_claim(published.claim),
        _("The commitment is the SHA-256 of the secret. Secret, table and contributions together give the seed."),
    )


def say_claim(claim: FairnessClaim) -> str:
    """The sentence about who could have chosen the cards of a deal. All pages use this one."""
    if claim == FairnessClaim.NOBODY:
        return _("Nobody could choose these cards: people contributed after the server published its commitment.")
    if claim == FairnessClaim.SERVER:
        return _("The server alone could have chosen these cards: nobody contributed.")
    if claim == FairnessClaim.EARLY:
        return _(
            "This deal was made by an older version of the program, in which contributions could come "
            "before the commitment. It therefore does not prove that nobody could choose the cards."
        )
    if claim == FairnessClaim.HAND:
        return _("Dealt by hand: the record itself names cards of this game.")
    return _(
        "This record does not prove how its cards were dealt. The secret, or other data behind the seed, is missing."
    )


def list_checks(proof: FairnessProof, *, has_drawn_seats: bool) -> list[str]:
    """What this site has checked of a record that holds, a sentence each."""
    checks: list[str] = []
    if proof.secret and proof.commitment:
        checks.append(_("The SHA-256 hash of the secret matches the commitment."))
    if proof.seed and proof.derived:
        checks.append(
            _("The seed in this record follows from the secret, the table and the contributions.")
            if proof.duplicate is None
            else _("The seed in this record follows from the secret, the round and the contributions.")
        )
        if has_drawn_seats:
            checks.append(_("The seats follow from the secret and the contributions."))
    allowed = ngettext("The rules allow the %(moves)s move.", "The rules allow all %(moves)s moves.", proof.moves)
    checks.append(allowed % {"moves": proof.moves})
    if proof.has_result:
        checks.append(_("The result matches the record."))
    return checks


def say_verdict(proof: FairnessProof, passed: int) -> str:
    """The line under a record that was verified. passed: how many checks there were."""
    if proof.is_fair:
        words = ngettext(
            "This deal is correct: %(passed)s of %(passed)s check passed.",
            "This deal is correct: %(passed)s of %(passed)s checks passed.",
            passed,
        )
    else:
        words = ngettext(
            "This record is correct: %(passed)s of %(passed)s check passed.",
            "This record is correct: %(passed)s of %(passed)s checks passed.",
            passed,
        )
    return words % {"passed": passed}


def render_contribution(screen: Screen, seat: int | None) -> str:
    """Before the game: what this person contributes, to be replaced by hand if they like."""
    if screen.status != "waiting" or seat is None or not screen.has_own_deal:
        return macro(FILE, "no_share")()
    return macro(FILE, "share")(screen.table_id, screen.commitment, screen.contributions[seat] or "")
