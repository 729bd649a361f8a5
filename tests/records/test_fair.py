"""Fair deals: the document's vectors, the program and the document's own verifier, held against each other."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from games.catalogue.animals_on_board.rules.tiles import SPECIES
from games.catalogue.super_zwierzaki.rules.kinds import KINDS
from games.records.duplicate import RoundDeal
from games.records.fair import (
    DealCommitment,
    FairnessClaim,
    RoundCommitment,
    commit,
    derive_round_seed,
    derive_seed,
    draw_seats,
    is_deal_proved,
    judge_record,
)
from games.records.format import Player, parse_record
from games.records.replay import verify
from games.records.writer import build_record
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance, Stream

from .making import encode, find_fault, toy_record

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
    assert len({vector["seed"] for vector in VECTORS["seeds"] + VECTORS["round_seeds"]}) == 9
    assert VECTORS["seed"] == SEED


def round_deal(vector: dict[str, Any]) -> RoundDeal:
    keys = ("tournament", "round", "seating", "seats")
    tournament, number, seating, seats = (vector[key] for key in keys)
    return RoundDeal(tournament, number, seating, seats, tuple(vector["contributions"]))


def test_seed_of_a_round_is_the_hash_of_these_bytes() -> None:
    number = "\0\0\0\0\0\0\0%c"
    spelled = (
        b"menagerie-round-seed/1\0"
        + SECRET
        + (number % 4 + "cup7" + number % 2 + number % 3 + number % 5 + number % 3).encode()
        + b"\1\0\0\0\0\0\0\0\x045b0f"
        + b"\0"
        + b"\1\0\0\0\0\0\0\0\0"
    )
    assert derive_round_seed(SECRET, RoundDeal("cup7", 2, 3, 5, ("5b0f", None, ""))) == sha256(spelled).digest()


@pytest.mark.parametrize("vector", VECTORS["chairs"])
def test_seat_vectors(vector: dict[str, Any], snippet: dict[str, Any]) -> None:
    given = (SECRET, vector["table"], vector["entropy"])
    assert list(draw_seats(*given)) == snippet["draw_seats"](*given) == vector["chairs"]


def test_the_chairs_of_a_record_are_held_to_the_lot() -> None:
    by_chair = list(ENTROPY)
    chairs = draw_seats(SECRET, "k7m2", by_chair)
    entropy = [by_chair[chair] for chair in chairs]
    record = {**PROMISED, "entropy": entropy, "setup": {}, "seed": derive_seed(SECRET, "k7m2", entropy).hex()}
    assert find_fault(toy_record(**record, chairs=list(chairs))) is None
    assert find_fault(toy_record(**record, chairs=[*chairs[1:], chairs[0]])) == (
        "the seats do not follow from this secret, table and contributions"
    )
    for wrong in ([0, 1, 2], [0, 1, 2, 4], [0, 1, 2, True], ["0", 1, 2, 3]):
        assert (
            find_fault(toy_record(**record, chairs=wrong))
            == "“chairs” must contain each number from 0 to 3 exactly once"
        )
    assert find_fault(toy_record(**record)) is None


@pytest.mark.parametrize("vector", VECTORS["round_seeds"])
def test_round_seed_vectors(vector: dict[str, Any], snippet: dict[str, Any]) -> None:
    seed = derive_round_seed(SECRET, round_deal(vector)).hex()
    assert seed == snippet["make_round_seed"](SECRET, vector).hex() == vector["seed"]


@pytest.mark.parametrize(
    "deal",
    [RoundDeal("x" * 101, 1, 0, 4, ()), RoundDeal("x", 1, 0, 4, ("y" * 257,)), RoundDeal("x", 1, 0, 4, (None,) * 5001)],
)
def test_limits_of_the_seed_of_a_round(deal: RoundDeal) -> None:
    with pytest.raises(ValueError, match="too"):
        derive_round_seed(SECRET, deal)


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
BROKEN = "the commitment is not the SHA-256 of the secret, so the server did not commit to this secret"
WRONG = "the seed does not follow from this secret, table and contributions"
NO_TEXT = "“contributions”: the entry of entrant 1 must be null or a string of at most 256 characters"


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
    assert find_fault(toy_record(**{**PROMISED, "setup": {}, **keys})) == sentence


DEAL = {"tournament": "cup7", "round": 2, "seating": 0, "seats": 3, "contributions": ["5b0f", None, "Żubr 🦬", None]}
DUPLICATE = {
    "seed": derive_round_seed(SECRET, round_deal(DEAL)).hex(),
    "commitment": COMMITMENT,
    "secret": SECRET.hex(),
    "duplicate": DEAL,
}
NOT_OF_THE_ROUND = "the seed does not follow from this secret, round and contributions"


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, None),
        ({"duplicate": {key: value for key, value in DEAL.items() if key != "seating"}}, None),
        ({"commitment": "00" * 32}, BROKEN),
        ({"secret": "00" * 32, "commitment": sha256(bytes(32)).hexdigest()}, NOT_OF_THE_ROUND),
        ({"duplicate": DEAL | {"tournament": "cup8"}}, NOT_OF_THE_ROUND),
        ({"duplicate": DEAL | {"round": 3}}, NOT_OF_THE_ROUND),
        ({"duplicate": DEAL | {"seating": 1}}, NOT_OF_THE_ROUND),
        ({"duplicate": DEAL | {"contributions": [None, None, "Żubr 🦬", None]}}, NOT_OF_THE_ROUND),
        ({"duplicate": DEAL | {"contributions": ["5b0f", None, "Żubr 🦬"]}}, NOT_OF_THE_ROUND),
        ({"duplicate": DEAL | {"seats": 4}}, "“duplicate” is for tables of 4 players, but the record has 3"),
        ({"duplicate": DEAL | {"round": -1}}, "“round” must be a number from 0 to 1000000"),
        ({"duplicate": DEAL | {"contributions": [5]}}, NO_TEXT),
        ({"duplicate": DEAL | {"contributions": ["x" * 257]}}, NO_TEXT),
        ({"duplicate": DEAL | {"contributions": [None] * 5001}}, "“contributions” has more than 5000 entries"),
        ({"duplicate": {"round": 1}}, "“tournament” is missing"),
        ({"duplicate": []}, "“duplicate” must be an object, but it is a list"),
        ({"entropy": [None] * 3}, "a record has either “entropy” (by seat) or “duplicate” (by entrant), not both"),
        ({"duplicate": None}, None),
    ],
)
def test_what_is_checked_of_duplicate_deals(keys: dict[str, Any], sentence: str | None) -> None:
    assert find_fault(toy_record(**{**DUPLICATE, "setup": {}, **keys})) == sentence


def test_what_proves_duplicate_deals() -> None:
    def proves(**keys: Any) -> bool:
        return is_deal_proved(parse_record(encode(toy_record(**{**DUPLICATE, "setup": {}, **keys}))))

    assert proves()
    assert [proves(**{key: ...}) for key in DUPLICATE] == [False] * 4
    assert not proves(setup={"pile": [1]})


def is_proved(*events: Any, **keys: Any) -> bool:
    return is_deal_proved(parse_record(encode(toy_record(*events, **{**PROMISED, "setup": {}, **keys}))))


@pytest.mark.parametrize(
    ("events", "keys", "claim"),
    [
        ([], {}, FairnessClaim.NOBODY),
        ([], {"entropy": [None, "5b0f", None, None]}, FairnessClaim.NOBODY),
        ([], {"entropy": [None] * 4}, FairnessClaim.SERVER),
        ([], {"entropy": ["", None, "", None], "procedure": ...}, FairnessClaim.SERVER),
        ([], {"procedure": ...}, FairnessClaim.EARLY),
        ([], {"procedure": 1}, FairnessClaim.EARLY),
        ([], {"setup": {"pile": [1]}}, FairnessClaim.HAND),
        ([{"random": {"roll": 1}}, {"clock": "turn"}], {}, FairnessClaim.HAND),
        ([], {"secret": ...}, FairnessClaim.NOTHING),
        ([], {"entropy": ...}, FairnessClaim.NOTHING),
    ],
)
def test_what_may_be_said_of_a_deal(events: list[Any], keys: dict[str, Any], claim: FairnessClaim) -> None:
    record = parse_record(encode(toy_record(*events, **{**PROMISED, "procedure": 2, "setup": {}, **keys})))
    assert judge_record(record) == claim


def test_what_may_be_said_of_duplicate_deals() -> None:
    def claim(contributions: list[str | None]) -> FairnessClaim:
        duplicate = {**DEAL, "contributions": contributions}
        return judge_record(parse_record(encode(toy_record(**{**DUPLICATE, "setup": {}, "duplicate": duplicate}))))

    assert [claim(["5b0f", None]), claim([None]), claim([])] == [
        FairnessClaim.NOBODY,
        FairnessClaim.SERVER,
        FairnessClaim.SERVER,
    ]


def test_what_proves_a_deal() -> None:
    assert is_proved()
    assert is_proved({"clock": "turn"})
    assert [is_proved(**{key: ...}) for key in ("seed", "commitment", "secret", "table", "entropy")] == [False] * 5
    assert not is_proved(setup={"pile": [1]})
    assert not is_proved({"random": {"roll": 1}}, {"clock": "turn"})


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


def run_verifier(folder: Path, document: dict[str, Any]) -> list[str]:
    """What the document's own program says of a record."""
    program, file = folder / "check_deal.py", folder / "record.json"
    program.write_text(block("python"), encoding="utf-8")
    file.write_text(json.dumps(document), encoding="utf-8")
    done = subprocess.run([sys.executable, program, file], capture_output=True, check=True, encoding="utf-8")
    return done.stdout.splitlines()


