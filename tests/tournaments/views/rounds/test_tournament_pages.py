"""Pages of a tournament: the same number of queries whatever its size, imports, the lobby."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import models
from games.play.storage.table import WAITING
from tests.cast import NOW, browser, person
from tests.html import read_page
from tests.tournaments.cast import NAMES, begin, check_in, enter, entrant, plan, play_round, release
from tournaments.flow.clubs import membership
from tournaments.flow.entry import organiser_decisions, sign_up
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.rounds import results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Club, Entrant, Phase, Pod, PodSeat, Role, Step, Tournament

PAGES = ("tournament", "pairings", "standings", "chronicle", "console", "log")


def count_queries(client: Client, url: str) -> int:
    """How many queries the page takes when it is fetched again."""
    client.get(url)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


def played(owner: models.Player, club: Club | None, people: int) -> Tournament:
    """A tournament of so many, in its third round."""
    tournament = plan(owner, club, most=4, venue="real")
    check_in(owner, tournament, [f"Person {number}" for number in range(people)])
    play_round(owner, tournament, 1)
    play_round(owner, tournament, 2)
    release(owner, tournament, 3)
    return tournament


def test_queries_are_constant_in_the_number_of_entrants(ana: models.Player) -> None:
    small = played(ana, None, 8)
    large = played(ana, small.club, 24)
    client = browser(ana)
    counts = {
        name: tuple(count_queries(client, reverse(f"tournaments:{name}", args=[one.pk])) for one in (small, large))
        for name in PAGES
    }
    assert {name: few for name, (few, _) in counts.items()} == {name: many for name, (_, many) in counts.items()}
    tried_out = {"console": 34, "log": 70}  # whether a step can be taken back is found by doing so
    assert {name: few for name, (few, _) in counts.items() if few > tried_out.get(name, 24)} == {}


def test_queries_are_constant_in_the_number_of_tables_that_wait(ana: models.Player) -> None:
    client, counts = browser(ana), []
    for people in (8, 24):
        tournament = plan(ana, club=Club.objects.first(), most=4)
        phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
        enter(tournament, *(f"Person {people}.{number}" for number in range(people)))
        phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
        Entrant.objects.filter(tournament=tournament).update(status=Entrant.Status.PRESENT)
        release(ana, tournament, 1)
        assert Pod.objects.filter(round__tournament=tournament, table__status=WAITING).count() == people / 4
        counts.append([count_queries(client, reverse(f"tournaments:{name}", args=[tournament.pk])) for name in PAGES])
    assert counts[0] == counts[1]


def test_every_page_of_a_tournament_has_a_title_of_its_own(ana: models.Player) -> None:
    tournament = begin(ana)
    play_round(ana, tournament, 1)
    addresses = [reverse(f"tournaments:{name}", args=[tournament.pk]) for name in (*PAGES, "outputs", "import")]
    addresses += [reverse("tournaments:pod", args=[tournament.pk, 1, table]) for table in (1, 2)]
    pages = [read_page(browser(ana).get(address)) for address in addresses]
    titles = [re.findall("<title>(.*)</title>", page) for page in pages]
    assert len({title for (title,) in titles}) == len(addresses)


def test_an_import_is_looked_at_before_it_happens(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    url, client = reverse("tournaments:import", args=[tournament.pk]), browser(ana)
    text = "name\nAda\nBea\n\nBea\n,\n"
    shown = client.post(url, {"text": text})
    assert shown.status_code == 422
    assert "Line 5 (Bea): “Bea” is already in line 3" in read_page(shown)
    assert Entrant.objects.count() == 1
    assert client.post(url, {"text": text, "sure": "1"}).status_code == 422
    assert client.post(url, {"text": text, "sure": "1", "skip": "1"}).status_code == 302
    assert [one.name for one in Entrant.objects.order_by("number")] == ["Ada", "Bea"]


def test_an_import_shows_what_it_has_read_of_everybody(ana: models.Player) -> None:
    url = reverse("tournaments:import", args=[begin(ana, ()).pk])
    page = read_page(browser(ana).post(url, {"text": "name,club,seed,bot\nBea,Harbour,2,\nRob,,,steady\n"}))
    there = re.search('<ul class="people"[^>]*>(.*?)</ul>', page, re.DOTALL)
    assert there is not None
    lines = [" ".join(re.sub("<[^>]+>", " ", line).split()) for line in there[1].split("</li>")[:-1]]
    assert lines == ["Bea Harbour seed 2", "Rob bot"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,shoe\nAda,40\n", "Unknown columns: shoe."),
        ("name\n" + "".join(f"P{number}\n" for number in range(10_000)), "Too many lines: 10000."),
    ],
)
def test_an_import_that_cannot_be_read_changes_nothing(ana: models.Player, text: str, sentence: str) -> None:
    tournament = begin(ana, [])
    answer = browser(ana).post(reverse("tournaments:import", args=[tournament.pk]), {"text": text, "sure": "1"})
    assert answer.status_code == 400
    assert sentence in read_page(answer)
    assert Entrant.objects.count() == 0


def test_a_refusal_is_said_on_the_console_and_changes_nothing(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    client = browser(ana)
    answer = client.post(reverse("tournaments:do", args=[tournament.pk]), {"action": "finish"})
    page = client.get(answer["Location"])
    assert [str(message) for message in page.context["messages"]] == [
        "This is no longer possible because the tournament has moved on. Reload the page."
    ]
    assert page.context["next"] == "draw"


def test_a_page_says_when_it_is_no_longer_the_present(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    url = reverse("tournaments:pulse", args=[tournament.pk])
    before = Client().get(url).json()
    assert f'data-version="{before["version"]}"' in read_page(
        Client().get(reverse("tournaments:tournament", args=[tournament.pk]))
    )
    release(ana, tournament, 1)
    assert Client().get(url).json() != before


def test_the_lobby_shows_what_is_coming(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    hidden = plan(ana, tournament.club, name="Secret evening", is_public=False)
    check_in(ana, hidden)
    page = read_page(Client().get(reverse("lobby")))
    assert (tournament.name in page, hidden.name in page) == (True, False)
    assert hidden.name in read_page(browser(ana).get(reverse("lobby")))


def test_who_comes_for_the_first_time_sees_the_games_first(ana: models.Player) -> None:
    pages = {who: read_page(client.get(reverse("lobby"))) for who, client in lobby_of(ana)}
    first = {who: page.index('id="games"') < page.index('id="soon-title"') for who, page in pages.items()}
    assert first == {"stranger": True, "member": False}


def lobby_of(ana: models.Player) -> list[tuple[str, Client]]:
    """Two who look at it while a tournament is coming."""
    phases.move_on(plan(ana), ana, Phase.ENTRY, now=NOW)
    return [("stranger", Client()), ("member", browser(ana))]


def test_the_list_shows_what_a_reader_may_see_once_and_counts_nobody(ana: models.Player, ben: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    hidden = plan(ana, tournament.club, name="Secret evening", is_public=False)
    check_in(ana, hidden)
    for name in NAMES[4:8]:
        membership.take_in(tournament.club_id, person(name).pk, Role.MEMBER)
    url, queries = reverse("tournaments:tournaments"), CaptureQueriesContext(connection)
    with queries:
        pages = [read_page(client.get(url)) for client in (Client(), browser(ben), browser(ana))]
    shown = [(page.count(f'id="open-{tournament.pk}"'), page.count(f'id="open-{hidden.pk}"')) for page in pages]
    assert shown == [(1, 0), (1, 0), (1, 1)]
    assert not [one["sql"] for one in queries if Entrant._meta.db_table in one["sql"]]


def test_what_can_be_decided_at_a_table_comes_when_it_is_asked_for(ana: models.Player) -> None:
    tournament = played(ana, None, 8)
    client, console = browser(ana), reverse("tournaments:console", args=[tournament.pk])
    settle = reverse("tournaments:settle", args=[tournament.pk, 2])
    assert f'hx-get="{settle}"' in read_page(client.get(console))
    assert 'value="decide"' not in read_page(client.get(console))
    part = client.get(settle)
    assert "<html" not in read_page(part)
    pod = part.context["pod"]
    form = {"action": "decide", "pod": pod.id, **{f"place-{index}": index + 1 for index in range(len(pod.seats))}}
    assert client.post(reverse("tournaments:do", args=[tournament.pk]), form).status_code == 302
    assert client.get(settle).context["pod"].accepted.places == tuple(range(1, len(pod.seats) + 1))
    assert client.get(reverse("tournaments:settle", args=[tournament.pk, 9])).status_code == 404


def test_the_log_goes_back_page_by_page(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.views.undo.logs.PAGE_LINES", 4)
    tournament = begin(ana, NAMES[:6])
    client, url = browser(ana), reverse("tournaments:log", args=[tournament.pk])
    seen: list[int] = []
    page = client.get(url)
    while True:
        seen += [int(number) for number in re.findall(r'id="step-(\d+)"', read_page(page))]
        if page.context["older"] is None:
            break
        page = client.get(f"{url}?before={page.context['older']}")
    assert seen == sorted(Step.objects.filter(tournament=tournament).values_list("number", flat=True), reverse=True)
    assert client.get(f"{url}?before=soon").status_code == 400


def test_the_log_says_what_it_was_before_and_of_what_nothing_can_be_made(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    organiser_decisions.rename(tournament, ana, entrant(tournament, "Ada").pk, "Ada <b>L.</b>", now=NOW)
    client, url = browser(ana), reverse("tournaments:log", args=[tournament.pk])
    for language, before in (("en", "Changes"), ("de", "Änderungen"), ("en", "Changes")):
        page = read_page(client.get(url, headers={"accept-language": language}))
        [line] = [one for one in page.split("<li id=") if "Ada &lt;b&gt;L.&lt;/b&gt;" in one and "<details>" in one]
        assert (before in line, "Name: Ada → Ada &lt;b&gt;L.&lt;/b&gt;" in line) == (True, True)
        assert read_page(client.get(url)).count("csrfmiddlewaretoken") == page.count("csrfmiddlewaretoken") > 4
    assert "claim_token" not in page
    answer = client.post(reverse("tournaments:do", args=[tournament.pk]), {"action": "undo", "step": "--5"})
    assert answer.status_code == 302


def test_the_log_speaks_of_people_and_tables_and_of_no_rows(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", rounds_planned=1)
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    seats = list(pod.seats.order_by("index").values_list("pk", "entrant__name"))
    for places in ((1, 2, 3, 4), (2, 1, 3, 4)):
        results.decide(tournament, ana, pod.pk, ReportedResult(places), now=NOW)
    results.set_fate(tournament, ana, seats[3][0], PodSeat.Fate.NO_SHOW, now=NOW)
    organiser_decisions.penalise(
        tournament, ana, entrant(tournament, "Ada").pk, points=420, reason="Late.", key="a", now=NOW
    )
    url = reverse("tournaments:log", args=[tournament.pk])
    text = {}
    for language in ("en", "de"):
        page = read_page(browser(ana).get(url, headers={"accept-language": language}))
        text[language] = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
        assert re.findall(r"\b(?:PodSeat|Entrant|Result|[a-z]+_(?:at|id|by|since))\b", text[language]) == []
    first, second, _third, last = (name for _pk, name in seats)
    before = f"Table 1: 1. {first}, 2. {second}, 3. {_third}, 4. {last} counts → does not count"
    assert before in text["en"]
    assert f"{last} plays → no-show" in text["en"]
    assert f"{last} spielt → nicht erschienen" in text["de"]
    assert "Ada new Points: – → 0.5 – → Late." in text["en"]
    assert "Ada neu Punkte: – → 0,5 – → Late." in text["de"]


def test_the_log_tells_a_plan_as_its_form_does(ana: models.Player) -> None:
    tournament = plan(ana, venue="real", tie_breaks=["wins"], starts_at=datetime(2055, 1, 20, 18, tzinfo=UTC))
    text = tournament_plan.read(tournament)
    other = {"venue": "mixed", "points_table": [3, 1], "tie_breaks": ["lot", "best"], "bye_points": 420}
    later = datetime(2055, 1, 21, 19, tzinfo=UTC)
    tournament_plan.revise(tournament, ana, msgspec.structs.replace(text, **other, starts_at=later), now=NOW)
    page = read_page(browser(ana).get(reverse("tournaments:log", args=[tournament.pk])))
    plain_text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    for change in (
        "Real tables only → Online and real tables", "5, 3, 2, 1 → 3, 1", "Wins → Lot, Best result",
        "Score for a bye: 1 → 0.5",
    ):  # fmt: skip
        assert change in plain_text
    assert re.search(r"Start time: [^→]*20[^→]*18:00 → [^→]*21[^→]*19:00", plain_text)


def test_the_console_says_of_which_day_its_latest_steps_are(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:2])
    sign_up.add_walk_in(tournament, ana, name="Cem", now=time.time())
    page = read_page(browser(ana).get(reverse("tournaments:console", args=[tournament.pk])))
    steps = page.split('id="steps-title"')[1].split("</ol>")[0]
    assert re.findall(r'class="day"><b>([^<]+)|(Ada|Bea|Cem)', steps) == [
        ("", "Cem"), ("15 Jan 2055", ""), ("", "Bea"), ("", "Ada"),
    ]  # fmt: skip


def test_a_page_follows_in_every_phase_for_each_can_be_left_and_come_back(ana: models.Player) -> None:
    tournament, mine = plan(ana), browser(ana)
    pages = {name: reverse(f"tournaments:{name}", args=[tournament.pk]) for name in ("tournament", "console", "import")}
    for phase in Phase:
        Tournament.objects.filter(pk=tournament.pk).update(phase=phase)
        follows = [name for name, url in pages.items() if b" data-pulse=" in mine.get(url).content]
        assert follows == ["tournament", "console"], phase  # a list that is looked at before it is imported stays


def test_of_somebody_who_never_came_nobody_is_waiting_when_all_is_over(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], venue="real", rounds_planned=1)
    tournament.entrants.filter(name=NAMES[8]).update(status="entered")

    def told() -> str:
        page = read_page(browser(ana).get(reverse("tournaments:tournament", args=[tournament.pk])))
        return page.partition(f">{NAMES[8]}</a> <small")[2].partition(">")[2].partition("<")[0]

    assert told() == "not here yet"
    play_round(ana, tournament, 1)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    assert told() == "did not play"
