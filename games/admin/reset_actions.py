"""Admin actions for password reset links: make one, which is shown once, and withdraw them."""

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

from games.accounts.sign_in import reset_links
from games.accounts.site_urls import address_of
from games.models import ResetLink, User
from games.play.errors import Refusal
from games.play.sentences import say_sentence

if TYPE_CHECKING:
    _UserAdmin = admin.ModelAdmin[User]
    _LinkAdmin = admin.ModelAdmin[ResetLink]
else:
    _UserAdmin = _LinkAdmin = admin.ModelAdmin


@admin.action(description=gettext_lazy("Create a reset link for the selected account"), permissions=["change"])
def make_link(model_admin: _UserAdmin, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
    """Show a link with which the person of this account sets a new password."""
    chosen = list(users[:2])
    actor = request.user
    if len(chosen) != 1 or not isinstance(actor, User):
        messages.error(request, _("Select exactly one account."))
        return None
    user = chosen[0]
    try:
        token = reset_links.make_as_administrator(user, actor, now=time.time())
    except Refusal as refusal:
        messages.error(request, say_sentence(refusal))
        return None
    _log_action(request, users, _("Reset link created"))
    context: dict[str, Any] = {
        **model_admin.admin_site.each_context(request),
        "title": _("Reset link"),
        "opts": model_admin.model._meta,
        "url": address_of(request, "reset_by_link", token),
        "name": user.username,
        "hours": reset_links.LASTS_HOURS,
    }
    return TemplateResponse(request, "admin/reset_link.html", context, headers={"Cache-Control": "no-store"})


@admin.action(description=gettext_lazy("Withdraw the selected reset links"), permissions=["change"])
def withdraw_links(model_admin: _LinkAdmin, request: HttpRequest, links: QuerySet[ResetLink]) -> None:
    """Withdraw the open ones among these links, and no other link of their accounts."""
    withdrawn = [link.user for link in links if reset_links.withdraw_link(link, now=time.time())]
    for user in withdrawn:
        _log_action(request, User.objects.filter(pk=user.pk), _("Reset link withdrawn"))
        messages.success(request, _("The reset link for %(name)s has been withdrawn.") % {"name": user.username})
    if not withdrawn:
        messages.warning(request, _("No selected link is open. Used, expired and withdrawn links no longer work."))


def _log_action(request: HttpRequest, users: QuerySet[User], what: str) -> None:
    """Write an entry in the admin's log."""
    LogEntry.objects.log_actions(request.user.pk or 0, users, CHANGE, what, single_object=True)
