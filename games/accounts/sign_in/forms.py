"""The framework's forms for signing up and signing in, with labels and help of this site."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    LoginForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
    SignupForm,
)
from allauth.account.forms import ReauthenticateForm as PasswordForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django.forms import CharField, Form, ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.accounts import mail
from games.accounts.guest_linking import TABLE_NAME, find_guest
from games.accounts.sign_in import sign_in_throttle
from games.models import User
from games.play.errors import BadInput
from games.play.seats.player_names import MAX_NAME, clean_name
from games.play.seats.reserved_names import require_free
from games.play.sentences import say_sentence

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
    """A new account. Without an address nobody can send a letter when the password is forgotten.

    The name at tables is a field of its own; a guest keeps theirs unless they change it here.
    """

    table_name = CharField(required=False, max_length=MAX_NAME)
    field_order = ("username", "table_name", "email", "password1")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        self.guest = find_guest(context.request)
        self.fields["username"].help_text = _("You sign in with it. It is not shown to other players.")
        shown = self.fields["table_name"]
        shown.label = _("Name at the tables")
        shown.help_text = _("Others see this name. You can change it at any time. Empty: your username.")
        shown.widget.attrs = {"autocomplete": "nickname"}
        if self.guest is not None:
            shown.initial = self.guest.name
        self.fields["email"].help_text = (
            _("Only used to reset your password. Without it, only the administrator of this site can help you.")
            if mail.are_sent()
            else _(
                "This site does not send email. If you forget your password, ask the administrator for a reset link."
            )
        )

    def clean_table_name(self) -> str:
        """A name that may stand at tables, or empty. Raises ValidationError."""
        name: str = self.cleaned_data["table_name"]
        if not name or (self.guest is not None and name == self.guest.name):
            return name
        try:
            name = clean_name(name, most=MAX_NAME)
            require_free(name)
        except BadInput as error:
            raise ValidationError(say_sentence(error)) from error
        return name

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Say which name the new account's player gets (`guest_linking.link_new_account`)."""
        super().custom_signup(request, user)
        setattr(user, TABLE_NAME, self.cleaned_data["table_name"])


class NewPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password for somebody who has forgotten theirs. It is typed once: a button shows it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        self.fields["password1"].label = _("New password")
        del self.fields["password2"]


class OtherPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Change one's password, typed once, knowing the present one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        self.fields["password1"].label = _("New password")
        del self.fields["password2"]


class FirstPasswordForm(SetPasswordForm):  # type: ignore[misc]
    """A password for an account that has none, typed once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)
        del self.fields["password2"]


class PasswordAgainForm(PasswordForm):  # type: ignore[misc]
    """The password, asked for again before a sensitive change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)


class AddressForm(AddEmailForm):  # type: ignore[misc]
    """An email address for one's account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)


class FirstCodeForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an authenticator app."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_labels_once(self)


class NewKeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A new security key or passkey."""

    name = CharField(label=_("Key name"), required=False)


class RenamedKeyForm(EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a security key or passkey."""

    name = CharField(label=_("Key name"))


class _CountedCode(Form):
    """A code field with a limit of attempts."""

    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = EITHER

    def clean_code(self) -> str:
        """The code. Raises ValidationError if it is wrong, or the person has to wait."""
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
    """The same code, asked for again before a sensitive change."""
