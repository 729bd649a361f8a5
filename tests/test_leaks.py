"""Nobody can fetch what they may not know: not from pages, JSON answers, fragments or frames, at any ply.

The method: while a game is played, everything that a viewer can fetch is fetched twice. The second time
the database holds another game that this viewer cannot tell from the first one (other cards in the others'
hands, other secret, gifts and standing orders, other deals to come). Every byte must be the same. Besides,
secret, seed and the stored state are looked for in every answer as they are. (The row keeps its seed: the
opening is told from it. What each viewer is told of it is compared line by line.)
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from games.accounts import rate_limits
from games.live.streams import messages
from games.live.tables import regions
from games.live.tables.regions import RenderedTable
from games.play.moves import advance, submission
from games.play.records import game_record, table_description
from games.play.seats import sitting
from games.play.storage import codec, store
from games.play.storage.table import OVER, LoadedTable, LogLine
from games.rules import registry
from games.rules.base import Config
from games.rules.chance import Chance
from games.rules.clock import update_clocks
from tests.cast import browser, contribute_all, legal, open_table, person, start_table, to_move
from tests.live.windows import Window, window

"""Options of a whole, short game with an exchange in it, where a game's length is agreed."""
EVERY = 12
"""Pages are fetched at every so many plies; fragments are looked at at each."""
PATIENCE_SECONDS = 600
"""For a turn: on a busy machine, fetching everything takes longer than the usual time."""
WINDOW_SECONDS = 60
"""For a reaction, likewise."""
LONGEST = 240
"""Plies until the host rings the bell, where no length was agreed."""
NAMES = ("Ana", "Ben", "Cleo", "Dora")


LINE = re.compile(r"<li.*?</li>", re.DOTALL)
"""A line of a log."""


def start_seeded(game: str, number: int) -> LoadedTable:
    """A game of four people that is dealt the same in every run, at a table by invitation."""
    people = [person(name) for name in NAMES]
    windows = [option.name for option in registry.find(game).options if option.name.endswith("_seconds")]
    options = registry.infos()[game].agree_on_deals(2) | dict.fromkeys(windows, WINDOW_SECONDS)
    table = start_table(
        *people, game=game, options=options, is_public=False, turn_seconds=PATIENCE_SECONDS, now=time.time()
    )
    seed = bytes([number]) * 32
    state = table.rules.settle(table.rules.start(Config(4, table.options), Chance(seed)))
    clocks = update_clocks((), table.rules.deadlines(state), turn_seconds=table.turn_seconds, now=time.time())
    store.commit(table, table.changed(state=state, seed=seed.hex(), runtime=table.runtime._replace(clocks=clocks)))
    memo.forget_all()
    return store.fetch(table.id)


def move_by_chance(table: LoadedTable, rng: random.Random) -> LoadedTable:
    """The table after a move of the seat to act; the bell ends a game that would go on and on."""
    if table.ply == LONGEST:
        return sitting.ring_bell(table.id, table.host_id, now=time.time())
    place = table.place(to_move(table))
    assert place is not None
    move = rng.choice(legal(table, place.seat))
    return submission.submit_move(
        table.id, place.player_id, move, ply=table.ply, key=f"k{table.ply}", now=time.time()
    ).table


def make_twin(table: LoadedTable, seat: int | None, rng: random.Random) -> LoadedTable:
    """A table that this seat, or a watcher, cannot tell from the present one."""
    others = frozenset(other for other in range(4) if other != seat)
    return table._replace(
        state=table.rules.reshuffle_unseen(table.state, seat, rng),
        secret=rng.randbytes(32).hex(),
        seed=rng.randbytes(32).hex(),
        runtime=table.runtime._replace(
            standing_passes=table.runtime.standing_passes ^ others,
            standing_answers=_imagine_orders(table, seat, rng),
            answers=tuple(
                answer if answer.seat == seat else answer._replace(due=table.created_at + rng.random())
                for answer in table.runtime.answers
            ),
        ),
        log=imagine(table.log, seat),
    )


def _imagine_orders(table: LoadedTable, seat: int | None, rng: random.Random) -> tuple[tuple[int, str], ...]:
    """Other standing answers of everybody but this seat."""
    orders = table.rules.standing_answers
    mine = [order for order in table.runtime.standing_answers if order[0] == seat]
    return (*mine, *((other, rng.choice(orders)) for other in range(4) if orders and other != seat))


