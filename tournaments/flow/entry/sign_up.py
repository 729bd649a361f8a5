"""Entering a tournament: sign-up, walk-ins, bots, imported lists, claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

from django.db.models import Max

from games.accounts.animal_pictures import AVATARS
from games.models import Player
from games.models.skeletons import are_alike, list_skeletons, number_name
from games.models.spelling import fold
from games.play.errors import BadInput, NotFound, Stale
from tournaments.flow.entry.entrant_names import (
    LONGEST,
    clean_name,
    clean_own_name,
    clean_words,
    find_free,
    is_taken,
    list_skeletons_there,
)
from tournaments.flow.entry.entry_deadline import (
    entry_status,
    next_round,
    require_open,
    require_room,
    require_sign_up_open,
)
from tournaments.flow.entry.imports import ImportedLine
from tournaments.flow.entry.teams import count_members, find_or_create_team, join_team
from tournaments.flow.entry.waiting_list import must_wait, place_new
from tournaments.flow.permissions import require_duty, require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, take_step
from tournaments.flow.tables import seat_changes
from tournaments.flow.tokens import make_token
from tournaments.models import Duty, Entrant, Tournament, Venue

MAX_ENTRANTS = 2000


def enter(tournament: Tournament, player: Player, *, name: str = "", is_on_device: bool = True, now: float) -> None:
    """Enter oneself; again after a withdrawal. Idempotent. Raises Stale while entry is not open, BadInput.

    name: in this tournament, empty for what the club calls them; nobody enters beside their own name on the organiser's
    list.
    """
    wanted = clean_own_name(tournament, player, name)
    with take_step(tournament.pk, Kind.ENTER, actor=player, now=now, name=wanted) as step:
        require_open(step.tournament)
        require_sign_up_open(step.tournament, now=now)
        entrant = Entrant.objects.filter(tournament=step.tournament, player=player).first()
        if entrant is None:
            require_room(step)
            require_unlisted(step.tournament, wanted)
            name = step.details["name"] = find_free(step.tournament, wanted, player.pk)
            new = _new(step, name, player=player, avatar=player.avatar, is_on_device=is_on_device, now=now)
            _bring_in(step, [new])
        elif entrant.status == Entrant.Status.WITHDRAWN:
            return_one(step, entrant, now=now)


def require_unlisted(tournament: Tournament, name: str) -> None:
    """Raises BadInput for what is no name, or that of somebody on the list who has not claimed the entry yet."""
    wanted = clean_name(name)
    if any(are_alike(entrant.name, wanted) for entrant in list_unclaimed(tournament)):
        raise BadInput(
            "“%(name)s” is already on the list. If that is you, choose your name under “Already on the "
            "list?” or ask an organiser. If not, add a letter.",
            name=wanted,
        )


def add_walk_in(tournament: Tournament, actor: Player | None, *, name: str, club_name: str = "", now: float) -> None:
    """Add a person by name, without an account; at check-in and later they are present. For organisers and the door.

    Raises NotAllowed, BadInput.
    """
    require_duty(tournament, actor, Duty.DOOR)
    name = clean_name(name)
    with take_step(tournament.pk, Kind.WALK_IN, actor=actor, now=now, name=name) as step:
        require_open(step.tournament)
        require_room(step)
        if is_taken(step.tournament, name):
            raise BadInput("“%(name)s” is already in this tournament. Add a letter to tell the two apart.", name=name)
        _bring_in(step, [_new(step, name, club_name=clean_words(club_name)[:40], now=now)])


def add_bot(tournament: Tournament, actor: Player | None, *, name: str, level: str, now: float) -> None:
    """A bot as an entrant, shown as such. Raises NotAllowed, BadInput."""
    require_organiser(tournament.club, actor)
    name = clean_name(name)
    with take_step(tournament.pk, Kind.BOT, actor=actor, now=now, name=name) as step:
        require_open(step.tournament)
        require_room(step)
        _require_screens(step, [level])
        if is_taken(step.tournament, name):
            raise BadInput("“%(name)s” is already in this tournament. Add a letter to tell the two apart.", name=name)
        _bring_in(step, [_new(step, name, bot=level, avatar="bear", now=now)])


def add_imported(tournament: Tournament, actor: Player | None, lines: Sequence[ImportedLine], *, now: float) -> int:
    """Everybody of an import without faults, in its order; who is in already stays in. Returns how many are new.

    A list stands at no desk: somebody on it is here once they are ticked, at check-in and later, too. Somebody whose
    name looks like another one gets a number.
    """
    require_organiser(tournament.club, actor)
    with take_step(tournament.pk, Kind.IMPORT, actor=actor, now=now) as step:
        require_open(step.tournament)
        require_room(step)
        there = Entrant.objects.filter(tournament=step.tournament).values_list("name", flat=True)
        present_names, taken = {fold(name) for name in there}, list_skeletons_there(step.tournament)
        new = []
        for line in lines:
            if fold(line.name) not in present_names:
                new.append(replace(line, name=number_name(line.name, taken, most=LONGEST)))
                taken |= list_skeletons(new[-1].name)
        _require_screens(step, [line.bot for line in new])
        rows = [
            _new(
                step, line.name, club_name=line.club, rank_hint=line.seed, bot=line.bot,
                status=Entrant.Status.ENTERED, is_on_device=line.is_on_device, now=now,
            ) for line in new
        ]  # fmt: skip
        step.details["count"] = len(rows)
        _bring_in(step, rows)
        if step.tournament.team_size is not None:
            _put_in_teams(step, rows, [line.team for line in new])
        return len(rows)


def _put_in_teams(step: TournamentStep, entrants: Sequence[Entrant], teams: Sequence[str]) -> None:
    """Put people of an import into their teams, new ones included; those who are too many become substitutes."""
    for entrant, name in zip(entrants, teams, strict=True):
        if name:
            team = find_or_create_team(step, name)
            _, members = count_members(team)
            join_team(step, entrant, team, is_substitute=members >= (step.tournament.team_size or 0))


def list_unclaimed(tournament: Tournament) -> list[Entrant]:
    """The people on the list whose entries nobody has claimed."""
    rows = Entrant.objects.filter(tournament=tournament, player=None, bot="")
    return list(rows.exclude(status=Entrant.Status.WITHDRAWN))


def claim(
    tournament: Tournament, token: str, player: Player, *, is_on_device: bool | None = None, now: float
) -> Entrant:
    """Take over the place of a walk-in who is oneself. Idempotent. Raises NotFound, Stale, BadInput.

    is_on_device: where they say that they play; None: as it is on the list, also when they only report a result.
    """
    with take_step(tournament.pk, Kind.CLAIM, actor=player, now=now) as step:
        entrant = Entrant.objects.filter(tournament=step.tournament, claim_token=token, bot="").first()
        if entrant is None:
            raise NotFound("This link does not belong to anybody in this tournament. Ask an organiser for a new link.")
        if entrant.player_id == player.pk:
            return entrant
        require_unclaimed(entrant)
        if Entrant.objects.filter(tournament=step.tournament, player=player).exists():
            raise BadInput("You are already in this tournament under another name. Tell an organiser.")
        step.details["name"] = entrant.name
        plays = entrant.is_on_device if is_on_device is None else is_on_device
        step.change(entrant, player_id=player.pk, avatar=player.avatar, is_on_device=plays)
        seat_changes.require_valid_seats(step.tournament)
    seat_changes.sync_all_seats(tournament, now=now)
    return entrant


def require_unclaimed(entrant: Entrant) -> None:
    """Raises Stale if somebody has claimed the entry already."""
    if entrant.player_id is not None:
        raise Stale("Somebody has already claimed this name. If that is wrong, tell an organiser.")


def return_one(step: TournamentStep, entrant: Entrant, *, now: float) -> None:
    """Within a step: reinstate somebody who withdrew, from the next round on."""
    has_played = entrant.seats.exists() or entrant.rests.exists()
    status, number = entry_status(step), entrant.joined_round if has_played else next_round(step)
    if must_wait(step.tournament):
        status = Entrant.Status.WAITING
    step.change(entrant, status=status, joined_round=number, is_away=False, ready_at=now)


def require_own(tournament: Tournament, actor: Player | None, ids: Sequence[int]) -> None:
    """Raises NotAllowed unless the actor is an organiser, or these are their own entries."""
    if not is_own(tournament, actor, ids):
        require_organiser(tournament.club, actor)


def is_own(tournament: Tournament, actor: Player | None, ids: Sequence[int]) -> bool:
    """Whether this is the actor's own entry, and only that."""
    own = Entrant.objects.filter(tournament=tournament, pk__in=ids, player=actor)
    return actor is not None and len(ids) == 1 and own.exists()


