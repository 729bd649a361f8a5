"""Notifications of clubs that no step causes: tomorrow's events, reported messages, open tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

from django.db.models import Count, F
from django.urls import reverse

from games.models import Player, Report, Table
from games.notifications import outbox, wishes
from games.notifications.kinds import Details, Kind
from games.notifications.outbox import Recipient
from games.play.storage.table import WAITING
from tournaments.models import ClubReport, Entrant, Membership, Phase, Role, TimedSession, Tournament

DAY = 24 * 3600.0
MIN_NOTICE_SECONDS = 20 * 3600.0
"""Seconds before its start up to which an event is announced as tomorrow's."""
LOOK_BACK_SECONDS = 3600.0
"""How long after a report it is still told."""
NEW_SECONDS = 300.0
"""How long a table is new."""
OUT = (Entrant.Status.WITHDRAWN, Entrant.Status.WAITING)
RUNNERS = (Role.OWNER, Role.ORGANISER)


def runs_club(player_id: int) -> bool:
    """Whether this person runs a club, or is staff of the site."""
    runs = Membership.objects.filter(player=player_id, role__in=RUNNERS)
    return runs.exists() or Player.objects.filter(pk=player_id, user__is_staff=True).exists()


def announce_coming(*, now: float) -> None:
    """Tell the members of clubs of tomorrow's evenings, and entrants of tomorrow's tournaments."""
    evenings = TimedSession.objects.filter(
        starts_at__gt=now + MIN_NOTICE_SECONDS, starts_at__lte=now + DAY, has_rung=False, club__isnull=False
    ).select_related("club")
    for evening in evenings:
        members = Membership.objects.filter(club=evening.club).values_list("player", flat=True)
        page = reverse("tournaments:evening", args=[evening.pk])
        club = evening.club.name if evening.club else ""
        key = f"evening/{evening.pk}/{evening.starts_at:.0f}"
        _tell_tomorrow(key, {"event": evening.name, "club": club, "moment": evening.starts_at}, members, page, now=now)
    first, last = (datetime.fromtimestamp(now + wait, tz=UTC) for wait in (MIN_NOTICE_SECONDS, DAY))
    coming = Tournament.objects.filter(
        starts_at__gt=first, starts_at__lte=last, phase__in=(Phase.PLANNED, Phase.ENTRY, Phase.CHECK_IN)
    ).select_related("club")
    for tournament in coming:
        entrants = Entrant.objects.filter(tournament=tournament).exclude(status__in=OUT)
        starts_at = tournament.starts_at.timestamp() if tournament.starts_at else 0.0
        people = [pk for pk in entrants.values_list("player", flat=True) if pk is not None]
        page = reverse("tournaments:tournament", args=[tournament.pk])
        details = {"event": tournament.name, "club": tournament.club.name, "moment": starts_at}
        _tell_tomorrow(f"event/{tournament.pk}/{starts_at:.0f}", details, people, page, now=now)


def _tell_tomorrow(key: str, details: Details, people: Iterable[int], page: str, *, now: float) -> None:
    if outbox.list_unannounced([key]):
        recipients = [Recipient(person, details, page) for person in people]
        outbox.tell_once(Kind.EVENING_TOMORROW, key, recipients, tag=key.rpartition("/")[0], now=now)


def announce_reports(*, now: float) -> None:
    """Tell those who run a club of reported messages in it, and staff of those at tables."""
    in_clubs = ClubReport.objects.filter(at__gt=now - LOOK_BACK_SECONDS).select_related("remark__club")
    for report in in_clubs:
        club = report.remark.club
        organisers = Membership.objects.filter(club=club, role__in=RUNNERS).exclude(player=report.player_id)
        page = reverse("tournaments:club", args=[club.slug])
        people = list(organisers.values_list("player", flat=True))
        _tell_report(f"report/club/{report.pk}", club.name, people, page, now=now)
    at_tables = Report.objects.filter(at__gt=now - LOOK_BACK_SECONDS)
    if at_tables.exists():
        staff = list(Player.objects.filter(user__is_staff=True, user__is_active=True).values_list("pk", flat=True))
        page = reverse("admin:games_report_changelist")
        for pk in at_tables.values_list("pk", flat=True):
            _tell_report(f"report/table/{pk}", "Menagerie", staff, page, now=now)


def _tell_report(key: str, place: str, people: Collection[int], page: str, *, now: float) -> None:
    if outbox.list_unannounced([key]):
        recipients = [Recipient(person, {"place": place}, page) for person in people]
        outbox.tell_once(Kind.REPORT_CAME, key, recipients, tag="reports", now=now)


def announce_tables(*, now: float) -> None:
    """Tell those who wish it that somebody of one of their clubs has opened a public table with a free seat."""
    waiting = Table.objects.filter(status=WAITING, is_public=True, created_at__gt=now - NEW_SECONDS)
    open_tables = waiting.exclude(host=None).annotate(taken=Count("seats")).filter(taken__lt=F("seat_count"))
    for table in open_tables.select_related("host"):
        key = f"waits/{table.pk}"
        if not outbox.list_unannounced([key]):
            continue
        clubs = Membership.objects.filter(player=table.host_id).values("club")
        mates = Membership.objects.filter(club__in=clubs).exclude(player=table.host_id)
        people = wishes.list_wanting(Kind.TABLE_WAITS, list(mates.values_list("player", flat=True).distinct()))
        details = {"name": table.host.name if table.host else "", "game": table.game}
        recipients = [Recipient(person, details, reverse("table", args=[table.pk])) for person in people]
        outbox.tell_once(Kind.TABLE_WAITS, key, recipients, tag=f"table/{table.pk}", now=now)
