"""Signing in with a password, and not by trying them all."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm

from games import limits
from games.play.errors import TooFast


class SignInForm(AdminAuthenticationForm):
    """Name and password, a few times a minute from one network address."""

    def clean(self) -> dict[str, Any]:
        """Raises TooFast before the password is looked at."""
        if self.request is not None and not limits.allow_sign_in(self.request.META.get("REMOTE_ADDR", "")):
            raise TooFast("Too many attempts to sign in from your network. Wait a minute and try again.")
        return super().clean()
