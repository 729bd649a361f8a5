"""Actions on people during a tournament: merged, deleted, renamed, joining and leaving."""

from __future__ import annotations

from games.models import Player
from games.play.seats.player_changes import delete_player, merge_guest
from games.play.signals import person_changed
from tests.cast import browser, person
from tests.tournaments.walk.site import Site
from tests.tournaments.walk.traces import list_traces
from tournaments.flow.clubs import membership
from tournaments.flow.seasons import season_changes
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Membership, PodSeat, Result, Role, Step, Tournament


def delete_account(site: Site) -> None:
    """Somebody goes for good; afterwards they can press nothing."""
    gone = site.rng.choice(site.people)
    site.journal.append(f"{gone.name} goes for good")
    delete_player(gone.pk, now=site.now)
    _replace(site, gone)
    left = {name: found for name in site.names.pop(gone.pk) if (found := list_traces(name))}
    assert not left, left
    site.read_again()


def merge_accounts(site: Site) -> None:
    """A guest signs in, and the club knows them: what the guest did is that person's, and nobody's twice."""
    guest = site.rng.choice(site.people)
    member = site.rng.choice([one for one in site.everybody() if one != guest])
    site.journal.append(f"{guest.name} turns out to be {member.name}")
    before = _points(site)
    merge_guest(guest.pk, member.pk, now=site.now)
    site.names[member.pk] |= site.names.pop(guest.pk)
    _replace(site, guest)
    after = _points(site)
    assert {number: before[number] for number in after} == after, "points are others"
    assert not Entrant.objects.filter(player=guest.pk).exclude(name__startswith="Anonymous").exists()
    assert not Membership.objects.filter(player=guest).exists()
    assert not Step.objects.filter(actor=guest).exclude(actor_name="Anonymous").exists()
    assert not Result.objects.filter(entered_by=guest).exists()
    nameless = PodSeat.objects.filter(substitute=guest, pod__round__tournament=site.tournament)
    assert not nameless.exclude(substitute_name="Anonymous").exists()
    site.read_again()


def _replace(site: Site, gone: Player) -> None:
    newcomer = person(f"New {gone.pk}")
    site.names[newcomer.pk] = {newcomer.name}
    site.clients[newcomer.pk] = browser(newcomer)
    site.replace(gone, newcomer)


def name_in_season(site: Site) -> None:
    """An organiser says under which name somebody stands in the season; the last name is their own again."""
    if entries := site.entrants(bot=""):
        one = site.rng.choice(entries)
        name = site.rng.choice(("", f"Season {one.pk}", f"Season {site.rng.choice(entries).pk}"))
        site.run(
            f"{one.name} is “{name}” in the season",
            lambda: season_changes.name_person(site.season, site.organiser(), one.pk, name, now=site.now),
        )


def _points(site: Site) -> dict[str, int]:
    book = open_book(Tournament.objects.get(pk=site.tournament.pk))
    return {line.entrant: line.points for line in ranking.rank(book)}


def rename_account(site: Site) -> None:
    """Somebody is called otherwise from now on; in the tournament the name stays."""
    who = site.rng.choice(site.people)
    name = site.rng.choice(("Zoe", "Uncle Bob", "N1", f"R{who.pk}"))
    site.names[who.pk] |= {name} - {"Zoe", "Uncle Bob", "N1"}  # as which others are known, too

    def rename() -> None:
        Player.objects.filter(pk=who.pk).update(name=name)
        person_changed.send_robust(sender=Player, player_id=who.pk)

    site.run(f"{who.name} is {name} now", rename)


def change_role(site: Site) -> None:
    """The second organiser, or a helper, has another role, or none, or is taken in again."""
    who = site.rng.choice((site.other, *site.helpers))
    row = Membership.objects.filter(club=site.tournament.club, player=who).first()
    role = site.rng.choice((None, *Role))
    text = f"{who.name}: {role}"
    if row is None:
        site.run(text, lambda: membership.take_in(site.tournament.club_id, who.pk, role or Role.MEMBER))
    elif role is None:
        site.run(text, lambda: membership.leave(site.tournament.club, site.owner, row.pk))
    else:
        site.run(text, lambda: membership.change_role(site.tournament.club, site.owner, row.pk, role))
    if role in (None, Role.MEMBER):
        assert site.press(who, "do", action="walk-in", name="X"), "who leads nothing any more has done it"
