"""The four special rules, alone and together."""

from __future__ import annotations

import pytest

from tests.catalogue.fancy_animals.rules.playing import CLOTHING, DRAW, act, expected, play, position, refusal

RUN = "3LG:G 4GM:G 5GC:G"
SET = {"activate": "return", "set": ["7LG:L", "7GM:G", "7MC:M"]}


# return


def test_return_puts_an_offered_piece_to_the_bottom_of_its_deck() -> None:
    state = position("6LG", "1LM", table=RUN, active=("return",))
    after = act(state, play("6LG", f"{RUN} 6LG:G", **{"return": "feet-M-3"}))
    assert expected(after, "offer") == sorted(
        ["hand-M-1", "hand-L-3", "feet-G-4", "feet-L-5", "body-C-6", "body-L-5", "head-M-7", "head-G-9"]
    )
    assert expected(after, "worn") == [{}, {}]


def test_what_was_returned_comes_again_after_the_rest_of_its_deck() -> None:
    state = position(
        "6LG 7LG", "1LM", table=RUN, active=("return",), deck="9LC", clothing={**CLOTHING, "feet": CLOTHING["feet"][:2]}
    )
    after = act(state, play("6LG", f"{RUN} 6LG:G", **{"return": "feet-G-4"}))
    assert [word for word in expected(after, "offer") if word.startswith("feet")] == ["feet-G-4", "feet-M-3"]


def test_return_is_not_for_who_takes_clothing() -> None:
    five = f"{RUN} 6LG:G 7GM:G"
    state = position("6LG 7GM", "1LM", table=RUN, active=("return",))
    move = play("6LG 7GM", five, claim="feet-G-4", **{"return": "feet-M-3"})
    assert refusal(state, move) == "You can put clothing back only if you take none."


def test_return_must_be_on_and_the_piece_on_offer() -> None:
    move = play("6LG", f"{RUN} 6LG:G", **{"return": "feet-M-3"})
    assert refusal(position("6LG", "1LM", table=RUN), move) == (
        "You can put clothing back only when the special rule “Return” is active."
    )
    state = position("6LG", "1LM", table=RUN, active=("return",))
    assert refusal(state, {**move, "return": "feet-L-5"}) == "This clothing is not on offer: feet-L-5."
    assert refusal(state, {**DRAW, "return": "feet-M-3"}) == "This move cannot have “return”."


def test_an_activation_counts_as_playing_and_return_holds_at_once() -> None:
    state = position("7LG 7GM 7MC", "1LM")
    after = act(state, {**SET, "return": "feet-M-3"})
    assert "feet-M-3" not in expected(after, "offer")
    assert refusal(state, {**SET, "activate": "loop", "return": "feet-M-3"}).startswith(
        "You can put clothing back only when"
    )
    on = position("7LG 7GM 7MC", "1LM", active=("return",))
    assert "feet-M-3" not in expected(act(on, {**SET, "activate": "loop", "return": "feet-M-3"}), "offer")


# loop


def test_loop_lets_runs_go_round_the_corner() -> None:
    state = position("10GM 11MC 1LM", "1LC", active=("loop",))
    table = "10GM:M 11MC:M 1LM:M"
    assert expected(act(state, play("10GM 11MC 1LM", table, claim="hand-M-1")), "scores") == [1, 0]
    off = position("10GM 11MC 1LM", "1LC")
    assert refusal(off, play("10GM 11MC 1LM", table)).endswith(
        "only when the special rule “Loop” is active: 10M 11M 1M."
    )


def test_a_wild_goes_round_the_corner_too() -> None:
    state = position("10GM 11MC", "1LC", active=("loop",), worn=[{"hand": ["hand-M-2"]}, {}])
    after = act(state, play("10GM 11MC", "10GM:M 11MC:M hand-M-2:1", wilds=["hand-M-2"]))
    assert expected(after, "table") == [["10GM:M", "11MC:M", "hand-M-2:1"]]


# cover


def test_cover_puts_clothing_on_top_of_any_spot() -> None:
    five = f"{RUN} 6LG:G 7GM:G"
    worn = {"feet": ["feet-C-3"], "head": ["head-C-7"]}
    state = position("6LG 7GM", "1LM", table=RUN, active=("cover",), worn=[worn, {}])
    move = play("6LG 7GM", five, claim="feet-G-4")
    assert refusal(state, move) == "Choose a spot for this clothing: hand, feet, body, head."
    after = act(state, {**move, "spot": "feet"})
    assert expected(after, "worn")[0] == {"feet": ["feet-C-3", "feet-G-4"], "head": ["head-C-7"]}
    assert expected(after, "scores")[0] == 2 + 4 + 7 + 1  # 3 halved and rounded up, 4, 7, one favourite uncovered
    hat = act(state, {**move, "spot": "head"})
    assert expected(hat, "scores")[0] == 3 + 4 + (4 - 2) + 1
    assert expected(hat, "worn")[0] == {"feet": ["feet-C-3"], "head": ["head-C-7", "feet-G-4"]}


