"""Whatever is done to a club, a tournament or an evening asks who does it, whichever page or program it comes by."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from django.db import transaction

from games import models
from games.play.errors import NotAllowed, Refusal
from tests.cast import NOW, person
from tests.tournaments.cast import NAMES, begin, found, plan, release
from tournaments import flow
from tournaments.flow import clubs, evenings, talk, webhooks
from tournaments.flow.planning import Agreement
from tournaments.flow.results import Said
from tournaments.models import Membership, Phase, PodSeat, Role, TimedSession

Act = Callable[..., object]
OWNERS: set[Act] = {
    clubs.edit_club, clubs.change_role, webhooks.add, webhooks.remove, webhooks.renew_secret, webhooks.send_again,
}  # fmt: skip
"""What only an owner does."""
MEMBERS: set[Act] = {evenings.open_evening, evenings.bring_table, talk.require_talk}
"""What every member does."""
INSIDE = {"entry.require_own", "taking_out.ask_file", "talk.clear_for_staff"}
"""Part of what asks, for whoever sees the tournament, and for the staff of the house."""
MAY = {
    Role.OWNER: {Role.OWNER},
    Role.ORGANISER: {Role.OWNER, Role.ORGANISER},
    Role.MEMBER: {Role.OWNER, Role.ORGANISER, Role.MEMBER},
}
WISHES: dict[str, Any] = {
    "about": "", "again": False, "agreement": Agreement(name="Friday", game="karriere-poker"), "away": True,
    "can_talk": True, "club_name": "", "counts": True, "delivery_id": 1, "fate": PodSeat.Fate.NO_SHOW, "instead": "",
    "is_public": True, "is_void": False, "key": "k", "key_id": 1, "kind": None, "level": "steady", "lines": (),
    "locked": True, "minutes": 5, "missing": "", "name": "Zoe", "now": NOW, "number": 1, "online": False,
    "phase": Phase.FINISHED, "plan": evenings.Plan("Friday", "animal-poker", 30, NOW), "points": 420, "raw": b"",
    "reason": "Late.", "role": Role.MEMBER, "said": Said((1, 2, 3, 4)), "token": "t", "url": "",
    "version": 0, "webhook_id": 1, "uses": None, "days": None, "player_ids": (), "table_id": "t", "tournament_id": "t",
}  # fmt: skip


def who_acts(act: Act) -> str:
    """What the parameter is called that says who does it; empty where nobody says so."""
    known = inspect.signature(act).parameters
    about = next((str(one.annotation) for one in known.values()), "")
    names = [name for name in ("actor", "player") if name in known and known[name].annotation == "Player | None"]
    return names[0] if names and about in ("Club", "Tournament", "TimedSession") else ""


def list_acts() -> Iterator[tuple[str, Act]]:
    for module in pkgutil.iter_modules(flow.__path__):
        known = import_module(f"{flow.__name__}.{module.name}")
        for name, act in inspect.getmembers(known, inspect.isfunction):
            if act.__module__ == known.__name__ and not name.startswith("_") and who_acts(act):
                yield f"{module.name}.{name}", act


ACTS = {name: act for name, act in list_acts() if name not in INSIDE}


@pytest.fixture
def wishes(ana: models.Player, ben: models.Player) -> dict[str, Any]:
    """A club of Ana's with a round that is played, a season and an evening, and what can be wished for there."""
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    pod, club = release(ana, tournament, 1).pods.get(), tournament.club
    first, second = tournament.entrants.order_by("number")[:2]
    evening = TimedSession.objects.create(
        id="evening", club=club, owner=ana, name="Friday", game="animal-poker", starts_at=NOW, ends_at=NOW + 3600
    )
    return WISHES | {
        "club": club, "tournament": tournament, "evening": evening, "league": plan(ana, club, format="league"),
        "entrant_id": first.pk, "first_id": first.pk, "second_id": second.pk, "entrant_ids": [first.pk],
        "pod_id": pod.pk, "seat_id": pod.seats.get(index=0).pk,
        "member_id": Membership.objects.create(club=club, player=ben).pk,
    }  # fmt: skip


def may(act: Act, who: models.Player | None, wishes: dict[str, Any]) -> bool:
    """Whether this person may do it; nothing stays of it."""
    known = inspect.signature(act).parameters
    given = {name: wishes[name] for name in known if name not in ("actor", "player")}
    try:
        with transaction.atomic():
            act(**given, **{who_acts(act): who})
            transaction.set_rollback(True)
    except NotAllowed:
        return False
    except Refusal:
        return True
    return True


@pytest.mark.parametrize("name", ACTS)
def test_only_who_has_the_role_for_it(name: str, wishes: dict[str, Any], eva: models.Player) -> None:
    act, club = ACTS[name], wishes["club"]
    people: dict[str, models.Player] = {role: person(f"Some {role}") for role in Role}
    Membership.objects.bulk_create(Membership(club=club, player=who, role=role) for role, who in people.items())
    found(eva, "Another Club")
    least = Role.OWNER if act in OWNERS else Role.MEMBER if act in MEMBERS else Role.ORGANISER
    assert {role for role, who in people.items() if may(act, who, wishes)} == MAY[least]
    assert not may(act, eva, wishes)
    assert not may(act, None, wishes)


def test_many_are_asked() -> None:
    assert len(ACTS) > 50
