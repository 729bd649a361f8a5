"""The cache shared by processes: Redis, and a local cache of each process while Redis does not answer.

It holds nothing essential (rate limits of sign-in, network delays of players, which messages were just sent), so no
request fails because Redis is away.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

from games.work import circuit_breaker

logger = logging.getLogger(__name__)


class FallbackCache(RedisCache):
    """Redis, with a local cache as fallback."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        waits = {
            "socket_timeout": circuit_breaker.TIMEOUT_SECONDS,
            "socket_connect_timeout": circuit_breaker.TIMEOUT_SECONDS,
        }
        super().__init__(server, {**params, "OPTIONS": waits | params.get("OPTIONS", {})})
        self._fallback = LocMemCache("spare", params)

    def _ask_redis(self, name: str, *args: Any, **kwargs: Any) -> Any:
        if circuit_breaker.redis.may_ask():
            ask: Callable[..., Any] = getattr(super(), name)
            try:
                answer = ask(*args, **kwargs)
            except (RedisError, OSError) as error:
                circuit_breaker.redis.note(has_answered=False)
                logger.warning("each process remembers for itself: %s", error)
            else:
                circuit_breaker.redis.note(has_answered=True)
                return answer
        return getattr(self._fallback, name)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """As Django's."""
        return bool(self._ask_redis("add", *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._ask_redis("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """As Django's."""
        self._ask_redis("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        """As Django's."""
        return bool(self._ask_redis("touch", *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """As Django's."""
        return bool(self._ask_redis("delete", *args, **kwargs))

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        """As Django's."""
        return bool(self._ask_redis("has_key", *args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        """As Django's."""
        return int(self._ask_redis("incr", *args, **kwargs))

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """As Django's."""
        found: dict[Any, Any] = self._ask_redis("get_many", *args, **kwargs)
        return found

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        """As Django's."""
        missed: list[Any] = self._ask_redis("set_many", *args, **kwargs)
        return missed
