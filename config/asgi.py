"""The ASGI application: pages and programs' streams over HTTP, tables and streams over sockets."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler

from config.celery import app as celery_app
from games.live.origins import OriginValidator
from games.live.streams.http_stream import serve_sockets, serve_streams
from games.live.streams.stream_socket import StreamSocket
from games.serving import shortcuts
from games.serving.request_threads import PageHandler
from games.urls import socket_urls as games_sockets
from tournaments.urls import socket_urls as tournament_sockets

__all__ = ["application", "celery_app"]

sockets = URLRouter([*tournament_sockets, *games_sockets])  # the last of them takes every other address

pages = PageHandler(settings.PAGE_THREADS) if shortcuts.is_used(shortcuts.PAGES) else ASGIHandler()

application = ProtocolTypeRouter(
    {
        "http": serve_streams(pages),
        "websocket": serve_sockets(
            StreamSocket.as_asgi(), OriginValidator(CookieMiddleware(SessionMiddleware(sockets)))
        ),
    }
)
