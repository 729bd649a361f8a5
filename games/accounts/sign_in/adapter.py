"""Adapters of the accounts framework: guests keep their games, people their language, second factors are encrypted."""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, ClassVar, Final, NamedTuple
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.accounts import mail
from games.accounts.language import remember_language
from games.accounts.rate_limits import network_of
from games.accounts.sign_in import sign_in_throttle
from games.accounts.site_urls import rebase
from games.models import Player
from games.play.errors import BadInput, NotAllowed
from games.play.seats.player_names import clean_name
from games.play.seats.reserved_names import require_free
from games.play.sentences import say_sentence

logger = logging.getLogger(__name__)
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"
MAX_USERNAME: Final = 150
"""Characters, as wide as Django's column."""


class MailSender(NamedTuple):
    """The sender of emails. domain: host and port of this site."""

    name: str
    domain: str


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The framework's accounts, adapted to this site."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network address for rate limits, as the server has checked it (behind a proxy, what the proxy says)."""
        return network_of(str(request.META.get("REMOTE_ADDR") or ""))

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A username that is also a valid player name, which it becomes. Raises ValidationError."""
        try:
            username = clean_name(username, most=MAX_USERNAME)
            require_free(username)
        except BadInput as error:
            raise ValidationError(say_sentence(error)) from error
        return str(super().clean_username(username, shallow=shallow))

    def render_mail(self, template_prefix: str, email: str, context: dict[str, Any], headers: Any = None) -> Any:
        """A letter in its reader's language. Every address in it is under SITE_URL: the person who asks for a letter
        chooses the `Host` of the request, and a link to another host or port would bring its key there."""
        sender = MailSender("Menagerie", urlsplit(settings.SITE_URL).netloc or context["current_site"].domain)
        links = {name: rebase(value) for name, value in context.items() if name.endswith("_url")}
        with translation.override(_language_of(email)):
            return super().render_mail(template_prefix, email, {**context, **links, "current_site": sender}, headers)

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **words: Any
    ) -> None:
        """Show a message of the framework, except that an email was sent on a site that sends none."""
        if message_template == CONFIRMATION_SENT and not mail.are_sent():
            words["message"] = _("This site does not send email, so your address cannot be confirmed.")
        super().add_message(request, level, message_template, *args, **words)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raises ValidationError if the person has to wait before the next attempt."""
        login = str(credentials.get("username") or credentials.get("email") or "")
        self._attempt = sign_in_throttle.begin_password(request, login, self.get_client_ip(request))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """The account that these credentials open, or None. Raises ValidationError."""
        user = super().authenticate(request, **credentials)
        sign_in_throttle.end(self._attempt, is_right=user is not None)
        return user

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Go on in the language of the profile."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        player = Player.objects.filter(user=user).first()
        if player is not None and player.language:
            remember_language(response, player.language)
        return response


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of authenticator apps are encrypted in the database, under a key derived from SECRET_KEY."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("That code or key was not accepted. Try the current code or another method."),
    }

    def encrypt(self, text: str) -> str:
        """The text as it is stored."""
        return _lock().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The inverse of `encrypt`. Raises NotAllowed if SECRET_KEY is another one."""
        if not self.can_read(encrypted_text):
            logger.error("a second factor was stored under another SECRET_KEY than this one")
            raise NotAllowed(
                "Two-factor codes for this account no longer work. Ask the administrator to remove them. "
                "Then your password is enough."
            )
        return _lock().decrypt(encrypted_text.encode()).decode()

    def can_read(self, encrypted_text: str) -> bool:
        """Whether this was stored under the present SECRET_KEY."""
        try:
            _lock().decrypt(encrypted_text.encode())
        except InvalidToken:
            return False
        return True

    def get_totp_issuer(self) -> str:
        """The name of this site in authenticator apps."""
        return str(settings.MFA_TOTP_ISSUER)


def _language_of(email: str) -> str:
    """The language of the profile with this address; the request may have come from somebody else."""
    readers = Player.objects.filter(user__emailaddress__email=email.lower()).exclude(language="")
    language = readers.order_by("-user__emailaddress__verified", "pk").values_list("language", flat=True).first()
    return language or translation.get_language() or settings.LANGUAGE_CODE


def _lock() -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(b"menagerie/second-factor\0" + settings.SECRET_KEY.encode()).digest()))
