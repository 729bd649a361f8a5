"""What leaves the screen: hall display, sheets, files, calendar, news, keys and webhooks."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
import segno
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from icalendar import Calendar
from PIL import Image

from games import models
from tests.cast import NOW, browser, person
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, found, plan, play_round, release
from tournaments.flow.clubs import club_picture
from tournaments.flow.drawing.draw_requests import is_quick
from tournaments.flow.rounds import arena, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import scheme_of
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import ApiKey, Delivery, Pod, Rest, Tournament, Webhook
from tournaments.views.standings import tournament_view as shown
from tournaments.views.standings.cached_rows import split_evenly


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """One complete round, and one that is released."""
    one = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2)
    play_round(ana, one, 1)
    release(ana, one, 2)
    one.refresh_from_db()
    return one


def page(name: str, *args: object, client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse(f"tournaments:{name}", args=args))
    assert answer.status_code == 200
    return answer.content.decode() if name == "download" else read_page(answer)


def test_the_hall_shows_pairings_names_and_standings(tournament: Tournament) -> None:
    html = page("hall", tournament.pk)
    for name in NAMES[:8]:
        assert html.count(f">{name}<") + html.count(f"</b> {name}<") >= 2, name
    assert "Round 2" in html
    version = Client().get(reverse("tournaments:pulse", args=[tournament.pk])).json()["version"]
    assert f'data-version="{version}"' in html


def test_a_hall_before_the_first_round_says_how_to_come_in(ana: models.Player) -> None:
    one = plan(ana)
    assert "Follow the tournament on your phone." in page("hall", one.pk)


@pytest.mark.parametrize(("count", "size", "sheets"), [(0, 6, []), (6, 6, [6]), (7, 6, [3, 4]), (13, 6, [4, 4, 5])])
def test_sheets_are_even(count: int, size: int, sheets: list[int]) -> None:
    assert [len(sheet) for sheet in split_evenly(range(count), size)] == sheets


def test_every_sheet_names_everybody(tournament: Tournament) -> None:
    for sheet in ("pairings", "names", "cards", "standings", "certificates"):
        html = page("print", tournament.pk, sheet)
        for name in NAMES[:8]:
            assert name in html, (sheet, name)
    assert page("print", tournament.pk, "cards").count('class="qr-code"') == 2
    assert Client().get(reverse("tournaments:print", args=[tournament.pk, "menus"])).status_code == 404


def test_certificates_say_that_there_is_more_to_come(ana: models.Player, tournament: Tournament) -> None:
    first = page("print", tournament.pk, "certificates")
    assert "Place 1 of 8 so far" in first
    play_round(ana, tournament, 2)
    last = page("print", tournament.pk, "certificates")
    assert ("so far" in last, "Place 1 of 8" in last) == (False, True)


def test_certificates_have_the_picture_of_the_club(ana: models.Player, tournament: Tournament) -> None:
    assert "club-picture" not in (before := page("print", tournament.pk, "certificates"))
    drawn = io.BytesIO()
    Image.new("RGB", (30, 10)).save(drawn, "PNG")
    kept = club_picture.change(tournament.club, ana, drawn.getvalue(), anchor="middle", now=NOW)
    address = reverse("tournaments:club_picture", args=[tournament.club.slug, kept.key])
    assert page("print", tournament.pk, "certificates").count(f'src="{address}" alt=""') == before.count("of 8 so far")


def test_who_has_a_bye_finds_their_name(ana: models.Player) -> None:
    one = begin(ana, NAMES[:9], least=4, most=4)
    release(ana, one, 1)
    shown = re.sub(r"<[^>]+>", " ", page("print", one.pk, "names")).split()
    resting = Rest.objects.get(round__tournament=one).entrant.name
    assert [shown[shown.index(name) + 1] for name in NAMES[:9]] == [
        "bye" if name == resting else "table" for name in NAMES[:9]
    ]


def test_the_code_on_a_card_leads_to_the_table(tournament: Tournament, settings: Any, ana: models.Player) -> None:
    """To the whole address, as the standard encodes it; the organiser's opens the tournament as well."""
    settings.SITE_URL = "https://cards.example.org"
    Pod.objects.update(is_online=False)
    link = f"https://cards.example.org/enter/{tournament.entry_token}/?table=2-1"
    for client, url in ((Client(), f"https://cards.example.org/tournaments/{tournament.pk}/rounds/2/1/"),
                        (browser(ana), link)):  # fmt: skip
        code = segno.make(url, error="m").svg_inline(
            scale=4, border=2, svgclass="qr-code", lineclass=None, omitsize=True
        )
        html = page("print", tournament.pk, "cards", client=client)
        assert (html.count(code), html.count('class="qr-code"')) == (1, 2)
    there = Client().get(link.removeprefix("https://cards.example.org"))
    assert there["Location"] == f"/tournaments/{tournament.pk}/rounds/2/1/"


