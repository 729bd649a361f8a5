"""Reported remarks of clubs' talk."""

from __future__ import annotations

import time
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.labels import show_moment
from games.admin.quick_lists import OfferedList
from tournaments.flow.clubs import club_talk
from tournaments.models import Club, ClubReport


@admin.register(ClubReport)
class ClubReportAdmin(OfferedList):
    """Reported remarks. Staff may clear the talk of the club, or act on the account."""

    list_display = ("remark", "club", "speaker", "player", "said_at")
    search_fields = ("remark__name", "remark__words", "remark__club__slug")
    list_select_related = ("remark", "remark__player", "remark__club", "player")
    fields = ("remark", "club", "speaker", "player", "said_at")
    readonly_fields = fields
    actions = ("clear",)
    ordering = ("-pk",)

    @admin.display(description=_("club"))
    def club(self, report: ClubReport) -> str:
        """Where it was said."""
        return str(report.remark.club)

    @admin.display(description=_("speaker"))
    def speaker(self, report: ClubReport) -> str:
        """Who said it."""
        return str(report.remark.player or report.remark.name)

    @admin.display(description=_("recorded at"))
    def said_at(self, report: ClubReport) -> str:
        """When it was said."""
        return show_moment(report.remark.at)

    @admin.action(description=_("Clear the chat of these clubs"))
    def clear(self, request: HttpRequest, queryset: QuerySet[ClubReport]) -> None:
        """Hide all remarks so far. The rows are kept, and so are the reports."""
        for club in Club.objects.filter(remarks__reports__in=queryset).distinct():
            club_talk.clear_for_staff(club, None, now=time.time())
        self.message_user(request, _("The chat has been cleared."))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Remarks are reported in the club."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Reports are kept."""
        return False
