"""Calendar and news as their standards want them (RFC 5545, RFC 4287), read strictly; and 304 while nothing is new."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games import models
from tests.cast import NOW, count_work
from tests.tournaments.cast import NAMES, begin, found, plan, play_round, release
from tests.tournaments.flow.seasons.test_season_changes import count, season
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.evenings import sessions
from tournaments.flow.undo import step_undo
from tournaments.models import Club, Step, Tournament
from tournaments.views.clubs import feeds

ATOM = "{http://www.w3.org/2005/Atom}"
SECOND = "zweite Zeile um 20\u00a0Uhr, 👩\u200d👧: " + "ąß🦊" * 60
LONG = f"Zażółć gęślą jaźń; \\ , „cudzysłów”\r\n{SECOND}\x0b\u2028\ufffe\x00"
MOMENT = re.compile(r"\d{8}T\d{6}Z")
LINE = re.compile(r"(?P<name>[A-Z-]+)(?P<parameters>(;[A-Z-]+=[^:;]+)*):(?P<value>.*)", re.DOTALL)
ONCE = {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "URL", "SEQUENCE", "LAST-MODIFIED"}


@pytest.fixture
def club(ana: models.Player) -> Club:
    """With a dated tournament of a long description and an evening."""
    one = found(ana)
    Club.objects.filter(pk=one.pk).update(about=LONG.replace("\x00", ""))
    made = begin(ana, NAMES[:8], club=one, least=4, most=4, rounds_planned=2, round_minutes=45)
    play_round(ana, made, 1)
    Tournament.objects.update(about=LONG.replace("\x00", ""), starts_at=datetime(2030, 5, 1, 18, 0, tzinfo=UTC))
    sessions.open_evening(one, ana, sessions.EveningPlan("Friday; all, of us", "animal-poker", 30), now=NOW)
    one.refresh_from_db()
    return one


def calendar_lines(body: bytes) -> list[re.Match[str]]:
    """The unfolded lines. Raises AssertionError for what RFC 5545 section 3.1 does not allow."""
    assert body.endswith(b"\r\n")
    raw = body.removesuffix(b"\r\n").split(b"\r\n")
    assert max(len(line) for line in raw) <= 75
    assert [line for line in raw if re.search(rb"[\x00-\x08\x0a-\x1f\x7f]", line)] == []
    unfolded = b"\r\n".join(raw).replace(b"\r\n ", b"").decode().split("\r\n")
    found_lines = [LINE.fullmatch(line) for line in unfolded]
    assert None not in found_lines
    return [line for line in found_lines if line is not None]


def events(club: Club) -> list[dict[str, str]]:
    """The events of the calendar by property, each of which stands there once."""
    lines = calendar_lines(Client().get(reverse("tournaments:calendar", args=[club.slug])).content)
    collected: list[dict[str, str]] = []
    for line in lines:
        if (line["name"], line["value"]) == ("BEGIN", "VEVENT"):
            collected.append({})
        elif collected and line["name"] != "END":
            assert line["name"] not in collected[-1]
            collected[-1][line["name"]] = line["value"]
    return collected


def test_the_calendar_keeps_to_its_standard(club: Club) -> None:
    tournament, evening = events(club)
    assert set(tournament) == set(evening) == ONCE
    for one in (tournament, evening):
        assert all(MOMENT.fullmatch(one[name]) for name in ("DTSTAMP", "DTSTART", "DTEND", "LAST-MODIFIED"))
        assert one["DTSTART"] <= one["DTEND"]
        assert one["URL"].startswith("http://testserver/")
        assert not re.search(r"(?<!\\)(\\\\)*[;,]", one["SUMMARY"] + one["DESCRIPTION"])
    assert (tournament["DTSTART"], tournament["DTEND"]) == ("20300501T180000Z", "20300501T193000Z")
    assert evening["SUMMARY"] == r"Friday\; all\, of us"
    whole = Calendar.from_ical(Client().get(reverse("tournaments:calendar", args=[club.slug])).content)
    assert str(whole.walk("VEVENT")[0]["DESCRIPTION"]).endswith(f"\n{SECOND}")
    assert {one["UID"] for one in (tournament, evening)} == {f"{pk}@menagerie" for pk in list_keys(club)}


def list_keys(club: Club) -> list[str]:
    return [*club.tournaments.values_list("pk", flat=True), *club.timed_sessions.values_list("pk", flat=True)]


def test_a_change_is_told_as_one_of_the_same_event(club: Club, ana: models.Player) -> None:
    before = {one["UID"]: one for one in events(club)}
    release(ana, Tournament.objects.get(), 2, now=NOW + 7200)
    evening = club.timed_sessions.get()
    sessions.extend(evening, ana, 15, version=evening.version, now=NOW)
    after = {one["UID"]: one for one in events(club)}
    assert set(after) == set(before)
    assert all(int(after[key]["SEQUENCE"]) > int(before[key]["SEQUENCE"]) for key in before)
    tournament = f"{Tournament.objects.get().pk}@menagerie"
    assert after[tournament]["DTSTAMP"] > before[tournament]["DTSTAMP"]


def test_an_evening_that_will_not_be_is_cancelled(ana: models.Player) -> None:
    club = found(ana)
    made = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30, NOW + 9000), now=NOW)
    assert "STATUS" not in events(club)[0]
    sessions.end(made, ana, now=NOW + 60)
    (event,) = events(club)
    assert (event["STATUS"], "DTEND" in event) == ("CANCELLED", False)


def feed_of(club: Club) -> ElementTree.Element:
    return ElementTree.fromstring(Client().get(reverse("tournaments:news", args=[club.slug])).content)  # noqa: S314 - our own


def one_text(element: ElementTree.Element, name: str) -> str:
    (found_one,) = element.findall(ATOM + name)
    assert found_one.text
    return found_one.text


def test_the_news_keep_to_their_standard(club: Club) -> None:
    """RFC 4287: id, title and updated of the feed and of every entry once, an author, a link to itself."""
    feed = feed_of(club)
    assert feed.tag == f"{ATOM}feed"
    assert one_text(feed.findall(f"{ATOM}author")[0], "name") == "Harbour Club"
    assert [link.get("rel") for link in feed.findall(f"{ATOM}link")] == ["alternate", "self"]
    moments = [datetime.fromisoformat(one_text(entry, "updated")) for entry in feed.findall(f"{ATOM}entry")]
    assert moments == sorted(moments, reverse=True)
    assert datetime.fromisoformat(one_text(feed, "updated")) == moments[0]
    ids = [one_text(entry, "id") for entry in feed.findall(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids) == 4
    for element in (feed, *feed.findall(f"{ATOM}entry")):
        assert re.match(r"(https?://|tag:[a-z.]+,\d{4}:).+", one_text(element, "id"))
        assert one_text(element, "title")
    assert "zweite Zeile" in one_text(feed, "subtitle")


def test_a_name_in_the_news_is_text_and_no_markup(club: Club) -> None:
    """RFC 4287, 3.1.1.2: what is of type html is read as HTML once its XML has been."""
    Step.objects.update(actor_name="Ana <b>&")
    summaries = [entry.find(f"{ATOM}summary") for entry in feed_of(club).findall(f"{ATOM}entry")]
    assert [one.get("type") for one in summaries if one is not None] == ["html"] * 4
    assert [(one.text or "").startswith("Ana &lt;b&gt;&amp; ") for one in summaries if one is not None] == [True] * 4


def test_no_two_houses_call_their_feeds_the_same(club: Club) -> None:
    """Each has a first club."""
    first = one_text(feed_of(club), "id")
    Club.objects.filter(pk=club.pk).update(created_at=club.created_at + timedelta(seconds=1))
    assert one_text(feed_of(club), "id") != first


def test_a_club_without_news_says_the_same_every_time(ana: models.Player) -> None:
    club = found(ana)
    assert datetime.fromisoformat(one_text(feed_of(club), "updated")) == club.created_at
    assert feed_of(club).findall(f"{ATOM}entry") == []


def titles(club: Club) -> list[str]:
    return [one_text(entry, "title") for entry in feed_of(club).findall(f"{ATOM}entry")]


def test_a_feed_is_the_same_by_whatever_name_its_house_is_asked(ana: models.Player) -> None:
    """RFC 4287, 4.2.6: its id never changes, wherever it lies."""
    address = reverse("tournaments:news", args=[found(ana).slug])
    feeds = [Client(headers={"host": host}).get(address).content for host in ("localhost", "127.0.0.1:8000")]
    first, second = [ElementTree.fromstring(feed).findtext(f"{ATOM}id") for feed in feeds]  # noqa: S314 - our own
    assert (first, first is None) == (second, False)


def test_what_was_taken_back_is_no_news_until_it_is_done_again(club: Club, ana: models.Player) -> None:
    one = Tournament.objects.get()
    release(ana, one, 2)
    assert titles(club)[0] == "Thursday: released round 2"
    undo(ana, one)
    assert "Thursday: released round 2" not in titles(club)
    for often in (1, 0, 1, 0):
        one.refresh_from_db()
        step_undo.revert(one, ana, Step.objects.filter(tournament=one).latest("number").number, now=NOW)
        assert titles(club).count("Thursday: released round 2") == often


def test_many_results_push_no_round_out_of_the_news(club: Club, ana: models.Player) -> None:
    one = Tournament.objects.get()
    Step.objects.bulk_create(
        Step(tournament=one, number=1000 + number, kind="result", at=NOW + number) for number in range(60)
    )
    assert "Thursday: released round 1" in titles(club)


@pytest.mark.parametrize("name", ["calendar", "news"])
def test_who_has_it_is_told_that_nothing_is_new(club: Club, ana: models.Player, name: str) -> None:
    url = reverse(f"tournaments:{name}", args=[club.slug])
    first = Client().get(url)
    assert first["Cache-Control"] == "private, no-cache"
    again = Client().get(url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    release(ana, Tournament.objects.get(), 2)
    new = Client().get(url, headers={"If-None-Match": first["ETag"]})
    assert (new.status_code, new["ETag"] == first["ETag"]) == (200, False)


def test_a_season_is_told_of_in_both(club: Club, ana: models.Player) -> None:
    year, one = season(ana, club), Tournament.objects.get(format="swiss")
    count(ana, year, one)
    assert any("Counts for Winter." in event["DESCRIPTION"] for event in events(club))


def test_the_calendar_reads_no_log_of_what_is_not_in_it(
    club: Club, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "MAX_EVENTS", 1)
    old = plan(ana, club, name="Long ago", starts_at=datetime(2020, 5, 1, 18, 0, tzinfo=UTC))
    before = count_work(lambda: events(club))
    Step.objects.bulk_create(Step(tournament=old, number=number, kind="enter", at=NOW) for number in range(1, 1001))
    assert [one["SUMMARY"] for one in events(club)] == ["Thursday", "Friday\\; all\\, of us"]
    assert count_work(lambda: events(club)) < 2 * before


def test_news_read_no_log_of_what_ended_long_ago(
    club: Club, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "MAX_NEWS", 1)
    old, late, came = (plan(ana, club, name=name) for name in ("Long ago", "Of late", "Brought along"))
    for one, ended_at in ((old, NOW + 1), (late, NOW + 2), (came, NOW + 3)):
        Tournament.objects.filter(pk=one.pk).update(finished_at=ended_at, phase="finished")
        Step.objects.create(tournament=one, number=9, kind="finish", at=ended_at)
    Step.objects.filter(tournament=came).delete()
    Step.objects.create(tournament=came, number=0, kind="restore", at=NOW + 4)
    before = count_work(lambda: titles(club))
    Step.objects.bulk_create(Step(tournament=old, number=number, kind="release", at=NOW) for number in range(10, 1010))
    assert titles(club) == ["Of late: finished the tournament"]
    assert count_work(lambda: titles(club)) < 2 * before
