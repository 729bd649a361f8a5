"""Members by a program: roles, invitations, removals; as the club's page has it, logged and undone."""

from __future__ import annotations

import pytest

from games.models import Player
from games.play.errors import NotAllowed
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import Organiser
from tournaments.flow.clubs import membership
from tournaments.models import Club, Invitation, Membership, ModerationStep, Role


@pytest.fixture
def ben(club: Club) -> Player:
    player = account("Ben")
    membership.take_in(club.pk, player.pk, Role.MEMBER)
    return player


def test_members_are_listed_and_get_roles(described: Description, desk: Organiser, club: Club, ben: Player) -> None:
    base = f"/clubs/{club.slug}"
    assert [(one["name"], one["role"]) for one in desk.get(f"{base}/members")] == [("Ana", "owner"), ("Ben", "member")]
    for _ in range(2):
        assert desk.post(f"{base}/members/{ben.pk}/role", role="organiser", key="k")["role"] == "organiser"
    theirs = Organiser(described, ben)
    theirs.post(f"{base}/members/{ben.pk}/role", 403, role="owner")
    [first, _] = theirs.get(f"{base}/members")
    theirs.post(f"{base}/members/{first['person']}/role", 403, role="member")
    theirs.post(f"{base}/members/{first['person']}/remove", 403)
    desk.post(f"{base}/members/{first['person']}/role", 409, role="member")  # a club keeps an owner
    desk.post(f"{base}/members/999999/role", 404, role="member")
    desk.post(f"{base}/members/{ben.pk}/role", 422, role="king")


def test_silence_is_told_to_organisers_only(described: Description, desk: Organiser, club: Club, ben: Player) -> None:
    Membership.objects.filter(player=ben).update(silenced_until=9e9)
    path = f"/clubs/{club.slug}/members"
    assert [one["silenced_until"] for one in desk.get(path)] == [None, 9e9]
    assert [one["silenced_until"] for one in Organiser(described, ben).get(path)] == [None, None]
    Club.objects.update(is_public=False)
    Organiser(described, account("Zed")).get(path, 403)


def test_a_removal_is_logged_and_undone(desk: Organiser, club: Club, ben: Player) -> None:
    base = f"/clubs/{club.slug}"
    for _ in range(2):
        log = desk.post(f"{base}/members/{ben.pk}/remove", key="out")
        assert [(one["kind"], one["who"], one["person"], one["is_reverted"]) for one in log] == [
            ("remove", "Ana", ben.pk, False)
        ]
    assert log == desk.get(f"{base}/steps")
    assert desk.get(f"{base}/steps?before={log[0]['number']}") == []
    desk.post(f"{base}/members/{ben.pk}/remove", 404)
    assert desk.post(f"{base}/steps/{log[0]['number']}/undo")[0]["is_reverted"]
    assert Membership.objects.filter(club=club, player=ben).exists()
    desk.post(f"{base}/steps/999999/undo", 404)


def test_who_is_kept_out_is_let_in_again(desk: Organiser, club: Club, ben: Player) -> None:
    base = f"/clubs/{club.slug}"
    link = desk.post(f"{base}/invitations")
    desk.post(f"{base}/members/{ben.pk}/remove", keep_out=True)
    later = desk.post(f"{base}/invitations")
    for token in (link["token"], later["token"]):
        with pytest.raises(NotAllowed):
            membership.accept(token, ben)
    [out] = desk.get(f"{base}/kept-out")
    assert (out["person"], out["name"]) == (ben.pk, "Ben")
    for _ in range(2):
        assert desk.post(f"{base}/kept-out/{ben.pk}/let-in", key="in") == []
    assert Membership.objects.filter(club=club, player=ben, role=Role.MEMBER).exists()
    assert ModerationStep.objects.get().undone_at is not None


def test_links_are_made_used_and_withdrawn(
    described: Description, desk: Organiser, host: Player, club: Club, ben: Player
) -> None:
    base = f"/clubs/{club.slug}/invitations"
    made = desk.post(base, role="organiser", uses=2, days=None, key="fair")
    assert desk.post(base, role="organiser", uses=2, days=None, key="fair") == made
    assert (made["uses_left"], made["joined"], made["expires_at"], made["made_by"]) == (2, 0, None, host.pk)
    assert made["url"].endswith(f"/clubs/in/{made['token']}/")
    membership.accept(made["token"], account("Cem"))
    [shown] = desk.get(base)
    assert (shown["uses_left"], shown["joined"]) == (1, 1)
    desk.post(base, 400, days=3)
    desk.post(base, 400, uses=0)
    for _ in range(2):
        assert desk.post(f"{base}/{made['token']}/withdraw", key="k") == []
    assert Invitation.objects.get().withdrawn
    Organiser(described, ben).post(base, 403)
    Membership.objects.filter(player=ben).update(role=Role.ORGANISER)
    theirs = Organiser(described, ben)
    theirs.post(base, 403, role="owner")
    assert theirs.post(base)["role"] == "member"


def test_the_log_links_and_removals_are_for_organisers(described: Description, club: Club, ben: Player) -> None:
    for name in ("steps", "invitations", "kept-out", "templates"):
        Organiser(described, ben).get(f"/clubs/{club.slug}/{name}", 403)
        Organiser(described, ben).get(f"/clubs/nowhere/{name}", 404)
