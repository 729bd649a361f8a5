"""Before a game: what is open, a new table, one click to play."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.accounts.animal_pictures import AVATARS
from games.play.seats import arranged_tables, breaks, opening, sitting
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING
from games.presenters.table_texts import list_guide_tips
from games.rules import registry
from games.rules.info import FIRST_GAME_OVER
from tests.cast import as_other_process, browser, contributed, finish, open_table, start_table, wait_for

NEW = {"seats": "5", "bots": "1", "bot_level": "random", "turn_seconds": "45", "deals": "2", "is_public": "on"}


def test_open_tables_are_listed_and_those_by_invitation_are_not(ana: models.Player) -> None:
    shown, hidden = open_table(ana), open_table(ana, is_public=False)
    page = Client().get(reverse("lobby")).content.decode()
    assert (shown.id in page, hidden.id in page) == (True, False)


def test_who_comes_back_to_the_lobby_sees_it_as_it_is_now(db: None) -> None:
    assert Client().get(reverse("lobby"))["Cache-Control"] == "no-store"


def test_who_comes_in_is_told_how_many_chairs_wait_and_no_table_invites_that_has_none(
    ana: models.Player, ben: models.Player
) -> None:
    page = Client().get(reverse("lobby")).content.decode()
    assert '<a href="#open">See open tables</a>' in page
    open_table(ana)
    start_table(ben, now=time.time())
    page = Client().get(reverse("lobby")).content.decode()
    assert '<a href="#open">1 table has a free seat: join</a>' in page
    assert ("Ana invites you" in page, "Ben invites you" in page, "Ben's table" in page) == (True, False, True)


def test_the_house_is_explained_to_who_has_not_come_in_yet(ana: models.Player) -> None:
    pages = [reader.get(reverse("lobby")).content.decode() for reader in (Client(), browser(ana))]
    assert ["No account, no app" in page for page in pages] == [True, False]


def test_my_tables_of_today_are_shown_the_latest_first_also_when_they_were_played(ana: models.Player) -> None:
    now = time.time()
    tables = {"long over": now - 90_000, "over": now - 80_000, "waiting": now - 70_000, "under way": now - 60_000}
    ids = {name: open_table(ana, is_public=False, now=at).id for name, at in tables.items()}
    for name, ago in (("long over", 86_500), ("over", 86_300)):
        over = models.Table.objects.filter(pk=ids[name])
        over.update(status="over", started_at=now - ago - 60, ended_at=now - ago)
    ids["never begun"] = open_table(ana, is_public=False, now=now - 50_000).id
    sitting.leave(ids["never begun"], ana.pk, now=now - 40_000)
    models.Seat.objects.create(
        table_id=ids["never begun"], index=0, player=ana
    )  # as an arranged table keeps its people
    page = browser(ana).get(reverse("lobby")).content.decode()
    shown = sorted((name for name in ids if ids[name] in page), key=lambda name: page.index(ids[name]))
    assert shown == ["under way", "waiting", "over"]


def test_my_tables_are_mine(ana: models.Player, ben: models.Player) -> None:
    hidden = start_table(ana, is_public=False, now=time.time())
    assert hidden.id in browser(ana).get(reverse("lobby")).content.decode()
    assert hidden.id not in browser(ben).get(reverse("lobby")).content.decode()


def test_my_tables_say_how_they_stand_for_me(ana: models.Player, ben: models.Player) -> None:
    def told() -> str:
        page = browser(ana).get(reverse("lobby")).content.decode()
        return page.partition('<span class="state">')[2].partition("</span>")[0]

    guests = [arranged_tables.SeatAssignment(one.name, one.avatar, one.pk) for one in (ana, ben)]
    bots = [arranged_tables.SeatAssignment(name, "cat", bot="steady") for name in ("Bo", "Cy")]
    plan = arranged_tables.TablePlan("karriere-poker", (*guests, *bots), {"deals": 1})
    with store.save_together():
        table = arranged_tables.arrange(plan, now=time.time())
    assert told() == "Waiting for everybody"
    arranged_tables.start_without_absent(table.id, now=time.time())
    assert told() == "A bot plays for you"
    arranged_tables.pause(table.id, now=time.time())
    assert told() == "Paused"


def test_what_waits_for_me_comes_first_and_what_does_not_is_put_aside(ana: models.Player, ben: models.Player) -> None:
    now = time.time()
    mine = wait_for(start_table(ana, ben, now=now - 5), ana, now=now)
    waiting = open_table(ana, now=now)
    paused = breaks.pause(start_table(ana, now=now).id, ana.pk, now=now)
    abandoned = open_table(ana, now=now - 90_000)
    over = finish(start_table(ana, now=now, options={"deals": 1}), now=now)
    page = browser(ana).get(reverse("lobby")).content.decode()
    shown, aside = page.partition('<details id="aside">')[::2]
    aside = aside.partition("</details>")[0]
    assert 0 < shown.index(f"my-{mine.id}") < shown.index(f"my-{waiting.id}")
    assert [f"my-{one.id}" in aside for one in (mine, waiting, paused, abandoned, over)] == [False] * 2 + [True] * 3
    assert aside.index(paused.id) < aside.index(over.id)
    assert "Paused, abandoned or finished tables: 3" in aside


def test_nothing_is_put_aside_where_there_is_nothing(ana: models.Player) -> None:
    open_table(ana, now=time.time())
    assert 'id="aside"' not in browser(ana).get(reverse("lobby")).content.decode()


@pytest.mark.parametrize(
    ("game", "length", "options"),
    [
        ("karriere-poker", "", {}),
        ("karriere-poker", "short", {"deals": 1}),
        ("animal-poker", "", {"sessions": 3}),
        ("animal-poker", "short", {"sessions": 1}),
        ("fancy-animals", "short", {}),
    ],
)
def test_play_now_offers_a_short_game_and_never_goes_by_the_clock(
    ana: models.Player, game: str, length: str, options: dict[str, int]
) -> None:
    browser(ana).post(reverse("play_now", args=[game]), {"length": length})
    table = store.fetch(models.Table.objects.get().pk)
    assert (table.options, table.is_untimed) == (options, True)


def test_the_lobby_offers_a_short_game_where_there_is_one(db: None) -> None:
    page = Client().get(reverse("lobby")).content.decode()
    offered = re.findall(r'form="play-([\w-]+)" name="length"\s+value="short"', page)
    assert offered == ["karriere-poker", "animal-poker"]


def test_pace_and_clock_are_chosen_with_the_table(ana: models.Player) -> None:
    wishes = {**NEW, "bots": "4", "pace": "slow", "is_timed": "on"}
    browser(ana).post(reverse("new_table", args=["karriere-poker"]), wishes)
    table = store.fetch(models.Table.objects.get().pk)
    assert (table.pace, table.runtime.is_timed, table.is_untimed) == ("slow", True, False)
    page = browser(ana).get(reverse("table", args=[table.id])).content.decode()
    assert ("The bots play slowly" in page, "45 seconds per turn" in page) == (True, True)


def test_against_bots_the_room_says_that_there_is_no_limit(ana: models.Player) -> None:
    browser(ana).post(reverse("new_table", args=["karriere-poker"]), {**NEW, "bots": "4"})
    table = store.fetch(models.Table.objects.get().pk)
    page = browser(ana).get(reverse("table", args=[table.id])).content.decode()
    assert ("No time limit per turn" in page, "seconds per turn" in page, table.pace) == (True, False, "normal")


def test_a_stranger_sits_down_under_the_name_they_enter(ana: models.Player) -> None:
    table, client = open_table(ana), Client()
    page = client.get(reverse("join", args=[table.invite]), follow=True).content.decode()
    assert ("nameless" in page, 'id="newcomer"' in page) == (True, True)
    client.post(reverse("sit", args=[table.id]), {"name": "  Zofia  Nowak "})
    assert [place.name for place in store.reload(table.id).places] == ["Ana", "Zofia Nowak"]
    assert "nameless" not in client.get(reverse("table", args=[table.id])).content.decode()


def test_without_a_name_they_get_one_and_a_known_person_keeps_theirs(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana)
    Client().post(reverse("sit", args=[table.id]), {"name": ""})
    browser(ben).post(reverse("sit", args=[table.id]), {"name": "Somebody else"})
    names = [place.name for place in store.reload(table.id).places]
    assert (names[0], bool(names[1]), names[2]) == ("Ana", True, "Ben")


def test_a_game_that_began_in_another_process_does_not_break_the_lobby(ana: models.Player) -> None:
    table = open_table(ana, bots=3)
    as_other_process(lambda: opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=time.time()))
    assert browser(ana).get(reverse("lobby")).status_code == 200


def test_finished_and_closed_tables_leave_the_lobby(ana: models.Player) -> None:
    over = finish(start_table(ana, options={"deals": 1}))
    closed = sitting.leave(open_table(ana).id, ana.pk, now=time.time())
    page = Client().get(reverse("lobby")).content.decode()
    assert (over.id in page, closed.id in page) == (False, False)


def test_the_form_opens_the_table_it_says(ana: models.Player) -> None:
    answer = browser(ana).post(reverse("new_table", args=["karriere-poker"]), NEW)
    table = store.fetch(models.Table.objects.get().pk)
    assert (answer.status_code, answer["Location"]) == (302, reverse("table", args=[table.id]))
    assert (table.seat_count, table.options, table.turn_seconds, table.is_public) == (5, {"deals": 2}, 45, True)
    assert (table.status, table.free_chairs(), table.host_id) == (WAITING, [1, 2, 3], ana.pk)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": "3"},
        {"seats": "9"},
        {"seats": "many"},
        {"seats": ""},
        {"bots": "5"},
        {"bots": "-1"},
        {"bots": "9" * 30},
        {"bot_level": "godlike"},
        {"turn_seconds": "1"},
        {"turn_seconds": "1e3"},
        {"deals": "0"},
        {"deals": "1000000"},
        {"positions": "boss\nking"},
    ],
)
def test_an_impossible_table_is_explained_and_not_opened(db: None, wrong: dict[str, str]) -> None:
    client = Client()
    answer = client.post(reverse("new_table", args=["karriere-poker"]), NEW | wrong)
    assert (answer.status_code, "errorlist" in answer.content.decode() or "error" in answer.content.decode()) == (
        422,
        True,
    )
    assert (models.Table.objects.count(), models.Player.objects.count()) == (0, 0)


@pytest.mark.parametrize("game", ["karriere-poker", "animal-poker"])
def test_one_click_and_the_game_begins_with_my_contribution(db: None, game: str) -> None:
    client = Client()
    answer = client.post(reverse("play_now", args=[game]), {"seats": "6"})
    table = store.fetch(models.Table.objects.get().pk)
    assert (answer.status_code, answer["Location"]) == (302, reverse("table", args=[table.id]))
    assert (table.status, len(table.places), table.is_public) == (WAITING, 6, False)
    page = client.get(answer["Location"])
    assert (page.status_code, b'data-layout="starting"' in page.content) == (200, True)
    sent = {"commitment": table.commitment, "entropy": "5eed"}
    assert client.post(reverse("contribute", args=[table.id]), sent)["Location"] == answer["Location"]
    begun = store.reload(table.id)
    assert (begun.status, contributed(begun)) == (PLAYING, ["5eed", *[None] * 5])


@pytest.mark.parametrize("form", [{"seats": "3"}, {"seats": "99999"}, {"seats": "²"}, {"seats": ""}, {"seats": "-4"}])
def test_one_click_with_an_impossible_number(db: None, form: dict[str, str]) -> None:
    answer = Client().post(reverse("play_now", args=["karriere-poker"]), form)
    assert (answer.status_code, b"players" in answer.content) == (400, True)
    assert (models.Table.objects.count(), models.Player.objects.count()) == (0, 0)


@pytest.mark.parametrize("name", ["play_now", "new_table"])
def test_nothing_is_contributed_by_the_request_that_draws_the_secret(db: None, name: str) -> None:
    Client().post(reverse(name, args=["karriere-poker"]), NEW | {"entropy": "5eed"})
    assert set(models.Seat.objects.values_list("entropy", flat=True)) == {None}


def test_an_unknown_game(db: None) -> None:
    for name in ("game", "new_table"):
        assert Client().get(reverse(name, args=["chess"])).status_code == 404
    assert Client().post(reverse("play_now", args=["chess"])).status_code == 404


def test_tables_can_be_opened_too_fast(ana: models.Player, settings: Any) -> None:
    settings.TABLES_PER_GUEST = settings.TABLES_PER_ADDRESS = 100
    client = browser(ana)
    statuses = [
        client.post(reverse("play_now", args=["karriere-poker"]), {"seats": "4"}).status_code for _ in range(61)
    ]
    assert (statuses.count(302), statuses[-1]) == (60, 429)


def test_names_are_printable_and_in_one_line(ana: models.Player) -> None:
    client = browser(ana)
    for name, status in (("  Ana   Maria ", 302), ("a\u202eb", 422), ("x" * 25, 422), ("", 422), ("<b>Ana</b>", 302)):
        assert client.post(reverse("me"), {"name": name, "avatar": "fox"}).status_code == status, name
    page = client.get(reverse("lobby")).content.decode()
    assert ("<b>Ana</b>" in page, "&lt;b&gt;Ana&lt;/b&gt;" in page) == (False, True)


def test_after_the_name_only_to_pages_of_ours(ana: models.Player) -> None:
    form = {"name": "Ana", "avatar": "fox"}
    for going, led in (("/about/", "/about/"), ("https://evil.example/", "/me/"), ("//evil.example", "/me/")):
        assert browser(ana).post(reverse("me"), form | {"next": going})["Location"] == led


def test_a_first_game_is_short_patient_and_counts_for_nothing(db: None) -> None:
    answer = Client().post(reverse("play_now", args=["karriere-poker"]), {"first": "1"})
    assert answer["Location"].endswith("/?first=1")
    table = models.Table.objects.get()
    assert (table.options, store.fetch(table.pk).is_untimed, table.is_rated) == ('{"deals":1}', True, False)
    assert set(table.seats.exclude(bot="").values_list("bot", flat=True)) == {"steady"}


@pytest.mark.parametrize("game", registry.slugs())
def test_every_guide_through_a_first_game_says_when_it_is_over(game: str) -> None:
    assert list_guide_tips(game)[-1] == list(FIRST_GAME_OVER)


def test_the_lobby_says_how_many_may_play_each_game(db: None) -> None:
    page = Client().get("/").content.decode()
    counts = [registry.find(slug).seat_counts for slug in registry.slugs()]
    assert re.findall(r"(\d–\d) players", page) == [f"{count[0]}–{count[-1]}" for count in counts]