def imagine(log: tuple[LogLine, ...], seat: int | None) -> tuple[LogLine, ...]:
    """The log with other cards in everything that this seat may not know."""
    return tuple(
        line._replace(data={key: _distort(value) for key, value in line.data.items()})
        if line.to is not None and seat not in line.to
        else line
        for line in log
    )


def _distort(value: Any) -> Any:
    """Another value of the same form; numbers say which seat and how many, which is no secret."""
    if isinstance(value, list):
        return [_distort(item) for item in value]
    return "13" if isinstance(value, str) else value


def write_over(table: LoadedTable) -> None:
    """Put this game into the database in place of the one that is there."""
    state = codec.write(table.rules.to_json(table.state))
    models.Table.objects.filter(pk=table.id).update(
        state=state, secret=table.secret, desk=codec.write_runtime(table.runtime)
    )
    hidden: dict[int, list[LogLine]] = {line.ply: [] for line in table.log if line.to is not None}
    for line in table.log:
        if line.ply in hidden:
            hidden[line.ply].append(line)
    for number, lines in hidden.items():
        plies = models.Ply.objects.filter(table_id=table.id, number=number)
        plies.update(events=codec.write_lines(tuple(lines)))
    forget()


@contextmanager
def replaced(table: LoadedTable, by: LoadedTable) -> Iterator[None]:
    """While this lasts the database holds the other game."""
    write_over(by)
    try:
        yield
    finally:
        write_over(table)


def forget() -> None:
    """Nothing drawn before is shown again."""
    memo.forget_all()
    rate_limits.reset()


_CHANGING = (
    (re.compile(r'data-now="\d+"'), ""),
    (re.compile(r'"now": [\d.]+'), ""),
    (re.compile(r'(csrfmiddlewaretoken" value|csrf-token" content)="\w+"'), ""),
    (re.compile(r'value="[\w-]+" data-once'), ""),
)
"""What differs between two looks at the same thing: the time, and tokens."""


def mask_varying_text(text: str) -> str:
    """The text without what changes by itself."""
    for pattern, nothing in _CHANGING:
        text = pattern.sub(nothing, text)
    return text


def fetch(client: Client, table: LoadedTable) -> dict[str, str]:
    """What this browser gets to see of the game."""
    rate_limits.reset()
    answers = {name: client.get(reverse(name, args=[table.id])) for name in ("table", "board", "view_json", "log")}
    answers["log for programs"] = client.get(reverse("log", args=[table.id]), headers={"accept": "application/json"})
    answers["stale"] = post_move(client, table, -1)
    answers["API"] = client.get(f"/api/v1/tables/{table.id}")
    return {
        name: f"{answer.status_code} {mask_varying_text(answer.content.decode())}" for name, answer in answers.items()
    }


def fetch_rest(client: Client, table: LoadedTable) -> dict[str, str]:
    """Every other answer around the table, refusals included."""
    rate_limits.reset()
    answers = {
        "record": client.get(reverse("record", args=[table.id])),
        "replay": client.get(reverse("replay", args=[table.id])),
        "proof": client.get(reverse("verify_replay", args=[table.id])),
        "illegal": post_move(client, table, table.ply),
        "sat": client.post(reverse("sit", args=[table.id]), {"chair": "9"}),
        "rematch": client.post(reverse("rematch", args=[table.id])),
        "lobby": client.get(reverse("lobby")),
        "me": client.get(reverse("me")),
        "admin": client.get(reverse("admin:games_table_change", args=[table.id])),
        "list": client.get(reverse("admin:games_table_changelist")),
    }
    return {
        name: f"{answer.status_code} {mask_varying_text(answer.content.decode())}" for name, answer in answers.items()
    }


def post_move(client: Client, table: LoadedTable, ply: int) -> Any:
    """The answer to an impossible move."""
    move = {"move": {}, "ply": ply, "key": f"p{ply}"}
    return client.post(reverse("moves", args=[table.id]), move, content_type="application/json")


