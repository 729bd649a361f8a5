"""Invariants outside a tournament: webhooks, permissions, archives, and careers."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

import msgspec
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.tournaments.flow.archive.test_round_trip import there_and_back
from tests.tournaments.flow.counting.test_finished_tables import everything
from tests.tournaments.walk.laws import API, DESK, FEEDS, PAGES, SHEETS
from tests.tournaments.walk.site import Site
from tournaments.flow.counting import recomputing
from tournaments.flow.steps.webhook_events import EVENTS, WITHDRAWN
from tournaments.models import Delivery, PairRule, PodSeat, Rest, Round, Step, Tournament
from tournaments.work import tasks


class Timed(Protocol):
    """Where a clock goes that only the walk moves."""

    now: float


KEPT_OUT = frozenset({200, 302, 403, 404})


def check_told(site: Site) -> None:
    """Each step that programs hear of is told to the club's webhook once, and one that settles tables once for each,
    and no other; a receiver that ignores what was withdrawn knows what is so now."""
    of_ours = Delivery.objects.filter(key__startswith=f"{site.tournament.pk}/")  # a season tells its own end
    messages = of_ours.order_by("pk").values_list("key", "event", "body")
    steps = Step.objects.filter(tournament=site.tournament).order_by("number")
    heard = [(step, key) for step in steps for key in _list_keys(site, step)]
    assert [key for key, _event, _body in messages] == [key for _step, key in heard]
    withdrawn = {msgspec.json.decode(body)["details"]["id"] for _key, event, body in messages if event == WITHDRAWN}
    present = [key for key, event, _body in messages if event != WITHDRAWN and key not in withdrawn]
    assert present == [key for step, key in heard if not hasattr(step, "reverted_by") and _is_done(step)]


def _list_keys(site: Site, step: Step) -> list[str]:
    """What a step tells of itself, or of the one that it takes back or does again."""
    origin, key = step, f"{site.tournament.pk}/{step.number}"
    while origin.kind == "undo":
        number = msgspec.json.decode(origin.details)["step"]
        origin = Step.objects.get(tournament=site.tournament, number=number)
    details = msgspec.json.decode(origin.details)
    if origin.kind == "complete":
        return [f"{key}/{table}" for table in details["missing"]]
    is_only_said = (origin.kind == "result" and not details.get("accepted", False)) or details.get("late", False)
    return [key] if origin.kind in EVENTS and not is_only_said else []


def _is_done(step: Step) -> bool:
    """Whether it does something, or does it again; and does not take it back."""
    return step.kind != "undo" or bool(msgspec.json.decode(step.details)["redo"])


def check_byes(site: Site) -> None:
    """Just drawn: nobody sits out once more while somebody plays who never has, if nothing laid down decides that."""
    tournament, last = Tournament.objects.get(pk=site.tournament.pk), site.last_round()
    is_free = tournament.format in ("swiss", "round-robin", "ladder") and tournament.venue in ("online", "real")
    if not is_free or last is None or PairRule.objects.filter(tournament=tournament).exists():
        return
    if last.pods.filter(is_locked=True).exists():
        return
    byes = Rest.objects.filter(round__tournament=tournament, kind="bye", entrant__bot="")
    before = Counter(byes.exclude(round=last).values_list("entrant", flat=True))
    sitting_out = byes.filter(round=last).values_list("entrant", flat=True)
    playing = PodSeat.objects.filter(pod__round=last, entrant__bot="").values_list("entrant", flat=True)
    again = [pk for pk in sitting_out if before[pk]]
    assert not again or all(before[pk] for pk in playing), f"{again} sit out again, others never have"


def check_strangers(site: Site) -> None:
    """No page breaks for people who may not read it, nor shows them what is for organisers."""
    mine, last, member = site.tournament.pk, site.last_round(), site.clients[site.helpers[0].pk]
    for_all = [reverse("tournaments:" + name, args=[mine]) for name in PAGES]
    for_all += [reverse("tournaments:" + name, args=[site.tournament.club.slug]) for name in FEEDS]
    for_all += [f"/api/v1/tournaments/{mine}{part}" for part in API]
    desk = [reverse("tournaments:" + name, args=[mine]) for name in DESK]
    desk += [reverse("tournaments:print", args=[mine, sheet]) for sheet in SHEETS]
    if last is not None:
        for_all += [reverse("tournaments:pod", args=[mine, last.number, pod.number]) for pod in site.pods()]
        desk += [reverse("tournaments:settle", args=[mine, pod.number]) for pod in site.pods()]
        is_draft = last.status in (Round.Status.DRAWING, Round.Status.DRAFT)
        assert not is_draft or not site.pods() or member.get(for_all[-1]).status_code == 404, "a draft is shown"
    for who in (Client(), member):
        for address in (site.rng.choice(for_all), site.rng.choice(desk)):
            assert who.get(address).status_code in KEPT_OUT, address


def check_counted(there: Timed) -> None:
    """What was counted as it came in is what is counted when everything is read again."""
    for _ in range(2):
        tasks.sweep_results()
    before = everything()
    changed = recomputing.recompute(now=there.now)
    assert changed is not None
    assert changed[1:] == (0, 0, 0, 0), changed
    assert everything() == before


def check_file(site: Site) -> None:
    """Brought along into another club it is the same, round by round. There it does not stay: who goes for good here
    stands in it."""
    point = transaction.savepoint()
    there_and_back(Tournament.objects.get(pk=site.tournament.pk), now=site.now)
    transaction.savepoint_rollback(point)