def test_cover_even_if_its_own_spot_is_free() -> None:
    state = position("6LG 7GM", "1LM", table=RUN, active=("cover",), worn=[{"head": ["head-C-7"]}, {}])
    move = play("6LG 7GM", f"{RUN} 6LG:G 7GM:G", claim="feet-G-4")
    assert refusal(state, move) == "Choose a spot for this clothing: feet, head."
    assert expected(act(state, {**move, "spot": "head"}), "worn")[0] == {"head": ["head-C-7", "feet-G-4"]}
    assert refusal(state, {**move, "spot": "body"}) == (
        "It cannot be worn in that spot. Choose one of these: feet, head."
    )


def test_cover_where_no_spot_is_free_fills_no_last_spot() -> None:
    worn = {"feet": ["feet-C-3"], "head": ["head-C-8"], "hand": ["hand-L-1"], "body": ["body-L-6"]}
    state = position("6LG 7GM", "1LM", table=RUN, active=("cover",), worn=[worn, {}], deck="2LC")
    after = act(state, play("6LG 7GM", f"{RUN} 6LG:G 7GM:G", claim="feet-G-4", spot="hand"))
    assert expected(after, "worn", "last_turns") == {
        "worn": [{**worn, "hand": ["hand-L-1", "feet-G-4"]}, {}],
        "last_turns": None,
    }


def test_a_covered_piece_is_no_wild_until_the_top_one_is_used() -> None:
    worn = [{"feet": ["feet-L-3", "feet-G-5"]}, {}]
    state = position("6GM 6LG 8LC 9LC", "1LM", table=RUN, active=("cover",), worn=worn)
    covered = play("8LC 9LC", f"{RUN} | feet-L-3:7 8LC:L 9LC:L", wilds=["feet-L-3"])
    assert refusal(state, covered).startswith("Only uncovered clothing on your own animal")
    top = act(state, play("6GM", f"{RUN} 6GM:G feet-G-5:7", wilds=["feet-G-5"]))
    assert expected(top, "worn", "scores") == {"worn": [{"feet": ["feet-L-3"]}, {}], "scores": [3, 0]}


# mix


MIX = {
    "hand": ["hand-M-3", "hand-L-3"],
    "feet": ["feet-G-5", "feet-M-3"],
    "body": ["body-M-6", "body-C-5"],
    "head": ["head-G-7", "head-L-7"],
}


@pytest.mark.parametrize(
    ("cards", "table", "claim", "is_allowed"),
    [
        ("8LM 9LM 10LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:M 9LM:M 10LM:M", "head-G-7", True),
        ("8LM 9LM 10LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:M 9LM:M 10LM:M", "body-M-6", True),
        ("8LM 9LM 10LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:M 9LM:M 10LM:M", "head-L-7", False),
        ("8LM 9LM 10LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:L 9LM:L 10LM:L", "head-L-7", True),
        # a part of the other run is enough
        ("6LM 7LM 8LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 6LM:M 7LM:M 8LM:M", "feet-G-5", True),
        ("6LM 7LM 8LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 6LM:M 7LM:M 8LM:M", "body-M-6", False),
        # on one side only
        ("5LM 6LM 7LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 5LM:M 6LM:M 7LM:M", "hand-M-3", True),
        ("4LM 5LM 6LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 4LM:M 5LM:M 6LM:M", "hand-M-3", False),
        # the numbers are consecutive
        ("9LM 10LM 11LM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 9LM:M 10LM:M 11LM:M", "hand-M-3", False),
        # two runs of one suit are no mixture
        ("8GM 9GM 10GM", "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8GM:G 9GM:G 10GM:G", "head-G-7", False),
    ],
)
def test_mix_pays_with_a_run_from_the_hand_and_a_neighbouring_stretch(
    cards: str, table: str, claim: str, is_allowed: bool
) -> None:
    hand = "4LM 5LM 6LM 7LM 8LM 9LM 10LM 11LM 8GM 9GM 10GM"
    state = position(hand, "1LM", "1GC", table="3LG:G 4GM:G 5GC:G 6LG:G 7GM:G", active=("mix",), clothing=MIX)
    move = play(cards, table, claim=claim)
    if is_allowed:
        slot = claim.partition("-")[0]
        assert expected(act(state, move), "worn")[0] == {slot: [claim]}
    else:
        assert " needs a " in refusal(state, move)
    off = position(hand, "1LM", "1GC", table="3LG:G 4GM:G 5GC:G 6LG:G 7GM:G", clothing=MIX)
    assert " needs a " in refusal(off, {**move, "claim": "head-G-7"})


def test_the_run_is_laid_entirely_from_the_hand_this_turn() -> None:
    table = "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:M 9LM:M 10LM:M"
    state = position("11LM", "1LM", "1GC", table=table, active=("mix",), clothing=MIX)
    assert " needs a " in refusal(state, play("11LM", f"{table} 11LM:M", claim="head-G-7"))


