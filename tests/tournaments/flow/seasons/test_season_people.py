"""Who is who in a season: against a slow and plain reading of the same rules, and told anew only where it changed."""

from __future__ import annotations

from random import Random

import pytest

from games import memo, models
from games.models.spelling import fold
from tests.cast import NOW, person
from tests.tournaments.cast import NAMES, entrant
from tests.tournaments.flow.seasons.test_season_changes import play, season
from tournaments.flow.entry import sign_up
from tournaments.flow.seasons import season_changes
from tournaments.flow.seasons.season_people import Entry, match
from tournaments.flow.seasons.season_standings import read_table

Plain = dict[int, tuple[str, str]]


def read_plainly(entries: list[Entry]) -> Plain:
    """Whose each entry is, one after the other, everything looked up anew."""
    keys: Plain = {}
    for one in entries:
        name = fold(one.assigned_name or one.name)
        candidates = {
            other.player_id
            for other in entries
            if other.player_id is not None
            and not other.assigned_name
            and name in (fold(other.name), fold(other.account))
        }
        here = {other.player_id for other in entries if other.tournament_id == one.tournament_id}
        key = "name", name
        if one.player_id is not None and not one.assigned_name:
            key = "account", str(one.player_id)
        elif len(candidates) == 1 and (candidates == {one.player_id} or not candidates & here):
            key = "account", str(*candidates)
        taken = {keys[other.pk] for other in entries if other.pk in keys and other.tournament_id == one.tournament_id}
        keys[one.pk] = ("entrant", str(one.pk)) if key in taken else key
    return keys


def make_up(rng: Random) -> list[Entry]:
    """Up to five nights of people with few names; no account has two chairs."""
    accounts = {player: rng.choice(("Ana", "Ben", "ana", "Bén")) for player in range(1, 5)}
    entries: list[Entry] = []
    for night in range(rng.randint(1, 5)):
        free: list[int | None] = [*accounts]
        rng.shuffle(free)
        for number in range(1, rng.randint(1, 6) + 1):
            player = free.pop() if free and rng.random() < 0.5 else None
            name, assigned_name = (
                rng.choice(("Ana", "Ben", "Cem", "ana", "Ana (2)")),
                rng.choice(("", "", "", "Ana", "Zed")),
            )
            account = accounts[player] if player is not None else ""
            entries.append(Entry(len(entries), f"t{night}", number, name, player, account, assigned_name))
    return entries


@pytest.mark.parametrize("seed", range(60))
def test_the_same_people_share_a_name_and_no_others(seed: int) -> None:
    entries = make_up(Random(seed))
    names, keys = match(entries), read_plainly(entries)
    for one in entries:
        for other in entries:
            assert (fold(names[one.pk]) == fold(names[other.pk])) == (keys[one.pk] == keys[other.pk]), (one, other)
        theirs = [other for other in entries if keys[other.pk] == keys[one.pk]]
        best = max(theirs, key=lambda other: (bool(other.assigned_name), bool(other.account), other.pk))
        name = best.assigned_name or best.account or best.name
        assert names[one.pk] == name or names[one.pk].startswith(f"{name} (")


def test_only_what_has_changed_is_told_anew(ana: models.Player) -> None:
    one = season(ana)
    nights = [play(ana, one.club, *NAMES[:4], at=NOW + at) for at in range(3)]
    ada = person("Ada Lovelace")
    sign_up.claim(nights[0], entrant(nights[0], "Ada").claim_token, ada, now=NOW)
    for night in nights[:2]:
        season_changes.count_tournament(one, ana, night.pk, counts=True, now=NOW)
    first = read_table(one)
    before = first.results
    season_changes.count_tournament(one, ana, nights[2].pk, counts=True, now=NOW)
    more = read_table(one)
    assert more.entries[:8] == first.entries
    assert all(new is old for new, old in zip(more.entries, first.entries, strict=False))
    assert [new is old for new, old in zip(more.results, before, strict=False)] == [True, True]
    models.Player.objects.filter(pk=ada.pk).update(name="Lady Lovelace")
    renamed = read_table(one)
    assert "Lady Lovelace" in {line.person for line in renamed.standing()}
    standings = (renamed.entries, renamed.names, renamed.results, renamed.standing())
    memo.forget_all()
    anew = read_table(one)
    assert standings == (anew.entries, anew.names, anew.results, anew.standing())
