"""All functions of the flow that change a club, tournament or evening, with arguments to call them."""

from __future__ import annotations

import inspect
import pkgutil
from base64 import b64decode
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, TypeVar

from django.apps import apps
from django.db import transaction
from django.db.models import ForeignKey, Model

from games import memo, models
from games.play.errors import NotAllowed, Refusal
from tests.cast import NOW, person
from tests.tournaments.cast import NAMES, begin, plan_season, release
from tournaments import flow
from tournaments.flow.clubs import api_keys, club_talk, invitations, moderation
from tournaments.flow.drawing.drafts import ANYWHERE
from tournaments.flow.evenings import sessions
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.models import (
    ApiKey,
    Club,
    ClubRemark,
    Delivery,
    Membership,
    ModerationStep,
    NightDuty,
    Phase,
    PlanTemplate,
    PodSeat,
    Result,
    ResultPhoto,
    Role,
    Team,
    TimedSession,
    Webhook,
)

Act = Callable[..., object]
T = TypeVar("T")
PICTURE = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
"""A PNG of one pixel."""
ARGUMENTS: dict[str, Any] = {
    "anchor": "middle", "colour": "plum", "data": PICTURE, "meeting_place": "Here",
    "about": "", "again": False, "agreement": Agreement(name="Friday", game="karriere-poker"), "away": True,
    "can_talk": True, "club_name": "", "commitment": "", "counts": True, "days": None, "device": "", "duty": "scorer",
    "hours": 1, "is_about_self_allowed": False, "is_at_table": False, "is_kept_out": True,
    "fate": PodSeat.Fate.NO_SHOW, "instead": "", "is_copy_wanted": True, "is_on_device": False, "is_public": True,
    "is_void": False, "key": "k", "kind": None, "level": "steady", "lines": (), "locked": True,
    "minutes": 5, "missing": "", "name": "Zoe", "now": NOW, "number": 1, "on_device": False, "online": False,
    "phase": Phase.FINISHED,
    "phrase": "thanks", "place": 1, "plan": sessions.EveningPlan("Friday", "animal-poker", 30, NOW), "player_ids": (),
    "points": 420, "raw": b"", "reason": "Late.", "replace": True, "role": Role.MEMBER, "rounds": 3,
    "is_substitute": False, "team_name": "",
    "reported": ReportedResult((1, 2, 3, 4)), "season_plan": SeasonPlan(name="Winter"), "seen": ANYWHERE,
    "table": 1, "text": "5b0f", "url": "", "uses": None, "version": 0, "words": "",
}  # fmt: skip
ABOUT = ("Club", "Season", "Tournament", "TimedSession")
SUMS = ("Ledger", "Board", "BoardRow", "BoardCount")
"""Rows that are made of everybody's."""


def _who(act: Act) -> tuple[str, str]:
    """What the parameter is called that says who does it, and of which kind it is; empty where nobody says so."""
    parameters = inspect.signature(act).parameters
    about = next((str(one.annotation) for one in parameters.values()), "")
    name = next((name for name in ("actor", "player") if name in parameters), "")
    return (name, str(parameters[name].annotation)) if name and about in ABOUT else ("", "")


def list_acts() -> dict[str, Act]:
    """The functions of the flow that take a club, a tournament or an evening and a person, by module and name."""
    found: dict[str, Act] = {}
    for module in pkgutil.walk_packages(flow.__path__, f"{flow.__name__}."):
        module_acts = import_module(module.name)
        for name, act in inspect.getmembers(module_acts, inspect.isfunction):
            if act.__module__ == module_acts.__name__ and not name.startswith("_") and _who(act)[0]:
                found[f"{module.name.removeprefix(flow.__name__ + '.')}.{name}"] = act
    return found


def is_for_known(act: Act) -> bool:
    """Whether it takes only people who are known: they act for themselves, or it asks for no role."""
    return _who(act)[1] == "Player"


def try_out(
    act: Act, who: models.Player | None, arguments: dict[str, Any], see: Callable[[], T]
) -> tuple[Refusal | None, T]:
    """What this person is refused, and what is seen afterwards; nothing stays of it."""
    me, parameters = _who(act)[0], inspect.signature(act).parameters
    given = {name: arguments[name] for name in parameters if name not in ("actor", "player")}
    refused: Refusal | None = None
    with transaction.atomic():
        try:
            act(**{**given, me: who})
        except Refusal as refusal:
            refused = refusal
        seen = see()
        transaction.set_rollback(True)
    memo.forget_all()
    return refused, seen


