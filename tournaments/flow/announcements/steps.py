"""Steps of tournaments that people are told of: a table is ready, a round begins, a result is disputed, check-in opens,
somebody moves up from the waiting list.

A step is announced once (`outbox.tell_once`), right after it or, if that failed, by the next look at running
tournaments. What was undone is taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.urls import reverse

from games.models import Notice
from games.notifications import outbox
from games.notifications.kinds import Kind as NoticeKind
from games.notifications.outbox import Recipient
from tournaments.flow.steps.recorder import read_changes
from tournaments.flow.steps.step_kind import Kind
from tournaments.models import Entrant, Membership, Phase, Pod, PodSeat, Rest, Result, Role, Round, Step, Tournament

LOOK_BACK_SECONDS = 600.0
"""How long after a step people are still told of it."""


def announce(tournament_id: str, *, now: float) -> None:
    """Tell people of the latest steps of a tournament, each once."""
    recent = Step.objects.filter(tournament=tournament_id, kind__in=_ANNOUNCERS, at__gt=now - LOOK_BACK_SECONDS)
    steps = {make_key(step): step for step in recent.select_related("tournament__club").order_by("number")}
    fresh = outbox.list_unannounced(steps.keys()) if steps else set()
    for key, step in steps.items():  # in their order: the last one stays on the screen
        if key in fresh:
            _ANNOUNCERS[step.kind](step, now)


def announce_recent(*, now: float) -> None:
    """The same for every tournament under way: for what was missed."""
    running = Tournament.objects.filter(phase__in=(Phase.ENTRY, Phase.CHECK_IN, Phase.RUNNING)).values("pk")
    steps = Step.objects.filter(tournament__in=running, kind__in=_ANNOUNCERS, at__gt=now - LOOK_BACK_SECONDS)
    for tournament_id in sorted({step or "" for step in steps.values_list("tournament", flat=True)}):
        announce(tournament_id, now=now)


def is_announced(kind: str) -> bool:
    """Whether people are told of steps of this kind."""
    return kind in _ANNOUNCERS


def make_key(step: Step) -> str:
    """The key by which a step is announced once."""
    return f"step/{step.tournament_id}/{step.number}"


def make_tag(tournament_id: str | None) -> str:
    """The tag of a tournament's notifications: the latest one stays on the screen."""
    return f"event/{tournament_id}"


def _write_notices(step: Step, kind: NoticeKind, people: Iterable[Recipient], part: str, now: float) -> None:
    tag = make_tag(step.tournament_id)
    outbox.tell_once(kind, make_key(step) + part, list(people), tag=tag, now=now)


def _find_page(step: Step) -> str:
    return reverse("tournaments:tournament", args=[step.tournament_id])


def _tell_release(step: Step, now: float) -> None:
    """Who plays hears where and with whom, who has a bye hears that."""
    number = msgspec.json.decode(step.details)["round"]
    played = Round.objects.filter(tournament=step.tournament_id, number=number, status=Round.Status.RELEASED).first()
    if played is None:
        _write_notices(step, NoticeKind.ROUND_RELEASED, [], "", now)
        return
    _tell_seats(step, Pod.objects.filter(round=played), now)
    byes = Rest.objects.filter(round=played, kind=Rest.Kind.BYE).exclude(entrant__player=None)
    details = {"event": _name_step(step), "round": number}
    people = [Recipient(pk, details, _find_page(step)) for pk in byes.values_list("entrant__player", flat=True) if pk]
    _write_notices(step, NoticeKind.ROUND_RELEASED, people, "/bye", now)


def _tell_seating(step: Step, now: float) -> None:
    created = [pk for kind, pk, before, after in read_changes(step) if kind == "Pod" and before is None and after]
    _tell_seats(step, Pod.objects.filter(pk__in=created), now)


def _tell_substitute(step: Step, now: float) -> None:
    changed = {pk for kind, pk, _before, after in read_changes(step) if kind == "PodSeat" and after}
    seats = PodSeat.objects.filter(pk__in=changed).exclude(substitute=None)
    people: set[int | None] = set(seats.values_list("substitute", flat=True))
    _tell_seats(step, Pod.objects.filter(seats__in=seats), now, only=people)


def _tell_seats(step: Step, pods: Iterable[Pod], now: float, only: set[int | None] | None = None) -> None:
    """Tell everybody who sits at these tables, or only some of them."""
    by_pod: dict[int, list[PodSeat]] = defaultdict(list)
    for seat in PodSeat.objects.filter(pod__in=pods).select_related("entrant", "pod__round").order_by("pod", "index"):
        by_pod[seat.pod_id].append(seat)
    people = [recipients for seats in by_pod.values() for recipients in _list_told(step, seats)]
    _write_notices(
        step,
        NoticeKind.TABLE_READY,
        [recipient for recipient in people if only is None or recipient.player_id in only],
        "",
        now,
    )


