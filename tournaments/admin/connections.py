"""Webhooks, their deliveries, and API keys."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.labels import show_moment
from games.admin.quick_lists import OfferedList
from tournaments.admin.base import ReadOnly
from tournaments.models import ApiKey, Delivery, Webhook
from tournaments.words.webhook_answers import say_answer


@admin.register(Webhook)
class WebhookAdmin(OfferedList):
    """Webhooks; one that does not answer can be switched off. Secrets are not shown."""

    list_display = ("url", "club", "is_active", "created_at")
    list_filter = ("is_active",)
    search_fields = ("url", "club__name__istartswith")
    list_select_related = ("club",)
    fields = ("club", "url", "is_active", "created_at")
    readonly_fields = ("club", "url", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Owners of clubs add them."""
        return False


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    """Webhook deliveries with their answers."""

    list_display = ("event", "webhook", "attempts", "answered", "made_at", "is_waiting")
    list_filter = ("event", ("due_at", admin.EmptyFieldListFilter))
    search_fields = ("webhook__url", "key")
    list_select_related = ("webhook",)
    ordering = ("-pk",)

    @admin.display(description=_("created at"))
    def made_at(self, delivery: Delivery) -> str:
        """When it was written."""
        return show_moment(delivery.at)

    @admin.display(description=_("answer"))
    def answered(self, delivery: Delivery) -> str:
        """What came of the last attempt, as on the page of the club."""
        return say_answer(delivery.answer)

    @admin.display(description=_("is waiting"), boolean=True)
    def is_waiting(self, delivery: Delivery) -> bool:
        """Whether it will be tried again."""
        return delivery.due_at is not None


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """API keys; the key itself is not shown."""

    list_display = ("name", "club", "made_by", "created_at")
    search_fields = ("name__istartswith", "club__name__istartswith", "made_by__name__istartswith")
    list_select_related = ("club", "made_by")
    exclude = ("digest",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A key that has leaked can be deleted at once."""
        return bool(request.user.has_perm("tournaments.delete_apikey"))