def test_files(tournament: Tournament) -> None:
    for kind in ("standings.csv", "results.csv"):
        sent = Client().get(reverse("tournaments:download", args=[tournament.pk, kind])).content
        assert sent.startswith(b"\xef\xbb\xbf")
    for kind in ("tournament.json", "standings.csv", "results.csv"):
        answer = Client().get(reverse("tournaments:download", args=[tournament.pk, kind]))
        assert answer.status_code == 200
        assert answer["Content-Disposition"] == f'attachment; filename="thursday-{kind}"'
    answer = Client().get(reverse("tournaments:download", args=[tournament.pk, "archive.zip"]))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert file.testzip() is None
    assert Client().get(reverse("tournaments:download", args=[tournament.pk, "passwords"])).status_code == 404


def test_a_tournament_is_brought_back_through_the_page(ana: models.Player, tournament: Tournament) -> None:
    sent = Client().get(reverse("tournaments:download", args=[tournament.pk, "archive.zip"])).content
    url = reverse("tournaments:restore", args=[tournament.club.slug])
    file = SimpleUploadedFile("a.zip", sent)
    assert browser(person("Otto")).post(url, {"file": file}).status_code == 403
    file.seek(0)
    answer = browser(ana).post(url, {"file": file, "copy": "1"})
    assert answer.status_code == 302
    assert Tournament.objects.count() == 2
    bad = browser(ana).post(url, {"file": SimpleUploadedFile("b.zip", b"PK nonsense")})
    assert bad.status_code == 422
    assert "The file may be incomplete." in read_page(bad)
    assert browser(ana).post(url, {}).status_code == 422


def test_the_calendar_and_the_news(ana: models.Player, tournament: Tournament) -> None:

    Tournament.objects.filter(pk=tournament.pk).update(starts_at=datetime(2030, 5, 1, 18, 0, tzinfo=UTC))
    answer = Client().get(reverse("tournaments:calendar", args=[tournament.club.slug]))
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert (str(event["SUMMARY"]), event.decoded("DTSTART")) == ("Thursday", datetime(2030, 5, 1, 18, 0, tzinfo=UTC))
    feed = ElementTree.fromstring(Client().get(reverse("tournaments:news", args=[tournament.club.slug])).content)  # noqa: S314 - our own
    titles = [one.text for one in feed.iter("{http://www.w3.org/2005/Atom}title")]
    assert titles[:2] == ["Harbour Club", "Thursday: released round 2"]


def test_a_private_club_has_feeds_for_those_who_know_the_address(ana: models.Player) -> None:
    club = found(ana)
    club.is_public = False
    club.save()
    url = reverse("tournaments:calendar", args=[club.slug])
    assert Client().get(url).status_code == 404
    assert Client().get(f"{url}?key={club.feed_token}").status_code == 200


