"""Tournaments, seasons and what belongs to them, read-only."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.admin.labels import show_moment
from games.admin.names import link
from games.admin.quick_lists import GAME_NAMES
from games.presenters.names import ANIMALS, BOT_LEVELS
from tournaments.admin import value_labels
from tournaments.admin.base import Inline, ReadOnly
from tournaments.models import (
    BackgroundJob,
    Entrant,
    NightDuty,
    Pod,
    PodSeat,
    Result,
    Round,
    Season,
    Step,
    Team,
    TeamMember,
    Tournament,
)
from tournaments.words.terms import (
    AT_ENDS,
    CLUBS_APART,
    DUTIES,
    FORMATS,
    NO_SHOWS,
    PHASES,
    POINTS,
    POINTS_OF_SEASON,
    VENUES,
    say_reasons,
)

SEASON_PHASES = {value: PHASES[value] for value, _name in Season._meta.get_field("phase").flatchoices}


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    """Tournaments, read-only: organisers run them on the console, with a log. Links and secrets are not shown."""

    labels: ClassVar = {
        "game": GAME_NAMES,
        "format": FORMATS,
        "phase": PHASES,
        "venue": VENUES,
        "no_show": NO_SHOWS,
        "at_end": AT_ENDS,
        "points": POINTS,
        "bot_level": BOT_LEVELS,
        "clubs_apart": CLUBS_APART,
    }
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

    labels: ClassVar = {"game": GAME_NAMES, "phase": SEASON_PHASES, "points": POINTS_OF_SEASON}
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

    labels: ClassVar = {"status": value_labels.ENTRANT_STATUS, "bot": BOT_LEVELS, "avatar": ANIMALS}
    list_display = ("name", "tournament", "player", "bot", "status", "is_away", "number")
    list_filter = ("status", "is_away", ("player", admin.EmptyFieldListFilter))
    search_fields = ("name__istartswith", "player__name__istartswith", "tournament__pk")
    list_select_related = ("tournament", "player")
    exclude = ("claim_token",)
    ordering = ("-pk",)


@admin.register(Team)
class TeamAdmin(ReadOnly):
    """The teams of tournaments."""

    list_display = ("name", "tournament", "number")
    search_fields = ("name__istartswith", "tournament__name__istartswith", "tournament__pk")
    list_select_related = ("tournament",)
    ordering = ("-pk",)


@admin.register(TeamMember)
class TeamMemberAdmin(ReadOnly):
    """Who plays or played for which team, and in which rounds."""

    list_display = ("entrant", "team", "first_round", "last_round", "is_captain", "is_substitute")
    list_filter = ("is_captain", "is_substitute")
    search_fields = ("entrant__name__istartswith", "team__name__istartswith", "team__tournament__pk")
    list_select_related = ("entrant", "team")
    ordering = ("-pk",)


@admin.register(NightDuty)
class NightDutyAdmin(ReadOnly):
    """Duties for one night, without their links; one that has leaked can be deleted."""

    labels: ClassVar = {"duty": DUTIES}
    list_display = ("tournament", "duty", "name", "player", "made_by", "created_at")
    list_filter = ("duty",)
    search_fields = ("tournament__name__istartswith", "tournament__pk", "player__name__istartswith")
    list_select_related = ("tournament", "player", "made_by")
    exclude = ("token",)
    ordering = ("-pk",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleting it takes the duty away."""
        return bool(request.user.has_perm("tournaments.delete_nightduty"))


@admin.register(Round)
class RoundAdmin(ReadOnly):
    """Rounds; of duplicate deals only the commitment, not the secret."""

    labels: ClassVar = {"status": value_labels.ROUND_STATUS, "stage": value_labels.ROUND_STAGES}
    list_display = ("tournament", "number", "stage", "status", "has_rung", "trouble")
    list_filter = ("status", "stage")
    search_fields = ("tournament__name__istartswith", "tournament__pk")
    list_select_related = ("tournament",)
    exclude = ("deal_secret", "drawing", "solution")
    ordering = ("-pk",)


class PodSeatInline(Inline):
    """Who sits at a table."""

    model = PodSeat
    fields = ("index", "entrant", "takes_part", "substitute", "substitute_name")
    readonly_fields = fields
    extra = 0
    can_delete = False

    @admin.display(description=_("fate"))
    def takes_part(self, seat: PodSeat) -> str:
        """Whether they play, did not come, or forfeit."""
        return str(value_labels.FATES[seat.fate])

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People are seated by the draw."""
        return False


@admin.register(Pod)
class PodAdmin(ReadOnly):
    """The tables of rounds; `trouble` says why one could not be opened."""

    labels: ClassVar = {"round__status": value_labels.ROUND_STATUS}
    list_display = ("round", "number", "is_online", "table", "reasons", "trouble")
    exclude = ("reason",)
    readonly_fields = ("reasons",)
    list_filter = ("is_online", ("trouble", admin.EmptyFieldListFilter), "round__status")
    search_fields = ("table__pk", "round__tournament__pk", "round__tournament__name__istartswith")
    list_select_related = ("round__tournament", "table")
    inlines = (PodSeatInline,)
    ordering = ("-pk",)

    @admin.display(description=_("reason"))
    def reasons(self, pod: Pod) -> str:
        """Why the draw seats these people together."""
        return " ".join(say_reasons(msgspec.json.decode(pod.reason))) if pod.reason else ""


@admin.register(Result)
class ResultAdmin(ReadOnly):
    """The results of each table, proposed, accepted and rejected."""

    labels: ClassVar = {"status": value_labels.RESULT_STATUS, "source": value_labels.RESULT_SOURCES}
    list_display = ("pod", "status", "source", "places", "scores", "is_void", "entered_by", "confirmed_by", "said_at")
    list_filter = ("status", "source", "is_void")
    search_fields = ("pod__round__tournament__pk", "pod__round__tournament__name__istartswith", "pod__table__pk")
    list_select_related = ("pod__round__tournament", "entered_by", "confirmed_by")
    ordering = ("-pk",)

    @admin.display(description=_("recorded at"))
    def said_at(self, result: Result) -> str:
        """When it was entered."""
        return show_moment(result.at)


@admin.register(Step)
class StepAdmin(ReadOnly):
    """The audit log of every tournament, evening and season: never changed, never deleted."""

    labels: ClassVar = {"kind": value_labels.STEP_KINDS}
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
    def taken_at(self, step: Step) -> str:
        """When it was taken."""
        return show_moment(step.at)


@admin.register(BackgroundJob)
class BackgroundJobAdmin(ReadOnly):
    """Background jobs and their progress. Files and secrets are not shown."""

    labels: ClassVar = {"kind": value_labels.JOB_KINDS, "status": value_labels.JOB_STATUS}
    list_display = ("kind", "status", "club", "tournament", "season", "player", "done", "total", "attempts", "since")
    list_filter = ("kind", "status")
    search_fields = ("club__name__istartswith", "player__name__istartswith")
    list_select_related = ("club", "tournament", "season", "player")
    exclude = ("key_seed", "claim", "deduplication_key")
    ordering = ("-asked_at",)

    @admin.display(description=_("since"))
    def since(self, job: BackgroundJob) -> str:
        """When it was asked for."""
        return show_moment(job.asked_at)
