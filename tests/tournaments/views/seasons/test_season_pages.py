"""The pages of a season: planned, opened, looked at for any moment, taken away as files, asked for by programs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games import models
from games.play.errors import Stale
from tests.cast import NOW, browser, person
from tests.html import read_page
from tests.tournaments.cast import found, plan, plan_season
from tests.tournaments.flow.seasons.test_season_changes import count, play, season, table
from tests.tournaments.flow.undo.test_undo import undo
from tests.tournaments.views.rounds.test_tournament_pages import count_queries
from tournaments.flow.planning import phases
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.flow.seasons.season_standings import open_table
from tournaments.models import Club, Entrant, Membership, Phase, Season, Tournament
from tournaments.scoring.standings import compute_lot
from tournaments.views.seasons import season_console

FORM: dict[str, Any] = {
    "name": "Winter", "game": "", "best_of": "2", "points": "beaten", "points_table": "5, 3, 2, 1",
    "tie_breaks": "wins\nlot", "is_public": "on",
}  # fmt: skip


def page(client: Client, tournament: Tournament | Season, name: str = "tournament", **query: str) -> str:
    return read_page(client.get(reverse(f"tournaments:{name}", args=[tournament.pk]), query))


def test_what_the_head_of_a_tournament_names_is_of_its_present(ana: models.Player) -> None:
    club = found(ana)
    played, one = play(ana, club, "Ada", "Bea", "Cem", "Dan"), season(ana, club)

    def version() -> str:
        answer: str = Client().get(reverse("tournaments:pulse", args=[played.pk])).json()["version"]
        assert f'data-version="{answer}"' in page(Client(), played)
        return answer

    seen = [version()]
    count(ana, one, played)
    seen.append(version())
    Season.objects.filter(pk=one.pk).update(name="Summer")
    seen.append(version())
    season_phases.finish(one, ana, now=NOW)
    seen.append(version())
    Club.objects.filter(pk=club.pk).update(name="Another Club")
    seen.append(version())
    assert len({*seen}) == 5


def test_a_plan_with_tie_breaks_that_mean_nothing_in_a_season_is_saved_as_it_is_shown(ana: models.Player) -> None:
    """Plans of the demo club and of imported files have them; the form must accept what it shows."""
    one = season(ana, tie_breaks=["opponents", "lot", "ratio", "wins"])
    client, address = browser(ana), reverse("tournaments:revise", args=[one.pk])
    shown = client.get(address).context["form"].initial
    assert shown["tie_breaks"] == ["lot", "wins"]
    sent = {name: value for name, value in shown.items() if value is not None}
    assert client.post(address, sent | {"best_of": "2"}).status_code == 302
    one.refresh_from_db()
    assert (one.best_of, msgspec.json.decode(one.tie_breaks)) == (2, ["lot", "wins"])


def test_a_season_for_everybody_does_not_offer_to_count_what_is_for_members(ana: models.Player) -> None:
    club = found(ana)
    one, hidden = season(ana, club), plan(ana, club, is_public=False)
    before, shown = season_changes.list_marks(one), page(browser(ana), one, "console")
    assert ("for members only, but this season is public" in shown, 'value="count"' in shown) == (
        True,
        False,
    )
    Tournament.objects.filter(pk=hidden.pk).update(is_public=True)
    assert season_changes.list_marks(one) != before
    assert 'value="count"' in page(browser(ana), one, "console")


def test_a_season_is_offered_what_it_could_count_and_not_all_that_the_club_has_ever_planned(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what counts already nor what was called off takes the place of another one."""
    monkeypatch.setattr(season_changes, "MAX_TOURNAMENTS", 2)
    one, mine = season(ana), browser(ana)
    first, second, third, storm = (plan(ana, one.club, name=name) for name in ("First", "Second", "Third", "Storm"))
    phases.call_off(storm, ana, now=NOW)
    count(ana, one, third)

    def offered() -> list[str]:
        return re.findall(r'name="tournament" value="(\w+)".{,200}value="count"', page(mine, one, "console"), re.DOTALL)

    assert offered() == [second.pk, first.pk]
    assert len([row for rows in season_changes.list_marks(one) for row in rows]) == 3
    Season.objects.filter(pk=one.pk).update(phase=Phase.FINISHED)
    one.refresh_from_db()
    assert season_changes.list_marks(one)[1] == []


