"""Leaderboards: filters in the address, ties, provisional people, pages, clubs, privacy."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from games.models import Player
from games.play.errors import BadInput, NotFound
from tests.cast import browser, person
from tests.html import read_page
from tournaments.flow.clubs import invitations, membership
from tournaments.flow.counting import place_counts
from tournaments.flow.counting.leaderboard_rows import follow_person, order_rating, order_share
from tournaments.flow.people import merging
from tournaments.flow.profiles import leaderboards
from tournaments.flow.profiles.leaderboards import Query, list_page, read_query
from tournaments.models import Board, BoardRow, Club, Ledger, Membership
from tournaments.views.profiles.leaderboards import build_query_string


def seat(board: Board, name: str, **columns: Any) -> BoardRow:
    """Somebody on a board."""
    row = BoardRow(board=board, player=person(name), **{"games": 10, **columns})
    row.by_rating = order_rating(row)
    row.by_share = order_share(row)
    row.save()
    place_counts.count_again()
    return row


@pytest.fixture
def board(db: None) -> Board:
    """All games, all time."""
    return Board.objects.create(game="", season=0)


def places(query: Query, club: Club | None = None) -> list[tuple[int, str]]:
    """Places and names of a page."""
    return [(line.place, line.name) for line in list_page(query, club).lines]


def test_equals_share_a_place_and_the_next_one_is_skipped(board: Board) -> None:
    for name, wins in (("Ana", 3), ("Ben", 5), ("Cleo", 3), ("Dora", 1)):
        seat(board, name, wins=wins)
    assert places(Query(by="wins")) == [(1, "Ben"), (2, "Ana"), (2, "Cleo"), (4, "Dora")]


def test_everybody_who_is_rated_has_a_place_by_their_cautious_rating(board: Board) -> None:
    seat(board, "New", mu=40.0, sigma=8.0, rated=12)
    seat(board, "Old", mu=25.0, sigma=3.0, rated=3)
    seat(board, "None")
    seat(board, "Best", mu=31.0, sigma=3.0, rated=30)
    assert places(Query()) == [(1, "Best"), (2, "New"), (3, "Old")]
    lines = list_page(Query(), None).lines
    assert [(line.rating, line.spread, line.at_least) for line in lines] == [
        (1740, 120, 1500), (2100, 320, 1460), (1500, 120, 1260),
    ]  # fmt: skip
    assert [line.is_settled for line in lines] == [True, False, True]


def test_shares_of_a_few_tables_count_for_less(board: Board) -> None:
    seat(board, "Lucky", games=2, beaten=1680)
    seat(board, "Steady", games=50, beaten=25_200)
    seat(board, "Weak", games=50, beaten=8400)
    assert places(Query(by="share")) == [(1, "Steady"), (2, "Lucky"), (3, "Weak")]
    assert [line.share for line in list_page(Query(by="share"), None).lines] == [60, 100, 20]


def test_pages_go_on_where_the_one_before_ended_also_between_equals(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboards, "PAGE", 3)
    for number in range(8):
        seat(board, f"P{number}", games=20 - number // 4)
    query, seen = Query(by="games"), []
    while True:
        page = list_page(query, None)
        seen += [(line.place, line.name) for line in page.lines]
        if page.next is None:
            break
        query = query._replace(after=page.next)
    assert seen == [(1 if number < 4 else 5, f"P{number}") for number in range(8)]


@pytest.mark.parametrize("large", [0, 2000])
def test_a_club_compares_its_members(board: Board, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(leaderboards, "LARGE_CLUB", large)
    club = Club.objects.create(slug="foxes", name="The Foxes", avatar="fox", feed_token="f")
    rows = [seat(board, name, wins=wins) for name, wins in (("Ana", 9), ("Ben", 5), ("Cleo", 3))]
    for row in rows[1:]:
        Membership.objects.create(club=club, player=row.player)
    place_counts.count_again()
    assert places(Query(by="wins", club="foxes"), club) == [(1, "Ben"), (2, "Cleo")]
    member = browser(rows[1].player)
    url = reverse("tournaments:leaderboards") + "?club=foxes&by=wins"
    assert "Leaderboard of The Foxes" in Client().get(url).content.decode()
    Club.objects.update(is_public=False)
    assert (Client().get(url).status_code, member.get(url).status_code) == (404, 200)
    with pytest.raises(NotFound):
        leaderboards.find_club("wolves", None)


def test_who_is_private_is_not_there_nor_counted(board: Board) -> None:
    seat(board, "Ana", wins=9, is_listed=False)
    seat(board, "Ben", wins=5)
    assert places(Query(by="wins")) == [(1, "Ben")]


@pytest.mark.parametrize(
    "fields",
    [
        {"by": "luck"},
        {"game": "chess"},
        {"season": "x"},
        {"season": "12"},
        {"season": "²"},
        {"season": "02026"},
        {"season": "02026" + "0" * 5000},
        {"after": "x"},
        {"after": "1_"},
        {"after": "--1_2"},
        {"after": "1_" + "9" * 30},
    ],
)
def test_addresses_that_no_link_of_ours_has(db: None, fields: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        read_query(fields)
    assert Client().get(reverse("tournaments:leaderboards"), fields).status_code == 400


@pytest.mark.parametrize(
    "query",
    [Query(), Query("animal-poker", 2026, "foxes", "tops", (7, 3)), Query(by="share", after=(-1_000_000, 9))],
)
def test_an_address_says_the_whole_query(query: Query) -> None:
    assert read_query(QueryDict(build_query_string(query)[1:]).dict()) == query


def test_the_page_keeps_its_filters_in_every_link(board: Board) -> None:
    Board.objects.create(game="animal-poker", season=2026)
    seat(Board.objects.create(game="", season=2026), "Ana", mu=25.0, sigma=3.0, rated=12)
    page = read_page(Client().get(reverse("tournaments:leaderboards"), {"season": "2026", "by": "wins"}))
    for link in ("?season=2026", "?season=2026&amp;by=games", "?season=2026&amp;by=tops"):
        assert f'href="{link}"' in page
    assert '<option value="wins" selected>' in page


def test_a_page_takes_the_same_queries_however_many_people_there_are(
    board: Board, django_assert_num_queries: Any
) -> None:
    seat(board, "Ana", wins=1, was_wins=1)
    with django_assert_num_queries(3):
        list_page(Query(by="wins"), None)
    for number in range(60):
        seat(board, f"P{number}", wins=number, was_wins=60 - number)
    with django_assert_num_queries(3):
        page = list_page(Query(by="wins"), None)
    with django_assert_num_queries(4):
        list_page(Query(by="wins", after=page.next), None)


@pytest.mark.parametrize("large", [0, 2000])
def test_lines_say_how_places_have_changed(board: Board, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(leaderboards, "LARGE_CLUB", large)
    club = Club.objects.create(slug="foxes", name="The Foxes", avatar="fox", feed_token="f")
    values = (("Ana", 9, 4), ("Ben", 8, 4), ("Cleo", 7, 7), ("Dora", 6, None), ("Eli", 5, 5))
    rows = {name: seat(board, name, wins=wins, was_wins=was) for name, wins, was in values}
    for name in ("Ana", "Eli", "Dora"):
        Membership.objects.create(club=club, player=rows[name].player)
    place_counts.count_again()

    def moved(chosen: Club | None) -> list[tuple[str, int, int | None]]:
        return [(one.name, one.place, one.moved) for one in list_page(Query(by="wins"), chosen).lines]

    assert moved(None) == [("Ana", 1, 2), ("Ben", 2, 1), ("Cleo", 3, -2), ("Dora", 4, None), ("Eli", 5, -3)]
    assert moved(club) == [("Ana", 1, 1), ("Dora", 2, None), ("Eli", 3, -2)]
    own = [leaderboards.find_own_line(rows[name].player_id, Query(by="wins"), None) for name in ("Cleo", "Dora")]
    assert own == [list_page(Query(by="wins"), None).lines[number] for number in (2, 3)]


def test_the_own_place_stays_in_sight(board: Board) -> None:
    rows = [seat(board, f"P{number:02}", wins=60 - number, was_wins=60 - number) for number in range(60)]
    Ledger.objects.create(pk=1, compared_with=1_700_000_000.0)
    listing = f"{reverse('tournaments:leaderboards')}?by=wins"
    page = read_page(browser(rows[57].player).get(listing))
    assert '<aside class="own-place" aria-label="My place">' in page
    assert '<b class="num">58</b>' in page
    assert "since Nov. 14, 2023" in page or "since 14 November 2023" in page
    assert "own-place" not in read_page(Client().get(listing))
    assert "own-place" not in read_page(browser(person("Zoe")).get(listing))


def test_who_stands_far_down_is_led_to_their_place(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboards, "PAGE", 4)
    monkeypatch.setattr(leaderboards, "AHEAD", 1)
    rows = [seat(board, f"P{number}", wins=9 - number // 3) for number in range(9)]
    listing, club = reverse("tournaments:leaderboards"), membership.found_club(rows[8].player, name="The Foxes")
    membership.accept(invitations.invite(club, rows[8].player).token, rows[1].player)

    def lead(number: int, query: str = "?by=wins") -> str:
        return str(browser(rows[number].player).get(listing + query).context["mine"])

    led = [lead(number) for number in range(9)]
    assert led[:4] == [""] * 4
    for number in range(4, 9):
        lines = list_page(read_query(QueryDict(led[number][1:])), None).lines
        assert [line.name for line in lines][:2] == [f"P{number - 1}", f"P{number}"]
        assert lead(number, led[number]) == ""
        assert lead(0, led[number]) == "?by=wins"
    page = browser(rows[7].player).get(f"{listing}?by=wins").content.decode()
    assert f'href="{led[7]}">Go to my place</a>' in page.replace("&amp;", "&")
    assert lead(8, "?by=wins&club=the-foxes") == lead(0, "?by=wins&club=the-foxes") == lead(8, "?season=2001") == ""
    assert "Go to my place" not in Client().get(listing).content.decode()


def test_an_empty_board_invites(db: None) -> None:
    assert "Nobody is listed yet" in Client().get(reverse("tournaments:leaderboards")).content.decode()
    assert Player.objects.count() == 0


def placed(query: Query, club: Club | None, size: int) -> list[tuple[int, str]]:
    """Places and names of a whole board, page by page."""
    seen: list[tuple[int, str]] = []
    while True:
        page = list_page(query, club)
        seen += [(line.place, line.name) for line in page.lines]
        if page.next is None:
            assert len(seen) == size
            return seen
        query = query._replace(after=page.next)


def test_places_are_right_on_every_page_while_people_come_and_go(
    board: Board, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(leaderboards, "PAGE", 3)
    rng = random.Random(5)
    rows = [seat(board, f"P{number:02}", wins=rng.randrange(4)) for number in range(20)]
    owner = rows[0].player
    club = membership.found_club(owner, name="The Foxes")
    link = invitations.invite(club, owner).token
    for row in rows[1:12]:
        membership.accept(link, row.player)
    membership.leave(club, rows[3].player, Membership.objects.get(player=rows[3].player).pk)
    for hidden in (rows[5], rows[15]):
        Player.objects.filter(pk=hidden.player_id).update(is_listed=False)
        follow_person(hidden.player_id)
    here = {row.player_id for row in rows} - {rows[5].player_id, rows[15].player_id}
    members = here & set(Membership.objects.filter(club=club).values_list("player", flat=True))
    for chosen, among in ((None, here), (club, members)):
        ranked = sorted((row for row in rows if row.player_id in among), key=lambda row: (-row.wins, row.player_id))
        expected = [(1 + sum(other.wins > row.wins for other in ranked), row.player.name) for row in ranked]
        assert placed(Query(by="wins"), chosen, len(ranked)) == expected
    assert place_counts.count_again() == 0
    Membership.objects.filter(club=club, player=rows[1].player).delete()
    assert place_counts.count_again() > 0
    assert place_counts.count_again() == 0


def test_a_club_of_somebody_who_was_a_guest_counts_the_account(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [seat(board, name, wins=wins) for name, wins in (("Ana", 9), ("Fox 42", 5))]
    club = membership.found_club(rows[1].player, name="The Foxes")
    merging.merge(rows[1].player_id, rows[0].player_id)
    assert place_counts.count_ahead(board, club.pk, "wins", 5) == (1, 0)
    assert place_counts.count_again() == 0
