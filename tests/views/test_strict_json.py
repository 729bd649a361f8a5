"""Every JSON answer is JSON as other programs read it: of every game, in every phase, for everybody who asks."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from math import inf, nan
from typing import Any, NamedTuple, NoReturn

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from games.accounts import rate_limits
from games.play.moves import submission
from games.play.records import game_record, voiding
from games.play.records.replays import keep_record
from games.play.seats import arranged_tables, opening
from games.play.seats import sitting as seats
from games.play.storage.table import PLAYING, LoadedTable
from games.records import strict_json
from games.records.writer import to_text
from games.rules import registry
from games.views.json_responses import JsonAnswer
from tests.cast import browser, contribute_all, legal, open_table, person, to_move
from tests.tournaments.cast import found
from tournaments.api import api
from tournaments.flow.clubs import api_keys

LONGEST = 60
"""Plies until the host rings the bell, where no length was agreed."""
SECONDS_A_MOVE = 0.5
EVERY = 25
"""Everything is asked at every so many plies."""
JSON = {"HTTP_ACCEPT": "application/json"}


def refuse(word: str) -> NoReturn:
    """What is no JSON."""
    raise AssertionError(f"{word} is no JSON")


def parse(text: str) -> Any:
    """The value of strict JSON."""
    return json.loads(text, parse_constant=refuse)


class Asker(NamedTuple):
    """Somebody who asks: role, browser, and what else is sent."""

    role: str
    client: Client
    headers: Mapping[str, str] = {}


def askers(table: LoadedTable) -> list[Asker]:
    """A player of each seat that a person has, a guest elsewhere, a stranger, staff, and a program with a key."""
    sitting = [
        Asker(f"seat {place.seat}", browser(models.Player.objects.get(pk=place.player_id)))
        for place in table.places
        if place.player_id is not None
    ]
    boss, eva = Client(), person("Eva")
    boss.force_login(models.User.objects.create_superuser("boss", password="a long pass phrase"))
    key = api_keys.make(found(eva), eva, "desk")
    program = Asker("program", Client(), {"HTTP_AUTHORIZATION": f"Bearer {key}"})
    return [*sitting, Asker("guest", browser(eva)), Asker("stranger", Client()), Asker("staff", boss), program]


def ask_table(table: LoadedTable, asker: Asker) -> Iterator[tuple[str, Any]]:
    """The table as this one may know it: from the page's address and from the API's."""
    for path in (reverse("view_json", args=[table.id]), f"/api/v1/tables/{table.id}"):
        answer = asker.client.get(path, **asker.headers)  # type: ignore[arg-type]
        assert answer.status_code == 200, (asker.role, path, answer.content)
        yield path, parse(answer.content.decode())


def ask_rest(table: LoadedTable, asker: Asker) -> Iterator[tuple[str, Any]]:
    """Every other answer in JSON around a table, refusals included."""
    rate_limits.reset()
    stale = {"move": {}, "ply": table.ply + 5, "key": "s"}
    wrong = {"move": {"nothing": 1}, "ply": table.ply, "key": "w"}
    requests: list[tuple[str, str, dict[str, Any] | None]] = [
        ("get", reverse("talk", args=[table.id]), None),
        ("get", reverse("record", args=[table.id]), None),
        ("get", f"/api/v1/tables/{table.id}/record", None),
        ("get", "/api/v1/tables", None),
        ("get", "/api/v1/tables/nowhere", None),
        ("post", reverse("moves", args=[table.id]), stale),
        ("post", reverse("moves", args=[table.id]), wrong),
        ("post", reverse("hint", args=[table.id]), {}),
        ("post", reverse("commands", args=[table.id]), {"name": "nothing"}),
    ]
    for method, path, body in requests:
        sent = {} if body is None else {"data": body, "content_type": "application/json"}
        answer = getattr(asker.client, method)(path, **sent, **JSON, **asker.headers)
        kind = answer.headers["Content-Type"].partition(";")[0]
        assert kind == "application/json", (asker.role, path, answer.status_code, kind)
        yield path, parse(answer.content.decode())


def check(table: LoadedTable, everybody: list[Asker], *, is_thorough: bool) -> None:
    """Ask everything, and hold the deadlines that are told against the table's clocks.

    Whom a window still waits for is told as that reader's view says it.
    """
    is_running = table.status == PLAYING and table.runtime.paused_at is None
    clocks = table.runtime.clocks if is_running else ()
    wanted: list[dict[str, Any]] = [
        {
            "event": dict(clock.event),
            "seats": list(clock.seats),
            "due": None if clock.left is not None else round(clock.due, 3),
            "held": clock.left is not None,
        }
        for clock in clocks
    ]
    for asker in everybody:
        for path, body in ask_table(table, asker):
            shown = [
                one | ({"seats": body["view"]["to_act"]} if one["event"].get("clock") in table.rules.windows else {})
                for one in wanted
            ]
            assert body["deadlines"] == shown, (asker.role, path, table.ply)
        for _path, _told in ask_rest(table, asker) if is_thorough else ():
            pass


def clock_names(table: LoadedTable) -> frozenset[tuple[str, bool]]:
    """Which clocks there are, and whether they are held."""
    return frozenset((str(clock.event.get("clock")), clock.left is not None) for clock in table.runtime.clocks)


@pytest.mark.parametrize("slug", registry.slugs())
def test_every_answer_of_a_whole_game(db: None, slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment)  # no clock runs out while the pages are asked for
    rng = random.Random(slug)
    people = [person(name) for name in ("Ana", "Ben", "Cleo", "Dora")]
    table = open_table(*people, game=slug, options=registry.infos()[slug].agree_on_deals(1), now=time.time())
    everybody = askers(table)
    check(table, everybody, is_thorough=True)
    table = begin(table)
    clocks: frozenset[tuple[str, bool]] = frozenset()
    seen: frozenset[tuple[str, bool]] = frozenset()
    plies = table.ply
    while table.status == PLAYING:
        is_new = clocks != (clocks := clock_names(table))
        if is_new or table.ply % EVERY == 0:
            check(table, everybody, is_thorough=not clocks <= seen or table.ply % EVERY == 0)
            seen |= clocks
        else:  # at each ply the table, by one of them in turn
            check(table, [everybody[table.ply % len(everybody)]], is_thorough=False)
        if table.ply == EVERY:
            check(arranged_tables.pause(table.id, now=time.time()), everybody, is_thorough=True)
            table = arranged_tables.resume(table.id, now=time.time())
        moment += SECONDS_A_MOVE
        table = move_by_chance(table, rng)
    assert table.ply > plies + EVERY
    check(table, everybody, is_thorough=True)
    check_upload(table, people[0])
    check(voiding.void(table.id, reason="Spilt tea", now=time.time()), everybody, is_thorough=True)


def begin(table: LoadedTable) -> LoadedTable:
    """The table when its game has begun."""
    table = contribute_all(table, now=time.time())
    table = opening.start(table.id, table.host_id, fill="", avatars=("fox",), now=time.time())
    assert table.status == PLAYING
    return table


def move_by_chance(table: LoadedTable, rng: random.Random) -> LoadedTable:
    """The table after a move of the seat that is asked; the bell ends a game that goes on and on."""
    if table.ply == LONGEST:
        return seats.ring_bell(table.id, table.host_id, now=time.time())
    seat = to_move(table)
    place = table.place(seat)
    assert place is not None
    move = rng.choice(legal(table, seat))
    return submission.submit_move(
        table.id, place.player_id, move, ply=table.ply, key=f"k{table.ply}", now=time.time()
    ).table


def check_upload(table: LoadedTable, player: models.Player) -> None:
    """The record, as somebody who brought it along downloads it."""
    key = keep_record(player, to_text(game_record.export(table)).encode(), now=time.time())
    answer = Client().get(reverse("upload_record", args=[key]))
    assert parse(answer.content.decode())["game"] == table.rules.slug


def test_a_turn_that_is_held_has_no_time(db: None) -> None:
    """While a window is open in Super Zwierzaki the turn's clock stands still: `due` is null, and `held` says why."""
    rng = random.Random(3)
    table = open_table(person("Ana"), person("Ben"), person("Cleo"), game="super-zwierzaki", seats_wished=3)
    table = begin(table)
    while not any(is_held for _, is_held in clock_names(table)):
        table = move_by_chance(table, rng)
    memo.forget_all()
    for path in (reverse("view_json", args=[table.id]), f"/api/v1/tables/{table.id}"):
        text = parse(Client().get(path).content.decode())["deadlines"]
        assert {(one["due"] is None, one["held"]) for one in text} >= {(True, True), (False, False)}


@pytest.mark.parametrize("path", ["health", "ready", "api:openapi-json"])
def test_answers_that_belong_to_no_table(db: None, path: str) -> None:
    assert isinstance(parse(Client().get(reverse(path)).content.decode()), dict)


@pytest.mark.parametrize("number", [inf, -inf, nan])
def test_what_is_no_json_is_not_sent(rf: Any, number: float) -> None:
    value = {"deadlines": [{"due": number}]}
    with pytest.raises(ValueError, match="JSON compliant"):
        strict_json.write(value)
    with pytest.raises(ValueError, match="JSON compliant"):
        JsonAnswer(value)
    with pytest.raises(ValueError, match="JSON compliant"):
        api.create_response(rf.get("/"), value, status=200)