def test_a_season_through_its_pages(ana: models.Player) -> None:
    club, mine = found(ana), browser(ana)
    played = play(ana, club, "Ada", "Bea", "Cem", "Dan")
    answer = mine.post(reverse("tournaments:new_season", args=[club.slug]), FORM)
    one = Season.objects.get()
    assert answer["Location"] == reverse("tournaments:console", args=[one.pk])
    do = reverse("tournaments:do", args=[one.pk])
    assert 'value="open-season"' in page(mine, one, "console")
    mine.post(do, {"action": "open-season"})
    assert "Standings will appear here as soon as a tournament of the season is finished." in page(Client(), one)
    mine.post(do, {"action": "count", "tournament": played.pk})
    shown = page(Client(), one)
    assert [name in shown for name in ("Ada", "Bea", "Cem", "Dan")] == [True] * 4
    assert "Each person's 2 best tournaments count." in shown
    assert "counts for" in page(Client(), played)
    mine.post(do, {"action": "league-name", "entrant": played.entrants.get(name="Ada").pk, "name": "Ada L."})
    assert "Ada L." in page(Client(), one)
    assert "counted Ada (Thursday) under the name Ada L." in page(mine, one, "log")
    mine.post(do, {"action": "finish"})
    assert "The season is finished." in page(mine, one, "console")
    assert 'value="uncount"' not in page(mine, one, "console")
    for name, args in (("hall", ()), ("outputs", ()), ("chronicle", ()), ("print", ("standings",)),
                       ("print", ("certificates",))):  # fmt: skip
        assert Client().get(reverse(f"tournaments:{name}", args=[one.pk, *args])).status_code == 200, name
    paper = read_page(Client().get(reverse("tournaments:print", args=[one.pk, "standings"])))
    assert re.findall(r'<th scope="col"[^>]*>(\w+)</th>', paper) == ["Place", "Name", "Points", "Played", "Wins"]
    assert re.search(r"<td class=\"n d\d\"><b>\d", paper), "points stand on the sheet"
    assert Client().get(reverse("tournaments:pairings", args=[one.pk])).status_code == 302


def test_a_season_of_which_nothing_is_played_speaks_of_no_rounds(ana: models.Player) -> None:
    """And does not count a tournament that was called off."""
    one, mine = season(ana), browser(ana)
    storm = plan(ana, one.club)
    count(ana, one, storm)
    assert "1 tournament counts. Not finished yet: Thursday." in page(mine, one, "console")
    phases.call_off(storm, ana, now=NOW)
    assert "0 tournaments count." in page(mine, one, "console")
    soon = "as soon as a tournament of the season is finished"
    for sheet in ("standings", "certificates"):
        html = read_page(Client().get(reverse("tournaments:print", args=[one.pk, sheet])))
        assert (soon in html, "round" in html) == (True, False), sheet
    assert "Pairings" not in page(mine, one, "outputs")
    planned = plan_season(ana, one.club, tie_breaks=["wins"])
    assert "Nothing yet. What happens in this season will appear here." in page(Client(), planned, "chronicle")


def test_in_a_long_season_a_person_is_found_by_name(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season_console, "MAX_NAMES", 4)
    one, mine = season(ana), browser(ana)

    def offered(**query: str) -> list[str]:
        found = re.search(r'<select id="who".*?</select>', page(mine, one, "console", **query), re.DOTALL)
        return re.findall(r">([^<(]+) \(", found.group()) if found else []

    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1))
    assert 'id="q"' not in page(mine, one, "console")
    last = play(ana, one.club, "Eli", "Fay", "Zoë Łuk", "Hal", at=NOW + 2)
    count(ana, one, last)
    assert len(offered()) == 4
    assert "Not everyone is shown. Search for others by name." in page(mine, one, "console")
    assert offered(q="luk") == offered(q="zoe") == ["Zoë Łuk"]
    mine.post(
        reverse("tournaments:do", args=[one.pk]),
        {"action": "league-name", "entrant": last.entrants.get(name="Zoë Łuk").pk, "name": "Queen"},
    )
    assert offered(q="queen") == ["Zoë Łuk"]
    assert offered(q="<b>x") == []
    assert "starts with “&lt;b&gt;x”" in page(mine, one, "console", q="<b>x")


