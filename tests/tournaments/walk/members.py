"""What becomes of people while it goes on: they turn out to be one, go for good, are renamed, come and leave."""

from __future__ import annotations

from games.models import Player
from games.play.seats.player_changes import delete_player, merge_guest
from games.play.signals import person_changed
from tests.cast import browser, person
from tests.tournaments.walk.house import House
from tests.tournaments.walk.traces import list_traces
from tournaments.flow.clubs import membership
from tournaments.flow.seasons import season_changes
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Membership, PodSeat, Result, Role, Step, Tournament


def delete_account(house: House) -> None:
    """Somebody goes for good; afterwards he is nobody that could press anything."""
    gone = house.rng.choice(house.people)
    house.told.append(f"{gone.name} goes for good")
    delete_player(gone.pk, now=house.now)
    _replace(house, gone)
    left = {name: found for name in house.names.pop(gone.pk) if (found := list_traces(name))}
    assert not left, left
    house.read_again()


def merge_accounts(house: House) -> None:
    """A guest signs in, and is somebody whom the club knows: what he did is that person's, and nobody's twice."""
    guest = house.rng.choice(house.people)
    known = house.rng.choice([one for one in house.everybody() if one != guest])
    house.told.append(f"{guest.name} turns out to be {known.name}")
    before = _points(house)
    merge_guest(guest.pk, known.pk, now=house.now)
    house.names[known.pk] |= house.names.pop(guest.pk)
    _replace(house, guest)
    after = _points(house)
    assert {number: before[number] for number in after} == after, "points are others"
    assert not Entrant.objects.filter(player=guest.pk).exclude(name__startswith="Anonymous").exists()
    assert not Membership.objects.filter(player=guest).exists()
    assert not Step.objects.filter(actor=guest).exclude(actor_name="Anonymous").exists()
    assert not Result.objects.filter(entered_by=guest).exists()
    nameless = PodSeat.objects.filter(substitute=guest, pod__round__tournament=house.tournament)
    assert not nameless.exclude(substitute_name="Anonymous").exists()
    house.read_again()


def _replace(house: House, gone: Player) -> None:
    newcomer = person(f"New {gone.pk}")
    house.names[newcomer.pk] = {newcomer.name}
    house.clients[newcomer.pk] = browser(newcomer)
    house.replace(gone, newcomer)


def name_in_season(house: House) -> None:
    """An organiser says as whom somebody stands in the season; the last name is his own again."""
    if entries := house.entrants(bot=""):
        one = house.rng.choice(entries)
        name = house.rng.choice(("", f"Season {one.pk}", f"Season {house.rng.choice(entries).pk}"))
        house.run(
            f"{one.name} is “{name}” in the season",
            lambda: season_changes.name_person(house.season, house.organiser(), one.pk, name, now=house.now),
        )


def _points(house: House) -> dict[str, int]:
    book = open_book(Tournament.objects.get(pk=house.tournament.pk))
    return {line.entrant: line.points for line in ranking.rank(book)}


def rename_account(house: House) -> None:
    """Somebody is called otherwise from now on; in the tournament he stands as before."""
    who = house.rng.choice(house.people)
    name = house.rng.choice(("Zoe", "Uncle Bob", "N1", f"R{who.pk}"))
    house.names[who.pk] |= {name} - {"Zoe", "Uncle Bob", "N1"}  # as which others are known, too

    def rename() -> None:
        Player.objects.filter(pk=who.pk).update(name=name)
        person_changed.send_robust(sender=Player, player_id=who.pk)

    house.run(f"{who.name} is {name} now", rename)


def change_role(house: House) -> None:
    """The second organiser, or a helper, has another role, or none, or is taken in again."""
    who = house.rng.choice((house.other, *house.helpers))
    known = Membership.objects.filter(club=house.tournament.club, player=who).first()
    role = house.rng.choice((None, *Role))
    said = f"{who.name}: {role}"
    if known is None:
        house.run(said, lambda: membership.take_in(house.tournament.club_id, who.pk, role or Role.MEMBER))
    elif role is None:
        house.run(said, lambda: membership.leave(house.tournament.club, house.owner, known.pk))
    else:
        house.run(said, lambda: membership.change_role(house.tournament.club, house.owner, known.pk, role))
    if role in (None, Role.MEMBER):
        assert house.press(who, "do", action="walk-in", name="X"), "who leads nothing any more has done it"
