"""Two people and a watcher at one table: a move of one is on the screens of all."""

from __future__ import annotations

import asyncio
import re
import time

import pytest

from games import models
from games.accounts.animal_pictures import AVATARS
from games.live.hub import get_hub
from games.play.moves import submission
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from tests.cast import browser, contribute_all, legal, open_table, person, start_table, to_move
from tests.live.windows import SECONDS, Window, connect, game_of, window

pytestmark = pytest.mark.django_db(transaction=True)

TYPICAL_BYTES = 3000
"""A move, as it travels to one screen (performance.md gives the exact figures and measures them)."""


def stacks(html: str) -> list[str]:
    """The kinds of cards that a piece of the page shows as a hand to choose from."""
    return re.findall(r'<button class="s c\w+" data-n="(\w+)"', html)


def hand_of(table: LoadedTable, seat: int) -> list[str]:
    """The kinds of cards in a hand, sorted as the view sorts them."""
    hand = table.rules.view(table.state, seat)["hand"]
    return list(dict.fromkeys(hand))


async def test_a_move_arrives_at_the_others_as_one_small_fragment(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with window(table, browser(ana)) as ana_window, window(table, browser(ben)) as ben_window:
        full = await ben_window.fragment()
        await ana_window.fragment()
        play = next(move for move in legal(table, 0) if "play" in move)
        await ana_window.move(play, ply=table.ply)
        shown, own = await ben_window.fragment(), await ana_window.fragment()
    assert (shown.ply, shown.version, shown.is_full) == (table.ply + 1, table.version + 1, False)
    assert (own.ply, own.version) == (shown.ply, shown.version)
    assert 'id="middle"' in shown.html
    assert len(shown.html.encode()) < min(TYPICAL_BYTES, len(full.html.encode()) / 2)


async def test_everybody_sees_their_own_hand_and_a_watcher_none(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with (
        window(table, browser(ana)) as ana_window,
        window(table, browser(ben)) as ben_window,
        window(table) as theirs,
    ):
        assert stacks((await ana_window.fragment()).html) == hand_of(table, 0)
        assert stacks((await ben_window.fragment()).html) == hand_of(table, 1)
        assert stacks((await theirs.fragment()).html) == []


async def test_a_move_changes_the_movers_hand_only(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with (
        window(table, browser(ana)) as ana_window,
        window(table, browser(ben)) as ben_window,
        window(table) as theirs,
    ):
        for each in (ana_window, ben_window, theirs):
            await each.fragment()
        play = next(move for move in legal(table, 0) if "play" in move)
        await ana_window.move(play, ply=table.ply)
        shown = [(await each.fragment()).html for each in (ana_window, ben_window, theirs)]
    assert ['id="hand"' in html for html in shown] == [True, False, False]
    assert stacks(shown[0]) == hand_of(store.reload(table.id), 0)


async def test_the_turn_comes_to_the_next_screen(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    now = time.time()
    table = start_table(ana, ben, person("Cleo"), person("Dora"), now=now)
    clients = {place.seat: browser(models.Player.objects.get(pk=place.player_id or 0)) for place in table.places}
    first = to_move(table)
    order = table.rules.view(table.state, None)["order"]
    second = order[(order.index(first) + 1) % 4]
    async with window(table, clients[first]) as one, window(table, clients[second]) as next_one:
        assert 'class="mine"' in (await one.fragment()).html
        assert 'class="mine"' not in (await next_one.fragment()).html
        low = next(move for move in legal(table, first) if len(move["play"]) == 1)
        await one.move(low, ply=table.ply)
        assert 'class="mine"' not in (await one.fragment()).html
        assert 'class="mine"' in (await next_one.fragment()).html


async def test_two_different_moves_at_once_from_two_sockets(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    one_move, other_move = legal(table, 0)[:2]
    async with window(table, browser(ana)) as one, window(table, browser(ana)) as other:
        answers = await asyncio.gather(
            one.move(one_move, ply=table.ply, key="a"), other.move(other_move, ply=table.ply, key="b")
        )
        assert sorted(answer["status"] for answer in answers) == [200, 409]
        for each in (one, other):
            assert (await each.fragment_of(table.version + 1)).ply == table.ply + 1
    assert models.Ply.objects.filter(table_id=table.id).count() == table.ply + 1


async def test_one_move_through_two_sockets_is_one_move(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    move = legal(table, 0)[0]
    async with window(table, browser(ana)) as one, window(table, browser(ana)) as other:
        answers = await asyncio.gather(one.move(move, ply=table.ply, key="a"), other.move(move, ply=table.ply, key="a"))
    assert [answer["status"] for answer in answers] == [200, 200]
    assert store.reload(table.id).ply == table.ply + 1


async def test_a_bots_move_is_shown_too(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table, browser(ana)) as ana_window:
        await ana_window.fragment()
        await ana_window.move(legal(table, 0)[0], ply=table.ply)
        await ana_window.fragment()
        played = submission.play_bot(table.id, ply=table.ply + 1, now=time.time())
        assert played is not None
        assert (await ana_window.fragment()).ply == played.ply


async def test_presence_follows_who_comes_and_goes(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with window(table, browser(ana)) as ana_window:
        assert (await ana_window.message("presence"))["seats"] == [0]
        async with window(table, browser(ben)):
            assert await ana_window.message("presence") == {"type": "presence", "seats": [0, 1], "watchers": 0}
            async with window(table):
                assert await ana_window.message("presence") == {"type": "presence", "seats": [0, 1], "watchers": 1}
            assert (await ana_window.message("presence"))["watchers"] == 0
        assert await ana_window.message("presence") == {"type": "presence", "seats": [0], "watchers": 0}


async def test_a_person_with_two_windows_is_here_until_both_are_closed(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with window(table, browser(ana)) as ana_window:
        assert (await ana_window.message("presence"))["seats"] == [0]
        async with window(table, browser(ben)):
            assert (await ana_window.message("presence"))["seats"] == [0, 1]
            async with window(table, browser(ben)) as second:
                await second.fragment()
            assert get_hub().find_presence(table.id).seats == (0, 1)
        assert (await ana_window.message("presence"))["seats"] == [0]


async def test_a_watcher_who_sits_down_sees_their_hand_when_the_game_starts(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = open_table(ana, bots=2, now=time.time())
    async with window(table, browser(ben)) as ben_window, window(table) as theirs:
        before = await ben_window.fragment()
        seated = sitting.sit(table.id, ben, now=time.time())
        after = await ben_window.fragment_of(seated.version)
        assert (before.is_full, after.is_full) == (True, True)  # drawn for another viewer: all of it anew
        contribute_all(store.reload(table.id), now=time.time())
        started = opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=time.time())
        shown = await ben_window.fragment_of(started.version)
        assert stacks(shown.html) == hand_of(started, 1)
        assert stacks((await theirs.fragment_of(started.version)).html) == []


async def test_who_sits_down_is_shown_as_connected(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = open_table(ana, now=time.time())
    async with window(table, browser(ana)) as ana_window, window(table, browser(ben)):
        assert (await ana_window.message("presence"))["seats"] == [0]
        assert (await ana_window.message("presence"))["watchers"] == 1
        sitting.sit(table.id, ben, now=time.time())
        assert await ana_window.message("presence") == {"type": "presence", "seats": [0, 1], "watchers": 0}


async def test_who_gets_up_is_a_watcher_again_and_sees_no_hand(
    transactional_db: None, ana: models.Player, ben: models.Player, eva: models.Player
) -> None:
    table = open_table(ana, ben, bots=2, now=time.time())
    async with window(table, browser(ben)) as ben_window:
        left = sitting.leave(table.id, ben.pk, now=time.time())
        assert (await ben_window.fragment_of(left.version)).is_full
        sitting.sit(table.id, eva, chair=1, now=time.time())  # another one takes that very chair
        contribute_all(store.reload(table.id), now=time.time())
        started = opening.start(table.id, ana.pk, fill="", avatars=AVATARS, now=time.time())
        assert stacks((await ben_window.fragment_of(started.version)).html) == []


async def test_who_gets_up_from_a_table_by_invitation_is_shown_no_more(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = open_table(ana, ben, is_public=False, now=time.time())
    async with window(table, browser(ben)) as ben_window, window(table, browser(invited=table)) as invited:
        await ben_window.fragment()
        await invited.fragment()
        left = sitting.leave(table.id, ben.pk, now=time.time())
        assert await ben_window.closing() == 4403
        assert (await invited.fragment()).version == left.version


async def test_fragments_of_one_version_are_the_same_for_all_watchers(
    transactional_db: None, ana: models.Player, eva: models.Player
) -> None:
    table = game_of(ana)
    async with window(table) as one, window(table, browser(eva)) as other:
        await one.fragment()
        await other.fragment()
        submission.submit_move(table.id, ana.pk, legal(table, 0)[0], ply=table.ply, key="k", now=time.time())
        first, second = await one.fragment(), await other.fragment()
    assert first.html.replace(str(first.now), "") == second.html.replace(str(second.now), "")


async def test_a_new_deal_and_the_end_come_in_full(transactional_db: None, ana: models.Player) -> None:
    table = start_table(ana, options={"deals": 2}, now=time.time())
    async with window(table) as theirs:
        fulls = [(await theirs.fragment()).is_full]
        while table.outcome is None:
            deal = table.rules.view(table.state, None)["deal"]
            if to_move(table) == 0:
                move = legal(table, 0)[0]
                table = submission.submit_move(
                    table.id, ana.pk, move, ply=table.ply, key=f"k{table.ply}", now=time.time()
                ).table
            else:
                played = submission.play_bot(table.id, ply=table.ply, now=time.time())
                assert played is not None
                table = played
            shown = await theirs.fragment_of(table.version)
            is_new = table.outcome is not None or table.rules.view(table.state, None)["deal"] != deal
            assert shown.is_full == is_new
            fulls.append(shown.is_full)
    assert fulls.count(True) == 3


# --- what the hub keeps ------------------------------------------------------------------------------


async def test_nothing_is_kept_of_sockets_that_have_gone(
    transactional_db: None, ana: models.Player, ben: models.Player
) -> None:
    table = game_of(ana, ben)
    async with window(table, browser(ana)) as ana_window, window(table, browser(ben)):
        await ana_window.fragment()
        assert get_hub().sockets() == 2
    hub = get_hub()
    assert (hub.sockets(), hub._sockets_by_table, hub.other_processes.presences, hub.other_processes.announced) == (
        0,
        {},
        {},
        {},
    )


async def test_a_refused_socket_is_not_counted(transactional_db: None, ana: models.Player) -> None:
    wire = connect(game_of(ana, is_public=False).id)
    await wire.connect(SECONDS)
    assert await Window(wire).closing() == 4403
    assert get_hub().sockets() == 0


async def test_a_socket_that_ends_without_a_word_is_not_counted(transactional_db: None, ana: models.Player) -> None:
    table = game_of(ana)
    async with window(table) as theirs:
        wire = connect(table.id, browser(ana))
        await wire.connect(SECONDS)
        while get_hub().find_presence(table.id).seats != (0,):
            await asyncio.sleep(0.01)
        wire.future.cancel()
        await asyncio.gather(wire.future, return_exceptions=True)
        await theirs.fragment()
        while (await theirs.message("presence"))["seats"]:
            await asyncio.sleep(0.01)
        assert get_hub().sockets() == 1
        assert await theirs.is_quiet()
