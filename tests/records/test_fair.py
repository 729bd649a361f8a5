"""Fair deals: the document's vectors, the program and the document's own verifier, held against each other."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from games.records.fair import Pledge, commit, derive_seed, is_deal_proved
from games.records.format import Player, parse_record
from games.records.write import build_record
from games.rules import registry
from games.rules.animals_on_board.tiles import SPECIES
from games.rules.base import Config
from games.rules.chance import Chance, Stream
from games.rules.super_zwierzaki.kinds import KINDS

from .making import encode, toy_record, why

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fair-deals.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
ENTROPY = ("5b0f", "", None, "Żubr 🦬")
SEED = "b80a119628d46b645b2913c21d586c77e605812ed1750b11b9bbf0bd8840e484"


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return str(found[0])


VECTORS = json.loads(block("json"))


@pytest.fixture(scope="module")
def snippet() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "check_deal"}
    exec(block("python"), names)  # noqa: S102 - the document's own verifier
    return names


def test_commitment() -> None:
    assert commit(SECRET) == COMMITMENT
    assert {"secret": VECTORS["secret"], "commitment": VECTORS["commitment"]} == {
        "secret": SECRET.hex(),
        "commitment": COMMITMENT,
    }


def test_seed_is_the_hash_of_these_bytes() -> None:
    spelled = (
        b"menagerie-seed/1\0"
        + SECRET
        + b"\0\0\0\0\0\0\0\x04k7m2"
        + b"\0\0\0\0\0\0\0\x04"
        + b"\1\0\0\0\0\0\0\0\x045b0f"
        + b"\1\0\0\0\0\0\0\0\0"
        + b"\0"
        + b"\1\0\0\0\0\0\0\0\x0a\xc5\xbbubr \xf0\x9f\xa6\xac"
    )
    assert derive_seed(SECRET, "k7m2", ENTROPY) == sha256(spelled).digest() == bytes.fromhex(SEED)


@pytest.mark.parametrize("vector", VECTORS["seeds"])
def test_seed_vectors(vector: dict[str, Any], snippet: dict[str, Any]) -> None:
    arguments = (SECRET, vector["table"], vector["entropy"])
    assert derive_seed(*arguments).hex() == snippet["make_seed"](*arguments).hex() == vector["seed"]


def test_vectors_differ() -> None:
    assert len({vector["seed"] for vector in VECTORS["seeds"]}) == 4
    assert VECTORS["seed"] == SEED


@pytest.mark.parametrize("vector", VECTORS["words"])
def test_stream_words(vector: dict[str, Any], snippet: dict[str, Any]) -> None:
    stream = Stream(bytes.fromhex(SEED), vector["name"], vector["count"])
    wanted = [int(word, 16) for word in vector["words"]]
    assert [stream.below(1 << 64) for _ in wanted] == wanted
    assert list(islice(snippet["words"](bytes.fromhex(SEED), vector["name"], vector["count"]), len(wanted))) == wanted


@pytest.mark.parametrize("vector", VECTORS["below"])
def test_numbers_below(vector: dict[str, Any], snippet: dict[str, Any]) -> None:
    stream = Stream(bytes.fromhex(SEED), vector["name"], vector["count"])
    n, numbers = int(vector["n"]), vector["numbers"]
    assert [str(stream.below(n)) for _ in numbers] == numbers
    words = snippet["words"](bytes.fromhex(SEED), vector["name"], vector["count"])
    assert [str(snippet["below"](words, n)) for _ in numbers] == numbers


def test_no_program_rounds_a_vector() -> None:
    """JavaScript, jq and others read every number as a double: those above 2^53 are strings."""

    def read(text: str) -> int:
        assert abs(int(text)) <= 2**53, text
        return int(text)

    json.loads(block("json"), parse_int=read)


@pytest.mark.parametrize("vector", VECTORS["shuffle"])
def test_shuffles(vector: dict[str, Any], snippet: dict[str, Any]) -> None:
    assert Stream(bytes.fromhex(SEED), vector["name"], vector["count"]).shuffled(range(10)) == vector["list"]
    words = snippet["words"](bytes.fromhex(SEED), vector["name"], vector["count"])
    assert snippet["shuffle"](range(10), words) == vector["list"]


@pytest.mark.parametrize(
    ("game", "key", "seats", "options"),
    [
        *(("karriere-poker", "deals", seats, {}) for seats in range(4, 9)),
        *(("animal-poker", "sessions", seats, {}) for seats in range(4, 9)),
        *(("animal-poker", "sessions", seats, {"lazy": True}) for seats in range(4, 9)),
    ],
)
def test_first_deals(game: str, key: str, seats: int, options: dict[str, Any], snippet: dict[str, Any]) -> None:
    rules = registry.find(game)
    state = rules.start(Config(seats, options), Chance(bytes.fromhex(SEED)))
    dealt = snippet["first_deal"](game, bytes.fromhex(SEED), seats, options.get("lazy", False))
    assert rules.setup_of(state)[key][0]["hands"] == dealt


def test_later_deals(snippet: dict[str, Any]) -> None:
    rules = registry.find("karriere-poker")
    state = rules.start(Config(6, {"deals": 2}), Chance(bytes.fromhex(SEED)))
    while not rules.chance(state).drawn:
        state, _ = rules.on_clock(state, {"clock": "turn"})
    pack = [str(number) for number in range(1, 14) for _ in range(6)] + ["J"] * 3
    pack = snippet["shuffle"](pack, snippet["words"](bytes.fromhex(SEED), "deal", 2))
    dealt = [pack[0:13], pack[13:26], pack[26:39], pack[39:52], pack[52:65], pack[65:81]]
    ((name, hands),) = rules.chance(state).drawn
    assert name == "hands"
    assert [sorted(hands[seat]) for seat in rules.expected(state)["order"]] == [sorted(hand) for hand in dealt]


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_has_32_bytes(secret: bytes) -> None:
    with pytest.raises(ValueError, match="a secret has 32 bytes"):
        commit(secret)
    with pytest.raises(ValueError, match="a secret has 32 bytes"):
        derive_seed(secret, "k7m2", [None])


@pytest.mark.parametrize(("table", "entropy"), [("x" * 101, [None]), ("x", ["y" * 257])])
def test_limits_of_a_seed(table: str, entropy: list[str | None]) -> None:
    with pytest.raises(ValueError, match="too long"):
        derive_seed(SECRET, table, entropy)


PROMISED = {
    "seed": SEED,
    "commitment": COMMITMENT,
    "secret": SECRET.hex(),
    "table": "k7m2",
    "entropy": list(ENTROPY),
    "players": [{"name": name} for name in "ABCD"],
}
BROKEN = "the commitment is not the SHA-256 of the secret: the server did not keep its word"
WRONG = "the seed is not made of this secret, table and entropy"


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, None),
        ({"commitment": COMMITMENT.upper(), "secret": SECRET.hex().upper()}, None),
        ({"commitment": "00" * 32}, BROKEN),
        ({"secret": "00" * 32}, BROKEN),
        ({"secret": "00" * 32, "commitment": ...}, WRONG),
        ({"seed": "00" * 32}, WRONG),
        ({"table": "k7m3"}, WRONG),
        ({"entropy": ["5b0f", None, None, "Żubr 🦬"]}, WRONG),
        ({"entropy": ["", "5b0f", None, "Żubr 🦬"]}, WRONG),
        ({"entropy": ["5b0f", "", None, "Z\u0307ubr 🦬"]}, WRONG),
        ({"secret": ..., "seed": "00" * 32, "commitment": "00" * 32}, None),
        ({"seed": ..., "setup": {"pile": [1]}}, None),
        ({"table": ..., "seed": "00" * 32}, None),
        ({"entropy": ..., "seed": "00" * 32}, None),
        ({"table": ..., "commitment": "00" * 32}, BROKEN),
    ],
)
def test_what_is_checked_of_a_record(keys: dict[str, Any], sentence: str | None) -> None:
    assert why(toy_record(**{**PROMISED, "setup": {}, **keys})) == sentence


def proves(*events: Any, **keys: Any) -> bool:
    return is_deal_proved(parse_record(encode(toy_record(*events, **{**PROMISED, "setup": {}, **keys}))))


def test_what_proves_a_deal() -> None:
    assert proves()
    assert proves({"clock": "turn"})
    assert [proves(**{key: ...}) for key in ("seed", "commitment", "secret", "table", "entropy")] == [False] * 5
    assert not proves(setup={"pile": [1]})
    assert not proves({"random": {"roll": 1}}, {"clock": "turn"})


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {}), (2, {"species": list(SPECIES[4:])})])
def test_the_verifier_draws_the_tiles_of_animals_on_board(
    snippet: dict[str, Any], seats: int, options: dict[str, Any]
) -> None:
    rules = registry.find("animals-on-board")
    state = rules.start(Config(seats, options), Chance(bytes.fromhex(SEED)))
    drawn = [rules.view(state, seat)["drawn"] for seat in range(seats)]
    assert snippet["first_tiles"](bytes.fromhex(SEED), seats, options.get("species")) == drawn


@pytest.mark.parametrize("seats", range(2, 5))
def test_the_verifier_deals_fancy_animals(snippet: dict[str, Any], seats: int) -> None:
    rules = registry.find("fancy-animals")
    state = rules.start(Config(seats), Chance(bytes.fromhex(SEED)))
    assert snippet["first_materials"](bytes.fromhex(SEED), seats) == rules.setup_of(state)["hands"]


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_verifier_deals_super_zwierzaki(snippet: dict[str, Any], seats: int) -> None:
    rules = registry.find("super-zwierzaki")
    state = rules.start(Config(seats), Chance(bytes.fromhex(SEED)))
    assert snippet["first_kinds"](bytes.fromhex(SEED), seats) == rules.setup_of(state)["hands"]


def test_the_deck_in_the_document_is_the_one_that_is_dealt(snippet: dict[str, Any]) -> None:
    line = re.compile(r" *(\d+)  (\d)  ([A-Z]+) +([a-z]+) +([A-Z][a-z]{2}|-) +(.+) / (.+)")
    rows = [found.groups() for found in map(line.fullmatch, block("text").splitlines()) if found]
    assert rows == [
        (one.word, str(one.copies), one.colour, one.group, one.function or "-", one.english, one.polish)
        for one in KINDS.values()
    ]
    assert snippet["COPIES"] == {one.number: one.copies for one in KINDS.values()}


def test_the_verifier_knows_every_game(snippet: dict[str, Any]) -> None:
    for slug in registry.slugs():
        hands = snippet["first_hands"](slug, bytes.fromhex(SEED), 4, {})
        assert [len(hand) > 2 for hand in hands] == [True] * 4


def test_the_verifier_of_the_document_reads_a_record(tmp_path: Path) -> None:
    record = build_record(
        rules=registry.find("karriere-poker"),
        config=Config(4),
        players=[Player("Ana"), Player("Ben"), Player("Frida", "steady"), Player("Dora")],
        events=[],
        outcome=None,
        seed=bytes.fromhex(SEED),
        pledge=Pledge(COMMITMENT, "k7m2", ENTROPY, SECRET),
    )
    program, file = tmp_path / "check_deal.py", tmp_path / "record.json"
    program.write_text(block("python"), encoding="utf-8")

    def run(document: dict[str, Any]) -> list[str]:
        file.write_text(json.dumps(document), encoding="utf-8")
        done = subprocess.run([sys.executable, program, file], capture_output=True, check=True, encoding="utf-8")
        return done.stdout.splitlines()

    lines = run(record)
    assert lines[:2] == ["the commitment is kept", "the seed is right"]
    assert [line.split(":")[0] for line in lines[2:]] == ["Ana", "Ben", "Frida", "Dora"]
    assert run({**record, "table": "k7m3"})[:2] == ["the commitment is kept", "THE SEED IS WRONG"]
    assert run({**record, "commitment": "00" * 32})[:2] == ["THE COMMITMENT IS BROKEN", "the seed is right"]
