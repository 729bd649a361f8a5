"""What the framework asks for when somebody signs in, in words that say what it takes."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.utils.translation import gettext_lazy as _

EITHER = _("From your authenticator app; without it, one of your recovery codes, each of which opens once.")


class CodeForm(AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = EITHER


class CodeAgainForm(ReauthenticateForm):  # type: ignore[misc]
    """The same before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = EITHER
