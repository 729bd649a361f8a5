"""Who is found under which name, whatever becomes of the name."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from games.models import NameKey, Player
from games.models.people import spell_on
from games.models.spelling import parse_name_query
from games.play.seats import player_changes, player_names
from tests.cast import NOW, person

MOST = 20


def find(wanted: str) -> list[str]:
    """The names under which somebody is found."""
    return [one.name for one in player_names.search_listed(wanted, most=MOST, besides=0)]


def keys_of(player: Player) -> list[str]:
    """What is kept of a name."""
    return list(player.keys.order_by("key").values_list("key", flat=True))


def change_behind_the_back(player: Player, **values: object) -> None:
    """As a process of the version before does, which knows of no keys."""
    models.QuerySet(Player).filter(pk=player.pk).update(**values)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("ber", ["Berg Anna", "Anna Maria Berg", "Berger"]),
        ("erg", []),
        ("ANNA  b", ["Berg Anna", "Anna Maria Berg"]),
        ("anna berg", ["Berg Anna", "Anna Maria Berg"]),
        ("berg ma", ["Anna Maria Berg"]),
        ("lukasz", ["Łukasz"]),
        ("łuk", ["Łukasz"]),
        ("muller", ["Müller"]),
        ("mueller", ["Mueller", "Müller"]),
        ("Müller", ["Müller", "Mueller"]),
        ("%", []),
        ("_", []),
        ("", []),
    ],
)
def test_the_beginning_of_any_word_finds_a_name(db: None, wanted: str, found: list[str]) -> None:
    for name in ("Anna Maria Berg", "Berg Anna", "Berger", "Łukasz", "Mueller", "Müller"):
        person(name)
    assert find(wanted) == found


def test_who_does_not_want_to_be_seen_is_not_found(ana: Player, ben: Player) -> None:
    Player.objects.filter(pk=ben.pk).update(is_listed=False)
    assert (find("ben"), [one.name for one in player_names.search_listed("an", most=MOST, besides=ana.pk)]) == ([], [])
    assert (player_names.search_ids("ben", most=MOST), player_names.search_ids(" ", most=MOST)) == ([ben.pk], [])


def test_not_more_are_shown_than_asked_for_and_nobody_twice(db: None) -> None:
    for number in range(30, 0, -1):
        person(f"Otter {number} Otto")
    assert find("ot") == [f"Otter {number} Otto" for number in sorted(range(1, 31), key=str)][:MOST]


def test_a_new_name_is_found_and_the_old_one_is_not(ana: Player) -> None:
    Player.objects.filter(pk=ana.pk).update(name="Zoë Berg")
    assert (find("ana"), find("zoe"), keys_of(ana)) == ([], ["Zoë Berg"], ["berg zoe", "zoe berg"])
    ana.name = "Ada"
    ana.save()
    assert (find("zoe"), find("ada"), keys_of(ana)) == ([], ["Ada"], ["ada"])
    ana.name, ana.avatar = "Eva", "owl"
    ana.save(update_fields=["avatar"])
    assert keys_of(ana) == ["ada"]
    ana.save(update_fields=["name"])
    assert keys_of(ana) == ["eva"]


def test_what_was_read_before_a_change_brings_no_old_key_back(ana: Player) -> None:
    old = Player.objects.get(pk=ana.pk)
    Player.objects.filter(pk=ana.pk).update(name="Eva")
    old.save()
    assert (Player.objects.get(pk=ana.pk).name, keys_of(ana), spell_on()) == ("Ana", ["ana"], 0)


def test_many_people_at_once_are_found(db: None) -> None:
    Player.objects.bulk_create(Player(name=f"Otter {number}", avatar="otter") for number in (1, 2))
    assert find("otter") == ["Otter 1", "Otter 2"]


def test_a_name_that_goes_leaves_no_key(ana: Player, ben: Player) -> None:
    player_changes.delete_player(ana.pk, now=NOW)
    player_changes.merge_guest(ben.pk, person("Bea").pk, now=NOW)
    assert list(NameKey.objects.values_list("key", flat=True)) == ["bea"]


def test_names_that_another_version_has_changed_are_spelt_by_and_by(ana: Player, ben: Player) -> None:
    change_behind_the_back(ana, name="Eva")
    change_behind_the_back(ben, left_at="2026-01-02T03:04:05Z")
    assert [spell_on(1), spell_on(1), spell_on(1)] == [1, 1, 0]
    assert (keys_of(ana), keys_of(ben)) == (["eva"], [])


def test_nobody_is_looked_through_for_names_to_be_spelt(ana: Player) -> None:
    """There is an index of those alone."""
    with CaptureQueriesContext(connection) as asked:
        spell_on()
    (sql,) = [one["sql"] for one in asked if one["sql"].startswith("SELECT")]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        assert [row[-1] for row in cursor.fetchall()] == ["SCAN games_player USING INDEX player_misspelt"]


def test_a_name_is_found_in_the_index_of_keys_alone(db: None) -> None:
    (query,) = parse_name_query("ana")
    plan = player_names.filter_keys(query).order_by("key", "player").values_list("player").explain()
    assert "SEARCH games_namekey USING COVERING INDEX name_key (key>? AND key<?)" in plan


def test_everybody_who_was_there_before_gets_their_keys(
    ana: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = import_module("games.migrations.0012_spelt_names")
    monkeypatch.setattr(step, "TOGETHER", 2)
    more = [person(name) for name in ("Cem Ay", "Dana", "Émile")]
    change_behind_the_back(ben, left_at="2026-01-02T03:04:05Z")
    NameKey.objects.all().delete()
    models.QuerySet(Player).update(keyed="")
    step.spell_everybody(apps, connection.schema_editor())
    assert [keys_of(one) for one in (ana, ben, *more)] == [["ana"], [], ["ay cem", "cem ay"], ["dana"], ["emile"]]
    assert spell_on() == 0