def test_a_key_is_shown_once(ana: models.Player) -> None:
    club = found(ana)
    url = reverse("tournaments:connections", args=[club.slug])
    assert browser(person("Otto")).get(url).status_code == 403
    client = browser(ana)
    html = read_page(client.post(url, {"action": "make-key", "name": "desk"}))
    assert html.count("mng_") == 1
    assert "mng_" not in read_page(client.get(url))
    assert read_page(client.get(url)).count('<details class="confirm">') == 1  # it asks before it withdraws the key
    client.post(url, {"action": "withdraw-key", "key": ApiKey.objects.get().pk})
    assert ApiKey.objects.count() == 0
    client.post(url, {"action": "add-hook", "url": "https://example.org/hook"})
    hook = Webhook.objects.get()
    assert hook.secret in read_page(client.get(url))
    client.post(url, {"action": "choose-events", "hook": hook.pk, "event": ["result.in"]})
    client.post(url, {"action": "test-hook", "hook": hook.pk})
    assert Webhook.objects.get().events == "result.in"
    assert Delivery.objects.get().event == "test"
    assert 'value="result.in" checked' in " ".join(read_page(client.get(url)).split())
    assert read_page(client.get(url)).count('<details class="confirm">') == 1
    client.post(url, {"action": "remove-hook", "hook": hook.pk})
    assert Webhook.objects.count() == 0


def test_queries_do_not_grow_with_the_entrants(ana: models.Player) -> None:
    counts = []
    for names in (NAMES[:4], NAMES[:16]):
        one = begin(ana, names, least=4, most=4, rounds_planned=1)
        play_round(ana, one, 1)
        client = browser(ana)
        for name, *args in (("hall",), ("print", "pairings"), ("print", "certificates"), ("download", "results.csv")):
            client.get(reverse(f"tournaments:{name}", args=[one.pk, *args]))
            with CaptureQueriesContext(
                connection,
            ) as queries:
                client.get(reverse(f"tournaments:{name}", args=[one.pk, *args]))
            counts.append((name, tuple(args), len(queries)))
    assert counts[:4] == counts[4:]


def test_what_leaves_the_screen_leads_where_people_come_in(
    ana: models.Player, tournament: Tournament, settings: Any
) -> None:
    """The organiser uses the server's own machine; people who scan a code with a phone do not."""
    settings.SITE_URL = "https://cards.example.org"
    mine, club = browser(ana), tournament.club
    hall = mine.get(reverse("tournaments:hall", args=[tournament.pk])).context["address"]
    assert hall == f"https://cards.example.org/tournaments/{tournament.pk}/"
    mine.post(reverse("tournaments:invite", args=[club.slug]), {"role": "member"})
    [invitation] = mine.get(reverse("tournaments:club", args=[club.slug])).context["invitations"]
    feeds = mine.get(reverse("tournaments:connections", args=[club.slug])).context
    entry = mine.get(reverse("tournaments:console", args=[tournament.pk])).context["entry_url"]
    for url in (invitation["url"], feeds["calendar"], feeds["news"], entry):
        assert url.startswith("https://cards.example.org/")
    news = read_page(Client().get(reverse("tournaments:news", args=[club.slug])))
    assert "http://testserver" not in news


def test_nothing_is_ranked_before_there_is_a_result(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8])
    release(ana, tournament, 1)
    assert browser(ana).get(reverse("tournaments:hall", args=[tournament.pk])).context["line_sheets"] == []


@pytest.mark.parametrize("overrides", [
    {"format": "knockout", "rounds_planned": 1}, {"format": "swiss-cut", "rounds_planned": 1, "cut_to": 4},
    {"format": "swiss", "rounds_planned": 2},
])  # fmt: skip
def test_every_value_stands_under_its_own_head(ana: models.Player, overrides: dict[str, Any]) -> None:
    """A knockout gives no points: its rounds have no columns, on the page, on paper and in the file. Nor has,
    where people read, a tie-break that says nothing of anybody: at real tables without scores their share."""
    one = begin(ana, NAMES[:8], venue="real", least=4, most=4, **overrides)
    for number in (1, 2):
        play_round(ana, one, number)
    for html in (page("standings", one.pk), page("print", one.pk, "standings")):
        head, body = re.split("<tbody[^>]*>", re.split("<thead[^>]*>", html)[1].split("</tbody>")[0])
        rows = body.split("<tr")[1:]
        assert ("Wins" in head, "Share of game scores" in head) == (overrides["format"] != "knockout", False)
        assert {row.count("<td") + row.count("<th") for row in rows} == {head.count("<th ")}, overrides
        assert len(rows) == 8
    lines = page("download", one.pk, "standings.csv").splitlines()
    assert {line.count(",") for line in lines} == {lines[0].count(",")}
    answer = Client().get(f"/api/v1/tournaments/{one.pk}/standings").json()
    assert {len(line["tie_breaks"]) for line in answer["lines"]} == {len(answer["tie_breaks"])}


