"""Actions of staff in the admin: pause and resume a table, void its game, delete a person. All through `games.play`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Player, Table
from games.play.errors import Refusal
from games.play.records import voiding
from games.play.seats import arranged_tables, player_changes
from games.play.sentences import say_sentence

if TYPE_CHECKING:
    _TableAdmin = admin.ModelAdmin[Table]
    _PlayerAdmin = admin.ModelAdmin[Player]
else:
    _TableAdmin = _PlayerAdmin = admin.ModelAdmin


@admin.action(description=gettext_lazy("Pause selected tables"), permissions=["change"])
def pause(model_admin: _TableAdmin, request: HttpRequest, tables: QuerySet[Table]) -> None:
    """Pause these tables."""
    for table in tables:
        _act_on_table(request, table, _("Paused"), lambda table_id: arranged_tables.pause(table_id, now=time.time()))


@admin.action(
    description=gettext_lazy("Resume selected tables (clocks continue where they stopped)"), permissions=["change"]
)
def resume(model_admin: _TableAdmin, request: HttpRequest, tables: QuerySet[Table]) -> None:
    """Resume these tables."""
    for table in tables:
        _act_on_table(request, table, _("Resumed"), lambda table_id: arranged_tables.resume(table_id, now=time.time()))


@admin.action(description=gettext_lazy("Void selected tables (their games count for nobody)"), permissions=["change"])
def void(model_admin: _TableAdmin, request: HttpRequest, tables: QuerySet[Table]) -> HttpResponse | None:
    """Ask for the reason, then void these games; ratings and careers follow."""
    reason = request.POST.get("reason", "")
    if "apply" in request.POST and reason.strip():
        for table in tables:
            _act_on_table(
                request,
                table,
                _("Voided: %(reason)s") % {"reason": reason},
                lambda table_id: voiding.void(table_id, reason=reason, now=time.time()),
            )
        return None
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Void these games?"),
        "tables": tables.prefetch_related("seats"),
        "opts": model_admin.model._meta,
        "is_missing": "apply" in request.POST,
        "most": voiding.MAX_REASON,
    }
    return TemplateResponse(request, "admin/void.html", context)


def _act_on_table(request: HttpRequest, table: Table, what: str, do: Any) -> None:
    """Do it, note who did it, and say what came of it."""
    try:
        do(table.pk)
    except Refusal as refusal:
        messages.error(request, f"{table.pk}: {say_sentence(refusal)}")
        return
    LogEntry.objects.log_actions(
        request.user.pk or 0, Table.objects.filter(pk=table.pk), CHANGE, what, single_object=True
    )
    messages.success(request, f"{table.pk}: {what}")


@admin.action(
    description=gettext_lazy("Delete at the person's request (removes name and account, keeps games)"),
    permissions=["change"],
)
def forget(model_admin: _PlayerAdmin, request: HttpRequest, players: QuerySet[Player]) -> None:
    """Take these people's names from everything. Staff and those who have gone are left alone."""
    for player in players.filter(left_at=None).exclude(user__is_staff=True):
        player_changes.delete_player(player.pk, now=time.time())
        messages.success(request, _("Deleted: %(id)s") % {"id": player.pk})
