"""The table's pages: page, polled board, view for programs, log, record, doing something at it."""

from __future__ import annotations

import re
import time

import pytest
from django.test import Client
from django.urls import reverse

from games import models
from games.accounts.animal_pictures import AVATARS
from games.play.records import game_record, voiding
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, LoadedTable
from games.presenters.names import GAMES
from games.records.replay import verify
from tests.cast import (
    NOW,
    as_other_process,
    browser,
    contribute_all,
    finish,
    legal,
    move_seat,
    open_table,
    start_table,
    to_move,
    wait_for,
)
from tests.live.markup import read
from tests.live.windows import read_fragment


@pytest.fixture
def table(ana: models.Player) -> LoadedTable:
    """A game in which it is Ana's turn."""
    now = time.time()
    return wait_for(start_table(ana, now=now), ana, now=now)


def test_the_page_begins_with_the_present_state(table: LoadedTable, ana: models.Player) -> None:
    page = browser(ana).get(reverse("table", args=[table.id]))
    text = page.content.decode()
    assert page.status_code == 200
    assert f'data-ply="{table.ply}" data-version="{table.version}"' in text
    assert 'data-seat="0"' in text


def test_pages_about_the_present_are_never_kept(table: LoadedTable, ana: models.Player) -> None:
    client = browser(ana)
    for name in ("table", "board", "view_json", "log", "record"):
        assert client.get(reverse(name, args=[table.id]))["Cache-Control"] == "no-store", name


