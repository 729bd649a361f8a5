"""The charts of profiles: each point says its value, each picture has a name and the same as text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import PersonAnalysis, Player
from tests.cast import NOW, browser, finish, person, start_table
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, play_round
from tournaments.flow.counting import finished_tables
from tournaments.flow.profiles import queries
from tournaments.models import PersonResult
from tournaments.views.profiles import activity, people

DAY = 86_400
MONDAY = 4 + 7 * 2900
"""A Monday, in days since 1970."""


def play(*players: Player, now: float = NOW, **overrides: Any) -> None:
    """A finished and counted table."""
    table = finish(start_table(*players, options={"deals": 1}, now=now, **overrides), now=now)
    finished_tables.count_table(table.id, now=now)


def show(name: str, *args: object, reader: Player | None = None) -> str:
    client = browser(reader) if reader is not None else Client()
    return read_page(client.get(reverse(f"tournaments:{name}", args=args)))


def list_titles(page: str, start: str) -> list[str]:
    """What is shown under a pointer in the picture behind this heading."""
    picture = page.split(start)[1].split("</figure>", maxsplit=1)[0]
    return [" ".join(one.split()) for one in re.findall(r"<title>(.*?)</title>", picture, re.DOTALL)]


def test_a_head_to_head_says_in_words_what_its_bar_shows(ana: Player, ben: Player) -> None:
    for number in range(3):
        play(ana, ben, now=NOW + 3600 * number)
    PersonResult.objects.filter(player=ana).update(place=1, rank=1)
    PersonResult.objects.filter(player=ben).update(place=2, rank=2)
    level = PersonResult.objects.filter(player=ben).order_by("pk")[0]
    PersonResult.objects.filter(pk=level.pk).update(place=1, rank=1)
    page = show("duel", ana.pk, ben.pk)
    legend = page.split('class="legend"')[1].split("</p>")[0]
    words = " ".join(re.sub(r"<[^>]+>", " ", "<p " + legend).split())
    assert words == "Ana ahead: 2 Tied: 1 Ben ahead: 0"
    assert [re.search(rf"key {one}\b", legend) is not None for one in ("mine", "tied", "theirs")] == [True] * 3
    bars = re.findall(r'<rect class="(\w+)"(?: x="([\d.]+)")? width="([\d.]+)"', page.split('class="balance"')[1])
    assert bars[:3] == [("trough", "", "200"), ("bar", "", "133.333"), ("theirs", "200", "0")]


def test_each_point_of_a_rating_says_its_day_and_value(ana: Player, ben: Player) -> None:
    for number in range(3):
        play(ana, ben, now=NOW + DAY * number)
    page = show("person", ana.pk)
    titles = list_titles(page, 'id="ratings"')
    history = queries.list_rating_history(ana, "")
    assert [title.split(": ")[1] for title in titles] == [
        f"{rating.number} ± {rating.spread}" for _at, rating in history.changes
    ]
    assert len(set(titles)) == 3
    text = page.split('id="ratings"')[1].split("<details>")[1].split("</details>")[0]
    assert all(f"{rating.number} ± {rating.spread}" in text for _at, rating in history.changes)
    assert re.search(r'<svg [^>]*role="img" aria-label="From 1500 to \d+ over 3 rated tables\.', page)


def test_each_deal_of_a_career_says_its_place(ana: Player, ben: Player) -> None:
    play(ana, ben)
    page = show("person", ana.pk)
    titles = list_titles(page, "Deal by deal")
    assert titles
    assert all(re.fullmatch(r"Place \d of \d", one) for one in titles)


def test_each_point_of_a_bump_chart_says_its_round_and_place(ana: Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", least=4, wanted=4, most=4)
    for number in (1, 2):
        play_round(ana, tournament, number)
    page = show("standings", tournament.pk)
    chart = page.split('id="chart-title"')[1]
    titles = [" ".join(one.split()) for one in re.findall(r"<title>(.*?)</title>", chart, re.DOTALL)]
    assert len(titles) >= 8
    assert all(any(name in one for name in NAMES[:4]) for one in titles)


def test_a_rating_says_its_place_and_a_private_one_has_none(ana: Player, ben: Player) -> None:
    for number in range(2):
        play(ana, ben, now=NOW + DAY * number)
    places = [standing.place for one in (ana, ben) for standing in queries.list_standings(one)]
    assert sorted(place or 0 for place in places) == [1, 1, 2, 2]  # over all games and in this one
    page = show("person", ana.pk)
    link = reverse("tournaments:leaderboards") + "?game=karriere-poker"
    assert f'href="{link}"' in page.split('id="ratings"')[1].split("</ul>")[0]
    browser(ana).post(reverse("me"), {"name": "Ana", "avatar": "fox"})
    ana.refresh_from_db()
    assert {standing.place for standing in queries.list_standings(ana)} == {None}
    assert [standing.place for standing in queries.list_standings(ben)] == [1, 1]


def test_a_table_in_play_is_linked_if_everybody_may_watch_it(ana: Player, ben: Player) -> None:
    start_table(ana, ben, is_public=False)
    assert queries.list_tables_in_play(ana) == []
    assert "Playing Karriere Poker now" not in show("person", ana.pk)
    table = start_table(ana, ben)
    assert queries.list_tables_in_play(ana) == queries.list_tables_in_play(ben) == [(table.id, "karriere-poker")]
    page = show("person", ana.pk)
    assert ("Playing Karriere Poker now" in page, reverse("table", args=[table.id]) in page) == (True, True)
    finish(table)
    assert queries.list_tables_in_play(ana) == []


def test_a_day_with_tables_says_how_many(ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, tables in enumerate((1, 2, 3)):
        for hour in range(tables):
            play(ana, ben, now=NOW + DAY * number + 60 * hour)
    monkeypatch.setattr("tournaments.views.profiles.people.time.time", lambda: NOW + 3 * DAY)
    page = show("person", ana.pk)
    titles = list_titles(page, 'id="activity"')
    days = [datetime.fromtimestamp(NOW + DAY * number, tz=UTC) for number in range(3)]
    said = [
        f"{day.day} {day:%B %Y}: {words}" for day, words in zip(days, ("1 table", "2 tables", "3 tables"), strict=True)
    ]
    assert titles == said * 2  # for wide screens and for narrow ones
    assert "Tables in the last 12 months: 6. Days with tables: 3." in page
    monkeypatch.setattr("tournaments.views.profiles.people.time.time", lambda: NOW + 400 * DAY)
    assert 'id="activity"' not in show("person", ana.pk)


def test_the_weeks_of_the_picture_begin_on_monday_and_end_today() -> None:
    assert datetime.fromtimestamp(MONDAY * DAY, tz=UTC).weekday() == 0
    picture = activity.draw({MONDAY: 1, MONDAY + 6: 2, MONDAY + 8: 4, MONDAY + 9: 9, MONDAY - 70: 5}, MONDAY + 9, 3)
    assert [(day.x, day.y, day.level) for day in picture.days] == [
        (13, 16, 1), (13, 94, 2), (26, 29, 3), (26, 42, 4),
    ]  # fmt: skip
    assert picture.free.count("M") == 7 + 5 + 1
    assert (picture.width, picture.height) == (37, 105)
    assert len(activity.draw({}, MONDAY, 53).months) in (11, 12, 13)
    places = [x for x, _name in activity.draw({}, MONDAY, 53).months]
    assert min(after - before for before, after in pairwise(places)) >= 3 * 13


def test_the_best_wins_are_the_strongest_people_beaten_and_no_private_ones(ana: Player, ben: Player) -> None:
    eva, cem, dora = person("Eva"), person("Cem"), person("Dora")
    play(ana, ben, eva, cem, dora, seats_wished=5)
    ranks = {ana: 2, ben: 1, eva: 3, cem: 3, dora: 3}
    mus = {ben: 40.0, eva: 30.0, cem: 35.0, dora: 39.0}
    for one, rank in ranks.items():
        PersonResult.objects.filter(player=one).update(rank=rank, total_mu=mus.get(one, 25.0), total_sigma=1.0)
    Player.objects.filter(pk=dora.pk).update(is_listed=False)
    assert [win.name for win in queries.list_best_wins(ana)] == ["Cem", "Eva"]
    page = show("person", ana.pk)
    wins = page.split('id="wins"')[1].split("</ul>")[0]
    assert re.findall(r"<span>(\w+)</span></a>", wins) == ["Cem", "Eva"]
    assert 'id="wins"' not in show("person", eva.pk)


@pytest.mark.parametrize(
    ("count", "shown"), [(2, [1, 2]), (3, [1, 2, 3]), (4, [1, 4]), (5, [1, 3, 5]), (30, [1, 15, 30])]
)
def test_each_day_under_a_chart_stands_below_its_point(count: int, shown: list[int]) -> None:
    days = people._list_axis_days([DAY * number for number in range(count)])
    assert days == [f"{day} Jan 1970" for day in shown]


def test_a_person_sees_their_loss_over_games_weighed_by_decisions_and_nobody_else_does(
    ana: Player, ben: Player
) -> None:
    for number, (decisions, loss) in enumerate(((30, 0.01), (10, 0.084))):
        table = finish(start_table(ana, options={"deals": 1}))
        PersonAnalysis.objects.create(
            player=ana,
            table_id=table.id,
            game="karriere-poker",
            decisions=decisions,
            average_loss=loss,
            at=NOW + DAY * number,
        )
    page = show("person", ana.pk, reader=ana)
    assert "Analysed games: 2. Mean loss per decision: 2.9%. Latest: 8.4%." in page
    assert [title.split(": ")[1] for title in list_titles(page, 'id="losses"')] == ["1.0%", "8.4%"]
    assert ">8.4%</p>" in page.split('id="losses"')[1]
    days = [datetime.fromtimestamp(NOW + DAY * number, tz=UTC) for number in range(2)]
    axis = page.split('id="losses"')[1].split("days")[1].split("</p>")[0]
    assert re.findall(r"<span>([^<]+)</span>", axis) == [f"{day.day} {day:%b %Y}" for day in days]
    assert 'id="losses"' not in show("person", ana.pk, reader=ben)
