"""Random walks: people act at random, and the invariants of the tournament hold.

WALKS=500 walks on, WALK=17 WALKS=1 walks one way again, WALK_STEPS=200 walks it further.
"""

from __future__ import annotations

import os
import random

import pytest

from tests.tournaments.walk import acts, laws, members, night_acts, phones, promises
from tests.tournaments.walk.night import Night
from tests.tournaments.walk.site import Site
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Tournament
from tournaments.views.rounds.console import find_next

WALKS = int(os.environ.get("WALKS", "2"))
FIRST = int(os.environ.get("WALK", "0"))
STEPS = int(os.environ.get("WALK_STEPS", "28"))
FILES = 0.06
"""How often somebody takes the tournament elsewhere while it goes on."""

FORMATS = ("swiss", "round-robin", "knockout", "swiss-cut", "ladder", "arena")
NEXT = {
    "open-entry": acts.open_entry, "check-in": acts.start_check_in, "draw": acts.draw, "trouble": acts.draw,
    "release": acts.release, "play": acts.complete, "finish": acts.finish, "drawing": acts.work_out,
    "archive": acts.archive, "open-arena": acts.open_arena, "arena": phones.pass_time,
}  # fmt: skip
WEIGHTS = {
    acts.walk_in: 4, acts.add_bot: 2, acts.import_list: 1, acts.people: 6, acts.everybody_is_here: 2, acts.rename: 1,
    acts.seed: 1, acts.penalise: 2, acts.rule_pair: 2, acts.draw: 3, acts.work_out: 8, acts.keep: 2, acts.move: 3,
    acts.swap: 4, acts.reseat: 3, acts.release: 2, acts.set_fate: 4, acts.substitute: 5, acts.decide: 5,
    acts.decide_all: 3, phones.say_result: 5, phones.send_result: 2, phones.come: 5, phones.play: 5,
    phones.leave_table: 1, acts.complete: 2, acts.pause: 2, acts.resume: 3, acts.ring: 1, acts.begin: 2,
    acts.extend: 2, acts.undo: 8,
    acts.undo_and_redo: 5, acts.take_back: 4, acts.read_log: 3, acts.revise: 2, phones.act_self: 5, phones.claim: 3,
    phones.pass_time: 3, phones.sweep: 3, members.delete_account: 1, acts.finish: 1, acts.archive: 1, acts.call_off: 1,
    acts.count: 2, acts.end_season: 2, members.merge_accounts: 3, members.rename_account: 1, members.change_role: 2,
    members.name_in_season: 2,
}  # fmt: skip


def choose_plan(rng: random.Random) -> dict[str, object]:
    """A plan."""
    form = rng.choice(FORMATS)
    plan_fields: dict[str, object] = {
        "format": form, "venue": rng.choice(("online", "real", "mixed", "apart")), "rounds_planned": rng.choice((2, 3)),
        "game": "super-zwierzaki", "options": {}, "least": rng.choice((3, 4)), "most": rng.choice((4, 5)),
        "bots_fill": rng.random() < 0.4, "duplicate": rng.random() < 0.3, "no_show": rng.choice(("bot", "forfeit")),
        "round_minutes": rng.choice((None, 30)), "advance": 2, "cut_to": 5,
    }  # fmt: skip
    if form == "ladder":
        game, deals = rng.choice((("karriere-poker", "deals"), ("animal-poker", "sessions")))
        options = rng.choice(({deals: 1}, {}))  # {}: until the bell of the stretch
        plan_fields |= {"game": game, "options": options, "least": 4, "round_minutes": 30}
    if form == "arena":
        plan_fields |= {"bots_fill": False, "round_minutes": 60, "at_end": rng.choice(("finish", "bell"))}
    return plan_fields


@pytest.mark.parametrize("number", range(FIRST, FIRST + WALKS))
def test_everybody_does_anything(db: None, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    rng = random.Random(number)
    site = Site(rng, monkeypatch, **choose_plan(rng))
    try:
        walk(site)
    except BaseException as error:
        journal = "\n".join(site.journal)
        error.add_note(f"WALK={number} {site.tournament.format} {site.tournament.venue}\n{journal}")
        raise


def walk(site: Site) -> None:
    acts.open_entry(site)
    phones.everybody_enters(site)
    for _ in range(STEPS):
        if site.rng.random() < 0.3:
            take_next(site)
        else:
            [act] = site.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
            act(site)
        laws.check(site.tournament)
        laws.check_season(site)
        promises.check_told(site)
        if site.rng.random() < 0.3:
            laws.check_pages(site, all_of_them=False)
            promises.check_strangers(site)
        if site.rng.random() < FILES:
            promises.check_file(site)
    laws.check_pages(site, all_of_them=True)
    promises.check_counted(site)
    promises.check_file(site)


def take_next(site: Site) -> None:
    """The brass button of the console: it does what it says."""
    tournament = Tournament.objects.get(pk=site.tournament.pk)
    word = find_next(open_book(tournament))
    if word not in NEXT:
        return
    if word in ("draw", "trouble", "open-arena"):
        acts.everybody_is_here(site)
    if word == "play":
        acts.decide_all(site)
    site.journal.append(f"the next step: {word}")
    NEXT[word](site)
    if word in ("draw", "trouble"):
        promises.check_byes(site)
    sentence = site.journal[-1].partition(" -> ")[2]
    if word == "release":
        if sentence.endswith(" may not meet."):  # a rule that came after the draw: the draft names the pair
            return
        laws.check_released(site)
    if word not in ("draw", "trouble", "play", "drawing"):
        assert not sentence, f"the next step was {word}"


@pytest.mark.parametrize("number", range(FIRST, FIRST + WALKS))
def test_an_evening(db: None, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    night = Night(random.Random(f"evening {number}"), monkeypatch)
    try:
        night_acts.walk(night, STEPS)
    except BaseException as error:
        error.add_note(f"WALK={number}\n" + "\n".join(night.journal))
        raise
