"""Django's admin for clubs and tournaments: people and connections are looked after, what was played is read-only."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.quick_lists import QuickList
from tournaments.flow import clubs
from tournaments.models import (
    ApiKey,
    BoardRow,
    CareerEntry,
    Club,
    CountedTable,
    Delivery,
    Entrant,
    Invitation,
    Membership,
    PersonResult,
    PersonTotal,
    Pod,
    PodSeat,
    Result,
    Role,
    Round,
    Step,
    TimedSession,
    Tournament,
    Webhook,
)

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
    _Inline = admin.TabularInline[Any, Any]
else:
    _Admin = admin.ModelAdmin
    _Inline = admin.TabularInline


class ReadOnly(_Admin):
    """Derived from stored games: `manage.py recompute_ratings` puts right what is wrong."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted by hand."""
        return False


@admin.register(CountedTable)
class CountedTableAdmin(QuickList, ReadOnly):
    """Finished tables in the order in which they were counted."""

    list_display = ("number", "table_id", "game", "is_rated", "is_void", "ended")
    whole = "table"
    ordering = ("-number",)

    def of_people(self, ids: list[int]) -> Q:
        """The tables where they sat."""
        return Q(pk__in=PersonResult.objects.filter(player__in=ids).values("counted"))

    def ended(self, counted: CountedTable) -> datetime:
        """When the game was over."""
        return datetime.fromtimestamp(counted.ended_at, UTC)


@admin.register(PersonResult)
class PersonResultAdmin(QuickList, ReadOnly):
    """Results by person."""

    list_display = ("counted", "player", "game", "place", "of", "score", "mu", "sigma")
    whole = "counted__table"
    list_select_related = ("player", "counted")
    ordering = ("-pk",)


@admin.register(CareerEntry)
class CareerEntryAdmin(QuickList, ReadOnly):
    """Careers, deal by deal."""

    list_display = ("table_id", "deal", "player", "job", "rank", "of", "demoted_by")
    whole = "table"
    list_select_related = ("player", "demoted_by")
    ordering = ("-pk",)


@admin.register(BoardRow)
class BoardRowAdmin(QuickList, ReadOnly):
    """Rows of leaderboards."""

    list_display = ("board", "player", "games", "wins", "tops", "rated", "by_rating", "is_listed")
    list_filter = ("board__game", "board__season")
    list_select_related = ("board", "player")
    ordering = ("-pk",)


@admin.register(PersonTotal)
class PersonTotalAdmin(QuickList, ReadOnly):
    """What profiles show, by person, game and season."""

    list_display = ("player", "game", "season", "games", "wins", "deals", "reign", "bottom", "climb", "feat")
    list_select_related = ("player",)
    ordering = ("-pk",)