def test_a_share_of_the_scores_is_rounded_as_in_the_file() -> None:
    assert shown.say_tie_break("ratio", Fraction(89, 300)) == "0.297"


def test_in_an_arena_every_value_stands_under_its_own_head(ana: models.Player) -> None:
    """Players have different numbers of games: one column says how many."""
    one = begin(ana, NAMES[:9], format="arena", round_minutes=60, venue="real", least=4, most=4)
    arena.open_arena(one, ana, now=NOW)
    for at in (60, 200):
        arena.seat_free(one.rounds.get(), now=NOW + at)
        for pod in Pod.objects.filter(round__tournament=one, results=None):
            results.decide(one, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW + at + 1)
    head, *lines = csv.reader(page("download", one.pk, "standings.csv").lstrip("\ufeff").splitlines())
    assert [name for name in head if name not in scheme_of(one).tie_breaks] == [
        "place", "name", "points", "games", "from games", "penalties", "stand-in",
    ]  # fmt: skip
    columns = [dict(zip(head, line, strict=True)) for line in lines]
    earlier = {
        (line.place, round(line.points / 840, 4), line.played, line.wins) for line in ranking.rank(open_book(one))
    }
    assert {
        (int(row["place"]), float(row["points"]), int(row["games"]), int(row["wins"])) for row in columns
    } == earlier
    html = page("print", one.pk, "standings")
    heads, body = html.split("<thead>")[1].split("</tbody>")[0].split("<tbody>")
    assert {row.count("<td") + row.count("<th") for row in body.split("<tr")[1:]} == {heads.count("<th ")}


def test_the_tables_of_an_arena_stand_by_their_numbers(ana: models.Player) -> None:
    """Not by that of the game: the third one is played at the first table."""
    one = begin(ana, NAMES[:9], format="arena", round_minutes=60, venue="real", least=4, most=4)
    arena.open_arena(one, ana, now=NOW)
    arena.seat_free(one.rounds.get(), now=NOW + 60)
    results.decide(
        one, ana, Pod.objects.get(round__tournament=one, number=1).pk, ReportedResult((1, 2, 3, 4)), now=NOW + 61
    )
    arena.seat_free(one.rounds.get(), now=NOW + 120)
    for name, number in (("hall", r'class="hall-pods">.*?</section>'), ("print", r'class="print-pods">.*')):
        html = page(name, one.pk, *(["pairings"] if name == "print" else []))
        [tables] = re.findall(number, html, re.DOTALL)
        assert re.findall(r"(?:</span>|>)\s*(\d+)(?:</span>)?</b><ul>", tables) == ["1", "2"], name


@pytest.mark.parametrize("here", [0, 1, 3])
def test_a_draw_with_too_few_says_how_many_it_takes(ana: models.Player, here: int) -> None:
    one, client = begin(ana, NAMES[:here]), browser(ana)
    client.post(reverse("tournaments:do", args=[one.pk]), {"action": "draw", "round": 1})
    shown = client.get(reverse("tournaments:console", args=[one.pk]))
    assert [str(note) for note in shown.context["messages"]] == [
        f"Checked in: {here}. A table needs 4. Check in or add more people, or change the plan."
    ]
    assert not one.rounds.exists()


def test_a_plan_of_all_rounds_is_not_waited_for(ana: models.Player) -> None:
    assert is_quick(begin(ana, NAMES[:8]))
    assert not is_quick(begin(ana, NAMES[:8], format="round-robin"))
