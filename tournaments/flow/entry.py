"""Who is in a tournament: entering, walk-ins, claims, names, penalties, pairs."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import normalize
from zlib import crc32

from django.db.models import Max, QuerySet

from games.art import AVATARS
from games.models import Player
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow import chairs
from tournaments.flow.imports import Line
from tournaments.flow.permissions import require_role
from tournaments.flow.steps import Taking, take
from tournaments.flow.tokens import draw_token
from tournaments.models import (
    PAIR_KINDS,
    Entrant,
    Format,
    PairRule,
    Penalty,
    Phase,
    Role,
    Round,
    Stage,
    Tournament,
    Venue,
)

OPEN = (Phase.ENTRY, Phase.CHECK_IN, Phase.RUNNING)
"""Phases in which people come in; with the first draw on, they come late and play from the next round on."""
MOST_ENTRANTS = 2000


def enter(tournament: Tournament, player: Player, *, name: str = "", now: float) -> None:
    """Enter oneself; again after a withdrawal. Twice is once. Raises Stale while entry is not open, BadInput.

    name: in this tournament, empty for the usual one; nobody enters beside himself on the organiser's list.
    """
    wanted = clean_name(name or player.name)
    with take(tournament.pk, "enter", actor=player, now=now, name=wanted) as step:
        require_open(step.tournament)
        known = Entrant.objects.filter(tournament=step.tournament, player=player).first()
        if known is None:
            require_room(step)
            if any(one.name.casefold() == wanted.casefold() for one in list_unclaimed(step.tournament)):
                raise BadInput(
                    "“%(name)s” is on the list already. If that is you, choose your name under “On the list already?” "
                    "or ask the organiser. If not, add a letter.",
                    name=wanted,
                )
            name = step.details["name"] = _free_name(step.tournament, wanted)
            step.create(_new(step, name, player=player, avatar=player.avatar, now=now))
        elif known.status == Entrant.Status.WITHDRAWN:
            return_one(step, known, now=now)


def add_walk_in(tournament: Tournament, actor: Player | None, *, name: str, club_name: str = "", now: float) -> None:
    """Somebody without an account, by name; at check-in and later he is there. Raises NotAllowed, BadInput."""
    _require_organiser(tournament, actor)
    name = clean_name(name)
    with take(tournament.pk, "walk-in", actor=actor, now=now, name=name) as step:
        require_open(step.tournament)
        require_room(step)
        if _names(step.tournament, [name]):
            raise BadInput("“%(name)s” is in already. Add a letter to tell the two apart.", name=name)
        step.create(_new(step, name, club_name=clean_words(club_name)[:40], now=now))


def add_bot(tournament: Tournament, actor: Player | None, *, name: str, level: str, now: float) -> None:
    """A bot as an entrant, shown as such. Raises NotAllowed, BadInput."""
    _require_organiser(tournament, actor)
    name = clean_name(name)
    with take(tournament.pk, "bot", actor=actor, now=now, name=name) as step:
        require_open(step.tournament)
        require_room(step)
        _require_screens(step, [level])
        if _names(step.tournament, [name]):
            raise BadInput("“%(name)s” is in already. Add a letter to tell the two apart.", name=name)
        step.create(_new(step, name, bot=level, avatar="bear", now=now))


def add_imported(tournament: Tournament, actor: Player | None, lines: Sequence[Line], *, now: float) -> int:
    """Everybody of an import without faults, in its order; who is in already stays in. Returns how many are new."""
    _require_organiser(tournament, actor)
    with take(tournament.pk, "import", actor=actor, now=now) as step:
        require_open(step.tournament)
        require_room(step)
        known = _names(step.tournament, [line.name for line in lines])
        new = [line for line in lines if line.name.casefold() not in known]
        _require_screens(step, [line.bot for line in new])
        number = _last_number(step.tournament)
        if number + len(new) > MOST_ENTRANTS:
            raise BadInput("A tournament has room for %(most)s entrants.", most=MOST_ENTRANTS)
        rows = [_new(step, line.name, club_name=line.club, rank_hint=line.seed, bot=line.bot, now=now) for line in new]
        for row in rows:
            number += 1
            row.number = number
        step.details["count"] = len(rows)
        step.create_all(rows)
        return len(rows)


def list_unclaimed(tournament: Tournament) -> list[Entrant]:
    """Those on the list who have not said yet that it is they."""
    rows = Entrant.objects.filter(tournament=tournament, player=None, bot="")
    return list(rows.exclude(status=Entrant.Status.WITHDRAWN))


def claim(tournament: Tournament, token: str, player: Player, *, now: float) -> Entrant:
    """Take over the place of a walk-in who is oneself. Twice is once. Raises NotFound, Stale, BadInput."""
    with take(tournament.pk, "claim", actor=player, now=now) as step:
        entrant = Entrant.objects.filter(tournament=step.tournament, claim_token=token, bot="").first()
        if entrant is None:
            raise NotFound("This link belongs to nobody in this tournament.")
        if entrant.player_id == player.pk:
            return entrant
        if entrant.player_id is not None:
            raise Stale("Somebody has claimed this place already. Tell the organiser if that is wrong.")
        if Entrant.objects.filter(tournament=step.tournament, player=player).exists():
            raise BadInput("You are in this tournament under another name already. Tell the organiser.")
        step.details["name"] = entrant.name
        step.change(entrant, player_id=player.pk, avatar=player.avatar)
        chairs.require_right(step.tournament)
    chairs.put_right_all(tournament, now=now)
    return entrant


def return_one(step: Taking, entrant: Entrant, *, now: float) -> None:
    """Within a step: somebody who withdrew is in again, from the next round on."""
    has_played = entrant.seats.exists() or entrant.rests.exists()
    status, number = arriving(step), entrant.joined_round if has_played else next_round(step)
    step.change(entrant, status=status, joined_round=number, is_away=False, ready_at=now)


def rename(tournament: Tournament, actor: Player | None, entrant_id: int, name: str, *, now: float) -> None:
    """Correct a name. Raises NotAllowed, BadInput."""
    _require_organiser(tournament, actor)
    name = clean_name(name)
    with take(tournament.pk, "rename", actor=actor, now=now) as step:
        for entrant in find_entrants(step.tournament, [entrant_id]):
            if _names(step.tournament, [name]) - {entrant.name.casefold()}:
                raise BadInput("“%(name)s” is in already. Add a letter to tell the two apart.", name=name)
            step.details |= {"before": entrant.name, "name": name}
            step.change(entrant, name=name)


def penalise(
    tournament: Tournament, actor: Player | None, entrant_id: int, *, points: int, reason: str, key: str, now: float
) -> None:
    """Take points away, in 840ths (negative: give), for the present round. key: once only. Raises BadInput."""
    _require_organiser(tournament, actor)
    reason = " ".join(reason.split())
    if not reason or len(reason) > 200 or not reason.isprintable() or not -840_000 <= points <= 840_000 or not points:
        raise BadInput("A penalty takes some points, and says why in one sentence.")
    with take(tournament.pk, "penalty", actor=actor, now=now, key=key, points=points, reason=reason) as step:
        if step.is_repeat:
            return
        _require_going(step.tournament)
        if step.tournament.format == Format.KNOCKOUT or _list_stages(step).exists():
            raise BadInput("In a knockout there are no points to take away: results alone say who goes on.")
        for entrant in find_entrants(step.tournament, [entrant_id]):
            number = max(1, next_round(step) - 1)
            row = Penalty(
                tournament=step.tournament, entrant=entrant, round_number=number, points=points, reason=reason
            )
            step.create(row)
            step.details["name"] = entrant.name


def rule_pair(
    tournament: Tournament,
    actor: Player | None,
    first_id: int,
    second_id: int,
    kind: PairRule.Kind | None,
    *,
    now: float,
) -> None:
    """Lay down that two may not meet, or sit together; None: neither. Twice is once. Raises NotAllowed, BadInput."""
    _require_organiser(tournament, actor)
    if first_id == second_id:
        raise BadInput("Choose two different people.")
    first_id, second_id = sorted((first_id, second_id))
    with take(tournament.pk, "pair-rule", actor=actor, now=now, rule=kind) as step:
        _require_going(step.tournament)
        if kind is not None and kind not in PAIR_KINDS.get(step.tournament.format, ()):
            raise BadInput("In this format nobody looks at such a rule: results alone say who sits together.")
        first, second = find_entrants(step.tournament, [first_id, second_id])
        step.details |= {"first": first.name, "second": second.name}
        known = PairRule.objects.filter(tournament=step.tournament, first=first, second=second).first()
        if known is not None and known.kind == kind:
            return
        if known is not None:
            step.delete(known)
        if kind is not None:
            step.create(PairRule(tournament=step.tournament, first=first, second=second, kind=kind))


def clean_words(text: str) -> str:
    """What was typed in one line, without signs that cannot be seen."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def clean_name(name: str) -> str:
    """A name in one line of 1 to 40 printable characters. Raises BadInput."""
    name = " ".join(normalize("NFC", name).split())
    if not 1 <= len(name) <= 40 or not name.isprintable():
        raise BadInput("A name has 1 to 40 characters that can be printed.")
    return name


