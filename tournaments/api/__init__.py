"""The JSON API: what can be read of clubs, tournaments and people, and results. `openapi.json` describes all of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import ValidationError

from games.play.errors import Refusal
from tournaments.api import evenings, people, seasons, tournaments

api = NinjaAPI(
    title="Menagerie",
    version="1",
    description="Clubs, tournaments, pairings, standings, results. Points are 840ths of a round won.",
    docs_url=None,
    urls_namespace="api",
)
for part in (tournaments, seasons, evenings, people):
    api.add_router("", part.router)


@api.exception_handler(Refusal)
def refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Refusals as everywhere: a status and a sentence."""
    sentence = _(refusal.template) % refusal.values
    return api.create_response(request, {"status": refusal.status, "sentence": sentence}, status=refusal.status)


@api.exception_handler(ValidationError)
def refuse_form(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """What cannot be read."""
    where = ", ".join(".".join(map(str, one["loc"])) for one in error.errors[:3])
    sentence = _("This cannot be read: %(where)s.") % {"where": where}
    return api.create_response(request, {"status": 422, "sentence": sentence}, status=422)
