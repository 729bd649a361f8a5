"""What members have reported in their club's chat and at its tables, for its organisers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Count, Max, QuerySet

from games.models import Remark, Report
from games.play.talk import remarks
from games.play.talk.remarks import ShownRemark
from tournaments.flow.permissions import list_club_tables
from tournaments.models import Club, ClubRemark, ClubReport, Membership

SHOWN = 50
"""Reported messages on the page, the latest first."""
AROUND = 3
"""Messages before and after a reported one."""


class ReportedRemark(NamedTuple):
    """A reported message that nobody has decided about yet. table: its id, empty in the club's chat; reports: how many
    people reported it, the last one at `at`; around: what was said around it, itself included; is_member: its author
    still belongs to the club."""

    remark_id: int
    number: int
    player_id: int | None
    name: str
    table: str
    reports: int
    at: float
    around: tuple[ShownRemark, ...]
    is_member: bool


def count_open(club: Club, reader_id: int) -> int:
    """How many reported messages wait for this organiser. Reports about themselves are for others."""
    in_club, at_tables = _list_open(club, reader_id)
    return in_club.count() + at_tables.count()


def list_open(club: Club, reader_id: int) -> list[ReportedRemark]:
    """The reported messages that wait for this organiser, the latest first."""
    in_club, at_tables = _list_open(club, reader_id)
    found: list[tuple[ClubRemark | Remark, int, float]] = [*_count_reports(in_club), *_count_reports(at_tables)]
    authors = {row.player_id for row, _, _ in found if row.player_id is not None}
    members = set(Membership.objects.filter(club=club, player__in=authors).values_list("player", flat=True))
    return [
        ReportedRemark(
            remark_id=row.pk, number=row.number, player_id=row.player_id, name=row.name,
            table=row.table_id if isinstance(row, Remark) else "", reports=reports, at=at,
            around=_read_around(row), is_member=row.player_id in members,
        )
        for row, reports, at in sorted(found, key=lambda entry: -entry[2])[:SHOWN]
    ]  # fmt: skip


def _list_open(club: Club, reader_id: int) -> tuple[QuerySet[ClubRemark], QuerySet[Remark]]:
    in_club = ClubReport.objects.filter(settled_at=None, remark__club=club).values("remark")
    at_tables = Report.objects.filter(settled_at=None, remark__table__in=list_club_tables(club)).values("remark")
    return (
        ClubRemark.objects.filter(pk__in=in_club).exclude(player=reader_id),
        Remark.objects.filter(pk__in=at_tables).exclude(player=reader_id),
    )


def _count_reports(rows: QuerySet[ClubRemark] | QuerySet[Remark]) -> Iterator[tuple[ClubRemark | Remark, int, float]]:
    """Each with how many people have reported it, and when the last one did."""
    row_of = {row.pk: row for row in rows}
    counts = rows.values_list("pk").annotate(Count("reports"), Max("reports__at")).order_by("-reports__at__max")
    for pk, reports, at in counts[:SHOWN]:
        yield row_of[pk], reports, at


def _read_around(row: ClubRemark | Remark) -> tuple[ShownRemark, ...]:
    rows: QuerySet[ClubRemark] | QuerySet[Remark]
    if isinstance(row, ClubRemark):
        rows = ClubRemark.objects.filter(club=row.club_id)
    else:
        rows = Remark.objects.filter(table=row.table_id)
    near = rows.filter(number__gte=row.number - AROUND, number__lte=row.number + AROUND, is_clearing=False)
    return tuple(remarks.read(remark) for remark in near.select_related("player").order_by("number"))