def _require_organiser(tournament: Tournament, actor: Player | None) -> None:
    require_role(tournament.club, actor.pk if actor else None, Role.ORGANISER)


def require_own(tournament: Tournament, actor: Player | None, ids: Sequence[int]) -> None:
    """An organiser may do it for anybody, everybody else for himself."""
    own = Entrant.objects.filter(tournament=tournament, pk__in=ids, player=actor)
    if actor is None or len(ids) != 1 or not own.exists():
        _require_organiser(tournament, actor)


def require_open(tournament: Tournament) -> None:
    """Raises Stale while nobody can enter."""
    if tournament.format == Format.LEAGUE:
        raise Stale("Nobody enters a season: its people are those of its tournaments.")
    if tournament.phase == Phase.PLANNED:
        raise Stale("Entry is not open yet.")
    require_not_called_off(tournament)
    if tournament.phase not in OPEN:
        raise Stale("The tournament is over.")
    if tournament.format == Format.ARENA and Round.objects.filter(tournament=tournament, has_rung=True).exists():
        raise Stale("This arena is closed: nobody is seated any more.")


def _require_going(tournament: Tournament) -> None:
    """Raises Stale where nothing may follow from it any more."""
    require_not_called_off(tournament)
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("The tournament is over. Take its end back first.")


