"""Profiles: careers, records, rivals, head-to-head, a year; each from stored games, and only for who may see it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from games.models import Player, Table
from games.play.records import voiding
from tests.cast import NOW, browser, finish, person, start_table
from tests.html import read_page
from tests.live.markup import read
from tests.tournaments.cast import found, plan
from tournaments.careers.chart import NARROW_WIDTH, ChartDeal, render_ranks
from tournaments.careers.totals import Record
from tournaments.flow.clubs import membership
from tournaments.flow.counting import finished_tables, player_totals
from tournaments.flow.entry import sign_up
from tournaments.flow.planning import phases
from tournaments.flow.profiles import head_to_head, queries, year_review
from tournaments.models import CareerEntry, Club, Entrant, Membership, PersonResult, Phase, Role, Tournament
from tournaments.work import tasks

YEAR = datetime.fromtimestamp(NOW, tz=UTC).year

EVENING = (("animal-poker", {"sessions": 5}), ("animal-poker", {"sessions": 3}), ("karriere-poker", {"deals": 2}))


@pytest.fixture
def evening(ana: Player, ben: Player) -> list[str]:
    """Three tables of Ana and Ben; their ids."""
    tables = []
    for number, (game, options) in enumerate(EVENING):
        now = NOW + 3600 * number
        table = finish(start_table(ana, ben, game=game, options=options, now=now), now=now)
        finished_tables.count_table(table.id, now=now)
        tables.append(table.id)
    return tables


def enter(player: Player, *deals: tuple[str, int, int], **columns: Any) -> None:
    """Career entries, each (job, rank, spell) at one table, given by hand."""
    table = finish(start_table(player, options={"deals": 1}))
    for number, (job, rank, spell) in enumerate(deals, start=10):
        CareerEntry.objects.create(
            table_id=table.id, player=player, game="animal-poker", deal=number, seat=0, rank=rank, of=4, job=job,
            spell=spell, at=NOW + number, **columns,
        )  # fmt: skip
    player_totals.refresh([player.pk])


def test_a_career_from_its_entries(ana: Player, ben: Player) -> None:
    enter(ana, ("trainee", 4, 1), ("trainee", 4, 2))
    enter(ana, ("ceo", 1, 1), ("ceo", 1, 2), ("ceo", 1, 3), before=4, climb=3)
    enter(ana, ("director", 2, 1), before=1, demoted_by=ben)
    (career,) = queries.find_careers(ana, queries.list_totals(ana))
    assert career.record == Record(deals=6, average=13 / 6, reign=3, bottom=2, climb=3, promotions=3, falls=1)
    assert career.shares == (("ceo", 3, 0.5), ("director", 1, 1 / 6), ("trainee", 2, 1 / 3))
    assert [(rival.name, rival.times) for rival in career.rivals] == [("Ben", 1)]
    assert head_to_head.compare(ana, ben)[:6] == (0, 0, 0, 0, 0, 1)
    assert head_to_head.compare(ben, ana)[:6] == (0, 0, 0, 0, 1, 0)
    assert "Nemesis" in Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()


def test_a_reign_that_ended_with_its_game_says_so(ana: Player) -> None:
    """Nobody has taken the job away: the game was over while they held it."""
    enter(ana, ("trainee", 4, 1), ("ceo", 1, 1), ("ceo", 1, 2))
    (career,) = queries.find_careers(ana, queries.list_totals(ana))
    deals = [deal for deal in career.entries if deal.deal >= 10]
    assert (career.record.reign, career.is_reign_kept) == (2, True)
    assert [deal.is_kept for deal in deals] == [False, False, True]
    page = read_page(Client().get(reverse("tournaments:person", args=[ana.pk])))
    assert re.search(r"Longest reign as CEO</dt><dd>\s*2 deals\s*<small class=\"soft\">until the game ended", page)
    assert "CEO → CEO until the game ended" in page
    assert 'class="key kept"' in page
    assert 'class="kept"' in page
    whole = read_page(Client().get(reverse("tournaments:career", args=[ana.pk, "animal-poker"])))
    assert "CEO → CEO until the game ended" in whole
    answer = Client().get(f"/api/v1/people/{ana.pk}").json()["careers"][0]
    assert (answer["is_reign_kept"], [one["is_last"] for one in answer["latest"] if one["deal"] >= 10]) == (
        True, [False, False, True],
    )  # fmt: skip


def test_a_reign_that_was_lost_or_goes_on_does_not(ana: Player) -> None:
    enter(ana, ("ceo", 1, 1), ("ceo", 1, 2), ("director", 2, 1))
    (career,) = queries.find_careers(ana, queries.list_totals(ana))
    assert career.is_reign_kept is False
    CareerEntry.objects.all().delete()
    enter(ana, ("ceo", 1, 1), ("ceo", 1, 2))
    Table.objects.update(status="playing")
    (career,) = queries.find_careers(ana, queries.list_totals(ana))
    assert (career.record.reign, career.is_reign_kept) == (2, False)


def test_jobs_stand_in_the_order_of_the_ladder_whatever_size_the_tables_had(ana: Player) -> None:
    enter(ana, ("trainee", 4, 1), ("ceo", 1, 1))
    enter(ana, ("specialist", 5, 1), ("assistant", 7, 1))
    (career,) = queries.find_careers(ana, queries.list_totals(ana))
    assert [job for job, _, _ in career.shares] == ["ceo", "specialist", "assistant", "trainee"]


def test_a_profile_after_an_evening(evening: list[str], ana: Player, ben: Player) -> None:
    page = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    for words in (
        "Career in Animal Poker",
        "Career in Karriere Poker",
        "Longest reign as CEO",
        "provisional",
    ):
        assert words in page
    breaks = re.findall(r'class="break" d="([^"]*)"', page)
    assert sorted(path.count("M") for path in breaks) == [
        0,
        0,
        1,
        1,
    ]  # between the two tables of Animal Poker, in both sizes
    assert read(page).faults == []
    (animal, karriere) = queries.find_careers(ana, queries.list_totals(ana))
    assert (animal.record.deals, karriere.record.deals) == (8, 2)
    assert sum(deals for _, deals, _ in animal.shares) == 8
    assert [standing.game for standing in queries.list_standings(ana)] == ["", "animal-poker", "karriere-poker"]


def test_head_to_head_is_the_same_from_both_sides(evening: list[str], ana: Player, ben: Player) -> None:
    from_ana, from_ben = head_to_head.compare(ana, ben), head_to_head.compare(ben, ana)
    assert (from_ana.tables, from_ana.ahead, from_ana.level, from_ana.behind) == (
        3,
        from_ben.behind,
        from_ben.level,
        from_ben.ahead,
    )
    assert from_ana.ahead + from_ana.level + from_ana.behind == 3
    places = [(mine, theirs) for _, _, mine, theirs in from_ana.latest]
    assert places == [(theirs, mine) for _, _, mine, theirs in from_ben.latest]
    assert sum(mine < theirs for mine, theirs in places) == from_ana.ahead


def test_who_to_compare_with_is_found_by_a_part_of_the_name(evening: list[str], ana: Player, ben: Player) -> None:
    lukasz, eleven, hidden, gone = (person(name) for name in ("Łukasz", "Ben Eleven", "Benno", "Benita"))
    Player.objects.filter(pk=hidden.pk).update(is_listed=False)
    Player.objects.filter(pk=gone.pk).update(left_at=datetime.fromtimestamp(NOW, tz=UTC))
    assert [(one.name, one.times) for one in head_to_head.search_rivals(ana, "ben")] == [("Ben", 3), ("Ben Eleven", 0)]
    assert [one.player_id for one in head_to_head.search_rivals(ana, "łuk")] == [lukasz.pk]
    assert head_to_head.search_rivals(ben, "ben") == (head_to_head.Rival(eleven.pk, "Ben Eleven", "fox", 0),)
    assert [(one.name, one.times) for one in head_to_head.list_met(ana)] == [("Ben", 3)]
    assert (head_to_head.search_rivals(ana, "%"), head_to_head.list_met(eleven)) == ((), ())


def test_the_tables_of_a_year_are_read_from_an_index_in_their_order(ana: Player) -> None:
    latest = head_to_head.results_of(ana).filter(ended_at__gte=NOW).order_by("-ended_at", "-counted")
    plan = latest.values_list("counted").explain()
    assert "SEARCH tournaments_personresult USING COVERING INDEX person_results_in_time" in plan
    assert "TEMP B-TREE" not in plan


def test_who_another_version_has_renamed_is_found_after_a_sweep(ana: Player, ben: Player) -> None:
    QuerySet(Player).filter(pk=ben.pk).update(name="Cem")
    tasks.sweep_results()
    found = [[one.name for one in head_to_head.search_rivals(ana, wanted)] for wanted in ("ben", "cem")]
    assert found == [[], ["Cem"]]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "Met most often recently"),
        ("?q=+BEN+", "3 tables together"),
        ("?q=nobody", "No public profile matches “nobody”"),
        ("?q=%3Cb%3E", "“&lt;b&gt;”"),
        ("?q=" + "x" * 900, "“" + "x" * 24 + "”"),
    ],
)
def test_the_page_to_choose_a_rival(evening: list[str], ana: Player, query: str, sentence: str) -> None:
    page = Client().get(reverse("tournaments:rivals", args=[ana.pk]) + query).content.decode()
    assert sentence in page
    assert read(page).faults == []


def test_the_pictures_of_a_career_fit_a_laptop_and_a_telephone(ana: Player) -> None:
    enter(ana, *[("ceo", 1, 1)] * 30)
    page = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    matches = re.findall(r'viewBox="0 0 (\d+) 220" role="img" aria-label="Jobs in the latest (\d+) deals', page)
    assert matches == [("720", "30"), ("340", "24")]


def test_the_picture_of_a_rating_says_when(evening: list[str], ana: Player) -> None:
    page = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    assert re.findall(r"<span>(\d+ \w+ \d+)</span>", page) == ["15 Jan 2055"] * 3


def test_the_profile_and_the_year_say_the_same_of_a_rating(evening: list[str], ana: Player) -> None:
    """Both begin at 1500, the rating before the first rated table."""
    number = queries.list_standings(ana)[0].number
    profile = read_page(Client().get(reverse("tournaments:person", args=[ana.pk])))
    assert f"All games: From 1500 to {number} over 3 rated tables" in profile
    year = read_page(Client().get(reverse("tournaments:year", args=[ana.pk, YEAR])))
    gain = f"{number - 1500:+}".replace("-", "−")
    assert f"<dt>Rating for all games in {YEAR}</dt><dd>1500 → {number} ({gain})</dd>" in year
    answer = Client().get(f"/api/v1/people/{ana.pk}/years/{YEAR}").json()
    assert (answer["rating_before"], answer["rating_after"], answer["gain"]) == (1500, number, number - 1500)


def test_a_long_history_begins_with_what_was_before_it(
    evening: list[str], ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = queries.list_rating_history(ana, "")
    monkeypatch.setattr(queries, "SHOWN_RATINGS", 2)
    latest = queries.list_rating_history(ana, "")
    assert (whole.is_whole, len(whole.changes), latest.is_whole, len(latest.changes)) == (True, 3, False, 2)
    assert (latest.before, latest.changes) == (whole.changes[0][1], whole.changes[1:])
    page = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    assert f"From {latest.before.number} to {whole.changes[-1][1].number} over the latest 2 rated tables" in page


def test_a_year_in_review(evening: list[str], ana: Player, ben: Player) -> None:
    review = year_review.review(ana, YEAR)
    assert (review.tables, sum(review.months), [friend.name for friend in review.company]) == (3, 3, ["Ben"])
    assert review.gain == queries.list_standings(ana)[0].number - 1500
    assert (review.rating_before, review.rating_after) == (1500, queries.list_standings(ana)[0].number)
    assert [career.record.deals for career in review.careers] == [8, 2]
    assert year_review.review(ana, YEAR + 1)[:3] == ([], 0, 0)
    assert queries.list_years(ana) == [YEAR]


def test_struck_games_are_not_told(evening: list[str], ana: Player, ben: Player) -> None:
    for table_id in evening:
        voiding.void(table_id, reason="A test of the alarm.", now=NOW)
    tasks.sweep_results()
    assert queries.find_careers(ana, queries.list_totals(ana)) == []
    assert queries.sum_games(queries.list_totals(ana)) == []
    assert head_to_head.compare(ana, ben).tables == 0
    assert PersonResult.objects.count() == 0


def test_tables_by_invitation_have_no_link(ana: Player, ben: Player) -> None:
    table = finish(start_table(ana, ben, is_public=False, options={"deals": 1}))
    finished_tables.count_table(table.id, now=NOW)
    page = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    assert ("Place " in page, table.id in page) == (True, False)


def test_a_private_profile_is_for_its_person(evening: list[str], ana: Player, ben: Player) -> None:
    Player.objects.filter(pk=ana.pk).update(is_listed=False)
    urls = [
        reverse("tournaments:person", args=[ana.pk]),
        reverse("tournaments:year", args=[ana.pk, YEAR]),
        reverse("tournaments:duel", args=[ana.pk, ben.pk]),
        reverse("tournaments:duel", args=[ben.pk, ana.pk]),
    ]
    assert [Client().get(url).status_code for url in urls] == [403] * 4
    assert [browser(ana).get(url).status_code for url in urls] == [200] * 4


def test_a_private_person_is_named_on_no_page_about_people(evening: list[str], ana: Player, ben: Player) -> None:
    club = found(ana)
    Membership.objects.create(club=club, player=ben)
    enter(ana, ("director", 2, 1), before=1, demoted_by=ben)
    pages = [
        reverse("tournaments:person", args=[ana.pk]),
        reverse("tournaments:year", args=[ana.pk, YEAR]),
        reverse("tournaments:club_records", args=[club.slug]),
        reverse("tournaments:leaderboards"),
        reverse("tournaments:leaderboards") + f"?club={club.slug}&by=wins",
    ]
    link = f"/{ben.pk}/"
    assert [link in Client().get(page).content.decode() for page in pages] == [True] * 5
    assert browser(ben).post(reverse("me"), {"name": "Ben", "avatar": "owl"}).status_code == 302
    assert [link in Client().get(page).content.decode() for page in pages] == [False] * 5
    assert [link in browser(ben).get(page).content.decode() for page in pages[3:]] == [False] * 2


def read_deals(player: Player, **query: int) -> tuple[str, list[str]]:
    """The page of a whole career: what it says, and the pictures on it in the order of the page."""
    answer = Client().get(reverse("tournaments:career", args=[player.pk, "animal-poker"]), query)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert read(page).faults == []
    return " ".join(" ".join(read(page).words).split()), re.findall(r'class="stairs-line" d="([^"]+)"', page)


def test_one_deal_is_a_career(ana: Player) -> None:
    enter(ana, ("ceo", 1, 1))
    words, (picture,) = read_deals(ana)
    assert ("1 deal " in words, "Page" in words, picture) == (
        True,
        False,
        render_ranks([ChartDeal("t", 1, 4)], width=NARROW_WIDTH).stairs,
    )
    assert "Show all" not in Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()


def test_a_long_career_can_be_read_to_its_first_deal(ana: Player) -> None:
    ranks = [1 + number % 3 for number in range(154)]
    enter(ana, *((("ceo", "director", "assistant")[rank - 1], rank, 1) for rank in ranks))
    profile = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    assert ("The latest 60 of 154 deals." in profile, "The latest 24 of 154 deals." in profile) == (True, True)
    (words, latest), (last, first) = read_deals(ana), read_deals(ana, page=2)
    assert ("Page 1 of 2" in words, "Page 2 of 2" in last, len(latest), len(first)) == (True, True, 6, 1)
    assert first == [render_ranks([ChartDeal("t", rank, 4) for rank in ranks[:10]], width=NARROW_WIDTH).stairs]
    assert latest[0] == render_ranks([ChartDeal("t", rank, 4) for rank in ranks[-24:]], width=NARROW_WIDTH).stairs
    assert read_deals(ana, page=99) == (last, first)


@pytest.mark.parametrize(("game", "page", "status"), [
    ("animal-poker", "0", 400), ("animal-poker", "x", 400), ("animal-poker", "9" * 30, 400),
    ("fancy-animals", "1", 404), ("karriere-poker", "1", 404), ("chess", "1", 404),
])  # fmt: skip
def test_a_page_that_is_none_is_a_sentence(ana: Player, game: str, page: str, status: int) -> None:
    enter(ana, ("ceo", 1, 1))
    CareerEntry.objects.exclude(game="animal-poker").delete()
    assert Client().get(reverse("tournaments:career", args=[ana.pk, game]), {"page": page}).status_code == status


@pytest.mark.parametrize("path", ["/people/999/", "/people/99999999999999999999999/", "/people/1/against/1/"])
def test_nobody_is_there(ana: Player, path: str) -> None:
    assert Client().get(path.replace("/1/", f"/{ana.pk}/")).status_code == 404


def test_a_new_person_reads_what_will_be_here(ana: Player) -> None:
    assert "No finished deals yet" in browser(ana).get(reverse("tournaments:person", args=[ana.pk])).content.decode()


def test_a_profile_takes_the_same_queries_however_long_the_career(
    evening: list[str], ana: Player, django_assert_max_num_queries: Any
) -> None:
    client, url = Client(), reverse("tournaments:person", args=[ana.pk])
    with django_assert_max_num_queries(24):
        client.get(url)
    for _ in range(12):
        enter(ana, ("ceo", 1, 1), ("director", 2, 1))
    with django_assert_max_num_queries(24):
        client.get(url)


def test_who_has_gone_is_nobody(evening: list[str], ana: Player, ben: Player) -> None:
    browser(ben).post(reverse("delete_me"))
    assert Client().get(reverse("tournaments:person", args=[ben.pk])).status_code == 404
    page = Client().get(reverse("tournaments:person", args=[ana.pk])).content.decode()
    assert "Ben" not in page
    assert person("Ben").pk != ben.pk


def test_the_picture_of_a_rating_is_of_all_games_or_of_one(ana: Player, evening: list[str]) -> None:
    client, url = Client(), reverse("tournaments:person", args=[ana.pk])
    text = {
        rating: client.get(url, {"rating": rating}).context["rated_name"]
        for rating in ("", "animal-poker", "karriere-poker", "super-zwierzaki", "<b>")
    }
    assert text == {
        "": "All games", "animal-poker": "Animal Poker", "karriere-poker": "Karriere Poker",
        "super-zwierzaki": "All games", "<b>": "All games",
    }  # fmt: skip
    page = read_page(client.get(url, {"rating": "animal-poker"}))
    assert re.search(r'href="\?rating=animal-poker#ratings" aria-current="true">Animal Poker</a>', page)
    assert "Animal Poker: From" in page
    alone = read_page(client.get(url, {"rating": "karriere-poker"}))
    assert "Karriere Poker: The chart starts with the second rated table." in alone


def test_a_profile_names_the_clubs_that_its_reader_can_see(ana: Player, ben: Player) -> None:
    public, private = found(ana), found(ana, "Attic")
    Club.objects.filter(pk=private.pk).update(is_public=False)
    url = reverse("tournaments:person", args=[ana.pk])

    def listed(client: Client) -> list[str]:
        return re.findall(r'href="/clubs/([^/"]+)/"><i', read_page(client.get(url)))

    assert listed(Client()) == [public.slug]
    assert listed(browser(ben)) == [public.slug]
    membership.take_in(private.pk, ben.pk, Role.MEMBER)
    assert listed(browser(ben)) == [private.slug, public.slug]


def test_a_profile_lists_the_tournaments_that_its_reader_can_see(ana: Player, ben: Player) -> None:
    club = found(ana)
    open_one, hidden, left = (plan(ana, club, name=name) for name in ("Open", "Hidden", "Left"))
    for tournament in (open_one, hidden, left):
        phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
        sign_up.enter(tournament, ben, now=NOW)
    Tournament.objects.filter(pk=hidden.pk).update(is_public=False)
    Entrant.objects.filter(tournament=left).update(status=Entrant.Status.WITHDRAWN)
    url = reverse("tournaments:person", args=[ben.pk])
    found_by = {
        reader: re.findall(r'id="open-(\w+)"', read_page(client.get(url)))
        for reader, client in (("stranger", Client()), ("Ana", browser(ana)))
    }
    assert found_by == {"stranger": [open_one.pk], "Ana": [hidden.pk, open_one.pk]}
