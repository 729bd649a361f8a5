"""`openapi.json` is true: every answer of the API, refusals too, is one that it describes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.db import DataError
from django.test import Client
from ninja import Schema

from games.analysis.report import VERSION, digest_record
from games.models import GameAnalysis, Player
from games.play.records import replays
from games.play.storage import store
from tests.cast import NOW, browser, come_to_table, finish, move_until, start_table
from tests.tournaments.api.described import Description
from tests.tournaments.cast import NAMES, begin, draw, found, play_round, release
from tests.tournaments.flow.seasons.test_season_changes import count, play, season
from tournaments.api.examples import EXAMPLES
from tournaments.api.field_descriptions import split
from tournaments.flow.clubs import api_keys, membership
from tournaments.flow.counting import finished_tables
from tournaments.flow.entry import organiser_decisions
from tournaments.flow.evenings import sessions
from tournaments.models import ApiKey, Club, Membership, Role, Round, SessionTable, Tournament

API = "/api/v1"
RESULT = {"places": [2, 1, 3, 3]}


class Program:
    """Asks, and looks whether the answer is described."""

    def __init__(self, description: Description, key: str = "") -> None:
        self.description = description
        self.client = Client(headers={"Authorization": f"Bearer {key}"} if key else None)

    def get(self, path: str) -> int:
        return self._look("get", path, self.client.get(API + path))

    def post(self, path: str, body: Any) -> int:
        return self._look("post", path, self.client.post(API + path, body, content_type="application/json"))

    def _look(self, method: str, path: str, answer: Any) -> int:
        body, status = answer.json(), int(answer.status_code)
        self.description.check(method, API + path, status, body)
        assert status < 400 or (body["status"] == status and body["sentence"])
        return status


@pytest.fixture
def described(db: None) -> Description:
    return Description()


@pytest.fixture
def tournament(ana: Player) -> Tournament:
    """One complete round, and one that is released."""
    made = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2)
    play_round(ana, made, 1)
    release(ana, made, 2)
    return made


def hold_evening(club: Club, ana: Player) -> str:
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    sessions.add_table(evening, ana, [ana.pk], version=0, now=NOW)
    table_id = SessionTable.objects.get().table_id
    come_to_table(table_id, ana.pk, now=NOW)
    move_until(store.fetch(table_id), lambda table: table.rules.view(table.state, None)["deal"] == 3)
    return evening.pk


def test_every_field_and_parameter_has_a_description(described: Description) -> None:
    schemas, paths = described.document["components"]["schemas"], described.document["paths"]
    fields = [(name, key, one) for name, schema in schemas.items() for key, one in schema.get("properties", {}).items()]
    parameters = [
        (path, one["name"], one)
        for path, methods in paths.items()
        for operation in methods.values()
        for one in operation.get("parameters", ())
    ]
    assert len(fields) > 500
    assert len(parameters) > 150
    assert [(where, name) for where, name, one in [*fields, *parameters] if not one.get("description")] == []
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []


def test_a_docstring_describes_the_fields_that_it_names() -> None:
    found = split(
        "A seat. place, score: null for\n    nobody; fate: `plays`. Not: a field.", ("place", "score", "fate")
    )
    expected = {"place": "Null for nobody.", "score": "Null for nobody.", "fate": "`plays`. Not: a field."}
    assert found == ("A seat.", expected)


def test_every_answer_is_described(described: Description, tournament: Tournament, ana: Player, ben: Player) -> None:
    club = tournament.club
    membership.take_in(club.pk, ben.pk, Role.MEMBER)
    over = finish(start_table(ana, ben, game="animal-poker", options={"sessions": 2})).id
    finished_tables.count_table(over, now=NOW)
    year = season(ana, club)
    count(ana, year, play(ana, club, "Ada", "Bea", "Cem", "Dan"))
    record = replays.replay_table(store.fetch(over)).record
    GameAnalysis.objects.create(
        digest=digest_record(record), version=VERSION, source="table", key=over, status="done", text="{}", asked_at=NOW
    )
    program = Program(described, api_keys.make(club, ana, "desk"))
    base = f"/tournaments/{tournament.pk}"
    for path in (
        "/clubs", "/tournaments?page=1",
        f"/clubs/{club.slug}", f"/clubs/{club.slug}/tournaments?page=1", f"/clubs/{club.slug}/records",
        f"/clubs/{club.slug}/members", f"/clubs/{club.slug}/seasons",
        f"/clubs/{club.slug}/evenings", f"/evenings/{hold_evening(club, ana)}", base, f"{base}/entrants",
        f"{base}/rounds", f"{base}/deals", f"{base}/standings?after=1",
            f"{base}/teams", f"{base}/team-standings",
        f"/seasons/{year.pk}", "/leaderboards?game=animal-poker",
        f"/people/{ana.pk}", f"/people/{ana.pk}/careers/animal-poker", f"/people/{ana.pk}/against/{ben.pk}",
        f"/people/{ana.pk}/years/2055", "/tables", f"/tables/{over}", f"/tables/{over}/record",
        f"/tables/{over}/analysis",
    ):  # fmt: skip
        assert program.get(path) == 200, path
    assert program.post(f"{base}/rounds/2/tables/1/result", RESULT) == 200
    assert {(path, method) for path, method, _status in described.seen} == described.operations(
        besides=("play", "organise")
    )


def test_every_refusal_is_described(described: Description, tournament: Tournament, ana: Player) -> None:
    program, stranger = Program(described, api_keys.make(tournament.club, ana, "desk")), Program(described)
    result = f"/tournaments/{tournament.pk}/rounds/2/tables/1/result"
    assert program.post(result, {"places": [1, 2]}) == 400
    assert program.post(result, {"places": "first"}) == 422
    assert program.post(result, "{places") == 400
    assert program.post(result, {"places": [1] * 400_000}) == 413
    assert program.post(result.replace("rounds/2", "rounds/9"), RESULT) == 404
    Round.objects.filter(tournament=tournament, number=2).update(status=Round.Status.DRAFT)
    assert program.post(result.replace("rounds/2", "rounds/1"), RESULT) == 409
    assert stranger.post(result, RESULT) == 401
    for path in ("/people/x", "/people/0/years/x", f"/tournaments/{tournament.pk}/standings?after=x",
                 f"/clubs/{tournament.club.slug}/tournaments?page=0",
                 f"/clubs/{tournament.club.slug}/evenings?page=x"):  # fmt: skip
        assert stranger.get(path) == 422, path
    for path in ("/people/99999999999999999999", "/tournaments/nowhere", "/clubs/nowhere", "/evenings/nowhere",
                 "/seasons/nowhere", f"/seasons/{tournament.pk}", "/leaderboards?club=nowhere"):  # fmt: skip
        assert stranger.get(path) == 404, path
    assert stranger.get("/leaderboards?by=luck") == 400


def test_what_no_database_can_hold_is_refused(described: Description, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL holds no text with the sign of number nought, and says so before it looks."""

    def look(*_args: Any) -> Club:
        raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")

    monkeypatch.setattr("tournaments.api.clubs.find_club", look)
    assert Program(described).get("/clubs/a%00b") == 422


