"""Tournaments, seasons and what belongs to them, read-only."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.admin.names import link
from tournaments.admin.base import Inline, ReadOnly
from tournaments.models import BackgroundJob, Entrant, Pod, PodSeat, Result, Round, Season, Step, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    """Tournaments, read-only: organisers run them on the console, with a log. Links and secrets are not shown."""

    list_display = ("name", "club", "game", "format", "phase", "is_public", "starts_at", "version", "page")
    list_filter = ("phase", "format", "game", "is_public", "is_rated", "duplicate")
    search_fields = ("name__istartswith", "pk", "club__name__istartswith")
    list_select_related = ("club",)
    date_hierarchy = "created_at"
    exclude = ("entry_token", "lot_seed")
    ordering = ("-created_at",)

    @admin.display(description=_("page"))
    def page(self, tournament: Tournament) -> str:
        """Its page."""
        return link(reverse("tournaments:tournament", args=[tournament.pk]))


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    """Seasons, read-only: organisers run them on the console, with a log. Secrets are not shown."""

    list_display = ("name", "club", "game", "phase", "is_public", "version", "page")
    list_filter = ("phase", "game", "is_public")
    search_fields = ("name__istartswith", "pk", "club__name__istartswith")
    list_select_related = ("club",)
    date_hierarchy = "created_at"
    exclude = ("lot_seed",)
    ordering = ("-created_at",)

    @admin.display(description=_("page"))
    def page(self, season: Season) -> str:
        """Its page."""
        return link(reverse("tournaments:tournament", args=[season.pk]))


@admin.register(Entrant)
class EntrantAdmin(ReadOnly):
    """Who is in which tournament."""

    list_display = ("name", "tournament", "player", "bot", "status", "is_away", "number")
    list_filter = ("status", "is_away", ("player", admin.EmptyFieldListFilter))
    search_fields = ("name__istartswith", "player__name__istartswith", "tournament__pk")
    list_select_related = ("tournament", "player")
    exclude = ("claim_token",)
    ordering = ("-pk",)


@admin.register(Round)
class RoundAdmin(ReadOnly):
    """Rounds; of duplicate deals only the commitment, not the secret."""

    list_display = ("tournament", "number", "stage", "status", "has_rung", "trouble")
    list_filter = ("status", "stage")
    search_fields = ("tournament__name__istartswith", "tournament__pk")
    list_select_related = ("tournament",)
    exclude = ("deal_secret", "drawing", "solution")
    ordering = ("-pk",)


class PodSeatInline(Inline):
    """Who sits at a table."""

    model = PodSeat
    fields = ("index", "entrant", "fate", "substitute", "substitute_name")
    readonly_fields = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People are seated by the draw."""
        return False


@admin.register(Pod)
class PodAdmin(ReadOnly):
    """The tables of rounds; `trouble` says why one could not be opened."""

    list_display = ("round", "number", "is_online", "table", "trouble")
    list_filter = ("is_online", ("trouble", admin.EmptyFieldListFilter), "round__status")
    search_fields = ("table__pk", "round__tournament__pk", "round__tournament__name__istartswith")
    list_select_related = ("round__tournament", "table")
    inlines = (PodSeatInline,)
    ordering = ("-pk",)


@admin.register(Result)
class ResultAdmin(ReadOnly):
    """The results of each table, proposed, accepted and rejected."""

    list_display = ("pod", "status", "source", "places", "scores", "is_void", "entered_by", "confirmed_by", "said_at")
    list_filter = ("status", "source", "is_void")
    search_fields = ("pod__round__tournament__pk", "pod__round__tournament__name__istartswith", "pod__table__pk")
    list_select_related = ("pod__round__tournament", "entered_by", "confirmed_by")
    ordering = ("-pk",)

    @admin.display(description=_("recorded at"))
    def said_at(self, result: Result) -> datetime:
        """When it was entered."""
        return datetime.fromtimestamp(result.at, UTC)


@admin.register(Step)
class StepAdmin(ReadOnly):
    """The audit log of every tournament, evening and season: never changed, never deleted."""

    list_display = ("tournament", "evening", "season", "number", "kind", "actor_name", "taken_at", "reverts")
    list_filter = ("kind",)
    search_fields = ("tournament__pk", "tournament__name__istartswith", "actor_name__istartswith")
    list_select_related = (
        "tournament", "evening", "season", "reverts__tournament", "reverts__evening", "reverts__season",
    )  # fmt: skip
    fields = (
        "tournament",
        "evening",
        "season",
        "number",
        "kind",
        "actor",
        "actor_name",
        "taken_at",
        "details",
        "reverts",
    )
    ordering = ("-pk",)

    @admin.display(description=_("done at"))
    def taken_at(self, step: Step) -> datetime:
        """When it was taken."""
        return datetime.fromtimestamp(step.at, UTC)


@admin.register(BackgroundJob)
class BackgroundJobAdmin(ReadOnly):
    """Background jobs and their progress. Files and secrets are not shown."""

    list_display = ("kind", "status", "club", "tournament", "season", "player", "done", "total", "attempts", "since")
    list_filter = ("kind", "status")
    search_fields = ("club__name__istartswith", "player__name__istartswith")
    list_select_related = ("club", "tournament", "season", "player")
    exclude = ("key_seed", "claim", "deduplication_key")
    ordering = ("-asked_at",)

    @admin.display(description=_("since"))
    def since(self, job: BackgroundJob) -> datetime:
        """When it was asked for."""
        return datetime.fromtimestamp(job.asked_at, UTC)
