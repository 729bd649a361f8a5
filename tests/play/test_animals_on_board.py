"""A table of Animals on Board through the use cases: all choose at once, bad moves change nothing, the bell."""

from __future__ import annotations

import time

import pytest
from django.urls import reverse

from games import models
from games.play.errors import Illegal, Stale
from games.play.moves import submission
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import PLAYING
from tests.cast import NOW, at_once, browser, finish, legal, person, start_table, version_of

GAME = "animals-on-board"


def test_all_choose_in_any_order(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0)
    for player in (ben, ana):
        seat = table.seat_of(player.pk)
        assert seat is not None
        move = legal(table, seat)[1]
        table = submission.submit_move(table.id, player.pk, move, ply=table.ply, key="k", now=NOW).table
    assert table.rules.expected(table.state)["round"] == 1


def test_choices_that_cross_all_count_and_each_once(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0)
    first, second = (legal(table, seat)[0] for seat in (0, 1))
    now_at = submission.submit_move(table.id, ana.pk, first, ply=0, key="a", now=NOW).table
    assert submission.submit_move(table.id, ana.pk, first, ply=0, key="a", now=NOW).is_repeat
    with pytest.raises(Stale):
        submission.submit_move(table.id, ana.pk, first, ply=0, key="again", now=NOW)
    with pytest.raises(Illegal):
        submission.submit_move(table.id, ben.pk, {"keep": "?"}, ply=0, key="b", now=NOW)
    after = submission.submit_move(table.id, ben.pk, second, ply=0, key="b", now=NOW)
    assert (after.is_repeat, after.table.ply) == (False, now_at.ply + 1)
    assert after.table.rules.expected(after.table.state)["round"] == 1


def test_choices_at_the_same_moment_all_count(transactional_db: None) -> None:
    ana, ben = person("Ana"), person("Ben")
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0)

    def choose(player: models.Player, seat: int) -> object:
        return submission.submit_move(table.id, player.pk, legal(table, seat)[2], ply=0, key="k", now=NOW)

    done = at_once(lambda: choose(ana, 0), lambda: choose(ben, 1))
    assert [one for one in done if isinstance(one, Exception)] == []
    after = store.reload(table.id)
    assert (after.ply, after.rules.expected(after.state)["round"]) == (2, 1)


def test_afterwards_an_old_page_moves_nothing(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0, options={"start": 0})
    for player, seat in ((ana, 0), (ben, 1)):
        table = submission.submit_move(table.id, player.pk, legal(table, seat)[0], ply=0, key="k", now=NOW).table
    with pytest.raises(Stale):
        submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=1, key="x", now=NOW)


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ({"split": 1, "off": []}, "Choose at least one tile to split off."),
        ({"take": 1}, "This group costs one crate per tile. Price: 9. You have: 1."),
        ({"split": 1, "off": ["unicorn-7"]}, "“unicorn-7” is not in this group."),
        ({"forfeit": True}, "You can skip your turn only if you can neither split nor take."),
    ],
)
def test_a_bad_move_is_answered_with_a_sentence_and_changes_nothing(
    ana: models.Player, ben: models.Player, move: dict[str, object], sentence: str
) -> None:
    now = time.time()
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0, options={"start": 0}, now=now)
    for player, seat in ((ana, 0), (ben, 1)):
        choice = legal(table, seat)[0]
        table = submission.submit_move(table.id, player.pk, choice, ply=table.ply, key="k", now=now).table
    with pytest.raises(Illegal):
        submission.submit_move(table.id, ana.pk, move, ply=table.ply, key="x", now=now)
    answer = browser(ana).post(
        reverse("moves", args=[table.id]),
        {"move": move, "ply": table.ply, "key": "y"},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["sentence"]) == (422, sentence)
    assert (version_of(table.id), store.reload(table.id).ply) == (table.version, table.ply)


def test_the_host_rings_the_bell_of_a_game_without_minutes(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0)
    bell = f'action="{reverse("bell", args=[table.id])}"'
    pages = [browser(one).get(reverse("table", args=[table.id])).content.decode() for one in (ana, ben)]
    is_host = '<i id="host" class="me"'  # shows the tools of a host, which wait on the pages of those who may become it
    assert [(bell in page, is_host in page) for page in pages] == [(True, True), (True, False)]
    rung = sitting.ring_bell(table.id, ana.pk, now=NOW)
    assert rung.status == PLAYING
    over = finish(rung)
    assert over.rules.expected(over.state)["round"] == 1


def test_programs_get_examples_of_moves_that_are_too_many_to_list(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben, game=GAME, seats_wished=2, bots=0, options={"start": 0})
    for player, seat in ((ana, 0), (ben, 1)):
        choice = legal(table, seat)[0]
        table = submission.submit_move(table.id, player.pk, choice, ply=table.ply, key="k", now=NOW).table
    client = browser(ana)
    first, second = (client.get(reverse("view_json", args=[table.id])).json()["legal"] for _ in range(2))
    assert first == second
    assert 1 < len(first) <= 16
    for move in first:
        table.rules.check(table.state, 0, move)


def test_the_form_opens_a_table_with_these_species_and_this_flag(ana: models.Player) -> None:
    chosen = ["fox", "lion", "tiger", "zebra", "panda", "rhino", "giraffe", "elephant"]
    form = {"seats": "2", "bots": "1", "bot_level": "sharp", "turn_seconds": "60", "species": chosen, "start": "0"}
    client = browser(ana)
    page = client.get(reverse("new_table", args=[GAME])).content.decode()
    extra = {"talk": "phrases"} if 'name="talk"' in page else {}
    answer = client.post(reverse("new_table", args=[GAME]), form | extra)
    assert answer.status_code == 302, answer.content.decode()
    table = store.fetch(models.Table.objects.get().pk)
    assert {name: set(value) if name == "species" else value for name, value in table.options.items()} == {
        "species": set(chosen),
        "start": 0,
    }


def test_too_few_species_are_refused_with_a_sentence(ana: models.Player) -> None:
    form = {"seats": "2", "bots": "1", "bot_level": "sharp", "turn_seconds": "60", "species": ["fox"], "start": ""}
    answer = browser(ana).post(reverse("new_table", args=[GAME]), form)
    assert answer.status_code == 422
    assert models.Table.objects.count() == 0