def _list_told(step: Step, seats: Sequence[PodSeat]) -> Iterable[Recipient]:
    pod = seats[0].pod
    path = reverse("table", args=[pod.table_id]) if pod.table_id else _find_page(step)
    is_over_days = step.tournament is not None and step.tournament.round_days and step.kind == Kind.RELEASE
    deadline = pod.round.ends_at if is_over_days else None
    for seat in seats:
        if seat.player_id is not None:
            names = [other.substitute_name or other.entrant.name for other in seats if other is not seat]
            table = pod.real_table or pod.number
            details = {"event": _name_step(step), "table": table, "names": names, "moment": deadline}
            yield Recipient(seat.player_id, details, path)


def _tell_complete(step: Step, now: float) -> None:
    """Those who run the club, if a round over days was completed by itself."""
    tournament = step.tournament
    people: list[Recipient] = []
    if tournament is not None and step.actor_id is None and tournament.is_over_days:
        organisers = Membership.objects.filter(club=tournament.club_id, role__in=(Role.OWNER, Role.ORGANISER))
        details = {"event": _name_step(step), "round": msgspec.json.decode(step.details)["round"]}
        page = reverse("tournaments:console", args=[tournament.pk])
        people = [Recipient(pk, details, page) for pk in organisers.values_list("player", flat=True)]
    _write_notices(step, NoticeKind.ROUND_COMPLETE, people, "", now)


def _tell_dispute(step: Step, now: float) -> None:
    """Who entered the result, and those who run the club, but not who disputes it."""
    ids = [pk for kind, pk, _before, _after in read_changes(step) if kind == "Result"]
    result = Result.objects.filter(pk__in=ids).select_related("pod").order_by("pk").first()
    tournament = step.tournament
    people: set[int | None] = set()
    if result is not None and tournament is not None:
        organisers = Membership.objects.filter(club=tournament.club_id, role__in=(Role.OWNER, Role.ORGANISER))
        people = {result.entered_by_id, *organisers.values_list("player", flat=True)} - {step.actor_id, None}
    details = {"event": _name_step(step), "table": result.pod.number if result else 0, "name": step.actor_name}
    recipients = [Recipient(person, details, _find_page(step)) for person in people if person is not None]
    _write_notices(step, NoticeKind.RESULT_DISPUTED, recipients, "", now)


def _tell_check_in(step: Step, now: float) -> None:
    entrants = Entrant.objects.filter(tournament=step.tournament_id, status=Entrant.Status.ENTERED)
    details = {"event": _name_step(step)}
    people = [Recipient(pk, details, _find_page(step)) for pk in entrants.values_list("player", flat=True) if pk]
    _write_notices(step, NoticeKind.CHECK_IN_OPEN, people, "", now)


def _tell_moved_up(step: Step, now: float) -> None:
    """Who got a place because somebody withdrew, or because there are more places now."""
    waiting, entered = Entrant.Status.WAITING, Entrant.Status.ENTERED
    moved = [
        pk
        for kind, pk, before, after in read_changes(step)
        if kind == "Entrant" and before and after and (before.get("status"), after.get("status")) == (waiting, entered)
    ]
    entrants = Entrant.objects.filter(pk__in=moved, status=entered).exclude(player=None)
    details = {"event": _name_step(step)}
    people = [Recipient(pk, details, _find_page(step)) for pk in entrants.values_list("player", flat=True) if pk]
    _write_notices(step, NoticeKind.MOVED_UP, people, "", now)


def _follow_undo(step: Step, now: float) -> None:
    """Take back what was told of an undone step; tell it again after a redo."""
    details: dict[str, Any] = msgspec.json.decode(step.details)
    origin = Step.objects.filter(tournament=step.tournament_id, number=details["step"]).first()
    if origin is not None and origin.kind in _ANNOUNCERS and origin.kind != Kind.UNDO:
        if details["redo"]:
            origin.number = step.number  # announced under the number of the redo
            _ANNOUNCERS[origin.kind](origin, now)
            return
        earlier = Notice.objects.filter(key__in=(make_key(origin), f"{make_key(origin)}/bye"))
        outbox.withdraw(earlier, now=now)
    _write_notices(step, NoticeKind.GONE, [], "", now)


def _name_step(step: Step) -> str:
    return step.tournament.name if step.tournament else ""


_ANNOUNCERS: Mapping[str, Callable[[Step, float], None]] = {
    Kind.RELEASE: _tell_release,
    Kind.SEAT: _tell_seating,
    Kind.COMPLETE: _tell_complete,
    Kind.SUBSTITUTE: _tell_substitute,
    Kind.REJECT: _tell_dispute,
    Kind.CHECK_IN: _tell_check_in,
    Kind.WITHDRAW: _tell_moved_up,
    Kind.REVISE: _tell_moved_up,
    Kind.UNDO: _follow_undo,
}