def is_permitted(act: Act, who: models.Player | None, arguments: dict[str, Any]) -> bool:
    """Whether this person may do it; nothing stays of it."""
    refused, _ = try_out(act, who, arguments, lambda: None)
    return not isinstance(refused, NotAllowed)


def with_account(player: models.Player) -> models.Player:
    """This person, with an account."""
    player.user = models.User.objects.create_user(f"account-{player.pk}")
    player.save(update_fields=["user"])
    return player


def _join_long_ago(club: Club, player: models.Player) -> Membership:
    member = Membership.objects.create(club=club, player=player)
    Membership.objects.filter(pk=member.pk).update(since=datetime(2020, 1, 1, tzinfo=UTC))
    return member


def fill_club(owner: models.Player) -> dict[str, Any]:
    """A club of this owner with one of everything; the arguments of all acts by the names of parameters."""
    tournament = begin(owner, NAMES[:4], venue="real", most=4, team_size=2)
    pod, club = release(owner, tournament, 1).pods.get(), tournament.club
    result = Result.objects.create(pod=pod, status="proposed", source="player", places="[2,1,3,4]", at=NOW)
    evening = TimedSession.objects.create(
        id=f"evening-{owner.pk}", club=club, owner=owner, name="Friday", game="animal-poker", starts_at=NOW,
        ends_at=NOW + 3600,
    )  # fmt: skip
    sessions.add_table(evening, owner, [owner.pk], version=0, now=NOW)
    hook = Webhook.objects.create(club=club, url="https://example.org/", secret="s")
    api_keys.make(club, owner, "Desk")
    mara = _join_long_ago(club, with_account(person("Mara")))
    remark = club_talk.say(club, mara.player, phrase="thanks", now=NOW)
    moderation.silence(club, owner, mara.player_id, hours=1, now=NOW)
    guest = _join_long_ago(club, person("Gil"))
    given = NightDuty.objects.create(tournament=tournament, duty="door", token=f"duty-{owner.pk}", name="Dora")
    photo = ResultPhoto.objects.create(pod=pod, key=f"photo-{owner.pk}", body=b"", added_by=owner, at=NOW)
    team = Team.objects.create(tournament=tournament, number=1, name="Foxes")
    template = PlanTemplate.objects.create(club=club, name="Thursdays", plan="{}")
    first, second = tournament.entrants.order_by("number")[:2]
    return ARGUMENTS | {
        "club": club, "tournament": tournament, "evening": evening, "season": plan_season(owner, club),
        "entrant_id": first.pk, "first_id": first.pk, "second_id": second.pk, "entrant_ids": [first.pk],
        "pod": pod, "photo": photo, "photo_id": photo.pk,
        "pod_id": pod.pk, "seat_id": pod.seats.get(index=0).pk, "result_id": result.pk,
        "webhook_id": hook.pk, "events": ["round.released"],
        "delivery_id": Delivery.objects.create(webhook=hook, event="result", key="k", body="{}", at=NOW).pk,
        "weeks": 2, "since": None,
        "duty_id": given.pk, "team_id": team.pk, "guest_member_id": guest.pk, "template_id": template.pk,
        "member_id": mara.pk, "player_id": mara.player_id,
        "remark_id": ClubRemark.objects.get(club=club, number=remark.number).pk,
        "step_id": ModerationStep.objects.get(club=club).pk,
        "key_id": ApiKey.objects.get(club=club).pk, "token": invitations.invite(club, owner).token,
        "tournament_id": tournament.pk, "table_id": evening.tables.get().table_id,
    }  # fmt: skip


Key = tuple[str, Any]
"""Of a row: its kind and its primary key."""
Rows = dict[Key, dict[str, Any]]


def _list_kinds() -> dict[str, type[Model]]:
    kinds = [kind for label in ("games", "tournaments") for kind in apps.get_app_config(label).get_models()]
    return {kind.__name__: kind for kind in kinds if kind.__name__ not in SUMS}


def read_rows() -> Rows:
    """Everything that stands in the database, but what is made of everybody's."""
    return {
        (name, row["pk"]): row
        for name, kind in _list_kinds().items()
        for row in kind._base_manager.values("pk", *[one.attname for one in kind._meta.concrete_fields])
    }


def list_links(rows: Rows) -> set[Key]:
    """The rows that these refer to."""
    kinds = _list_kinds()
    return {
        (one.related_model._meta.object_name or "", row[one.attname])
        for (name, _), row in rows.items()
        for one in kinds[name]._meta.concrete_fields
        if isinstance(one, ForeignKey) and not isinstance(one.related_model, str)
    }
