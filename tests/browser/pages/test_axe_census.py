"""Axe looks at every page: where links lead, where tests of one page look, and here at the rest."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

import pytest

from games.models import Player, User
from tests.browser.conftest import Invite
from tests.browser.pages.test_accessible import examine, find_violations
from tests.browser.pages.test_accounts import sign_up
from tests.browser.pages.test_every_page import LED_TO
from tests.browser.server_state import OnServer
from tests.browser.tables.test_replay import upload_record
from tests.browser.visitor import LAPTOP, PHONE, REFUSED
from tests.cast import person
from tests.test_permissions import ROWS
from tests.tournaments import cast
from tests.tournaments.test_permissions import ROWS as CLUB_ROWS
from tournaments.flow.clubs import invitations, membership
from tournaments.flow.entry import duties
from tournaments.flow.evenings import sessions
from tournaments.flow.people import reset_links
from tournaments.flow.planning import plan_templates
from tournaments.models import Role

pytestmark = pytest.mark.chromium

WAYS = (("light", PHONE), ("dark", LAPTOP))
NO_PAGES = {
    "board", "health", "manifest", "metrics", "ready", "record", "service_worker", "talk", "upload_record", "view_json",
    "tournaments:club_pulse", "tournaments:club_talk", "tournaments:coming", "tournaments:download",
    "tournaments:evening_pulse", "tournaments:export_me", "tournaments:pulse",
}  # fmt: skip
"""Files, data, and parts of pages."""
ELSEWHERE = {
    "account_reset_password_done": "test_accounts", "account_reset_password_from_key": "test_accounts",
    "account_signup": "test_accessible", "mfa_list_webauthn": "test_accounts",
    "holidays": "test_my_tables", "my_tables": "test_my_tables", "offline": "test_my_tables",
    "tournaments:claim": "test_club_forms", "tournaments:settle": "test_club_forms",
    "upload": "test_replay", "verify_upload": "test_replay",
}  # fmt: skip
"""Pages at which tests of their own let axe look."""
HERE = {
    "account_confirm_email", "account_email_verification_sent", "account_inactive", "account_reauthenticate",
    "account_reset_password_from_key_done", "tournaments:club_evenings", "tournaments:club_tournaments",
    "tournaments:duty", "tournaments:evening_guest", "tournaments:fair", "tournaments:invitation",
    "tournaments:plan_templates", "tournaments:teams", "upload_analysis",
}  # fmt: skip


def test_every_page_is_looked_at() -> None:
    rooms = {name for name, _where, form, statuses in ROWS if not form and 200 in statuses.values()}
    clubs = {
        f"tournaments:{name}" for name, _args, form, statuses in CLUB_ROWS if not form and 200 in statuses.values()
    }
    ours = {name for name in rooms | clubs if not name.startswith("admin:")}
    assert ours - LED_TO - HERE - NO_PAGES - ELSEWHERE.keys() == set()


def test_pages_of_an_account_that_no_link_leads_to(invite: Invite) -> None:
    reader = invite()
    reader.expected.append(REFUSED)
    sign_up(reader, "axel")
    found = {
        path: list(examine(reader, path, status, WAYS))
        for path, status in [
            ("/account/confirm-email/wrong-key/", 200),
            ("/account/confirm-email/", 200),
            ("/account/inactive/", 200),
            ("/account/reauthenticate/", 200),
            ("/account/password/reset/key/done/", 200),
        ]
    }
    upload_record(reader)
    key = re.search(r"/replays/([^/?]+)", reader.page.url)
    assert key is not None
    found["analysis"] = list(examine(reader, f"/replays/{key[1]}/analysis/", 200, WAYS))
    assert found == {path: [] for path in found}


def make() -> dict[str, str]:
    """A club with everything to which a link from outside leads; returns the addresses."""
    now = time.time()
    ana, eva = Player.objects.filter(name="Ana").latest("pk"), person("Eva")
    Player.objects.filter(pk=eva.pk).update(
        user=User.objects.create_user(f"eva{eva.pk}", password="a long pass phrase")
    )
    club = cast.found(ana)
    membership.take_in(club.pk, eva.pk, Role.MEMBER)
    one = cast.begin(ana, cast.NAMES[:8], club=club, venue="real", team_size=2)
    plan_templates.save_template(one, ana, name="Thursdays", now=now)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 60, None), now=now)
    club.memberships.update(since=datetime(2025, 1, 1, tzinfo=UTC))
    member = club.memberships.get(player=eva)
    _user, token = reset_links.make_for_member(club, ana, member.pk, now=now)
    return {
        "invitation": f"/clubs/in/{invitations.invite(club, ana).token}/",
        "reset link": f"/account/password/reset/link/{token}/",
        "duty": f"/tournaments/{one.pk}/duties/{duties.give_duty(one, ana, 'door', name='Dora', now=now).token}/",
        "guests": f"/evenings/{evening.pk}/guests/{evening.guest_token}/",
        "teams": f"/tournaments/{one.pk}/teams/",
        "fair": f"/tournaments/{one.pk}/deals/",
        "templates": f"/clubs/{club.slug}/templates/",
        "tournaments": f"/clubs/{club.slug}/tournaments/",
        "evenings": f"/clubs/{club.slug}/evenings/",
    }


@pytest.mark.usefixtures("cast_now")
def test_pages_of_a_club_that_links_from_outside_lead_to(invite: Invite, on_server: OnServer) -> None:
    ana, guest = invite(), invite()
    for visitor in (ana, guest):
        visitor.expected.append(REFUSED)
    sign_up(ana, "axa")
    ana.go("/me/")
    ana.at("#id_name").fill("Ana")
    ana.page.get_by_role("button", name="Save", exact=True).first.click()
    ana.page.wait_for_load_state()
    paths = on_server(make)
    found = {}
    for name, path in paths.items():
        reader = guest if name in ("invitation", "reset link", "duty", "guests") else ana
        if reader.go(path) != 200:
            found[name] = ["not there"]
        else:
            found[name] = list(find_violations(reader, WAYS))
    assert found == {name: [] for name in found}
