"""Playing by the API: the same use cases as the pages, once each, within the token's scope and its player's rights."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from django.test import Client

from games.accounts import access_tokens
from games.models import Player, Ply, Table
from games.play.moves import submission
from games.play.seats import challenges, sitting
from games.play.storage import store
from games.rules import registry
from tests.cast import browser, contribute_all, find_entropy, finish, open_table, person, start_table, wait_for
from tests.live.streams.opening import account, bot_of, issue
from tests.play.moves.test_windows import start_super_zwierzaki
from tests.tournaments.api.described import Description
from tests.tournaments.api.test_described import API, RESULT, Program
from tests.tournaments.cast import NAMES, begin, draw, found, play_round, release
from tournaments.flow.clubs import api_keys, membership
from tournaments.models import Club, Role

TABLE = {"game": "karriere-poker", "seats": 4, "bots": 3, "options": {"deals": 1}}


@pytest.fixture
def described(db: None) -> Description:
    return Description()


def send(program: Program, path: str, body: Any, status: int = 200) -> Any:
    """The answer, which is described and has this status."""
    answer = program.client.post(API + path, body, content_type="application/json")
    response = answer.json()
    program.description.check("post", API + path, answer.status_code, response)
    assert answer.status_code == status, response
    return response


def test_a_bot_opens_plays_and_asks_for_a_rematch(described: Description) -> None:
    ana = account("Ana")
    bot = bot_of(ana)
    program = Program(described, issue(ana, bot, "play"))
    me = program.client.get(f"{API}/account").json()
    assert (me["name"], me["is_bot"], me["owner"], me["games_at_once"]) == ("Robo (bot)", True, ana.pk, 10)
    opened = send(program, "/tables", TABLE | {"key": "one"})
    assert send(program, "/tables", TABLE | {"key": "one"})["table"] == opened["table"]
    assert program.client.get(f"{API}/account").json()["tables"] == [opened["table"]]
    path = f"/tables/{opened['table']}"
    entropy = find_entropy(store.fetch(opened["table"]), 0)
    for _ in range(2):
        send(program, f"{path}/contribute", {"commitment": opened["commitment"], "entropy": entropy})
    table = store.reload(opened["table"])
    while not (seen := program.client.get(API + path).json())["legal"]:
        submission.play_bot(table.id, ply=seen["ply"], now=time.time() + 60)
    move = {"move": seen["legal"][0], "ply": seen["ply"], "key": "k"}
    first, again = send(program, f"{path}/moves", move), send(program, f"{path}/moves", move)
    assert (first["ply"], first["repeat"], again["repeat"]) == (seen["ply"] + 1, False, True)
    assert Ply.objects.filter(table=table.id, key="0:k").count() == 1
    send(program, f"{path}/commands", {"name": "here"})
    finish(store.reload(table.id), now=time.time())
    rematch = send(program, f"{path}/rematch", {})
    assert (rematch["table"], rematch["seat"]) == (store.reload(table.id).rematch_id, 0)
    assert send(program, f"{path}/rematch", {})["table"] == rematch["table"]
    send(program, f"/tables/{rematch['table']}/leave", {})
    assert program.client.get(f"{API}/account").json()["tables"] == []


def test_two_accounts_meet_by_a_challenge(described: Description) -> None:
    ana, ben = account("Ana"), account("Ben")
    mine, theirs = Program(described, issue(ana)), Program(described, issue(ben))
    opened = send(mine, "/tables", TABLE | {"bots": 0, "seats": 4, "is_public": False})
    path = f"/tables/{opened['table']}"
    send(theirs, f"{path}/sit", {}, 403)
    sent = send(mine, f"{path}/challenges", {"player": ben.pk})
    assert send(mine, f"{path}/challenges", {"player": ben.pk}) == sent
    assert theirs.client.get(f"{API}/challenges").json() == [sent]
    assert mine.client.get(f"{API}/challenges").json() == []
    send(mine, f"/challenges/{sent['id']}/accept", {}, 404)
    assert send(theirs, f"/challenges/{sent['id']}/accept", {})["seat"] == 1
    send(theirs, f"/challenges/{sent['id']}/decline", None, 409)
    send(mine, f"{path}/start", {"fill": "random"})
    contribute_all(store.reload(opened["table"]), now=time.time())
    assert store.reload(opened["table"]).status == "playing"


def test_every_operation_and_refusal_of_playing_is_described(described: Description) -> None:
    ana, ben = account("Ana"), account("Ben")
    program, stranger = Program(described, issue(ana)), Program(described)
    table = wait_for(start_table(ana, person("Cem"), now=time.time()), ana, now=time.time())
    path = f"/tables/{table.id}"
    assert program.get("/games") == 200
    assert program.get("/account") == 200
    assert program.get("/challenges") == 200
    stale = send(program, f"{path}/moves", {"move": {"pass": True}, "ply": table.ply + 5, "key": "k"}, 409)
    assert stale["table"]["ply"] == table.ply
    send(program, f"{path}/moves", {"move": {"fly": 1}, "ply": table.ply, "key": "l"}, 422)
    send(program, f"{path}/moves", {"move": 1, "ply": table.ply, "key": "l"}, 422)
    send(program, f"{path}/moves", {"move": {}, "ply": table.ply, "key": ""}, 400)
    send(program, f"{path}/commands", {"name": "sudo"}, 422)
    send(program, "/tables", TABLE | {"game": "chess"}, 400)
    send(program, "/tables", TABLE | {"seats": 99}, 400)
    send(program, "/tables", TABLE | {"level": "grandmaster"}, 400)
    send(program, "/tables/nowhere/sit", {}, 404)
    send(program, f"{path}/rematch", {}, 409)
    send(program, f"{path}/challenges", {"player": ben.pk}, 409)
    send(program, f"{path}/challenges", {"player": 10**20}, 404)
    send(program, f"/challenges/{10**20}/decline", None, 404)
    waiting = open_table(ana, now=time.time())
    sent = challenges.challenge(waiting.id, ana, ben.pk, now=time.time())
    send(Program(described, issue(ben)), f"/challenges/{sent.pk}/decline", None)
    send(program, f"/tables/{waiting.id}/sit", {"seat": 1})
    for address, body in ((f"{path}/leave", {}), ("/tables", TABLE), (f"{path}/moves", {})):
        send(stranger, address, body, 401)
    assert stranger.get("/account") == 401
    paths = {one for one in described.operations() if "play" in described.document["paths"][one[0]][one[1]]["tags"]}
    seen = {(one, method) for one, method, _status in described.seen}
    assert paths - seen == {(f"{API}/tables/{{table_id}}/{name}", "post") for name in ("contribute", "start")} | {
        (f"{API}/challenges/{{challenge_id}}/accept", "post")
    }


def test_a_session_needs_its_csrf_token_and_a_program_none(described: Description) -> None:
    ana = account("Ana")
    table = open_table(ana, now=time.time())
    page = browser(ana, enforce_csrf_checks=True)
    address, body = f"{API}/tables/{table.id}/leave", "{}"
    refused = page.post(address, body, content_type="application/json")
    assert (refused.status_code, store.reload(table.id).seat_of(ana.pk)) == (403, 0)
    assert "CSRF" in refused.json()["sentence"]
    token = {"Authorization": f"Bearer {issue(ana)}"}
    program = Client(enforce_csrf_checks=True, headers=token)
    assert program.post(address, body, content_type="application/json").status_code == 200
    assert store.reload(table.id).seat_of(ana.pk) is None
    other = open_table(ana, now=time.time())
    page.get("/")
    cookie = page.cookies["csrftoken"].value
    sent = page.post(
        f"{API}/tables/{other.id}/leave", body, content_type="application/json", headers={"X-CSRFToken": cookie}
    )
    assert sent.status_code == 200


def test_a_cookie_adds_nothing_to_a_token(described: Description) -> None:
    """Whoever sends both acts by the token alone: its scope and its player."""
    ana, ben = account("Ana"), account("Ben")
    table = open_table(ben, is_public=False, now=time.time())
    client = browser(ben)
    headers = {"Authorization": f"Bearer {issue(ana)}"}
    assert client.get(f"{API}/tables/{table.id}").status_code == 200
    assert client.get(f"{API}/tables/{table.id}", headers=headers).status_code == 403
    assert client.post(f"{API}/tables/{table.id}/leave", headers=headers).status_code == 403
    assert store.reload(table.id).seat_of(ben.pk) == 0


def test_each_scope_opens_its_own_part_alone(described: Description) -> None:
    ana = account("Ana")
    club = found(ana)
    Club.objects.update(is_public=False)
    one = begin(ana, NAMES[:8], club=club, least=4, most=4, rounds_planned=2, is_public=False)
    play_round(ana, one, 1)
    release(ana, one, 2)
    table = open_table(ana, is_public=False, now=time.time())
    reads = (f"/tables/{table.id}", f"/clubs/{club.slug}", f"/tournaments/{one.pk}")
    result = f"/tournaments/{one.pk}/rounds/2/tables/1/result"
    opened = {}
    for scope in access_tokens.SCOPES:
        program = Program(described, issue(ana, None, scope))
        opened[scope] = [*(program.get(path) for path in reads), program.get("/account"), program.post(result, RESULT)]
    assert opened == {
        "read": [200, 403, 403, 403, 403],
        "play": [200, 403, 403, 200, 403],
        "results": [403, 403, 403, 403, 200],
        "tournaments:write": [403, 403, 403, 403, 200],
        "club": [403, 200, 200, 403, 403],
    }


def test_a_token_never_grants_what_its_player_may_not_do(described: Description, ana: Player) -> None:
    ben = account("Ben")
    one = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2)
    draw(ana, one, 1)
    release(ana, one, 1)
    program = Program(described, issue(ben, None, *access_tokens.SCOPES))
    result = f"/tournaments/{one.pk}/rounds/1/tables/1/result"
    assert program.post(result, RESULT) == 403
    mine = membership.take_in(one.club_id, ben.pk, Role.MEMBER)
    assert program.post(result, RESULT) == 403
    membership.change_role(one.club, ana, mine.pk, Role.ORGANISER)
    assert program.post(result, RESULT) == 200
    table = start_table(ana, is_public=False, now=time.time())
    assert program.get(f"/tables/{table.id}") == 403
    assert program.post(f"/tables/{table.id}/moves", {"move": {}, "ply": 0, "key": "k"}) == 403
    assert Ply.objects.filter(table=table.id).count() == 0


def test_a_clubs_key_plays_nothing(described: Description, ana: Player) -> None:
    club = found(ana)
    program = Program(described, api_keys.make(club, ana, "desk"))
    assert program.post("/tables", TABLE) == 401
    assert Table.objects.count() == 0


def test_limits_count_for_each_token(described: Description, settings: Any) -> None:
    settings.QUESTIONS_PER_MINUTE = 2
    ana = account("Ana")
    first, second = Program(described, issue(ana)), Program(described, issue(ana))
    assert [first.get("/account") for _ in range(3)] == [200, 200, 429]
    assert second.get("/account") == 200


def test_a_bot_account_opens_no_rated_table_and_no_more_than_its_limit(described: Description) -> None:
    ana = account("Ana")
    program = Program(described, issue(ana, bot_of(ana, games=2)))
    send(program, "/tables", TABLE | {"is_rated": True}, 403)
    opened = [send(program, "/tables", TABLE | {"key": key}) for key in "ab"]
    send(program, "/tables", TABLE | {"key": "c"}, 429)
    assert len({one["table"] for one in opened}) == 2


@pytest.mark.parametrize("game", registry.slugs())
def test_the_moves_of_every_game_are_in_the_document(described: Description, game: str) -> None:
    games = {one["slug"]: one for one in Client().get(f"{API}/games").json()}
    name = "".join(part.title() for part in game.split("-")) + "Move"
    schemas = described.document["components"]["schemas"]
    move = {key: value for key, value in schemas[name].items() if key != "description"}
    assert move == json.loads(json.dumps(registry.find(game).move_schema)) == games[game]["move"]
    assert {"$ref": f"#/components/schemas/{name}"} in schemas["MoveIn"]["properties"]["move"]["anyOf"]


def test_whole_games_by_requests_alone(described: Description) -> None:
    ana = account("Ana")
    program, rng = Program(described, issue(ana)), random.Random(1)
    opened = send(program, "/tables", TABLE)
    path = f"/tables/{opened['table']}"
    send(program, f"{path}/contribute", {"commitment": opened["commitment"], "entropy": "5eed"})
    while (seen := program.client.get(API + path).json())["status"] != "over":
        described.check("get", API + path, 200, seen)
        if seen["legal"]:
            move = {"move": rng.choice(seen["legal"]), "ply": seen["ply"], "key": f"k{seen['ply']}"}
            send(program, f"{path}/moves", move)
        else:
            submission.play_bot(opened["table"], ply=seen["ply"], now=time.time() + 60)
    assert program.get(f"{path}/record") == 200
    assert sitting.return_to_table(opened["table"], ana.pk, now=time.time()).status == "over"


def test_a_standing_answer_is_ordered_and_told_to_nobody_else(described: Description) -> None:
    ana, ben = account("Ana"), account("Ben")
    table = start_super_zwierzaki("37 1 1/107 3/5 5", ana, ben, person("Cleo"), turn_seconds=86_400)
    mine, theirs = Program(described, issue(ana)), Program(described, issue(ben))
    path = f"/tables/{table.id}"

    def look(program: Program) -> dict[str, Any]:
        seen = program.client.get(API + path).json()
        program.description.check("get", API + path, 200, seen)
        return {name: value for name, value in seen.items() if name not in ("now", "version")}

    seen, before = look(theirs), look(mine)
    assert (seen["standing"], before["standing"]) == ("hits", "hits")  # usual in a game over days
    for value in ("pass", "pass"):
        assert send(theirs, f"{path}/commands", {"name": "standing", "value": value})["ply"] == table.ply
    assert look(theirs) == seen | {"standing": "pass"}
    assert look(mine) == before
    assert look(Program(described, issue(account("Dan"))))["standing"] is None
    opened = send(mine, f"{path}/moves", {"move": {"play": "37"}, "ply": table.ply, "key": "k"})
    assert look(mine)["to_act"] == [1, 2]
    assert store.reload(table.id).ply == opened["ply"]  # its answer takes seconds, and not the moment of the move
    send(theirs, f"{path}/commands", {"name": "standing", "value": ""})
    assert look(theirs)["standing"] == ""
    send(theirs, f"{path}/commands", {"name": "standing", "value": "luck"}, 422)
    send(theirs, f"{path}/commands", {"name": "standing", "value": "x" * 17}, 422)
    poker = start_table(ana, ben, game="karriere-poker")
    send(mine, f"/tables/{poker.id}/commands", {"name": "standing", "value": "pass"}, 422)


def test_games_say_which_standing_answers_they_have(described: Description) -> None:
    games = Program(described, issue(account("Ana"), None, "read")).client.get(f"{API}/games").json()
    orders = {game["slug"]: game["standing_answers"] for game in games}
    assert orders == {slug: list(registry.find(slug).standing_answers) for slug in registry.slugs()}
    assert orders["super-zwierzaki"] == ["pass", "wins", "hits"]
