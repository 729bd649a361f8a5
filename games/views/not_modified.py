"""Conditional requests: 304 for clients that have the response already (RFC 9110, 13.1.2)."""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response


def unless_known(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """This response with its `ETag`, or 304. Clients revalidate a stored one each time."""
    answer["Cache-Control"] = "private, no-cache"
    answer["ETag"] = f'"{sha256(answer.content).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=answer["ETag"], response=answer)
    assert isinstance(response, HttpResponse)  # noqa: S101 - this one, or a 304 in its place
    return response