def secrets_of(table: LoadedTable) -> tuple[str, ...]:
    """What stands in no answer before the end."""
    row = models.Table.objects.get(pk=table.id)
    return table.secret, table.seed, table.secret.upper(), table.seed.upper(), row.state, row.desk


def browsers(table: LoadedTable) -> list[tuple[str, int | None, Client]]:
    """Everybody who can look: role, seat, browser. The table is by invitation, and all have been invited."""
    viewers: list[tuple[str, int | None, Client]] = []
    for place in table.places:
        player = models.Player.objects.get(pk=place.player_id or 0)
        viewers.append((place.name, place.seat, browser(player, invited=table)))
    elsewhere = person("Eva")
    start_table(elsewhere)
    staff = browser(invited=table)
    staff.force_login(models.User.objects.create_superuser("boss", password="a long pass phrase"))
    session = staff.session
    session["invited"] = [table.id]
    session.save()
    others = {"stranger": browser(invited=table), "elsewhere": browser(elsewhere, invited=table), "staff": staff}
    return viewers + [(role, None, client) for role, client in others.items()]


@pytest.mark.parametrize("game", registry.slugs())
def test_pages_and_answers_of_a_whole_game(db: None, game: str) -> None:
    rng = random.Random(game)
    table = start_seeded(game, 1)
    viewers = browsers(table)
    layout = ""
    while table.outcome is None:
        is_new = layout != (layout := draw_fresh(table).layout)
        if is_new or table.ply % EVERY == 0:
            for role, seat, client in viewers if is_new else (viewers[to_move(table)], viewers[4]):
                compare(table, role, seat, client, rng, is_thorough=is_new)
            table = store.reload(table.id)
        table = move_by_chance(table, rng)


def compare(
    table: LoadedTable, role: str, seat: int | None, client: Client, rng: random.Random, *, is_thorough: bool
) -> None:
    """Hold what this viewer gets against what they would get of the other game."""
    forget()
    hidden = secrets_of(table)
    looks = (fetch, fetch_rest) if is_thorough else (fetch,)
    seen = {name: answer for look in looks for name, answer in look(client, table).items()}
    with replaced(table, make_twin(table, seat, rng)):
        imagined = {name: answer for look in looks for name, answer in look(client, table).items()}
    for name, answer in seen.items():
        assert answer == imagined[name], (table.rules.slug, table.ply, role, name)
        assert not any(secret in answer for secret in hidden), (table.rules.slug, table.ply, role, name)
    drawn = draw_fresh(make_twin(table, seat, rng))
    lines = drawn.screen_with_log(imagine(game_record.read_whole_log(table), seat))
    log = drawn.presenter.log_lines(lines, drawn.view, seat, regions.BEFORE_FIRST_PLY)
    assert seen["log"].startswith("200 ")
    matches = LINE.findall(seen["log"].partition('<ol id="log"')[2].partition("</ol>")[0])
    assert matches
    assert set(matches) <= set(log), (table.rules.slug, table.ply, role)
    assert seen["table"].startswith("200 ")
    assert seen.get("record", "403 ").startswith("403 ")


def draw_fresh(table: LoadedTable, language: str = "en") -> RenderedTable:
    """The picture of this very table, not of one that was drawn before."""
    memo.forget_all()
    return regions.render_table(table, language)


@pytest.mark.parametrize("game", registry.slugs())
def test_fragments_of_a_whole_game(db: None, game: str) -> None:
    """What a socket is sent from one version to the next, and in full, for every seat and for watchers."""
    rng = random.Random(game)
    before = start_seeded(game, 2)
    while before.outcome is None:
        table = move_by_chance(before, rng)
        if table.outcome is not None:
            break
        hidden = secrets_of(table)
        true_before, true_after = draw_fresh(before), draw_fresh(table)  # as a process draws it: once for all seats
        for seat in (None, *range(4)):
            twin_before, twin_after = (draw_fresh(make_twin(each, seat, rng)) for each in (before, table))
            for since, twin_since in ((true_before, twin_before), (None, None)):
                frame = mask_varying_text(true_after.render_update(since, seat, now=0))
                assert frame == mask_varying_text(twin_after.render_update(twin_since, seat, now=0)), (
                    game,
                    table.ply,
                    seat,
                )
                assert not any(secret in frame for secret in hidden), (game, table.ply, seat)
            line = write_line(table, seat, since=before.ply)
            assert line == write_line(make_twin(table, seat, rng), seat, since=before.ply), (game, table.ply, seat)
            assert not any(secret in line for secret in hidden), (game, table.ply, seat)
        before = table


