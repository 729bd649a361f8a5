"""Whatever is done to a club, a tournament or an evening asks who does it, whichever page or program it comes by."""

from __future__ import annotations

from games import models
from tests.cast import person
from tests.tournaments.cast import found
from tests.tournaments.doing import (
    Act,
    fill_club,
    is_for_known,
    is_permitted,
    list_acts,
    list_links,
    read_rows,
    try_out,
    with_account,
)
from tournaments.flow.clubs import club_changes, club_picture, club_talk, membership, webhooks
from tournaments.flow.evenings import sessions
from tournaments.flow.people import device_links, representing
from tournaments.models import Membership, Role

OWNERS: set[Act] = {
    membership.edit_club, membership.change_role, club_changes.edit_club, club_changes.change_role,
    club_picture.change, club_picture.remove,
    webhooks.add, webhooks.remove, webhooks.renew_secret, webhooks.send_again,
    webhooks.choose_events, webhooks.send_test, webhooks.turn_on,
}  # fmt: skip
"""What only an owner does."""
MEMBERS: set[Act] = {sessions.open_evening, sessions.bring_table, club_talk.require_talk}
"""What every member does."""
INSIDE = {
    "entry.sign_up.require_own", "entry.sign_up.is_own", "permissions.has_duty", "people.representing.name_maker",
    "clubs.moderation.require_power", "archive.export_jobs.ask_file", "clubs.club_talk.clear_for_staff",
    "clubs.moderation.log_clearing", "clubs.club_changes.log_change",
}  # fmt: skip
"""Part of what checks, for readers of the tournament, and for the staff of the site."""
MAY = {
    Role.OWNER: {Role.OWNER},
    Role.ORGANISER: {Role.OWNER, Role.ORGANISER},
    Role.MEMBER: {Role.OWNER, Role.ORGANISER, Role.MEMBER},
}
ACTS = {name: act for name, act in list_acts().items() if name not in INSIDE}
ASKING = {name: act for name, act in ACTS.items() if not is_for_known(act)}


def test_only_who_has_the_role_for_it(ana: models.Player, eva: models.Player) -> None:
    """Each finds the club as it was: what was done is rolled back."""
    arguments, wrong = fill_club(ana), []
    people: dict[str, models.Player] = {role: with_account(person(f"Some {role}")) for role in Role}
    Membership.objects.bulk_create(
        Membership(club=arguments["club"], player=who, role=role) for role, who in people.items()
    )
    found(eva, "Another Club")
    assert len(ASKING) > 50
    for name, act in ASKING.items():
        least = Role.OWNER if act in OWNERS else Role.MEMBER if act in MEMBERS else Role.ORGANISER
        mine = {"table_id": "none"} if act is sessions.bring_table else {}  # nobody brings another's
        if act in (device_links.make, representing.require_guest):  # for people without an account
            mine = {"member_id": arguments["guest_member_id"]}
        allowed = {role for role, who in people.items() if is_permitted(act, who, arguments | mine)}
        if allowed != MAY[least] or is_permitted(act, eva, arguments) or is_permitted(act, None, arguments):
            wrong.append((name, allowed))
    assert wrong == []


def test_nobody_reaches_into_another_club_by_their_own(ana: models.Player, eva: models.Player) -> None:
    theirs = fill_club(ana)
    ids_before = read_rows().keys()
    own = {name: value for name, value in fill_club(eva).items() if name in ("club", "tournament", "evening", "season")}
    before, wrong = read_rows(), []
    assert len(ACTS) > len(ASKING)
    for name, act in ACTS.items():
        _, after = try_out(act, eva, theirs | own, read_rows)
        changed = [key for key in ids_before if after.get(key) != before[key]]
        new = {key: row for key, row in after.items() if key not in before}
        linked = [(kind, pk) for kind, pk in list_links(new) if (kind, pk) in ids_before and kind != "Player"]
        if changed or linked:
            wrong.append((name, changed, linked))
    assert wrong == []