def test_the_verifier_of_the_document_reads_a_record(tmp_path: Path) -> None:
    record = build_record(
        rules=registry.find("karriere-poker"),
        config=Config(4),
        players=[Player("Ana"), Player("Ben"), Player("Frida", "steady"), Player("Dora")],
        events=[],
        outcome=None,
        seed=bytes.fromhex(SEED),
        commitment=DealCommitment(COMMITMENT, "k7m2", ENTROPY, SECRET),
    )
    run = partial(run_verifier, tmp_path)
    lines = run(record)
    assert lines[:3] == ["the commitment is kept", "the seed is right", "2 contributed"]
    assert [line.split(":")[0] for line in lines[3:]] == ["Ana", "Ben", "Frida", "Dora"]
    assert run({**record, "table": "k7m3"})[:2] == ["the commitment is kept", "THE SEED IS WRONG"]
    assert run({**record, "commitment": "00" * 32})[:2] == ["THE COMMITMENT IS BROKEN", "the seed is right"]


@pytest.mark.parametrize("slug", registry.slugs())
def test_the_verifier_of_the_document_reads_duplicate_deals_of_every_game(slug: str, tmp_path: Path) -> None:
    deal = RoundDeal("cup7", 2, 0, 4, ("5b0f", None, "Żubr 🦬"))
    record = build_record(
        rules=registry.find(slug),
        config=Config(4),
        players=[Player(name) for name in ("Ana", "Ben", "Cleo", "Dora")],
        events=[],
        outcome=None,
        seed=derive_round_seed(SECRET, deal),
        commitment=RoundCommitment(COMMITMENT, deal, SECRET),
    )
    assert verify(encode(record)).fault is None
    lines = run_verifier(tmp_path, record)
    assert lines[:3] == ["the commitment is kept", "the seed is right", "2 contributed"]
    assert [line.split(":")[0] for line in lines[3:]] == ["Ana", "Ben", "Cleo", "Dora"]
    left_out = {**record, "duplicate": {**record["duplicate"], "contributions": [None, None, "Żubr 🦬"]}}
    assert run_verifier(tmp_path, left_out)[1] == "THE SEED IS WRONG"
    nobody = {**record, "duplicate": {**record["duplicate"], "contributions": [None, ""]}}
    assert run_verifier(tmp_path, nobody)[2].startswith("NOBODY CONTRIBUTED")