@admin.register(Membership)
class MembershipAdmin(QuickList):
    """Who is in which club. Staff may put roles right, for example where the only owner has lost his browser."""

    list_display = ("player", "club", "role", "since")
    list_filter = ("role",)
    whole = "club__slug"
    search_help_text = _(
        "A name by how a word of it begins, or a whole short name of a club. A list shows 5000 rows at most."
    )
    list_select_related = ("player", "club")
    autocomplete_fields = ("club", "player")
    fields = ("club", "player", "role", "since")
    ordering = ("-pk",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """A membership is somebody's in a club; only its role may become another one."""
        return ("since",) if obj is None else ("club", "player", "since")

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """The places of the club's leaderboards follow."""
        if change:
            super().save_model(request, obj, form, change)
        else:
            obj.pk = clubs.take_in(obj.club_id, obj.player_id, Role(obj.role)).pk

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        """The same."""
        clubs.take_out(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        """The same, for each."""
        for member in queryset:
            clubs.take_out(member)


@admin.register(Club)
class ClubAdmin(_Admin):
    """Clubs: staff may put words right, and roles in the list of members."""

    list_display = ("name", "slug", "is_public", "can_talk", "created_at")
    list_filter = ("is_public", "can_talk")
    search_fields = ("name__istartswith", "slug__istartswith")
    ordering = ("name",)
    fields = ("name", "slug", "about", "is_public", "can_talk", "created_at", "members")
    readonly_fields = ("slug", "created_at", "members")
    show_full_result_count = False

    @admin.display(description=_("Members"))
    def members(self, club: Club) -> str:
        """The list of them: a club may have very many."""
        return _link(f"{reverse('admin:tournaments_membership_changelist')}?q={club.slug}")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Clubs are founded by their members."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What a club has played stays."""
        return False


@admin.register(Invitation)
class InvitationAdmin(_Admin):
    """Links into clubs, which are not shown here; one that has got out can be withdrawn."""

    list_display = ("club", "role", "made_by", "uses_left", "withdrawn", "created_at")
    list_filter = ("role", "withdrawn")
    search_fields = ("club__name__istartswith",)
    list_select_related = ("club", "made_by")
    fields = ("club", "role", "made_by", "uses_left", "withdrawn", "created_at")
    readonly_fields = ("club", "role", "made_by", "uses_left", "created_at")
    ordering = ("-pk",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Organisers invite."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who came in by which link is part of the club's history."""
        return False


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    """Tournaments to look at: their organisers run them on their consoles, with a log. No link, no secret is shown."""

    list_display = ("name", "club", "game", "format", "phase", "is_public", "starts_at", "version", "page")
    list_filter = ("phase", "format", "game", "is_public", "is_rated", "duplicate")
    search_fields = ("name__istartswith", "pk", "club__name__istartswith")
    list_select_related = ("club",)
    date_hierarchy = "created_at"
    exclude = ("entry_token", "lot_seed")
    ordering = ("-created_at",)

    @admin.display(description="")
    def page(self, tournament: Tournament) -> str:
        """Its page."""
        return _link(reverse("tournaments:tournament", args=[tournament.pk]))


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
    """Rounds; of duplicate deals only what was promised."""

    list_display = ("tournament", "number", "stage", "status", "has_rung", "trouble")
    list_filter = ("status", "stage")
    search_fields = ("tournament__name__istartswith", "tournament__pk")
    list_select_related = ("tournament",)
    exclude = ("deal_secret", "drawing", "solution")
    ordering = ("-pk",)


class PodSeatInline(_Inline):
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
    """The tables of rounds; what could not be opened says why."""

    list_display = ("round", "number", "is_online", "table", "trouble")
    list_filter = ("is_online", ("trouble", admin.EmptyFieldListFilter), "round__status")
    search_fields = ("table__pk", "round__tournament__pk", "round__tournament__name__istartswith")
    list_select_related = ("round__tournament", "table")
    inlines = (PodSeatInline,)
    ordering = ("-pk",)


@admin.register(Result)
class ResultAdmin(ReadOnly):
    """What was said of each table, and which of it counts."""

    list_display = ("pod", "status", "source", "places", "scores", "is_void", "entered_by", "confirmed_by", "said_at")
    list_filter = ("status", "source", "is_void")
    search_fields = ("pod__round__tournament__pk", "pod__round__tournament__name__istartswith", "pod__table__pk")
    list_select_related = ("pod__round__tournament", "entered_by", "confirmed_by")
    ordering = ("-pk",)

    def said_at(self, result: Result) -> datetime:
        """When it was said."""
        return datetime.fromtimestamp(result.at, UTC)


@admin.register(Step)
class StepAdmin(ReadOnly):
    """The audit log of every tournament: never changed, never deleted."""

    list_display = ("tournament", "number", "kind", "actor_name", "taken_at", "reverts")
    list_filter = ("kind",)
    search_fields = ("tournament__pk", "tournament__name__istartswith", "actor_name__istartswith")
    list_select_related = ("tournament", "reverts__tournament")
    fields = ("tournament", "number", "kind", "actor", "actor_name", "taken_at", "details", "reverts")
    ordering = ("-pk",)

    def taken_at(self, step: Step) -> datetime:
        """When it was taken."""
        return datetime.fromtimestamp(step.at, UTC)


@admin.register(TimedSession)
class TimedSessionAdmin(ReadOnly):
    """Evenings."""

    list_display = ("name", "club", "game", "owner", "begins", "has_rung", "page")
    list_filter = ("game", "has_rung")
    search_fields = ("name__istartswith", "pk", "club__name__istartswith")
    list_select_related = ("club", "owner")
    ordering = ("-starts_at",)

    def begins(self, evening: TimedSession) -> datetime:
        """When it begins."""
        return datetime.fromtimestamp(evening.starts_at, UTC)

    @admin.display(description="")
    def page(self, evening: TimedSession) -> str:
        """Its page."""
        return _link(reverse("tournaments:evening", args=[evening.pk]))


@admin.register(Webhook)
class WebhookAdmin(_Admin):
    """Addresses that hear of tournaments: one that nobody answers at can be silenced. Secrets are not shown."""

    list_display = ("url", "club", "is_active", "created_at")
    list_filter = ("is_active",)
    search_fields = ("url", "club__name__istartswith")
    list_select_related = ("club",)
    fields = ("club", "url", "is_active", "created_at")
    readonly_fields = ("club", "url", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Owners of clubs name them."""
        return False


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    """What was sent to webhooks, and what they said."""

    list_display = ("event", "webhook", "attempts", "answer", "made_at", "is_waiting")
    list_filter = ("event", ("due_at", admin.EmptyFieldListFilter))
    search_fields = ("webhook__url", "key")
    list_select_related = ("webhook",)
    ordering = ("-pk",)

    def made_at(self, delivery: Delivery) -> datetime:
        """When it was written."""
        return datetime.fromtimestamp(delivery.at, UTC)

    @admin.display(boolean=True)
    def is_waiting(self, delivery: Delivery) -> bool:
        """Whether it will be tried again."""
        return delivery.due_at is not None


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """Keys of programs; nobody can read one here."""

    list_display = ("name", "club", "made_by", "created_at")
    search_fields = ("name__istartswith", "club__name__istartswith", "made_by__name__istartswith")
    list_select_related = ("club", "made_by")
    exclude = ("digest",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A key that has got out can be taken away at once."""
        return bool(request.user.has_perm("tournaments.delete_apikey"))


def _link(url: str) -> str:
    return format_html('<a href="{}">{}</a>', url, _("Page"))
