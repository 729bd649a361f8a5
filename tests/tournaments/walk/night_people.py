"""Actions on people during an evening: merged, deleted, renamed, joining and leaving."""

from __future__ import annotations

from django.urls import reverse

from games.models import Player
from games.play.seats import player_changes
from games.play.signals import person_changed
from tests.cast import browser, person
from tests.tournaments.walk.night import Night
from tests.tournaments.walk.traces import list_traces
from tournaments.flow.clubs import membership
from tournaments.models import Membership, Role, Step, TimedSession

PAGES = ("club", "club_evenings", "club_talk", "club_records", "calendar", "news")


def merge_accounts(night: Night) -> None:
    """A guest signs in, and the club knows them: what the guest did is that person's, and nobody's twice."""
    guest = night.rng.choice(night.people)
    member = night.rng.choice([one for one in (night.owner, night.other, *night.people) if one != guest])
    role = _role_of(night, guest), _role_of(night, member)
    night.act(
        f"{guest.name} turns out to be {member.name}",
        lambda: player_changes.merge_guest(guest.pk, member.pk, now=night.now),
    )
    assert not Membership.objects.filter(player=guest).exists()
    assert _role_of(night, member) in role
    assert not Step.objects.filter(actor=guest).exists()
    assert not TimedSession.objects.filter(owner=guest).exists()
    night.names[member.pk] |= night.names.pop(guest.pk)
    _replace(night, guest)


def _role_of(night: Night, player: Player) -> str | None:
    rows = Membership.objects.filter(club=night.evening.club_id, player=player)
    return rows.values_list("role", flat=True).first()


def _replace(night: Night, gone: Player) -> None:
    """The guest is nobody any more; somebody else comes along."""
    newcomer = person(f"New {gone.pk}")
    night.names[newcomer.pk] = {newcomer.name}
    Membership.objects.create(club_id=night.evening.club_id or 0, player=newcomer)
    night.people[night.people.index(gone)] = newcomer
    night.clients[newcomer.pk] = browser(newcomer)
    assert night.clients.pop(gone.pk).get(reverse("tournaments:evening", args=[night.pk])).status_code == 200


def delete_account(night: Night) -> None:
    """Somebody goes for good: their name stands nowhere any more."""
    gone = night.rng.choice(night.people)
    night.act(f"{gone.name} goes for good", lambda: player_changes.delete_player(gone.pk, now=night.now))
    _replace(night, gone)
    club, names = night.evening.club, night.names.pop(gone.pk)
    left = {name: found for name in names if (found := list_traces(name))}
    assert not left, left
    assert club is not None
    pages = (reverse(f"tournaments:{page}", args=[club.slug]) for page in PAGES)
    for url in (reverse("tournaments:evening", args=[night.pk]), f"/api/v1/evenings/{night.pk}", *pages):
        answer = night.clients[night.owner.pk].get(url)
        assert answer.status_code == 200
        assert [name for name in names if name in answer.content.decode()] == [], url


def rename_account(night: Night) -> None:
    who = night.rng.choice(night.people)
    name = f"Renamed {who.pk}"
    night.names[who.pk].add(name)

    def rename() -> None:
        Player.objects.filter(pk=who.pk).update(name=name)
        person_changed.send_robust(sender=Player, player_id=who.pk)

    night.act(f"{who.name} is {name} now", rename)


def change_role(night: Night) -> None:
    """Somebody has another role, or none, or is taken in again; who steers nothing any more is refused."""
    who = night.rng.choice((night.other, *night.people))
    evening, role = night.evening, night.rng.choice((None, *Role, Role.MEMBER))
    row = Membership.objects.filter(club=evening.club_id, player=who).first()
    assert evening.club is not None
    club = evening.club
    if row is None:
        night.act(f"{who.name}: {role}", lambda: membership.take_in(club.pk, who.pk, role or Role.MEMBER))
    elif role is None:
        night.act(f"{who.name} is out", lambda: membership.leave(club, night.owner, row.pk))
    else:
        night.act(f"{who.name}: {role}", lambda: membership.change_role(club, night.owner, row.pk, role))
    if role is None or (role == Role.MEMBER and evening.owner_id != who.pk):
        sentence = night.press(who, action="extend", minutes=5, version=evening.version)
        assert row is None or sentence, "who leads nothing any more has done it"
