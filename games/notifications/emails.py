"""Notifications as email, each with a one-click unsubscribe link (RFC 8058)."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Notice
from games.notifications import wishes
from games.notifications.kinds import CHOOSABLE, KINDS, Kind
from games.play.errors import NotFound
from games.play.storage import codec

SALT = "games.notifications.unsubscribe"


def send_all(notices: Sequence[Notice]) -> list[str]:
    """Hand these to the mail server; returns an SMTP status or "no address" for each. Their players are loaded."""
    addresses = wishes.find_addresses([notice.player_id for notice in notices])
    connection = get_connection()
    reachable = [notice for notice in notices if notice.player_id in addresses]
    connection.send_messages([write(notice, addresses[notice.player_id], connection) for notice in reachable])
    sent = {notice.pk for notice in reachable}
    return ["250" if notice.pk in sent else "no address" for notice in notices]


def write(notice: Notice, address: str, connection: object) -> EmailMessage:
    """The email in its reader's language."""
    kind = Kind(notice.kind)
    unsubscribe = f"{settings.SITE_URL}{reverse('unsubscribe', args=[make_token(notice.player_id, kind)])}"
    with translation.override(wishes.find_language(notice.player)):
        message = KINDS[kind].write(codec.read(notice.details))
        body = "\n\n".join(
            part
            for part in (
                message.write_body(wishes.find_zone(notice.player_id)),
                f"{settings.SITE_URL}{notice.path}",
                _("You get this email because you chose it on %(site)s. Stop emails of this kind: %(link)s")
                % {"site": settings.SITE_URL, "link": unsubscribe},
            )
            if part
        )
        subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{message.title}".replace("\n", " ")
    headers = {"List-Unsubscribe": f"<{unsubscribe}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(subject, body, to=[address], headers=headers, connection=connection)


def make_token(player_id: int, kind: Kind) -> str:
    """The token of the link that stops emails of this kind to this person, without signing in."""
    return signing.dumps([player_id, kind.value], salt=SALT)


def read_token(token: str) -> tuple[int, Kind]:
    """The person and the kind. Raises NotFound."""
    try:
        player_id, kind = signing.loads(token, salt=SALT)
        found = Kind(kind)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise NotFound("This link is incomplete. Copy the whole link from the email.") from error
    if not isinstance(player_id, int) or found not in CHOOSABLE:
        raise NotFound("This link is incomplete. Copy the whole link from the email.")
    return player_id, found
