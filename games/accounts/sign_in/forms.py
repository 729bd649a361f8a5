"""What the framework asks for when somebody signs up or in, in words that say what it takes."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, ResetPasswordKeyForm, SignupForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.forms import Form, ValidationError
from django.utils.translation import gettext_lazy as _

from games.accounts import mail
from games.accounts.sign_in import sign_in_throttle
from games.models import User

EITHER = _("The code from your authenticator app, or a recovery code. Each recovery code works once.")


def say_labels_once(form: Form) -> None:
    """The framework writes each label into its field as well."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class EnterForm(LoginForm):  # type: ignore[misc]
    """Name or address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        login = self.fields["login"]
        login.label = _("Username or email address")
        login.widget.attrs = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}

    def user_credentials(self) -> dict[str, str]:
        """What was given as a name, which is looked for among addresses, too. As an address besides, it would be looked
        for twice, and a known one told by how long a wrong password takes."""
        return {name: value for name, value in super().user_credentials().items() if name != "email"}


class AccountForm(SignupForm):  # type: ignore[misc]
    """A new account. Without an address nobody can send a letter when the password is forgotten."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        self.fields["username"].help_text = _(
            "You sign in with this name. You can change the name shown at tables at any time."
        )
        self.fields["email"].help_text = (
            _("Only used to reset your password. Without it, only the administrator of this site can help you.")
            if mail.are_sent()
            else _(
                "This site does not send email. If you forget your password, ask the administrator for a reset link."
            )
        )


class NewPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password for somebody who has forgotten theirs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        self.fields["password1"].label = _("New password")
        self.fields["password2"].label = _("New password (again)")


class _CountedCode(Form):
    """A code that may be tried only so often."""

    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = EITHER

    def clean_code(self) -> str:
        """The code. Raises ValidationError where it is wrong, and where they have to wait."""
        request = context.request
        attempt = sign_in_throttle.begin_code(request, self.user, get_adapter(request).get_client_ip(request))
        try:
            code: str = super().clean_code()  # type: ignore[misc]
        except ValidationError:
            sign_in_throttle.end(attempt, is_right=False)
            raise
        sign_in_throttle.end(attempt, is_right=True)
        return code


class CodeForm(_CountedCode, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class CodeAgainForm(_CountedCode, ReauthenticateForm):  # type: ignore[misc]
    """The same before something that matters."""
