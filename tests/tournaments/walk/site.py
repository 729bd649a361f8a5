"""A club with two organisers, its people, one tournament, and a clock that only the walk moves."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.db import models as rows
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games import models
from games.play.errors import Refusal
from games.play.seats.player_changes import ANONYMOUS_AVATAR
from tests.cast import NOW, as_other_process, browser, person
from tests.tournaments.cast import NAMES, plan, plan_season
from tournaments.flow import tokens
from tournaments.flow.clubs import api_keys, webhooks
from tournaments.flow.seasons import season_phases
from tournaments.flow.steps.recorder import RECORDED_MODELS
from tournaments.models import Entrant, Membership, Pod, PodSeat, Rest, Result, Role, Round, Step, Tournament

Rows = dict[tuple[str, Any], dict[str, Any]]
REFUSED = frozenset({400, 403, 404, 409, 422})
PAST_STEPS = {"Tournament": {"version", "season_id"}, "Pod": {"table_id", "trouble"}}
"""What changes without a step of its own: tables are opened once a step has promised them; a season has its own log."""
OF_DRAWING = {"status", "drawing", "drawing_since"}
FORGOTTEN = {("avatar", ANONYMOUS_AVATAR), ("club_name", "")}
"""What somebody looks like who has gone: no step has said it."""


class Site:
    """Where the walk goes on. Everything that is pressed goes through the views, with the clock of the walk."""

    def __init__(self, rng: random.Random, monkeypatch: pytest.MonkeyPatch, **overrides: Any) -> None:
        self.rng = rng
        self.now: float = NOW
        monkeypatch.setattr(time, "time", lambda: self.now)
        luck = random.Random(rng.random())
        chance = SimpleNamespace(choice=luck.choice, token_hex=lambda count: luck.randbytes(count).hex())
        monkeypatch.setattr(tokens, "secrets", chance)
        self.owner, self.other = person("Olga"), person("Otto")
        self.tournament = plan(self.owner, **overrides)
        self.season = plan_season(self.owner, self.tournament.club, tie_breaks=["wins"])
        season_phases.open_season(self.season, self.owner, now=self.now)
        self.join(self.other, Role.ORGANISER)
        self.people = [person(name) for name in NAMES[:10]]
        self.helpers = [person(name) for name in ("Zoe", "Zed")]
        for one in (*self.helpers, self.people[0]):
            self.join(one)
        self.clients = {one.pk: browser(one) for one in (self.owner, self.other, *self.people, *self.helpers)}
        self.key = api_keys.make(self.tournament.club, self.owner, "score desk")
        webhooks.add(self.tournament.club, self.owner, "https://example.org/")
        self.names = {one.pk: {one.name} for one in self.everybody()}
        self.journal: list[str] = []
        self.planned = self.dump()
        self.mirror, self.now_there = self.dump(), self.dump()
        self.seen = 0
        self.before: dict[int, Rows] = {}

    def join(self, player: models.Player, role: Role = Role.MEMBER) -> None:
        Membership.objects.create(club=self.tournament.club, player=player, role=role)

    def enter_link(self, player: models.Player) -> None:
        self.clients[player.pk].get(reverse("tournaments:entry_link", args=[self.tournament.entry_token]))

    def press(self, who: models.Player, page: str, *args: Any, **form: Any) -> str:
        """Send a form; the sentence with which it was refused, empty if it was done."""
        url = reverse(f"tournaments:{page}", args=[self.tournament.pk, *args])
        item = f"{who.name} {page} {args or ''} {form}"
        client: Client = self.clients[who.pk]
        return self._watch(item, lambda: client.post(url, form, HTTP_ACCEPT="application/json"))

    def send(self, table: Pod, **body: Any) -> str:
        """What the club's score desk sends: a program with a key."""
        url = f"/api/v1/tournaments/{self.tournament.pk}/rounds/{table.round.number}/tables/{table.number}/result"
        head = {"Authorization": f"Bearer {self.key}"}
        return self._watch(
            f"score desk: table {table.number} {body}",
            lambda: Client().post(url, body, content_type="application/json", headers=head),
        )

    def run(self, name: str, act: Callable[[], object]) -> str:
        """Do what no page does; the sentence with which it was refused, empty if it was done."""
        return self._watch(name, act)

    def _watch(self, text: str, act: Callable[[], Any]) -> str:
        before = self.now_there
        self.journal.append(f"{self.now - NOW:.0f}: {text}")
        is_elsewhere = self.rng.random() < 0.3  # in another process, which knows nothing of what this one remembers
        try:
            sentence = self._sentence(as_other_process(act) if is_elsewhere else act())
        except Refusal as refusal:
            sentence = refusal.template % refusal.values
        self.now_there = self.dump()
        if sentence:
            self.journal[-1] += f" -> {sentence}"
            assert self.now_there == before, "refused, and changed all the same"
        self.read_log(before)
        return sentence

    def _sentence(self, answer: Any) -> str:
        if not isinstance(answer, HttpResponse) or answer.status_code in (200, 302):
            return ""
        assert answer.status_code in REFUSED, answer.status_code
        if answer["Content-Type"].startswith("text/html"):
            return "refused on the page."
        sentence = str(msgspec.json.decode(answer.content)["sentence"])
        assert sentence.endswith((".", "…")), sentence
        assert "%(" not in sentence
        return sentence

    def dump(self) -> Rows:
        """Every row of the tournament, as the database has it."""
        found: Rows = {}
        for kind, query in self._all().items():
            for row in query.values():
                found[kind, row["id"]] = {
                    name: value for name, value in row.items() if name not in PAST_STEPS.get(kind, ())
                }
        return found

    def _all(self) -> dict[str, rows.QuerySet[Any]]:
        mine = self.tournament.pk
        own = {"Tournament": Tournament.objects.filter(pk=mine)}
        parts: dict[str, rows.QuerySet[Any]] = {
            "Round": Round.objects.filter(tournament=mine),
            "Pod": Pod.objects.filter(round__tournament=mine),
            "PodSeat": PodSeat.objects.filter(pod__round__tournament=mine),
            "Rest": Rest.objects.filter(round__tournament=mine),
            "Result": Result.objects.filter(pod__round__tournament=mine),
        }
        rest = {
            kind: RECORDED_MODELS[kind]._base_manager.filter(tournament=mine)
            for kind in ("Entrant", "PairRule", "Penalty")
        }
        return {**own, **rest, **parts}

    def read_log(self, before: Rows) -> None:
        """Follow what the log says: from the first step on it makes the tournament what it is."""
        steps = list(Step.objects.filter(tournament=self.tournament, number__gt=self.seen).order_by("number"))
        for step in steps:
            for kind, pk, old, new in msgspec.json.decode(step.changes):
                self._follow(kind, pk, old, new)
            self.seen = step.number
        if len(steps) == 1:
            self.before[steps[0].number] = before
        now = self.now_there
        for key in now.keys() | self.mirror.keys():
            self._compare(key, now.get(key))

    def _follow(self, kind: str, pk: Any, old: dict[str, Any] | None, new: dict[str, Any] | None) -> None:
        key = (kind, pk)
        if old is None:
            assert key not in self.mirror, f"{key} was there before"
            self.mirror[key] = dict(new or {})
            return
        for name, value in old.items():
            mirrored = self.mirror[key].get(name, value)
            assert _is_same(mirrored, value) or name in PAST_STEPS.get(kind, ()), (
                f"{key}.{name} was {mirrored}, not {value}"
            )
        if new is None:
            del self.mirror[key]
        else:
            self.mirror[key] |= new

    def _compare(self, key: tuple[str, Any], now: dict[str, Any] | None) -> None:
        kind, _ = key
        mirrored = self.mirror.get(key)
        if kind == "Round" and (now or {}).get("status") == Round.Status.DRAWING:
            return
        assert (mirrored is None) == (now is None), f"{key}: by the log {mirrored}, but {now}"
        for name, value in (now or {}).items():
            if kind == "Entrant" and (name, value) in FORGOTTEN:
                continue
            before = (mirrored or {}).get(name)
            assert _is_same(before, value), f"{key}.{name}: by the log {before}, but {value}"

    def read_again(self) -> None:
        """Something was changed past all steps: what the log says from the first step on is so now."""
        self.now_there, self.before = self.dump(), {}
        self.mirror, self.seen = {key: dict(row) for key, row in self.planned.items()}, 0
        self.read_log({})
        self.before = {}

    def replace(self, gone: models.Player, newcomer: models.Player) -> None:
        """Somebody is nobody any more; somebody else comes along."""
        self.people[self.people.index(gone)] = newcomer
        del self.clients[gone.pk]

    def entrants(self, **wanted: Any) -> list[Entrant]:
        return list(Entrant.objects.filter(tournament=self.tournament, **wanted).order_by("number"))

    def last_round(self) -> Round | None:
        return Round.objects.filter(tournament=self.tournament).order_by("number").last()

    def pods(self) -> list[Pod]:
        last = self.last_round()
        return list(Pod.objects.filter(round=last).order_by("number")) if last else []

    def organiser(self) -> models.Player:
        """One of those who lead."""
        there = self.tournament.club.memberships.filter(role__in=(Role.ORGANISER, Role.OWNER))
        leading = set(there.values_list("player", flat=True))
        return self.rng.choice([one for one in (self.owner, self.other) if one.pk in leading])

    def everybody(self) -> Iterator[models.Player]:
        yield from (self.owner, self.other, *self.people, *self.helpers)


def _is_same(one: Any, other: Any) -> bool:
    """JSON has no times."""
    return one == other or hasattr(one, "isoformat") or hasattr(other, "isoformat")
