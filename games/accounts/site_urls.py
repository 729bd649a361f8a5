"""Absolute URLs for printouts, QR codes, emails and calendars. All use the site's public address."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


def absolute_url(request: HttpRequest, path: str) -> str:
    """This path of ours under SITE_URL; where that is not set, under the address by which the reader came."""
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else request.build_absolute_uri(path)


def address_of(request: HttpRequest, name: str, *args: object) -> str:
    """The absolute URL of the page of this name."""
    return absolute_url(request, reverse(name, args=args))


def rebase(url: str) -> str:
    """An absolute address of ours under SITE_URL, by whatever name a library has taken the site; without SITE_URL as it
    is."""
    path = urlsplit(url)._replace(scheme="", netloc="").geturl()
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else url
