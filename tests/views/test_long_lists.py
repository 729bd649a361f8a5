"""Every list that can be longer than twenty rows can be searched, and the others are named here with their bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.models import Player, spelling
from games.views import lobby
from tests.cast import NOW, browser, finish, open_table, person, start_table
from tests.html import read_page
from tests.tournaments import cast
from tournaments.flow.clubs import membership, moderation
from tournaments.flow.counting import finished_tables
from tournaments.models import Club, Membership, Role, TimedSession
from tournaments.views.clubs import club_pages, programme
from tournaments.views.clubs import moderation as moderation_page
from tournaments.views.rounds import tournament_pages
from tournaments.views.undo import logs

ROOT = Path(settings.BASE_DIR) / "templates"
LIST = re.compile(r"<(ul|ol|dl|tbody|select)\b([^>]*)>\s*(?:<option[^>]*>.*?</option>\s*)?(?:\{%-?\s*for\b|\{\{)")
SHORT: Final[dict[str, str]] = {
    "print": "on paper",
    "admin/base_site.html": "languages",
    "admin/filter.html": "what a column of the admin can be narrowed to",
    "admin/void.html": "what was ticked on a page of the admin, which has a search",
    "replays/analysis.html ul": "seats of a table",
    "base.html": "languages",
    "clubs/club.html": "roles, and how long a link is valid",
    "clubs/connections.html ul": "at most api_keys.MAX_KEYS",
    "evenings/hall.html": "on a wall",
    "evenings/log.html ol": "the latest six steps; those before have a search",
    "clubs/home.html": "the latest few; each has a page with all",
    "clubs/moderate_buttons.html": "durations",
    "clubs/reported.html": "a few messages around one",
    "clubs/restore.html ul": "copies of one archive",
    "fields.html": "a form",
    "fragments/board.jinja": "the seats of a table, and the log of a game, which has pages by deal",
    "fragments/hall.jinja": "on a wall",
    "fragments/jobs.jinja": "seats of a table",
    "fragments/ladder.jinja": "seats of a table",
    "fragments/log.jinja": "what one step has changed",
    "fragments/members.jinja select": "roles",
    "fragments/over.jinja": "seats of a table",
    "fragments/people.jinja": "a picture in words, in the order of time",
    "fragments/pods.jinja": "seats of a table",
    "fragments/replay.jinja": "the log of a game, which has a list of its deals",
    "fragments/simple.jinja": "a table",
    "fragments/waiting.jinja": "seats of a table",
    "me/hand_overs.html": "devices of one person that others have signed in lately",
    "lesson.html": "steps of a lesson",
    "me/name.html": "languages, and errors of a form",
    "people/career.html": "head_to_head.RIVALS",
    "people/duel.html": "head_to_head.SHOWN_TABLES",
    "people/feats.html": "the games of this site",
    "people/games.html": "the games of this site",
    "people/history.html": "has a search by name",
    "people/leaderboard.html": "has a search by name",
    "people/profile.html ul": "the games of this site, and queries.SHOWN_GAMES; the page with all has a search",
    "people/records.html": "the best few, and the latest ten evenings; each has a page with all",
    "people/rivals.html": "has a search by name; at most head_to_head.FOUND",
    "people/search.html": "is a search",
    "people/year.html": "year_review.COMPANY",
    "replays/scene.html": "speeds",
    "me/resets.html": "links of the last days for one account",
    "seasons/outputs.html": "kinds of files",
    "tables/table.html": "chairs of a table",
    "tables/log.html": "the log of a game, which has pages by deal",
    "tables/news.html": "news of one game",
    "me/tokens.html": "access_tokens.MAX_TOKENS, bot_accounts.MAX_BOTS",
    "tournaments/rounds/arena.html ul": "seats of a table, and reasons",
    "tournaments/rounds/arena.html ol": "arena.LEADERS",
    "tournaments/console/draft.html": "lines of a proof",
    "tournaments/console/further.html select": "levels of bots",
    "tournaments/console/result.html": "seats of a table",
    "tournaments/console/steps.html": "logs.LATEST; the full log has a search",
    "tournaments/console/tables.html": "seats by table; a seat can be dragged, too",
    "tournaments/entry/door.html": "has a search by name and code",
    "tournaments/results/entry_fields.html": "seats of a table",
    "tournaments/rounds/hall.html": "on a wall",
    "tournaments/planning/import.html ul": "plan_pages.MAX_DOUBTS",
    "tournaments/rounds/outputs.html": "kinds of files",
    "tournaments/rounds/overview.html": "seats of a table, reasons, the leaders, one seed a round",
    "tournaments/planning/plan_field.html": "errors of a form",
    "tournaments/results/pod.html": "seats of a table",
    "tournaments/results/said.html": "seats of a table",
    "tournaments/soon.html": "context.SHOWN",
    "tournaments/standings/entrant.html ol": "seats of a table; the rounds around them have a search",
    "tournaments/planning/plan_preview.html ul": "stages of a bracket",
    "tournaments/entry/team_fields.html": "the teams of one tournament, as the page of teams lists them with a search",
    "tournaments/entry/teams.html ul": "people of one team",
    "verify": "checks of one game",
}
"""By the beginning of "template tag": why a list without a search is short."""


def list_lists() -> Iterator[tuple[str, bool]]:
    """Of every list in the templates: "template tag", and whether it can be searched."""
    for file in sorted([*ROOT.rglob("*.html"), *ROOT.rglob("*.jinja")]):
        for found in LIST.finditer(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(ROOT)} {found[1]}", "data-filter" in found[2]


def test_every_list_has_a_search_or_a_bound() -> None:
    without = sorted({name for name, has_search in list_lists() if not has_search})
    assert [name for name in without if not any(name.startswith(short) or f"/{short}" in name for short in SHORT)] == []
    used = {short for short in SHORT for name in without if name.startswith(short) or f"/{short}" in name}
    assert sorted(set(SHORT) - used) == []


def test_most_lists_have_one() -> None:
    assert sum(has_search for _name, has_search in list_lists()) > 50


@pytest.fixture
def club(ana: Player) -> Club:
    """Ana's, with four members."""
    one = membership.found_club(ana, name="Harbour")
    for name in ("Bea", "Cem", "Łukasz Żuraw", "Zoë Alder"):
        membership.take_in(one.pk, person(name).pk, Role.MEMBER)
    return one