def test_pages_allow_no_foreign_scripts_and_no_frames(table: LoadedTable) -> None:
    page = Client().get(reverse("table", args=[table.id]))
    policy = page["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert (page["X-Frame-Options"], page["X-Content-Type-Options"]) == ("DENY", "nosniff")


def test_who_looks_is_back(table: LoadedTable, ana: models.Player) -> None:
    sitting.leave(table.id, ana.pk, now=time.time())
    browser(ana).get(reverse("table", args=[table.id]))
    assert store.reload(table.id).runtime.stand_ins == frozenset()


def test_the_polled_board_is_the_whole_board(table: LoadedTable, ana: models.Player) -> None:
    board = browser(ana).get(reverse("board", args=[table.id]))
    shown = read_fragment(board.content.decode())
    assert (shown.ply, shown.version, shown.is_full) == (table.ply, table.version, True)


def test_the_polled_board_says_so_when_nothing_has_changed(table: LoadedTable, ana: models.Player) -> None:
    url = reverse("board", args=[table.id])
    same = browser(ana).get(url, {"version": table.version})
    assert (same.status_code, same.content) == (204, b"")
    as_other_process(lambda: move_seat(table, now=time.time()))
    changed = browser(ana).get(url, {"version": table.version})
    assert read_fragment(changed.content.decode()).version == table.version + 1


def test_a_board_that_was_drawn_for_another_reader_is_drawn_anew(table: LoadedTable, ana: models.Player) -> None:
    client = browser(ana)
    mine, the_other, nobodys = (
        f"{reverse('board', args=[table.id])}?version={table.version}&seat={seat}" for seat in ("0", "1", "")
    )
    assert [client.get(url).status_code for url in (mine, the_other, nobodys)] == [204, 200, 200]
    client.logout()
    assert client.get(nobodys).status_code == 204
    left = client.get(mine)
    assert "spectator" in left.content.decode()


def test_strange_versions_get_the_board(table: LoadedTable) -> None:
    for version in ("", "x", "-1", "9" * 400):
        assert Client().get(reverse("board", args=[table.id]), {"version": version}).status_code == 200


def test_the_view_for_programs(table: LoadedTable, ana: models.Player) -> None:
    answer = browser(ana).get(reverse("view_json", args=[table.id])).json()
    assert (answer["seat"], answer["ply"], answer["status"], answer["to_act"]) == (0, table.ply, "playing", [0])
    assert answer["legal"] == legal(table, 0)
    assert answer["view"]["hand"] == table.rules.view(table.state, 0)["hand"]
    assert answer["deadlines"][0]["event"] == {"clock": "turn"}
    assert answer["deadlines"][0]["seats"] == [0]


def test_the_view_of_a_watcher(table: LoadedTable) -> None:
    answer = Client().get(reverse("view_json", args=[table.id])).json()
    assert (answer["seat"], answer["legal"], answer["view"]["hand"]) == (None, [], None)


def test_the_view_of_a_table_that_waits(ana: models.Player) -> None:
    answer = browser(ana).get(reverse("view_json", args=[open_table(ana).id])).json()
    assert (answer["status"], answer["view"], answer["legal"], answer["to_act"]) == ("waiting", None, [], [])


def test_the_log_from_the_first_ply(table: LoadedTable) -> None:
    while table.ply < 90:  # more than a board keeps
        table = move_seat(table, now=time.time())
    query: str | None = "deal=1"
    lines = 0
    while query:
        page = Client().get(reverse("log", args=[table.id]), QUERY_STRING=query).content.decode()
        lines += page.partition('<ol id="log"')[2].partition("</ol>")[0].count("<li")
        later = re.search(r'rel="next" href="\?([^"]+)"', page)
        query = later and later[1].replace("&amp;", "&")
    assert lines >= table.ply


def test_the_log_is_shown_before_during_and_after_a_game(ana: models.Player) -> None:
    table = open_table(ana)
    for status in (WAITING, PLAYING, OVER):
        table = {WAITING: table, PLAYING: start_table(ana, options={"deals": 1})}.get(status) or finish(table)
        page = Client().get(reverse("log", args=[table.id]))
        assert (page.status_code, table.status) == (200, status)


def test_the_record_after_the_end(ana: models.Player) -> None:
    table = start_table(ana, options={"deals": 1})
    url = reverse("record", args=[table.id])
    early = browser(ana).get(url)
    assert (early.status_code, b"published after the game" in early.content) == (403, True)
    finish(table)
    answer = Client().get(url)
    assert (answer.status_code, answer["Content-Disposition"]) == (
        200,
        f'attachment; filename="karriere-poker-{table.id}.json"',
    )
    assert verify(answer.content).fault is None


def test_an_invitation_opens_the_table_for_this_browser(ana: models.Player) -> None:
    table = open_table(ana, is_public=False)
    client = Client()
    assert client.get(reverse("table", args=[table.id])).status_code == 403
    assert client.get(reverse("join", args=[table.invite])).status_code == 302
    assert client.get(reverse("table", args=[table.id])).status_code == 200
    assert Client().get(reverse("table", args=[table.id])).status_code == 403


def test_whose_session_has_ended_may_sign_in_where_they_are_refused(ana: models.Player) -> None:
    url = reverse("table", args=[open_table(ana, is_public=False).id])
    door = f'href="{reverse("account_login")}?next={url}"'
    guest, account = Client(), Client()
    account.force_login(models.User.objects.create_user("eva"))
    assert [door in client.get(url).content.decode() for client in (guest, account)] == [True, False]


def test_a_wrong_invitation(db: None) -> None:
    answer = Client().get(reverse("join", args=["nothing"]))
    assert (answer.status_code, b"or ask for a new one" in answer.content) == (404, True)


def test_a_stranger_who_sits_down_is_a_guest_from_then_on(ana: models.Player) -> None:
    table = open_table(ana)
    client = Client()
    assert client.post(reverse("sit", args=[table.id]), {"entropy": "abc"}).status_code == 302  # nothing of the kind
    seated = store.reload(table.id).places[1]
    assert (seated.player_id, seated.entropy) == (client.session["player"], None)
    assert models.Player.objects.count() == 2


@pytest.mark.parametrize("form", [{"chair": "0"}, {"chair": "99"}, {"chair": "²"}, {"chair": "-1"}])
def test_a_stranger_who_is_refused_stays_a_stranger(ana: models.Player, form: dict[str, str]) -> None:
    table = open_table(ana)
    client = Client()
    answer = client.post(reverse("sit", args=[table.id]), form)
    assert answer.status_code in (400, 409)
    assert ("player" in client.session, models.Player.objects.count()) == (False, 1)
    assert store.reload(table.id).version == table.version


def test_who_is_too_late_sees_the_table_and_why(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, bots=3)
    answer = browser(ben).post(reverse("sit", args=[table.id]))
    text = answer.content.decode()
    assert (answer.status_code, "All seats at this table are taken" in text, 'id="board"' in text) == (409, True, True)


def test_who_may_not_reads_why_and_finds_back(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, ben)
    url = reverse("start", args=[table.id])
    page = browser(ben).post(url, {"fill": "random"})
    assert (page.status_code, b"Only the host" in page.content) == (403, True)
    assert reverse("table", args=[table.id]).encode() in page.content
    line = browser(ben).post(url, {"fill": "random"}, headers={"hx-request": "true"})
    assert (line.status_code, line.content.decode()) == (
        403,
        "Only the host of this table can fill its seats with bots.",
    )
    response = browser(ben).post(url, {"fill": "random"}, headers={"accept": "application/json"})
    assert response.json() == {"status": 403, "sentence": "Only the host of this table can fill its seats with bots."}


def test_starting_leaving_ringing_and_playing_again(ana: models.Player) -> None:
    table = open_table(ana, options={"minutes": 9})
    client = browser(ana)

    def post(name: str, table_id: str = table.id, **form: str) -> str:
        answer = client.post(reverse(name, args=[table_id]), form, headers={"hx-request": "true"})
        assert (answer.status_code, answer.content) == (204, b"")
        return str(answer["HX-Redirect"])

    here = reverse("table", args=[table.id])
    assert post("contribute", commitment=table.commitment, entropy="5eed") == here
    assert post("start", fill="random") == here
    assert store.reload(table.id).status == PLAYING
    assert post("bell") == here
    assert post("leave") == reverse("lobby")
    assert store.reload(table.id).runtime.stand_ins == {store.reload(table.id).seat_of(ana.pk)}
    finish(sitting.return_to_table(table.id, ana.pk, now=time.time()), now=time.time())
    again = store.reload(table.id).rematch_id
    assert again is None
    going = post("rematch")
    assert going == reverse("table", args=[store.reload(table.id).rematch_id])
    assert post("rematch") == going


def test_a_stranger_asks_for_no_rematch(ana: models.Player) -> None:
    over = finish(start_table(ana, options={"deals": 1}))
    assert Client().post(reverse("rematch", args=[over.id])).status_code == 403
    assert (models.Player.objects.count(), models.Table.objects.count()) == (1, 1)


def test_a_table_is_found_by_another_process_as_it_is_now(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana)
    as_other_process(lambda: sitting.sit(table.id, ben, now=NOW))
    assert browser(ben).get(reverse("view_json", args=[table.id])).json()["seat"] == 1


def test_to_act_is_who_the_page_says(table: LoadedTable) -> None:
    assert Client().get(reverse("view_json", args=[table.id])).json()["to_act"] == [to_move(table)]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_struck_game_names_no_winner_but_the_reason(ana: models.Player, game: str) -> None:
    playing = start_table(ana, game=game)
    over, other = finish(start_table(ana, options={"deals": 1})), start_table(ana)
    voiding.void(over.id, reason="Two hands were seen.", now=NOW)
    voiding.void(playing.id, reason="Fire <b>alarm</b>", now=NOW)
    assert models.Table.objects.get(voided_at=None).pk == other.id
    page = browser(ana).get(reverse("table", args=[playing.id])).content.decode()
    assert read(page).faults == []
    assert ("This game is void" in page, "Reason: Fire &lt;b&gt;alarm&lt;/b&gt;" in page) == (True, True)
    assert ('class="medal"' in page, "points</span>" in page) == (False, False)
    refused = [browser(ana).get(reverse(name, args=[playing.id])).status_code for name in ("replay", "record")]
    assert (refused, 'id="rematch"' in page, 'id="watch-again"' in page) == ([403, 403], False, False)
    page = browser(ana).get(reverse("table", args=[over.id])).content.decode()
    assert ("Reason: Two hands were seen." in page, page.count('class="medal"')) == (True, 4)


def test_commitment_and_contributions_stand_there_before_during_and_after_the_game(ana: models.Player) -> None:
    table = contribute_all(open_table(ana, bots=3, options={"deals": 1}))
    for status in (WAITING, PLAYING, OVER):
        if status == PLAYING:
            opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=NOW)
        elif status == OVER:
            finish(store.reload(table.id))
        answer = Client().get(reverse("view_json", args=[table.id])).json()
        assert (answer["status"], answer["commitment"]) == (status, table.commitment)
        assert answer["contributions"] == [table.places[0].entropy, None, None, None]
        for name in ("table", "board"):
            page = Client().get(reverse(name, args=[table.id])).content.decode()
            assert table.commitment in page
            assert "of seat 0" in page


