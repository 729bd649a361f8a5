"""The Celery app: the same tasks embedded in the one process, or in workers of their own."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("menagerie")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
