"""Access tokens and bot accounts: the page on which an account makes, lists and revokes them; and challenges."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts import access_tokens, bot_accounts
from games.accounts.current_player import player_of
from games.models import AccessToken, Player
from games.play.errors import BadInput, NotAllowed, Refusal
from games.play.seats import challenges
from games.play.sentences import say_sentence

SCOPES: dict[str, Promise] = {
    access_tokens.READ: gettext_lazy("Read what you may see, but nothing that only members of your clubs see"),
    access_tokens.PLAY: gettext_lazy("Play: open tables, sit down, move, challenge others"),
    access_tokens.RESULTS: gettext_lazy("Enter results of tournaments that you run"),
    access_tokens.TOURNAMENTS: gettext_lazy("Run your tournaments, evenings, seasons and clubs, results included"),
    access_tokens.CLUB: gettext_lazy("Read what members of your clubs see"),
}
"""Scope → what it permits, for the form."""
USUAL_GAMES = 10


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_tokens(request: HttpRequest) -> HttpResponse:
    """The reader's tokens and bot accounts, with forms to change them. Raises NotAllowed without an account."""
    player = player_of(request)
    if player is None or player.user_id is None:
        raise NotAllowed("Only people with an account can have tokens and bots. Create an account first.")
    answer: HttpResponse = _show_own(request)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
def _show_own(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _render_tokens(request)
    try:
        made = _run_action(request)
    except Refusal as refusal:
        return _render_tokens(request, status=refusal.status, error=say_sentence(refusal))
    return _render_tokens(request, made=made) if made else redirect("tokens")


def _run_action(request: HttpRequest) -> str:
    """Carry out the form's action; returns a new token. Raises Refusal."""
    owner, sent, now = player_of(request), request.POST, time.time()
    action = sent.get("action", "")
    if action == "create-token":
        days, player_id = _read_number(sent.get("days")), _read_number(sent.get("player"))
        name, scopes = sent.get("name", ""), sent.getlist("scope")
        return access_tokens.issue(owner, player_id, name=name, scopes=scopes, days=days, now=now)
    if action == "revoke-token":
        access_tokens.revoke(owner, _read_number(sent.get("token")))
        notes.success(request, _("The token has been revoked."))
    elif action == "create-bot":
        games = _read_number(sent.get("games"))
        bot = bot_accounts.create(owner, name=sent.get("name", ""), games_at_once=games)
        notes.success(request, _("The bot account %(name)s has been created.") % {"name": bot.name})
    elif action == "delete-bot":
        bot_accounts.delete(owner, _read_number(sent.get("bot")), now=now)
        notes.success(request, _("The bot account has been deleted."))
    else:
        raise BadInput("Unknown command. Reload the page.")
    return ""


def _read_number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else -1


def _render_tokens(request: HttpRequest, *, made: str = "", error: str = "", status: int = 200) -> HttpResponse:
    me = player_of(request)
    if me is None:
        raise NotAllowed("Sign in first.")
    bots = list(bot_accounts.list_all(me))
    context = {
        "made": made,
        "error": error,
        "tokens": [_describe(token) for token in access_tokens.list_all(me)],
        "bots": [(bot, _say_limit(bot)) for bot in bots],
        "players": [me, *bots],
        "scopes": SCOPES.items(),
        "days": access_tokens.LIFETIMES,
        "usual_games": USUAL_GAMES,
        "most_games": bot_accounts.GAMES_AT_ONCE[-1],
        "openapi": request.build_absolute_uri(reverse("api:openapi-json")),
    }
    return render(request, "me/tokens.html", context, status=status)


def _describe(token: AccessToken) -> dict[str, Any]:
    used = token.last_used_at
    return {
        "pk": token.pk,
        "name": token.name,
        "player": token.player.name,
        "scopes": ", ".join(token.scopes.split()),
        "ends": _to_datetime(token.expires_at),
        "is_over": token.expires_at <= time.time(),
        "used": None if used is None else _to_datetime(used),
    }


def _to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, tz=UTC)


def _say_limit(bot: Player) -> str:
    count = bot.games_at_once
    return ngettext("%(count)d game at once", "%(count)d games at once", count) % {"count": count}


@require_POST
def answer_challenge(request: HttpRequest, challenge_id: int, answer: str) -> HttpResponse:
    """Accept (`accept`) or decline a challenge. Raises NotAllowed, NotFound, Stale."""
    player = player_of(request)
    if player is None:
        raise NotAllowed("Sign in first.")
    if answer == "accept":
        table = challenges.accept(challenge_id, player, now=time.time())
        return redirect("table", table.id)
    challenges.decline(challenge_id, player)
    return redirect("lobby")
