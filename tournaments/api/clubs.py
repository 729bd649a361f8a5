"""The JSON API of clubs."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from ninja import Schema

from tournaments.api.readers import PAGE_ROWS, REFUSED, Page, find_club, query_own_clubs
from tournaments.api.routes import Router
from tournaments.models import Club

router = Router(tags=["clubs"])


class ClubOut(Schema):
    """A club."""

    slug: str
    name: str
    about: str


@router.get("/clubs", response={200: list[ClubOut], **REFUSED})
def list_clubs(request: HttpRequest, page: Page = 1) -> Any:
    """Public clubs and the reader's own, by name, a hundred a page; after the last page the list is empty."""
    seen = Club.objects.filter(Q(is_public=True) | Q(pk__in=query_own_clubs(request).values("pk"))).order_by(
        "name", "pk"
    )
    return list(seen[(page - 1) * PAGE_ROWS : page * PAGE_ROWS])


@router.get("/clubs/{slug}", response={200: ClubOut, **REFUSED})
def show_club(request: HttpRequest, slug: str) -> Any:
    """A club."""
    return find_club(request, slug)