def test_no_wild_is_in_the_run_from_hand_but_one_may_be_in_the_other() -> None:
    five = "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G"
    state = position(
        "8LM 9LM 10LM", "1LM", "1GC", table=five, active=("mix",), clothing=MIX, worn=[{"hand": ["hand-M-2"]}, {}, {}]
    )
    move = play("8LM 9LM", f"{five} | 8LM:M 9LM:M hand-M-2:10", wilds=["hand-M-2"], claim="head-G-7")
    assert " needs a " in refusal(state, move)
    other = position(
        "8LM 9LM 10LM", "1LM", "1GC", table=five.replace("7GM:G", "hand-G-1:7"), active=("mix",), clothing=MIX
    )
    after = act(
        other, play("8LM 9LM 10LM", f"{five.replace('7GM:G', 'hand-G-1:7')} | 8LM:M 9LM:M 10LM:M", claim="head-G-7")
    )
    assert expected(after, "worn")[0] == {"head": ["head-G-7"]}


def test_the_neighbour_may_be_above_and_from_the_hand_too() -> None:
    state = position("2LM 3LM 4LM 5GC 6GC 7GC 8GC 9GC", "1LM", "1GC", active=("mix",), clothing=MIX)
    table = "2LM:M 3LM:M 4LM:M | 5GC:G 6GC:G 7GC:G 8GC:G 9GC:G"
    after = act(state, play("2LM 3LM 4LM 5GC 6GC 7GC 8GC 9GC", table, claim="head-G-7"))
    assert expected(after, "worn")[0] == {"head": ["head-G-7"]}


@pytest.mark.parametrize(("active", "is_allowed"), [(("loop", "mix"), True), (("mix",), False)])
def test_mix_with_loop_goes_round_the_corner(active: tuple[str, ...], is_allowed: bool) -> None:
    state = position("11LM 12LM 13LM", "1LC", "1LM", table="1LG:G 2GM:G 3GC:G 4LG:G 5LG:G", active=active, clothing=MIX)
    move = play("11LM 12LM 13LM", "1LG:G 2GM:G 3GC:G 4LG:G 5LG:G | 11LM:M 12LM:M 13LM:M", claim="head-G-7")
    if is_allowed:
        assert expected(act(state, move), "scores")[0] == 7
    else:
        assert " needs a " in refusal(state, move)


def test_mix_with_loop_goes_round_the_corner_downwards_too() -> None:
    table = "9LG:L 10LM:L 11LC:L 12LG:L 13LM:L"
    state = position("1GM 2GM 3GM", "1LC", "1LM", table=table, active=("loop", "mix"), clothing=MIX)
    after = act(state, play("1GM 2GM 3GM", f"{table} | 1GM:G 2GM:G 3GM:G", claim="head-G-7"))
    assert expected(after, "scores")[0] == 7


def test_mix_counts_no_set_and_no_run_that_does_not_adjoin() -> None:
    clothing = {**MIX, "hand": ["hand-M-2"]}
    for table in ("7LG:G 7LC:L 7GC:C", "3LG:G 4GM:G 5GC:G 6LG:G"):
        state = position("8LM 9LM 10LM", "1LM", "1GC", table=table, active=("mix",), clothing=clothing)
        move = play("8LM 9LM 10LM", f"{table} | 8LM:M 9LM:M 10LM:M", claim="hand-M-2")
        assert refusal(state, move) == "This clothing needs a metal run of 4: hand-M-2. The longest on the table has 3."


def test_mix_with_loop_uses_no_number_twice() -> None:
    whole = " ".join(f"{number}LG:G" for number in (*range(4, 12), 1))
    state = position("1LM 2LM 3LM", "1LC", table=whole, active=("loop", "mix"), clothing={**MIX, "head": ["head-M-9"]})
    after = act(state, play("1LM 2LM 3LM", f"{whole} | 1LM:M 2LM:M 3LM:M", claim="head-M-9"))
    assert expected(after, "scores")[0] == 9  # 3 and 4–11 are eleven numbers
    short = " ".join(f"{number}LG:G" for number in (*range(6, 12), 1, 2))
    state = position("1LM 2LM 3LM", "1LC", table=short, active=("loop", "mix"), clothing={**MIX, "head": ["head-M-9"]})
    table = f"{short} | 1LM:M 2LM:M 3LM:M"
    assert refusal(state, play("1LM 2LM 3LM", table, claim="head-M-9")).startswith(
        "This clothing needs a metal run of 10"
    )


def test_a_mixed_claim_may_cover() -> None:
    state = position(
        "8LM 9LM 10LM",
        "1LM",
        "1GC",
        table="3LG:G 4GM:G 5GC:G 6LG:G 7GM:G",
        active=("cover", "mix"),
        clothing=MIX,
        worn=[{"head": ["head-C-8"]}, {}, {}],
    )
    table = "3LG:G 4GM:G 5GC:G 6LG:G 7GM:G | 8LM:M 9LM:M 10LM:M"
    after = act(state, play("8LM 9LM 10LM", table, claim="head-G-7", spot="head"))
    assert expected(after, "scores")[0] == 4 + 7