def write_line(table: LoadedTable, seat: int | None, *, since: int) -> str:
    """What a program's stream is sent for this seat, or to a spectator, without the time."""
    place = None if seat is None else table.place(seat)
    reader = None if place is None else place.player_id
    events = table_description.describe_recent_events(table, seat, after=since)
    assert events is not None
    return re.sub(r'"now":[\d.]+', "", messages.write_table(table, reader, events))


@pytest.mark.parametrize("game", [slug for slug in registry.slugs() if registry.find(slug).interlude_after])
def test_a_pause_after_a_deal_shows_the_cards_of_an_exchange_to_its_two_seats_only(
    db: None, game: str, settings: Any
) -> None:
    settings.INTERLUDE_SECONDS = 14
    rng = random.Random(game)
    table = start_seeded(game, 5)
    while table.runtime.interlude is None:
        table = move_by_chance(table, rng)
    have_envelopes = []
    for seat in (None, *range(4)):
        shown = draw_fresh(table).render_update(None, seat, now=0)
        have_envelopes.append('<div class="env ' in shown)
        for _ in range(4):
            assert mask_varying_text(shown) == mask_varying_text(
                draw_fresh(make_twin(table, seat, rng)).render_update(None, seat, now=0)
            )
    assert not have_envelopes[0]
    assert sum(have_envelopes) >= 2
    for role, seat, client in browsers(table):
        compare(table, role, seat, client, rng, is_thorough=True)


@pytest.mark.parametrize("game", registry.slugs())
async def test_each_socket_gets_the_fragments_of_its_own_seat(transactional_db: None, game: str) -> None:
    rng = random.Random(game)
    table = start_seeded(game, 3)
    roles = browsers(table)
    sockets = [window(table, client) for _, _, client in roles]
    windows: list[Window] = [await socket.__aenter__() for socket in sockets]
    try:
        drawn = draw_fresh(table)
        for (role, seat, _), each in zip(roles, windows, strict=True):
            shown = await each.fragment()
            assert mask_varying_text(shown.html) == mask_varying_text(drawn.render_update(None, seat, now=0)), role
        while table.outcome is None:
            since, table = drawn, move_by_chance(table, rng)
            fragments = [await each.fragment() for each in windows]
            drawn = draw_fresh(table)
            for (role, seat, _), shown in zip(roles, fragments, strict=True):
                assert mask_varying_text(shown.html) == mask_varying_text(drawn.render_update(since, seat, now=0)), (
                    game,
                    table.ply,
                    role,
                )
                assert table.outcome is not None or table.secret not in shown.html
    finally:
        for socket in sockets:
            await socket.__aexit__(None, None, None)
    assert all(table.secret not in frame for each in windows for frame in each.everything[:-1])


WINDOW_GAMES = [slug for slug in registry.slugs() if registry.find(slug).windows]


@pytest.mark.parametrize("game", WINDOW_GAMES)
@pytest.mark.parametrize("number", range(6))
def test_nobody_learns_who_has_answered_a_window_before_it_closes(
    db: None, game: str, number: int, settings: Any
) -> None:
    """An answer of one seat and of another, given by hand, by a standing answer or by the server, look the same to all
    others: every frame and every answer for programs."""
    settings.BOT_DELAY = 0.9
    rng = random.Random(number)
    table = start_seeded(game, 6 + number)
    while len(table.rules.to_act(table.state)) < 3:
        table = move_by_chance(table, rng)
    first, second = rng.sample(table.rules.to_act(table.state), 2)
    for seat in (None, *(seat for seat in range(4) if seat not in (first, second))):
        seen = set()
        for answering in (first, second):
            for by in (None, "order", "automatic"):
                after = _answer(table, answering, by)
                assert after.rules.to_act(after.state) != table.rules.to_act(table.state)
                update = draw_fresh(after).render_update(draw_fresh(table), seat, now=0)
                whole = draw_fresh(after).render_update(None, seat, now=0)
                reader = None if seat is None else table.places[seat].player_id
                described = {
                    key: value for key, value in table_description.describe(after, reader).items() if key != "now"
                }
                seen.add((mask_varying_text(update), mask_varying_text(whole), str(described)))
        assert len(seen) == 1, seat


