"""Where many are looked after, what goes wrong with one is said in the log, and stops no other."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError

from games.play.errors import Refusal

logger = logging.getLogger(__name__)


@contextmanager
def isolate_errors(name: str) -> Iterator[None]:
    """Look after the one of this name. A database that does not answer is no fault of one, and is raised."""
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Refusal as refusal:
        logger.warning("%s: %s", name, refusal)
    except Exception:
        logger.exception("%s", name)
