"""`reset_link`: a link with which somebody sets a new password; for sites that send no email."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from games.accounts.sign_in import reset_links
from games.models import ResetLink, User
from games.play.errors import Refusal


class Command(BaseCommand):
    """Writes the link, which is shown nowhere again."""

    help = "Create a link with which somebody sets a new password for their account, or withdraw it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """NAME and --withdraw."""
        parser.add_argument("name", metavar="NAME", help="the username or email address of the account")
        parser.add_argument(
            "--withdraw", action="store_true", help="withdraw the open link, so that it no longer works"
        )

    def handle(self, *_: Any, name: str, withdraw: bool, **__: Any) -> None:
        """Exits with status 1 if there is no such account."""
        user = _find_user(name)
        if withdraw:
            done = reset_links.withdraw(user, now=time.time())
            self.stdout.write(f"The link for {user} is withdrawn." if done else f"There is no open link for {user}.")
            return
        try:
            token = reset_links.make(user, reset_links.LinkMaker(ResetLink.Kind.COMMAND), now=time.time())
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{settings.SITE_URL}{reverse('reset_by_link', args=[token])}")
        self.stderr.write(f"For {user}. It works once, within {reset_links.LASTS_HOURS} hours. It is not shown again.")
        if not settings.SITE_URL:
            self.stderr.write("Put the address of this site in front of it (SITE_URL is not set).")


def _find_user(name: str) -> User:
    """The account of this name or address. Raises CommandError."""
    found = User.objects.filter(username__iexact=name) or User.objects.filter(emailaddress__email__iexact=name)
    users = list(found.distinct()[:2])
    if len(users) != 1:
        raise CommandError(f"There {'are several accounts' if users else 'is no account'} with this name or address.")
    return users[0]