def test_the_log_is_json_for_programs(ana: models.Player) -> None:
    """Events in their order, each to those who may know it: as the list on the page, which others must not outgrow."""
    table = start_table(ana)
    browsers = (browser(ana), Client())
    address = reverse("log", args=[table.id])
    log, others = (one.get(address, headers={"accept": "application/json"}) for one in browsers)
    assert (log.status_code, log["Content-Type"], log["Cache-Control"]) == (200, "application/json", "no-store")
    seat = store.fetch(table.id).seat_of(ana.pk)
    lines = [line for line in game_record.read_whole_log(table) if line.to is None or seat in line.to]
    answer = log.json()
    assert (answer["table"], answer["ply"], answer["seat"]) == (table.id, table.ply, seat)
    assert [(event["ply"], event["kind"], event["seat"]) for event in answer["events"]] == [line[:3] for line in lines]
    assert answer["events"][0] == {"ply": 0, "kind": "dealt", "seat": None, "data": answer["events"][0]["data"]}
    public = [line for line in game_record.read_whole_log(table) if line.to is None]
    assert [event["kind"] for event in others.json()["events"]] == [line.kind for line in public]
    page = browsers[0].get(address, headers={"accept": "text/html"})
    assert b'<ol id="log"' in page.content


def test_before_the_game_the_log_is_empty(ana: models.Player) -> None:
    table = open_table(ana)
    answer = browser(ana).get(reverse("log", args=[table.id]), headers={"accept": "application/json"}).json()
    assert (answer["status"], answer["ply"], answer["events"]) == ("waiting", 0, [])
