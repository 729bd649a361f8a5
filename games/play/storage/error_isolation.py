"""Loops over many tables: an error of one is logged and does not stop the others."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError

from games.play.errors import Refusal

logger = logging.getLogger(__name__)


@contextmanager
def isolate_errors(name: str) -> Iterator[None]:
    """Log errors of the item of this name. Errors of the database connection concern all items and are raised."""
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Refusal as refusal:
        logger.warning("%s: %s", name, refusal)
    except Exception:
        logger.exception("%s", name)