def require_not_over(tournament: Tournament) -> None:
    """Raises Stale for whoever comes too late to say anything about himself."""
    require_not_called_off(tournament)
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        raise Stale("The tournament is over.")


def require_not_called_off(tournament: Tournament) -> None:
    """Raises Stale where nothing will be played."""
    if tournament.phase == Phase.CALLED_OFF:
        raise Stale("This tournament was called off.")


def _require_screens(step: Taking, levels: Sequence[str]) -> None:
    """Raises BadInput for bots where nobody could lay their cards."""
    if step.tournament.venue == Venue.REAL and any(levels):
        raise BadInput("A bot plays on screens only, and this tournament is played at real tables.")


def require_room(step: Taking) -> None:
    """Raises Stale where nobody new can play any more: who is out of a knockout does not come in again either."""
    if _list_stages(step).exists():
        raise Stale("The knockout has begun: nobody new comes in any more.")


def _list_stages(step: Taking) -> QuerySet[Round]:
    """The stages of a knockout that are or were played."""
    played = Round.objects.filter(tournament=step.tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    return played.filter(stage__in=[Stage.KNOCKOUT, Stage.FINAL])


def find_entrants(tournament: Tournament, ids: Sequence[int]) -> list[Entrant]:
    """These people, in this order. Raises NotFound."""
    found = Entrant.objects.filter(tournament=tournament).in_bulk(ids)
    if len(found) != len(set(ids)):
        raise NotFound("This person is not in this tournament.")
    return [found[pk] for pk in ids]


def _new(
    step: Taking,
    name: str,
    *,
    player: Player | None = None,
    avatar: str = "",
    club_name: str = "",
    rank_hint: int | None = None,
    bot: str = "",
    now: float,
) -> Entrant:
    """avatar: whoever brings none has the animal of his name, the same one every night."""
    status = Entrant.Status.PRESENT if bot else arriving(step)
    return Entrant(
        tournament=step.tournament, number=_last_number(step.tournament) + 1, player=player, name=name,
        avatar=avatar or AVATARS[crc32(name.encode()) % len(AVATARS)], bot=bot, status=status,
        joined_round=next_round(step), rank_hint=rank_hint, club_name=club_name, claim_token=draw_token(), ready_at=now,
    )  # fmt: skip


def arriving(step: Taking) -> str:
    """Who comes in at check-in or later stands at the desk; before, he has only said that he will come."""
    is_here = step.tournament.phase in (Phase.CHECK_IN, Phase.RUNNING)
    return Entrant.Status.PRESENT if is_here else Entrant.Status.ENTERED


def next_round(step: Taking) -> int:
    """The first round that has not been released yet: a draft can be drawn again with whoever has come meanwhile."""
    if step.tournament.format == Format.ARENA:
        return 1
    return last_released(step) + 1


def last_released(step: Taking) -> int:
    """The number of the last round that is or was played; 0 before the first."""
    played = Round.objects.filter(tournament=step.tournament, status__in=[Round.Status.RELEASED, Round.Status.COMPLETE])
    return played.aggregate(last=Max("number"))["last"] or 0


def _last_number(tournament: Tournament) -> int:
    return Entrant.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0


def _names(tournament: Tournament, names: Sequence[str]) -> set[str]:
    """Those of these names that somebody in the tournament has, however they are written: casefolded."""
    there = Entrant.objects.filter(tournament=tournament).values_list("name", flat=True)
    return {name.casefold() for name in names} & {name.casefold() for name in there}


def _free_name(tournament: Tournament, name: str) -> str:
    name = clean_name(name)
    tries = [name, *(f"{name[:36]} {number}" for number in range(2, 1000))]
    taken = _names(tournament, tries)
    return next(one for one in tries if one.casefold() not in taken)


def name_changed(step: Taking) -> None:
    """Within a step: say in the log whom it is about."""
    ids = [pk for kind, pk, _, _ in step.changes if kind == "Entrant"]
    names = Entrant.objects.filter(pk__in=ids).order_by("number").values_list("name", flat=True)
    step.details["name"] = ", ".join(names)