def search(url: str, q: str = "", *, reader: Player | None = None, **given: str) -> str:
    """The page of this search."""
    client = browser(reader) if reader is not None else Client()
    return read_page(client.get(url, {"q": q, **given} if q else given))


def test_members_of_a_large_club_are_found_beyond_the_shown_ones(
    club: Club, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = reverse("tournaments:club", args=[club.slug])
    assert 'name="q" value=""' not in search(url, reader=ana).split('id="people"')[1]  # all are shown: no search
    monkeypatch.setattr(club_pages, "SHOWN_MEMBERS", 3)
    monkeypatch.setattr(club_pages, "SHOWN_OF_MANY", 2)
    page = search(url, reader=ana).split('id="people"')[1]
    assert ("Showing the first 2." in page, "Żuraw" in page, 'name="q"' in page) == (True, False, True)
    found = search(url, "zuraw", reader=ana).split('id="people"')[1]
    assert ("Żuraw" in found, "Alder" in found, "?q=zuraw" in found) == (True, False, True)
    assert "Nothing found." in search(url, "nobody", reader=ana)


def test_evenings_and_tournaments_of_a_club_are_found_on_any_page(
    club: Club, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programme, "PAGE_ROWS", 2)
    for number, name in enumerate(("Winter cup", "Spring cup", "Summer cup", "Autumn night")):
        TimedSession.objects.create(
            pk=f"e{number}", club=club, owner=ana, name=name, game="animal-poker", starts_at=NOW - 86_400 * number,
            ends_at=NOW + 60,
        )  # fmt: skip
        cast.plan(ana, club, name=name)
    for kind in ("club_evenings", "club_tournaments"):
        url = reverse(f"tournaments:{kind}", args=[club.slug])
        first = search(url)
        assert ("Page 1 of 2" in first, 'name="q"' in first) == (True, True)
        cups = search(url, "cup")
        assert ("Autumn night" in cups, "Page 1 of 2" in cups, "&amp;q=cup" in cups) == (False, True, True)
        assert "Summer cup" in search(url, "summer")
        assert "Nothing found." in search(url, "carnival")


def test_tournaments_and_clubs_are_found_beyond_the_shown_ones(
    club: Club, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Winter cup", "Spring cup", "Summer cup"):
        cast.begin(ana, ("Bea", "Cem"), club=club, name=name)
        cast.found(ana, name=f"{name} club")
    monkeypatch.setattr(tournament_pages, "MAX_LISTED", 2)
    monkeypatch.setattr(club_pages, "SHOWN", 2)
    for kind, wanted in (("tournaments", "Winter cup"), ("clubs", "Winter cup club")):
        url = reverse(f"tournaments:{kind}")
        assert 'id="list-q"' in search(url)
        found = search(url, "winter")
        assert (f">{wanted}</a>" in found, "Summer" in found, "Spring" in found) == (True, False, False)
        assert "Nothing found." in search(url, "carnival")


def test_the_log_of_a_tournament_is_searched_as_it_is_read(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cast.begin(ana)
    url = reverse("tournaments:log", args=[tournament.pk])
    assert 'id="list-q"' not in search(url, reader=ana)  # one page: the page itself narrows it
    monkeypatch.setattr(logs, "PAGE_LINES", 2)
    monkeypatch.setattr(logs, "BATCH", 3)
    assert 'id="list-q"' in search(url, reader=ana)
    found = search(url, "cem", reader=ana)
    assert re.findall(r'<li id="step-(\d+)"', found) == [
        str(step.number) for step in tournament.steps.order_by("-number") if "Cem" in step.details
    ]
    page = search(url, "ana", reader=ana)
    (older,) = re.findall(r'rel="next" href="\?before=(\d+)&amp;q=ana"', page)
    assert f'id="step-{int(older) - 1}"' in search(url, "ana", reader=ana, before=older)
    monkeypatch.setattr(logs, "SEARCHED_BATCHES", 1)  # no more is looked at for one request
    nothing = search(url, "carnival", reader=ana)
    assert ("Nothing found." in nothing, "&amp;q=carnival" in nothing) == (True, True)


def test_the_log_of_a_club_is_searched_as_it_is_read(club: Club, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for member in Membership.objects.filter(club=club, role=Role.MEMBER).order_by("pk"):
        moderation.silence(club, ana, member.player_id, hours=1, now=NOW)
    url = reverse("tournaments:moderation", args=[club.slug])
    assert 'id="list-q"' not in search(url, reader=ana)
    monkeypatch.setattr(moderation, "SHOWN", 1)
    found = search(url, "zoe", reader=ana)
    assert re.findall(r"silenced \S*(Zoë|Łukasz|Bea|Cem)", found.split('id="log"')[1]) == ["Zoë", "Zoë"]  # and a button
    assert "Bea" in search(url, "silenced bea", reader=ana).split('id="log"')[1]
    monkeypatch.setattr(moderation_page, "SEARCHED_PAGES", 2)
    nothing = search(url, "bea", reader=ana).split('id="log"')[1]
    (older,) = re.findall(r"\?before=(\d+)&amp;q=bea", nothing)
    assert "Bea" in search(url, "bea", reader=ana, before=older).split('id="log"')[1]


def test_open_tables_are_found_beyond_the_shown_ones(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "SHOWN_TABLES", 2)
    for host in (ana, person("Bea"), person("Zoë")):
        open_table(host)
    url = reverse("lobby")
    assert ("Ana invites" in search(url), 'id="list-q"' in search(url)) == (False, True)
    assert ("Ana invites" in search(url, "ana"), "Zoë invites" in search(url, "ana")) == (True, False)
    assert "Nothing found." in search(url, "nobody")


def test_all_tables_of_a_person_by_game_and_by_companion(ana: Player, ben: Player) -> None:
    cem = person("Cem")
    private = person("Dora")
    Player.objects.filter(pk=private.pk).update(is_listed=False)
    for number, guests in enumerate(((ben,), (cem, private), (ben, cem))):
        now = NOW + 3600 * number
        finished_tables.count_table(
            finish(start_table(ana, *guests, options={"deals": 1}, now=now), now=now).id, now=now
        )
    url = reverse("tournaments:person_games", args=[ana.pk])
    page = search(url)
    assert ("3 tables" in page, "Dora" in page, "and 1 more" in page) == (True, False, True)
    assert [len(re.findall("row-table", search(url, name))) for name in ("", "ben", "ce", "dora", "nobody")] == [
        3, 2, 2, 0, 0,
    ]  # fmt: skip
    assert "No finished tables like that." in search(url, "dora")
    assert "3 tables" in search(url, game="karriere-poker")
    assert "3 tables" in search(url, game="animal-poker")  # not among their games: no filter
    assert reverse("tournaments:person_games", args=[ana.pk]) in read_page(
        Client().get(reverse("tournaments:person", args=[ana.pk]))
    )


def test_words_are_found_from_their_beginnings_in_any_order() -> None:
    text = "Łukasz Groß silenced Zoë for 1 hour"
    searches = ["lukasz", "gross zoe", "zoe luk", "hour", "oe", "silenced ben", ""]
    assert [spelling.mentions(one, text) for one in searches] == [True, True, True, True, False, False, True]