def _answer(table: LoadedTable, seat: int, by: str | None) -> LoadedTable:
    """The table after this seat has let the window pass, without writing it."""
    move = {"decline": True}
    state, events = table.rules.apply(table.state, seat, move)
    event = {"seat": seat, "move": move, **({"by": by} if by else {})}
    after, _ = advance.advance_game(table, event, state, events, now=time.time(), key=None if by else f"{seat}:k")
    return submission.schedule_bots(after.changed(), now=time.time())


@pytest.mark.parametrize("game", WINDOW_GAMES)
async def test_no_frame_of_a_window_says_who_is_answered_for(transactional_db: None, game: str, settings: Any) -> None:
    """Over real sockets: whichever of two seats the server answers for first, the others are sent the same."""
    settings.BOT_DELAY = 0.9
    rng = random.Random(game)
    table = start_seeded(game, 3)
    while len(table.rules.to_act(table.state)) < 3 or table.runtime.bot_due is None:
        table = move_by_chance(table, rng)
    orders = tuple((seat, "pass") for seat in table.rules.to_act(table.state))
    frames = []
    for chosen in table.rules.to_act(table.state)[:2]:
        now = time.time()
        answers = tuple(
            answer._replace(due=now if answer.seat == chosen else now + 60) for answer in table.runtime.answers
        )
        runtime = table.runtime._replace(standing_answers=orders, answers=answers, bot_due=now)
        write_over(table._replace(runtime=runtime))
        models.Table.objects.filter(pk=table.id).update(version=table.version, ply=table.ply)
        models.Ply.objects.filter(table=table.id, number__gt=table.ply).delete()
        forget()
        watcher = browser(invited=table)
        async with window(table, watcher) as socket:
            await socket.fragment()
            after = submission.play_bot(table.id, ply=table.ply, now=now)
            assert after is not None
            assert chosen not in after.rules.to_act(after.state)
            frames.append(mask_varying_text((await socket.fragment()).html))
    assert frames[0] == frames[1]


@pytest.mark.parametrize("game", registry.slugs())
def test_the_method_notices_what_is_shown(db: None, game: str) -> None:
    """A game that one seat cannot tell apart looks different to the next seat: its cards are other ones."""
    rng = random.Random(game)
    table = start_seeded(game, 4)
    viewers = browsers(table)
    seen = fetch(viewers[1][2], table)
    twin = make_twin(table, 0, rng)
    assert draw_fresh(table).render_update(None, 1, now=0) != draw_fresh(twin).render_update(None, 1, now=0)
    with replaced(table, twin):
        imagined = fetch(viewers[1][2], table)
    differing = {name for name in seen if seen[name] != imagined[name]}
    assert differing >= {"table", "board", "view_json", "stale", "API"}


def test_a_room_before_the_game(db: None) -> None:
    """Secret and invitation: the one for nobody, the other only for who is in."""
    ana, eva = person("Ana"), person("Eva")
    table = contribute_all(open_table(ana, is_public=False))
    boss = Client()
    boss.force_login(models.User.objects.create_superuser("boss", password="a long pass phrase"))
    for client in (browser(ana), browser(eva), Client(), boss, browser(invited=table)):
        for answer in (fetch(client, table) | fetch_rest(client, table)).values():
            assert table.secret not in answer
    for client in (browser(eva), Client(), boss):
        for name, answer in (fetch(client, table) | fetch_rest(client, table)).items():
            assert table.invite not in answer, name
        assert table.id not in client.get(reverse("lobby")).content.decode()


def test_after_the_end_the_proof_is_published(db: None) -> None:
    rng = random.Random(5)
    table = start_seeded("karriere-poker", 5)
    while table.status != OVER:
        table = move_by_chance(table, rng)
    answer = browser(invited=table).get(reverse("record", args=[table.id]))
    record: dict[str, Any] = answer.json()
    assert (answer.status_code, record["seed"], record["secret"]) == (200, table.seed, table.secret)
    assert Client().get(reverse("record", args=[table.id])).status_code == 403
