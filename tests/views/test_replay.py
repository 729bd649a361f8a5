"""Watching a game again: every moment a page, through the eyes one chooses; never before the end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games import memo, models
from games.live.replays import scenes
from games.play.records import replays
from games.play.seats import opening
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.records.writer import to_text
from games.rules import registry
from tests.cast import NOW, browser, finish, open_table, start_table
from tests.live.markup import read

EXAMPLES = Path(__file__).parent.parent / "records" / "examples"
SHORT = {
    slug: {option.name: 2 for option in registry.find(slug).options if option.name in ("deals", "sessions")}
    for slug in registry.slugs()
}
"""Options of a short game."""


@pytest.fixture
def table(ana: models.Player, ben: models.Player) -> LoadedTable:
    """A finished game of two people and two bots."""
    return finish(start_table(ana, ben, options={"deals": 2}))


def page(table: LoadedTable, **query: str | int) -> str:
    """The replay's page."""
    answer = browser().get(reverse("replay", args=[table.id]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def list_live_controls(html: str) -> list[str]:
    """What could be pressed on the table that is shown: it would move nothing."""
    stage = html.partition('<div class="stage">')[2].partition('<p class="row share">')[0]
    assert stage
    return re.findall(r"<(?:button|input|select|textarea)\b(?![^>]* disabled)[^>]*>", stage)


@pytest.mark.parametrize("sign", ["\0", "\1", "\1\1\1"])
def test_a_name_in_an_uploaded_record_may_have_any_character(ana: models.Player, sign: str) -> None:
    """Parts of a rendered seat are put together around such characters."""
    record = json.loads((EXAMPLES / "karriere-poker-exchange.json").read_text())
    record["players"][0]["name"] = f"A{sign}b"
    key = replays.keep_record(ana, json.dumps(record).encode(), now=NOW)
    answer = browser().get(reverse("upload", args=[key]), {"eyes": "all"})
    assert answer.status_code == 200
    assert '<div id="seat-0" class="seat' in answer.content.decode()


def test_a_game_whose_plies_do_not_fit_says_so(table: LoadedTable, caplog: pytest.LogCaptureFixture) -> None:
    """Damaged rows, or rules of an outside game that have changed: a sentence and a line in the log, no bare error."""
    damaged = models.Ply.objects.filter(table=table.id, event__contains='"move"').order_by("number")[0]
    models.Ply.objects.filter(pk=damaged.pk).update(event=damaged.event.replace('"seat":', '"seat":9', 1))
    answer = browser().get(reverse("replay", args=[table.id]))
    assert answer.status_code == 500
    assert "This table cannot be read now. Nothing is lost. Tell the administrator." in answer.content.decode()
    assert f"the game of table {table.id} cannot be replayed" in caplog.text


@pytest.mark.parametrize("game", registry.slugs())
def test_every_moment_of_every_game_through_all_eyes(ana: models.Player, ben: models.Player, game: str) -> None:
    table = finish(start_table(ana, ben, game=game, options=SHORT[game]))
    last = replays.replay_table(table).last
    for ply in sorted({0, last // 2, last - 1, last}):
        for eyes in ("all", "watcher", "3"):
            reader = read(page(table, ply=ply, eyes=eyes))
            assert reader.faults == [], (ply, eyes)
            assert f"Move {ply} of {last}" in " ".join(reader.words)
            assert list_live_controls(page(table, ply=ply, eyes=eyes)) == [], (ply, eyes)


def test_the_link_to_a_moment_opens_for_who_has_it(ana: models.Player) -> None:
    table = finish(start_table(ana, options={"deals": 1}, is_public=False))
    address = reverse("replay", args=[table.id])
    html = browser(ana).get(f"{address}?ply=3&eyes=0").content.decode()
    (link,) = re.findall(r'id="here"[^>]* value="([^"]*)"', html)
    stranger = browser()
    assert stranger.get(address).status_code == 403
    answer = stranger.get(link.replace("&amp;", "&"), follow=True)
    assert answer.redirect_chain == [(f"{address}?eyes=0&ply=3", 302)]
    assert "Move 3 of" in answer.content.decode()


def test_a_seat_sees_its_own_hand_only(table: LoadedTable) -> None:
    first = replays.replay_table(table).moments[0].state
    hands = [table.rules.view(first, seat)["hand"] for seat in range(4)]
    mine, watching, every = page(table, eyes="1"), page(table, eyes="watcher"), page(table, eyes="all")
    assert mine.count('<button disabled class="s c') == len(set(hands[1]))
    assert watching.count('<button disabled class="s c') == 0
    assert [", ".join(hand) in every for hand in hands] == [True] * 4
    assert [", ".join(hand) in mine for hand in hands] == [False] * 4


def test_the_tile_that_lies_face_down_is_open_with_all_hands_and_to_nobody_else(
    ana: models.Player, ben: models.Player
) -> None:
    table = finish(start_table(ana, ben, game="animals-on-board"))
    moments = replays.replay_table(table).moments
    ply = next(moment.ply for moment in moments if moment.state.face_down)
    species, _dash, number = moments[ply].state.face_down.partition("-")
    turned = f'<i class="t {species} turned" data-t="?">{number}</i>'
    assert [turned in page(table, ply=ply, eyes=eyes) for eyes in ("all", "watcher", "0")] == [True, False, False]


def test_the_last_moment_tells_who_has_won(table: LoadedTable) -> None:
    last = replays.replay_table(table).last
    assert 'id="places"' in page(table, ply=last)
    body = page(table, ply=last + 100).partition("<body")[2]  # the head describes the picture of the moment
    assert body.count(f"Move {last} of {last}") == 1
    assert 'id="rematch"' not in page(table, ply=last)


def test_a_script_gets_the_scene_alone(table: LoadedTable) -> None:
    answer = browser().get(reverse("replay", args=[table.id]), {"ply": "3"}, headers={"x-scene": "1"})
    assert answer.content.decode().strip().startswith('<div id="scene" data-ply="3"')
    assert "X-Scene" in answer["Vary"]


def test_results_lead_to_their_moments_and_the_link_keeps_seat_and_speed(table: LoadedTable) -> None:
    marks = scenes.list_result_plies(replays.replay_table(table))
    html = page(table, eyes="1", ply=3, speed="4")
    results = html.partition('<details class="panel chapters">')[2].partition("</details>")[0]
    assert re.findall(r'data-ply="(\d+)"', results) == [str(mark) for mark in marks]
    assert all(word in results for word in ("eyes=1", "Deal 1"))
    assert re.findall(r'id="here"[^>]*value="([^"]+)"', html)[0].endswith("?eyes=1&amp;ply=3&amp;speed=4")
    assert '<option value="4" selected>4×</option>' in html
    assert "speed=" not in page(table, speed="99").partition('id="here"')[2].partition(">")[0]


def test_a_game_of_one_deal_is_divided_by_rounds(ana: models.Player) -> None:
    watched = replays.replay_table(finish(start_table(ana, options={"deals": 1})))
    chapters = scenes.list_chapters(watched, scenes.build_chairs(watched, {}), language="en")
    assert len(chapters) > len(scenes.list_result_plies(watched))
    assert chapters[-1].ply == watched.last
    assert all(one.result and "<" not in one.result for one in chapters)


@pytest.mark.parametrize("query", [{"ply": "-1"}, {"ply": "x"}, {"ply": "9" * 9}, {"eyes": "4"}, {"eyes": "all'"}])
def test_a_moment_that_is_none_is_a_sentence(table: LoadedTable, query: dict[str, str]) -> None:
    assert browser().get(reverse("replay", args=[table.id]), query).status_code == 400


def test_a_game_under_way_is_replayed_to_nobody(ana: models.Player, ben: models.Player) -> None:
    for table in (start_table(ana, ben), open_table(ana, ben)):
        for name in ("replay", "verify_replay", "record"):
            for player in (ana, ben, None):
                assert browser(player).get(reverse(name, args=[table.id])).status_code == 403


def test_the_proof_is_shown_step_by_step(ana: models.Player) -> None:
    table = finish(start_table(ana, options={"deals": 1}))
    html = browser().get(reverse("verify_replay", args=[table.id])).content.decode()
    assert read(html).faults == []
    verdict = "This deal is correct: 5 of 5 checks passed."
    for shown in (table.commitment, table.secret, table.seed, "of seat 0", verdict, "Nobody could choose these cards"):
        assert shown in html


@pytest.mark.parametrize(
    ("procedure", "entropy", "claim"),
    [
        (2, "5eed", "Nobody could choose these cards"),
        (1, "5eed", "made by an older version of the program"),
        (2, None, "The server alone could have chosen these cards"),
        (1, "", "The server alone could have chosen these cards"),
    ],
)
def test_the_pages_claim_what_holds_and_no_more(
    ana: models.Player, procedure: int, entropy: str | None, claim: str
) -> None:
    table = open_table(ana, bots=3, options={"deals": 1})
    models.Table.objects.update(procedure=procedure)
    models.Seat.objects.filter(player=ana).update(entropy=entropy)
    memo.forget_all()
    finish(opening.begin(store.fetch(table.id), now=NOW))
    claims = ("Nobody could choose these cards", "older version of the program", "alone could have chosen")
    for name in ("verify_replay", "table"):
        html = browser().get(reverse(name, args=[table.id])).content.decode()
        assert claim in html
        assert sum(one in html for one in claims) == 1
        assert read(html).faults == []


# --- records that somebody brings ------------------------------------------------------------------


def upload_record(raw: bytes | str, language: str = "en") -> Any:
    """Bring a record as a file; the answer."""
    content = raw.encode() if isinstance(raw, str) else raw
    file = SimpleUploadedFile("game.json", content)
    return browser().post(reverse("bring_record"), {"file": file}, headers={"Accept-Language": language})


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*-poker-*.json")), ids=lambda path: path.stem)
def test_a_record_is_brought_watched_and_given_back(db: None, example: Path) -> None:
    answer = upload_record(example.read_bytes())
    assert answer.status_code == 302
    assert read(browser().get(answer["Location"]).content.decode()).faults == []
    key = answer["Location"].rstrip("/").rpartition("/")[2]
    proof = browser().get(reverse("verify_upload", args=[key])).content.decode()
    assert "Dealt by hand: the record itself names cards of this game." in proof
    assert "This record was uploaded as a file." in proof
    assert "Nobody could choose" not in proof
    assert "This record is correct: " in proof
    assert "This deal is correct: " not in proof
    record = browser().get(reverse("upload_record", args=[key]))
    assert record.content == example.read_bytes()
    assert record["Content-Disposition"] == 'attachment; filename="record.json"'


def test_the_text_of_a_record_is_as_good(table: LoadedTable, ana: models.Player) -> None:
    text = browser(ana).get(reverse("record", args=[table.id])).content.decode()
    answer = browser().post(reverse("bring_record"), {"text": text})
    assert answer.status_code == 302
    assert f"of {replays.replay_table(table).last}" in browser().get(answer["Location"]).content.decode()


def changed(example: str, **keys: object) -> str:
    """An example with other keys."""
    return to_text(json.loads((EXAMPLES / example).read_text()) | keys)


TWO_DEALS = "karriere-poker-two-deals.json"


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("", "Choose a file or paste the text of a record."),
        ("{", "This record is not valid:"),
        ("<script>alert(1)</script>", "This record is not valid:"),
        (b"\xff\xfe", "This record is not valid:"),
        (" " * (1024 * 1024 + 1), "This record is too big. Choose a file of at most 1024 kB"),
        ('{"format": "menagerie-record/1", "game": "chess"}', "This record is not valid:"),
        (
            json.dumps(
                {"format": "menagerie-record/1", "game": "chess", "rules": 1, "options": {}, "events": []}
                | {"players": [{"name": "Ana"}, {"name": "Ben"}]}
            ),
            "animals-on-board, fancy-animals, super-zwierzaki.<",
        ),
    ],
)
def test_a_bad_record_is_a_sentence_and_keeps_nothing(db: None, raw: bytes | str, sentence: str) -> None:
    answer = upload_record(raw)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert models.Upload.objects.count() == 0


@pytest.mark.parametrize(
    ("raw", "german", "polish"),
    [
        (
            "[]",
            "erwartet wird ein JSON-Objekt, gefunden: eine Liste.",
            "oczekiwano jednego obiektu JSON, a znaleziono: lista.",
        ),
        ("{}", "„format“ fehlt.", "brakuje klucza „format”."),
        (
            '{"a": 1, "a": 2}',
            "der Schlüssel „a“ kommt in einem Objekt zweimal vor.",
            "klucz „a” występuje w jednym obiekcie dwa razy.",
        ),
        ('{"x": NaN}', "x: NaN ist kein gültiges JSON.", "x: NaN nie jest poprawnym JSON-em."),
        (
            '{"format": 1}',
            "„format“: erwartet wird Text, gefunden: eine Zahl.",
            "„format”: oczekiwano typu: tekst, a znaleziono: liczba.",
        ),
    ],
)
def test_what_is_wrong_with_a_record_is_said_in_the_readers_language(
    db: None, raw: str, german: str, polish: str
) -> None:
    text = [upload_record(raw, code).content.decode() for code in ("de", "pl")]
    assert (german in text[0], polish in text[1]) == (True, True)


@pytest.mark.parametrize(("size", "status"), [(1, 302), (2, 422)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_text_that_is_too_big_to_be_read_is_a_sentence_on_the_page(
    db: None, size: int, status: int, language: str
) -> None:
    text = (EXAMPLES / TWO_DEALS).read_text() + " " * (size - 1) * 1024 * 1024
    answer = browser(headers={"accept-language": language}).post(reverse("bring_record"), {"text": text})
    assert (answer.status_code, models.Upload.objects.count()) == (status, 2 - size)
    if size > 1:
        page = answer.content.decode()
        sentence = {"en": "This record is too big. Choose a file of at most 1024 kB", "de": "höchstens 1024 kB"}[
            language
        ]
        assert (sentence in page, 'name="file"' in page, len(page) < 30_000) == (True, True, True)


def test_a_wrong_move_is_named_by_its_event(db: None) -> None:
    events = json.loads((EXAMPLES / TWO_DEALS).read_text())["events"]
    events.insert(1, {"seat": 0, "move": {"play": ["99"]}})
    answer = upload_record(changed(TWO_DEALS, events=events))
    assert (answer.status_code, "is not valid at event 1:" in answer.content.decode()) == (422, True)


def test_more_events_than_can_be_watched(db: None) -> None:
    answer = upload_record(changed(TWO_DEALS, events=[{"expect": {}}] * 5001))
    assert "more than 5000 events" in answer.content.decode()


def test_what_somebody_knows_of_a_game_under_way_is_not_watched(ana: models.Player) -> None:
    table = start_table(ana)
    answer = upload_record(changed(TWO_DEALS, table=table.id))
    assert (answer.status_code, models.Upload.objects.count()) == (403, 0)


def test_a_record_is_kept_for_ninety_days(db: None) -> None:
    raw = (EXAMPLES / TWO_DEALS).read_bytes()
    old = replays.keep_record(None, raw, now=0.0)
    new = replays.keep_record(None, raw, now=91 * 86_400.0)
    assert [upload.key for upload in models.Upload.objects.all()] == [new]
    assert browser().get(reverse("upload_record", args=[old])).status_code == 404


def test_names_in_a_record_are_text(db: None) -> None:
    players = json.loads((EXAMPLES / TWO_DEALS).read_text())["players"]
    players[0]["name"] = "<img src=x>"
    answer = upload_record(changed(TWO_DEALS, players=players))
    html = browser().get(answer["Location"]).content.decode()
    assert "<img src=x>" not in html
    assert "&lt;img src=x&gt;" in html


def test_a_name_that_turns_lines_round_is_shown_without_that(table: LoadedTable, ana: models.Player) -> None:
    record = json.loads(browser().get(reverse("record", args=[table.id])).content)
    record["players"][0]["name"] = "A\u202ena\x07"
    client = browser(ana)
    answer = client.post(reverse("bring_record"), {"text": json.dumps(record)}, follow=True)
    page = answer.content.decode()
    assert ("A\ufffdna\ufffd" in page, "\u202e" in page, "\x07" in page) == (True, False, False)
    models.Upload.objects.all().delete()
    assert client.get(answer.request["PATH_INFO"]).status_code == 404
