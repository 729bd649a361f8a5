"""The push service of the notifications' tests."""

from tests.notifications.conftest import push_service

__all__ = ["push_service"]
