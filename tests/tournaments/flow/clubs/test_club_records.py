"""The records of a club: of its members only, of those who are seen; all who share one are named."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player, Ply
from tests.cast import NOW, browser, finish, person, start_table
from tournaments.flow.clubs.club_records import ClubRecord, RecordHolder, list_records
from tournaments.flow.counting import finished_tables, player_totals
from tournaments.models import CareerEntry, Club, Membership, PersonResult, TimedSession
from tournaments.views.clubs import club_pages


@pytest.fixture
def club(ana: Player, ben: Player) -> Club:
    """The club of Ana and Ben."""
    club = Club.objects.create(slug="foxes", name="The Foxes", avatar="fox", feed_token="f")
    for player in (ana, ben):
        Membership.objects.create(club=club, player=player)
    return club


def enter(player: Player, rank: int, spell: int, *, at: float, climb: int | None = None) -> None:
    """A career entry of Karriere Poker at a table of five, given by hand."""
    table = finish(start_table(player, options={"deals": 1}))
    CareerEntry.objects.create(
        table_id=table.id, player=player, game="karriere-poker", deal=9, seat=0, rank=rank, of=5,
        job="boss" if rank == 1 else "dishwasher", spell=spell, climb=climb, at=NOW + at,
    )  # fmt: skip
    player_totals.refresh([player.pk])


def test_records_are_the_members_own(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    enter(ana, 1, 3, at=1, climb=4)
    enter(ben, 1, 3, at=2, climb=2)
    enter(ben, 5, 6, at=3)
    enter(eva, 1, 99, at=4, climb=1)
    (records,) = list_records(club)
    assert records.reign == ClubRecord(3, (RecordHolder(ana.pk, "Ana", "fox"), RecordHolder(ben.pk, "Ben", "owl")))
    assert records.bottom == ClubRecord(6, (RecordHolder(ben.pk, "Ben", "owl"),))
    assert records.climb == ClubRecord(2, (RecordHolder(ben.pk, "Ben", "owl"),))
    Player.objects.filter(pk=ben.pk).update(is_listed=False)
    (records,) = list_records(club)
    assert (records.bottom, records.climb) == (None, ClubRecord(4, (RecordHolder(ana.pk, "Ana", "fox"),)))
    assert records.reign == ClubRecord(3, (RecordHolder(ana.pk, "Ana", "fox"),))


def test_holders_of_the_same_name_are_told_apart(club: Club, ana: Player, ben: Player) -> None:
    Player.objects.filter(pk=ben.pk).update(name="Ana")
    Membership.objects.filter(player=ben).update(alias="Ana 2")
    enter(ana, 1, 3, at=1)
    enter(ben, 1, 3, at=2)
    (records,) = list_records(club)
    assert records.reign is not None
    assert [one.name for one in records.reign.holders] == ["Ana", "Ana 2"]


def test_all_who_share_a_record_are_named_on_the_page_and_by_the_api(club: Club, ana: Player, ben: Player) -> None:
    people = [person(f"Member {number:02d}") for number in range(9)]
    Membership.objects.bulk_create(Membership(club=club, player=one) for one in people)
    for at, one in enumerate([ben, *people]):
        enter(one, 1, 4, at=at)
    enter(ana, 1, 3, at=20)
    (records,) = list_records(club)
    assert records.reign is not None
    assert [one.name for one in records.reign.holders] == ["Ben", *(f"Member {number:02d}" for number in range(9))]
    html = Client().get(reverse("tournaments:club_records", args=["foxes"])).content.decode()
    shown = html.partition("Longest at the top")[2].partition("</dd>")[0]
    assert all(f">{one.name}<" in shown for one in (ben, *people))
    assert ">Ana<" not in shown
    answer = Client().get("/api/v1/clubs/foxes/records").json()[0]["reign"]
    assert (answer["name"], answer["amount"], len(answer["holders"])) == ("Ben", 4, 10)


def play(game: str, *players: Player) -> None:
    """A finished and counted table of these people."""
    table = finish(start_table(*players, game=game, seats_wished=len(players)))
    finished_tables.count_table(table.id, now=NOW)


def test_games_without_ranks_keep_their_own_records(club: Club, ana: Player, ben: Player, eva: Player) -> None:
    for game in ("animals-on-board", "fancy-animals", "super-zwierzaki"):
        play(game, ana, ben)
    play("animals-on-board", eva, ana)
    PersonResult.objects.filter(player=eva).update(feat=999)
    player_totals.refresh([eva.pk])
    records = {record.game: record.feat for record in list_records(club)}
    for game in ("animals-on-board", "fancy-animals"):
        results = PersonResult.objects.filter(game=game, player__in=(ana, ben)).values_list("player", "score")
        best = records[game]
        assert best is not None
        assert {(one.player_id, best.amount) for one in best.holders} <= set(results)
        assert best.amount == max(score or 0 for _, score in results)
    duel = records.get("super-zwierzaki")
    begun = Ply.objects.filter(table__seats__player=ana, events__contains='"duel_begun"').exists()
    assert (duel is not None) == begun
    page = Client().get(reverse("tournaments:club_records", args=["foxes"])).content.decode()
    assert ("Best ark (points)" in page, "Fanciest animal" in page, "999" in page) == (True, True, False)
    profile = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    assert ("Best ark (points)" in profile, "Fanciest animal" in profile) == (True, True)


def test_the_page_shows_records_seasons_and_evenings(club: Club, ana: Player, ben: Player) -> None:
    table = finish(start_table(ana, ben, options={"deals": 3}))
    finished_tables.count_table(table.id, now=NOW)
    TimedSession.objects.create(
        id="e", club=club, name="First Friday", game="animal-poker", starts_at=NOW, ends_at=NOW + 3600
    )
    url = reverse("tournaments:club_records", args=["foxes"])
    page = Client().get(url).content.decode()
    for words in ("Records of The Foxes", "Longest at the top", "First Friday", "?club=foxes&amp;season=2055", "Ana"):
        assert words in page
    Club.objects.update(is_public=False)
    assert (Client().get(url).status_code, browser(ana).get(url).status_code) == (404, 200)


def test_of_a_very_large_club_who_looks_after_it_is_shown_first(
    club: Club, ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    Membership.objects.filter(player=ben).update(role="owner")
    url = reverse("tournaments:club", args=["foxes"])
    assert "are shown." not in Client().get(url).content.decode()
    monkeypatch.setattr(club_pages, "SHOWN_MEMBERS", 1)
    monkeypatch.setattr(club_pages, "SHOWN_OF_MANY", 1)
    page = Client().get(url).content.decode()
    links = [f"/people/{player.pk}/" in page for player in (ana, ben)]
    assert (links, "Showing the first 1." in page) == ([False, True], True)


def test_a_new_club_has_room_for_records(club: Club) -> None:
    page = Client().get(reverse("tournaments:club_records", args=["foxes"])).content.decode()
    assert "No member has finished a rated game yet. The best" in page
    assert Client().get(reverse("tournaments:club_records", args=["nowhere"])).status_code == 404