def test_any_moment_can_be_looked_at(ana: models.Player) -> None:
    one = season(ana)
    count(
        ana, one,
        play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1),
        play(ana, one.club, "Eli", "Fay", "Gus", "Hal", at=NOW + 2),
    )  # fmt: skip
    assert ("Eli" in page(Client(), one, after="1"), "Eli" in page(Client(), one, after="x")) == (False, True)
    assert page(Client(), one, after="1").count('<th scope="row" role="rowheader">') == 4


def read_table(client: Client, one: Season) -> list[tuple[str, ...]]:
    """Whether a row is the reader's own, and what stands in its cells."""
    rows = re.findall(r"<tr( class=\"me\")? role=\"row\">(<td class=\"place\".*?)</tr>", page(client, one))
    return [
        (mine, *(re.sub("<[^>]+>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row))) for mine, row in rows
    ]


def test_what_everybody_had_where_and_what_of_it_counts(ana: models.Player, ben: models.Player) -> None:
    one = season(ana, best_of=1, tie_breaks=["wins", "best", "lot"])
    count(
        ana, one,
        play(ana, one.club, "Ada", "Bea", "Cem", at=NOW + 1, people=(ben,)),
        play(ana, one.club, "Cem", "Bea", "Dan", "Eli", at=NOW + 2),
    )  # fmt: skip
    lots = {line.person: f"{compute_lot(one.lot_seed, line.person):012x}"[:4] for line in open_table(one).standing()}
    dropped, away, third, two = " does not count", "·did not take part", "0.33", "0.67"
    expected = [
        ("Ada", "1", "1", "1", away, "1", "1"), ("Cem", "1", "2", third + dropped, "1", "1", "1"),
        ("Bea", two, "2", two, two + dropped, "0", two), ("Dan", third, "1", away, third, "0", third),
        ("Ben", "0", "1", "0", away, "0", "0"), ("Eli", "0", "1", away, "0", "0", "0"),
    ]  # fmt: skip
    for client, me in ((Client(), ""), (browser(ben), "Ben"), (browser(ana), "")):
        rows = read_table(client, one)
        assert [row[1] for row in rows] == ["1", "2", "3", "4", "5", "6"]
        assert {(row[2].removesuffix(" (you)"), *row[3:]) for row in rows} == {(*row, lots[row[0]]) for row in expected}
        assert [row[2] for row in rows if row[0]] == ([f"{me} (you)"] if me else [])


def test_its_page_knows_when_one_of_its_tournaments_has_changed(ana: models.Player) -> None:
    one = season(ana)
    played = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    count(ana, one, played)
    url = reverse("tournaments:pulse", args=[one.pk])
    before = Client().get(url).json()
    undo(ana, played)
    assert Client().get(url).json() != before


def test_its_page_asks_as_much_for_many_people_as_for_few(ana: models.Player) -> None:
    one = season(ana)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1))
    url = reverse("tournaments:tournament", args=[one.pk])
    browser(ana).get(url)  # this process knows by now that it is a season
    few = count_queries(browser(ana), url)
    count(ana, one, play(ana, one.club, "Ada", "Eli", "Fay", "Gus", "Hal", "Ida", at=NOW + 2))
    assert count_queries(browser(ana), url) == few <= 14


def test_a_new_tournament_chooses_its_season(ana: models.Player) -> None:
    one = season(ana)
    client, url = browser(ana), reverse("tournaments:plan", args=[one.club.slug])
    assert f'<option value="{one.pk}">Winter</option>' in client.get(url).content.decode()
    form = {
        "name": "Friday", "game": "karriere-poker", "format": "swiss", "venue": "real", "rounds_planned": 3,
        "wanted": 4, "least": 4, "most": 5, "turn_seconds": 45, "grace_minutes": 5, "no_show": "bot", "advance": 2,
        "cut_to": 8, "points": "beaten", "points_table": "5,3,2,1", "bye_points": 1, "absent_points": 0,
        "no_show_points": 0, "forfeit_points": 0, "repeat_worth": 1.5, "bot_level": "steady", "is_public": "on",
    }  # fmt: skip
    assert client.post(url, form | {"season": one.pk}).status_code == 302
    assert Tournament.objects.get(name="Friday").season == one
    hidden = client.post(url, form | {"name": "Secret", "season": one.pk, "is_public": ""})
    assert hidden.status_code == 422
    assert not Tournament.objects.filter(name="Secret").exists()
    assert client.post(url, form | {"name": "Other", "season": "nonsense"}).status_code == 422


@pytest.mark.parametrize(
    "wrong", [{"best_of": "0"}, {"points_table": "a"}, {"tie_breaks": "opponents"}, {"name": "x"}, {"game": "chess"}]
)
def test_what_is_no_season_is_said_in_the_form(ana: models.Player, wrong: dict[str, str]) -> None:
    club = found(ana)
    answer = browser(ana).post(reverse("tournaments:new_season", args=[club.slug]), FORM | wrong)
    assert (answer.status_code, Tournament.objects.count()) == (422, 0)


def test_files_go_out_and_come_back(ana: models.Player) -> None:
    one = season(ana)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan"))
    rosa = person("Rosa")
    club = found(rosa, "Mountain Club")
    for kind in ("archive.zip", "league.json"):
        sent = Client().get(reverse("tournaments:download", args=[one.pk, kind])).content
        answer = browser(rosa).post(
            reverse("tournaments:restore", args=[club.slug]), {"file": SimpleUploadedFile(kind, sent), "copy": "1"}
        )
        copy = Season.objects.filter(club=club).latest("created_at")
        assert answer["Location"] == reverse("tournaments:tournament", args=[copy.pk])
        assert table(copy) == table(one)
    text = Client().get(reverse("tournaments:download", args=[one.pk, "standings.csv"])).content.decode("utf-8-sig")
    assert text.splitlines()[:2] == ["place,name,points,played,won,Thursday,wins,stand-in games", "1,Ada,1,1,1,1,1,0"]
    assert Client().get(reverse("tournaments:download", args=[one.pk, "results.csv"])).status_code == 404


def test_a_duel_that_was_won_is_told_as_one(ana: models.Player) -> None:
    one = season(ana, tie_breaks=["head-to-head"])
    for names in (("Ada", "Bea"), ("Bea", "Ada"), ("Ada", "Cem", "Bea"), ("Bea", "Cem", "Ada")):
        count(ana, one, play(ana, one.club, *names, "Dan", "Eli"))
    text = Client().get(reverse("tournaments:download", args=[one.pk, "standings.csv"])).content.decode("utf-8-sig")
    assert [line.split(",")[-2:] for line in text.splitlines()[1:]] == [["2", "0"], ["2", "0"], *[["", "0"]] * 3]
    assert page(Client(), one).count('data-label="Head-to-head">2</td></tr>') == 2


def test_programs_read_it(ana: models.Player) -> None:
    one = season(ana)
    played = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    count(ana, one, played)
    answer = Client().get(f"/api/v1/seasons/{one.pk}").json()
    assert (answer["name"], answer["after"], answer["tournaments"]) == ("Winter", 1, [played.pk])
    assert answer["lines"][0] == {
        "place": 1, "name": "Ada", "person": None, "points": 1.0, "played": 1, "wins": 1, "results": [1.0],
        "counts": [True], "tie_breaks": ["1"], "stand_ins": 0,
    }  # fmt: skip
    assert Client().get(f"/api/v1/seasons/{one.pk}?after=0").json()["lines"] == []
    assert Client().get(f"/api/v1/seasons/{played.pk}").status_code == 404
    assert Client().get(f"/api/v1/tournaments/{one.pk}/standings").status_code == 404


def test_a_tournament_for_members_is_not_named_to_others(ana: models.Player) -> None:
    one = season(ana, is_public=False)
    hidden = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    count(ana, one, hidden)
    Season.objects.filter(pk=one.pk).update(is_public=True)
    Tournament.objects.filter(pk=hidden.pk).update(is_public=False, name="Secret evening")
    member = person("Mara")
    Membership.objects.create(club=one.club, player=member)
    assert ("Secret evening" in page(Client(), one), "Secret evening" in page(browser(member), one)) == (False, True)
    assert Client().get(f"/api/v1/seasons/{one.pk}").json()["tournaments"] == [""]


def test_calendar_and_news_speak_of_it(ana: models.Player) -> None:
    one = season(ana)
    played = play(ana, one.club, "Ada", "Bea", "Cem", "Dan")
    Tournament.objects.filter(pk=played.pk).update(starts_at="2055-01-15T19:00Z")
    count(ana, one, played)
    assert "Counts for Winter." in Client().get(
        reverse("tournaments:calendar", args=[one.club.slug])
    ).content.decode().replace("\r\n ", "")  # fmt: skip
    news = Client().get(reverse("tournaments:news", args=[one.club.slug])).content.decode()
    assert "Winter: added Thursday to the season" in news


def test_it_speaks_of_a_season_in_its_log_and_on_its_sheets(ana: models.Player) -> None:
    one, mine = season(ana), browser(ana)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan"))
    sheet = Client().get(reverse("tournaments:print", args=[one.pk, "standings"])).content.decode()
    assert ("All games" in sheet, "Back to the season" in sheet, "Table cards" in sheet) == (True, True, False)
    mine.post(reverse("tournaments:do", args=[one.pk]), {"action": "finish"})
    log = page(mine, one, "log")
    assert [f"{what} the season" in log for what in ("planned", "opened", "finished")] == [True] * 3
    assert "the tournament<" not in log


def test_a_certificate_of_a_season_bears_the_day_of_its_end(ana: models.Player) -> None:
    one = season(ana)
    count(ana, one, play(ana, one.club, "Ada", "Bea", "Cem", "Dan"))
    sheet = reverse("tournaments:print", args=[one.pk, "certificates"])
    animals = re.findall(r'<i class="a ([a-z-]+)"></i>', Client().get(sheet).content.decode())
    assert animals == list(Entrant.objects.order_by("number").values_list("avatar", flat=True)) != [animals[0]] * 4
    assert not re.search(r" 20\d\d<", Client().get(sheet).content.decode())
    season_phases.finish(one, ana, now=NOW + 40 * 86400)
    ended = datetime.fromtimestamp(NOW + 40 * 86400, tz=UTC)
    assert f"{ended.day} {ended:%B %Y}<" in Client().get(sheet).content.decode()


def test_a_season_of_nothing_but_what_was_called_off_cannot_be_finished(ana: models.Player) -> None:
    one = season(ana)
    off = plan(ana, one.club, name="Off")
    count(ana, one, off)
    phases.call_off(off, ana, now=NOW)
    assert 'value="finish"' not in page(browser(ana), one, "console")
    with pytest.raises(Stale, match="Nothing has been played yet"):
        season_phases.finish(one, ana, now=NOW)


def test_its_pages_are_of_another_present_when_a_tournament_could_count_or_somebody_is_called_something_else(
    ana: models.Player,
) -> None:
    club, mine = found(ana), browser(ana)
    one, other = season(ana, club), plan(ana, club)
    count(ana, one, play(ana, club, "Ada", "Bea", "Cem", "Dan"))
    ada = person("Fox 42")
    Entrant.objects.filter(name="Ada").update(player=ada)

    def version() -> str:
        answer: str = mine.get(reverse("tournaments:pulse", args=[one.pk])).json()["version"]
        return answer

    before = version()
    assert version() == before
    phases.move_on(other, ana, Phase.ENTRY, now=NOW)
    opened = version()
    assert opened != before
    ada_s, phrase = browser(ada), "quite a long phrase"
    ada_s.post(reverse("account_signup"), {"username": "Adelina", "email": "", "password1": phrase})
    signed_up = version()
    assert signed_up != opened
    ada_s.post(reverse("me"), {"name": "Adelheid", "avatar": ada.avatar})
    assert version() != signed_up
    assert "Adelheid" in page(mine, one)