def _require_screens(step: TournamentStep, levels: Sequence[str]) -> None:
    """Raises BadInput for bots where nobody could lay their cards."""
    if step.tournament.venue == Venue.REAL and any(levels):
        raise BadInput("Bots play at online tables only, and this tournament is played at real tables.")


def find_entrants(tournament: Tournament, ids: Sequence[int]) -> list[Entrant]:
    """These people, in this order. Raises NotFound."""
    found = Entrant.objects.filter(tournament=tournament).in_bulk(ids)
    if len(found) != len(set(ids)):
        raise NotFound("This person is not in this tournament.")
    return [found[pk] for pk in ids]


def _new(
    step: TournamentStep,
    name: str,
    *,
    player: Player | None = None,
    avatar: str = "",
    club_name: str = "",
    rank_hint: int | None = None,
    bot: str = "",
    status: str = "",
    is_on_device: bool = False,
    now: float,
) -> Entrant:
    """For `_bring_in`. avatar: without one it is the animal of the name, the same one every night.

    status: of people, if it does not follow from when they come; a bot is always here.
    """
    return Entrant(
        tournament=step.tournament, player=player, name=name,
        avatar=avatar or AVATARS[crc32(name.encode()) % len(AVATARS)], bot=bot,
        status=Entrant.Status.PRESENT if bot else status or entry_status(step),
        rank_hint=rank_hint, club_name=club_name, claim_token=make_token(), ready_at=now,
        is_on_device=is_on_device or bool(bot),
    )  # fmt: skip


def _bring_in(step: TournamentStep, new: Sequence[Entrant]) -> None:
    """Give these entrants numbers and store them, from the next round on. Raises BadInput if they are too many."""
    number: int = Entrant.objects.filter(tournament=step.tournament).aggregate(last=Max("number"))["last"] or 0
    if number + len(new) > MAX_ENTRANTS:
        raise BadInput("A tournament can have at most %(most)s entrants.", most=MAX_ENTRANTS)
    first = next_round(step)
    place_new(step.tournament, new)
    for one in new:
        number += 1
        one.number, one.joined_round = number, first
    step.create_all(new)
    step.details["entrants"] = [entrant.number for entrant in new]


def name_changed(step: TournamentStep) -> None:
    """Within a step: say in the log which person it is about."""
    ids = [pk for kind, pk, _, _ in step.changes if kind == "Entrant"]
    rows = list(Entrant.objects.filter(pk__in=ids).order_by("number").values_list("number", "name"))
    step.details["name"] = ", ".join(name for _number, name in rows)
    step.details["entrants"] = [number for number, _name in rows]
