"""Password resets: by email if this site sends any, else by a reset link."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from allauth.account import views as allauth_views
from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts import mail
from games.accounts.sign_in import reset_links
from games.accounts.sign_in.forms import NewPasswordForm
from games.accounts.site_urls import address_of
from games.models import ResetLink, User
from games.play.errors import NotAllowed


def ask_for_letter(request: HttpRequest) -> HttpResponse:
    """The framework's form, which sends an email; a site without email says who else can help."""
    if mail.are_sent():
        answer: HttpResponse = allauth_views.password_reset(request)
        return answer
    return render(request, "account/no_letters.html")


def say_letter_was_sent(request: HttpRequest) -> HttpResponse:
    """The framework's page after that form."""
    if mail.are_sent():
        answer: HttpResponse = allauth_views.password_reset_done(request)
        return answer
    return redirect("account_reset_password")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def use_link(request: HttpRequest, token: str) -> HttpResponse:
    """Set a new password by a link. Raises NotFound."""
    link = reset_links.find(token, now=time.time())
    form = NewPasswordForm(request.POST if request.method == "POST" else None, user=link.user)
    if request.method == "POST" and form.is_valid():
        reset_links.use(link, form.cleaned_data["password1"], now=time.time())
        notes.success(request, _("Your new password is set. Sign in with it."))
        return redirect("account_login")
    context = {"link": describe(link), "name": link.user.username, "form": form}
    return render(request, "account/reset_by_link.html", context, status=422 if form.errors else 200)


@require_POST
def withdraw_link(request: HttpRequest) -> HttpResponse:
    """The link that was made for my account opens nothing any more. Raises NotAllowed."""
    if not isinstance(request.user, User):
        raise NotAllowed("Sign in first.")
    if reset_links.withdraw(request.user, now=time.time()):
        notes.success(request, _("The reset link has been withdrawn."))
    return redirect("me")


def show_made(request: HttpRequest, token: str, user: User, *, template: str, **context: Any) -> HttpResponse:
    """The page that shows a link, which is shown nowhere again."""
    shown = {"url": address_of(request, "reset_by_link", token), "name": user.username}
    response = render(request, template, {**shown, "hours": reset_links.LASTS_HOURS, **context})
    response["Cache-Control"] = "no-store"
    return response


def describe_all(user: User) -> list[dict[str, Any]]:
    """Descriptions of the reset links that were made for this account, for its person."""
    return [describe(link) for link in reset_links.list_recent(user, now=time.time())]


def describe(link: ResetLink) -> dict[str, Any]:
    """A link in words: maker, state ("open", "used", "withdrawn", "over"), and its times."""
    now = time.time()
    state = "used" if link.used_at else "withdrawn" if link.withdrawn_at else "over"
    return {
        "maker": _name_maker(link),
        "state": "open" if reset_links.is_open(link, now=now) else state,
        "made": _to_datetime(link.made_at),
        "ends": _to_datetime(link.ends_at),
        "used": _to_datetime(link.used_at) if link.used_at else None,
    }


def _name_maker(link: ResetLink) -> str:
    if link.kind == ResetLink.Kind.COMMAND:
        return _("the administrator of this site")
    name = _name_user(link.made_by)
    if link.kind == ResetLink.Kind.ADMINISTRATOR:
        return _("%(name)s (administrator)") % {"name": name}
    return _("%(name)s (organiser of %(club)s)") % {"name": name, "club": link.club}


def _name_user(user: User | None) -> str:
    if user is None:
        return _("Anonymous")
    player = getattr(user, "player", None)
    return player.name if player is not None else user.username


def _to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, tz=UTC)