def test_a_key_that_opens_nothing_is_told_so_everywhere(described: Description, tournament: Tournament) -> None:
    wrong = Program(described, "mng_wrong")
    club = tournament.club.slug
    for path in (f"/clubs/{club}", f"/clubs/{club}/tournaments", f"/clubs/{club}/evenings", f"/clubs/{club}/records",
                 f"/tournaments/{tournament.pk}", "/tournaments/nowhere", "/leaderboards", "/people/1"):  # fmt: skip
        assert wrong.get(path) == 401, path
    assert wrong.client.get(f"{API}/clubs/{club}")["WWW-Authenticate"] == "Bearer"


def test_a_key_of_one_club_opens_nothing_of_another(described: Description, ana: Player, ben: Player) -> None:
    """Ana belongs to both; the key acts as Ana in the club that it was made in."""
    mine, other_club = found(ana), found(ben, "Second Club")
    membership.take_in(other_club.pk, ana.pk, Role.ORGANISER)
    Club.objects.update(is_public=False)
    secret = begin(ben, NAMES[:4], club=other_club, is_public=False)
    year = season(ben, other_club, is_public=False)
    evening = sessions.open_evening(other_club, ben, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    program = Program(described, api_keys.make(mine, ana, "desk"))
    paths = (
        f"/clubs/{other_club.slug}", f"/clubs/{other_club.slug}/tournaments", f"/clubs/{other_club.slug}/evenings",
        f"/evenings/{evening.pk}", f"/tournaments/{secret.pk}", f"/tournaments/{secret.pk}/entrants",
        f"/seasons/{year.pk}",
    )  # fmt: skip
    assert [program.get(path) for path in paths] == [403] * len(paths)
    for path, thing in ((f"/tournaments/{secret.pk}", "tournament"), (f"/seasons/{year.pk}", "season")):
        refused = program.client.get(API + path).json()
        assert f"This {thing} is for members of its club." in refused["sentence"]
    assert program.get(f"/clubs/{other_club.slug}/records") == 404
    assert [browser(ana).get(API + path).status_code for path in paths] == [200] * len(paths)
    assert program.post(f"/tournaments/{secret.pk}/rounds/1/tables/1/result", RESULT) == 403
    assert program.get(f"/clubs/{mine.slug}/tournaments") == 200


def test_a_key_sleeps_while_its_maker_is_no_organiser(described: Description, ana: Player, ben: Player) -> None:
    club = found(ana)
    ben_member = membership.take_in(club.pk, ben.pk, Role.ORGANISER)
    found(ben, "Second Club")  # Ben's rights there open nothing here
    program = Program(described, api_keys.make(club, ben, "desk"))
    path = f"/clubs/{club.slug}/tournaments"
    assert program.get(path) == 200
    membership.change_role(club, ana, ben_member.pk, Role.MEMBER)
    assert program.get(path) == 401
    membership.change_role(club, ana, ben_member.pk, Role.ORGANISER)
    assert program.get(path) == 200
    membership.leave(club, ana, ben_member.pk)
    assert (program.get(path), ApiKey.objects.count(), Membership.objects.count()) == (401, 1, 2)


def test_lists_have_pages(described: Description, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    club = found(ana)
    Tournament.objects.bulk_create(
        Tournament(
            id=f"night{number:03}",
            club=club,
            name=f"Night {number}",
            entry_token=str(number),
            is_public=number % 2 == 0,
        )
        for number in range(202)
    )
    path = f"{API}/clubs/{club.slug}/tournaments"
    for client, whole in ((Client(), 101), (browser(ana), 202)):
        pages = [client.get(path, {"page": number}).json() for number in (1, 2, 3, 4)]
        assert [len(page) for page in pages] == [min(100, max(0, whole - 100 * number)) for number in range(4)]
        assert len({one["id"] for page in pages for one in page}) == whole


def test_lists_of_the_house_hold_what_the_reader_may_see(described: Description, ana: Player, ben: Player) -> None:
    mine, other_club = found(ana), found(ben, "Second Club")
    Club.objects.update(is_public=False)
    secret, shown = begin(ana, NAMES[:4], club=mine, is_public=False), begin(ben, NAMES[:4], club=other_club)
    answers = []
    for client in (
        Program(described).client,
        Program(described, api_keys.make(mine, ana, "desk")).client,
        browser(ana),
    ):
        clubs_seen = [one["slug"] for one in client.get(f"{API}/clubs").json()]
        answers.append((clubs_seen, {one["id"] for one in client.get(f"{API}/tournaments").json()}))
    assert answers == [([], {shown.pk}), *[([mine.slug], {secret.pk, shown.pk})] * 2]


def test_a_tournament_is_told_as_in_its_file(described: Description, tournament: Tournament, ana: Player) -> None:
    """Whatever its file says of it can be asked for, too."""
    organiser_decisions.penalise(
        tournament, ana, tournament.entrants.get(number=2).pk, points=420, reason="Late.", key="a", now=NOW
    )
    program = Program(described).client
    base = f"{API}/tournaments/{tournament.pk}"
    file = program.get(f"/tournaments/{tournament.pk}/files/tournament.json").json()
    body = program.get(base).json()
    assert {name: body[name] for name in ("agreement", "lot_seed", "penalties")} == {
        name: file[name] for name in ("agreement", "lot_seed", "penalties")
    }
    assert len(body["penalties"]) == 1
    entrants = program.get(f"{base}/entrants").json()
    assert [tournament.pop("person") for tournament in entrants] == [
        None
    ] * 8  # an account of this site; files go to others
    assert [tournament.pop("team") for tournament in entrants] == [None] * 8  # the file lists teams by themselves
    assert entrants == file["entrants"]
    for in_file, in_api in zip(file["rounds"], program.get(f"{base}/rounds").json(), strict=True):
        assert in_api["draw"] == json.loads(in_file["solution"])
        assert [len(pod["reasons"]) > 0 for pod in in_api["pods"]] == [True] * len(in_file["pods"])
        assert [[seat["substitute"] for seat in pod["seats"]] for pod in in_api["pods"]] == [
            [seat["substitute"] for seat in pod["seats"]] for pod in in_file["pods"]
        ]


def test_nobody_can_look_up_which_number_has_a_good_lot_before_they_enter(described: Description, ana: Player) -> None:
    made = begin(ana, NAMES[:8], least=4, most=4, rounds_planned=2)
    program = Program(described).client

    def told() -> set[str]:
        addresses = (f"{API}/tournaments/{made.pk}", f"/tournaments/{made.pk}/files/tournament.json")
        return {program.get(address).json()["lot_seed"] for address in addresses}

    draw(ana, made, 1)
    assert told() == {""}
    release(ana, made, 1)
    assert told() == {made.lot_seed}


def test_a_key_shows_the_tables_of_its_club_as_watchers_see_them(
    described: Description, ana: Player, ben: Player
) -> None:
    mine, other_club = found(ana), found(ben, "Second Club")
    Club.objects.update(is_public=False)
    mine.refresh_from_db()
    hold_evening(mine, ana)
    path = f"/tables/{SessionTable.objects.get().table_id}"
    program = Program(described, api_keys.make(mine, ana, "desk"))
    others = Program(described), Program(described, api_keys.make(other_club, ben, "desk"))
    assert [who.get(path) for who in (program, *others)] == [200, 403, 403]
    assert program.client.get(API + path).json()["seat"] is None
    assert browser(ana).get(API + path).json()["seat"] is not None
    assert [who.get(f"{path}/record") for who in (program, *others)] == [403] * 3
    assert Program(described, "mng_wrong").get(path) == 401


def test_a_table_is_told_to_each_as_on_its_page(described: Description, tournament: Tournament, ana: Player) -> None:
    table = start_table(ana, game="karriere-poker")
    path = f"/tables/{table.id}"
    mine, page = browser(ana).get(API + path).json(), browser(ana).get(f"{path}/view.json").json()
    assert mine | {"now": 0} == page | {"now": 0}
    assert mine["seat"] == 0
    with_key = Program(described, api_keys.make(tournament.club, ana, "desk")).client.get(API + path).json()
    assert (with_key["seat"], with_key["legal"], with_key["view"]) == (None, [], table.rules.view(table.state, None))
    stranger = Program(described)
    assert (stranger.get(path), stranger.get(f"{path}/record"), stranger.get("/tables/nowhere")) == (200, 403, 404)
    assert [row["id"] for row in stranger.client.get(f"{API}/tables").json()] == [table.id]


def test_too_many_questions_are_refused(described: Description, ana: Player, settings: Any) -> None:
    settings.QUESTIONS_PER_MINUTE = 2
    club = found(ana)
    program, stranger = Program(described, api_keys.make(club, ana, "desk")), Program(described)
    assert [program.get(f"/clubs/{club.slug}") for _ in range(3)] == [200, 200, 429]
    assert [stranger.get(f"/clubs/{club.slug}") for _ in range(3)] == [200, 200, 429]
    assert stranger.client.get(f"{API}/clubs/{club.slug}")["Retry-After"] == "5"


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_makes_keys_up_is_one_asker(
    described: Description, tournament: Tournament, settings: Any, method: str
) -> None:
    settings.QUESTIONS_PER_MINUTE = 3
    result = f"/tournaments/{tournament.pk}/rounds/2/tables/1/result"
    guessers = [Program(described, f"mng_{number}") for number in range(5)]
    asked = [
        tournament.get("/clubs") if method == "get" else tournament.post(result, RESULT) for tournament in guessers
    ]
    assert asked == [401, 401, 401, 429, 429]


def test_what_is_not_there_is_said_as_everything_else(described: Description) -> None:
    client = Client()
    answers = [client.get(f"{API}/nothing"), client.post(f"{API}/clubs/x"), client.get(f"{API}/clubs/x/")]
    assert [answer.json()["status"] for answer in answers] == [404, 405, 404]
    assert set(answers[1]["Allow"].split(", ")) == {"GET", "HEAD"}


def test_the_description_says_where_a_key_is_needed(described: Description) -> None:
    operations = [one for methods in described.document["paths"].values() for one in methods.items()]
    needed = {method: {str(one["security"]) for name, one in operations if name == method} for method, _ in operations}
    assert needed == {
        "get": {"[{}, {'Key': []}]", "[{'Token': []}]"},
        "post": {"[{'Key': []}]", "[{'Token': []}]"},
    }
    schemes = described.document["components"]["securitySchemes"]
    assert schemes == {name: {"type": "http", "scheme": "bearer"} for name in ("Key", "Token")}


def test_generated_clients_get_readable_names(described: Description) -> None:
    operations = [one for methods in described.document["paths"].values() for one in methods.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    assert {"list_tables", "open_table", "make_move", "show_standings", "post_result"} <= set(names)
    assert {tag for one in operations for tag in one["tags"]} == {one["name"] for one in described.document["tags"]}
    assert all(one["summary"] and one["description"] for one in operations)
    assert all(one["summary"] == one["summary"].capitalize() for one in operations)
    assert described.document["servers"] == [{"url": "/", "description": "This site"}]


def list_schemas(kind: type[Schema] = Schema) -> dict[str, type[Schema]]:
    """Every schema of bodies and answers, by name."""
    return {
        name: found
        for one in kind.__subclasses__()
        for name, found in ({one.__name__: one} | list_schemas(one)).items()
    }


def test_every_body_has_an_example_that_is_one(described: Description) -> None:
    operations = [one for methods in described.document["paths"].values() for one in methods.values()]
    bodies = [one["requestBody"]["content"]["application/json"]["schema"] for one in operations if "requestBody" in one]
    names = {str(one["$ref"]).rpartition("/")[2] for one in bodies}
    paths = list_schemas()
    for name in sorted(names):
        for example in described.document["components"]["schemas"][name]["examples"]:
            assert set(example) <= set(paths[name].model_fields), name
            paths[name].model_validate(example)
    assert set(EXAMPLES) < names


def test_a_round_has_tables_and_the_former_name_is_deprecated(described: Description) -> None:
    schemas = described.document["components"]["schemas"]
    assert schemas["RoundOut"]["properties"]["pods"]["deprecated"]
    named = {name for one in schemas.values() for name in one.get("properties", {}) if "pod" in name}
    assert named == {"pods"}
    assert not [path for path in described.document["paths"] if "pod" in path]


def test_what_the_document_refers_to_is_in_it(described: Description) -> None:
    text = json.dumps(described.document)
    named = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert named <= set(described.document["components"]["schemas"])
    assert {"StreamTable", "StreamHeartbeat", "SendMove", "KarrierePokerMove"} <= named
