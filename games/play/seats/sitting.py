"""What players do at a table besides moves: sit, contribute to the deal, leave, return, pass in advance, play again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from django.db import DatabaseError, transaction

from games import models
from games.models.skeletons import MAX_SEAT_NAME, collect_skeletons, number_name
from games.play.errors import BadInput, Busy, Illegal, NotAllowed, Stale
from games.play.moves import advance
from games.play.moves.submission import commit, retry, run_overdue, schedule_bots
from games.play.seats import last_seen, opening, table_limits
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, Arrangement, LoadedTable, SeatedPlayer
from games.rules.base import IllegalMove, Seat

CONTRIBUTION_SECONDS = 3.0
"""Seconds for which a start waits for the contribution of a player whose page has loaded: many slow round trips."""
MAX_ENTROPY = 64
"""Characters of a contribution: 256 bits in hex digits."""
TIME_UP = {"clock": "time-up"}
"""The clock event of the bell."""


def sit(table_id: str, player: models.Player, *, now: float, chair: Seat | None = None) -> LoadedTable:
    """Take a seat (the first free one) until seats are assigned by lot. Idempotent.

    Somebody whose name looks like another one at the table gets a number.
    At a table whose start was requested, the game begins when the last player sits down.
    Raises Stale (the game has started, the chair is taken), BadInput; NotAllowed, TooFast for a bot account.
    """

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if table.seat_of(player.pk) is not None:
            return table
        table_limits.require_seat_for_bot(player, is_rated=table.is_rated)
        name = number_name(player.name, collect_skeletons(seated.name for seated in table.places), most=MAX_SEAT_NAME)
        place = SeatedPlayer(
            require_free_seat(table, chair),
            player.pk,
            "",
            name,
            player.avatar,
            None,
            has_account=player.user_id is not None,
        )
        waits = (*table.runtime.waits, (place.seat, now + opening.ARRIVAL_SECONDS))
        after = table.changed(places=_in_order([*table.places, place]), runtime=table.runtime._replace(waits=waits))
        return store.commit(table, after, also=_insert(table, place))

    return retry(table_id, attempt, now=now)


def _in_order(places: Iterable[SeatedPlayer]) -> tuple[SeatedPlayer, ...]:
    return tuple(sorted(places, key=attrgetter("seat")))


def require_free_seat(table: LoadedTable, chair: Seat | None) -> Seat:
    """The seat for a new player: the requested one, or the first free. Raises Stale, BadInput."""
    if table.status != WAITING:
        raise Stale("This game has already started. You can watch it.")
    if chair is not None and chair not in range(table.seat_count):
        raise BadInput("This table has no seat %(chair)s. Choose another one.", chair=chair + 1)
    free = table.free_chairs()
    if not free:
        raise Stale("All seats at this table are taken. You can watch, or open a table of your own.")
    if chair is not None and chair not in free:
        raise Stale("Somebody was faster: this seat is taken. Choose another one.")
    return free[0] if chair is None else chair


def _insert(table: LoadedTable, place: SeatedPlayer) -> Callable[[], None]:
    def write() -> None:
        models.Seat.objects.create(
            table_id=table.id, index=place.seat, player_id=place.player_id, name=place.name,
            avatar=place.avatar,
        )  # fmt: skip

    return write


def leave(table_id: str, player_id: int | None, *, now: float) -> LoadedTable:
    """Stand up: before the start the seat becomes free; in a running game a bot stands in until the player returns.

    The next person becomes host; a waiting table without people is closed.
    """

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is None or table.status == OVER:
            return table
        if table.status == PLAYING:
            return _stand_in(table, seat, now=now)
        if table.runtime.arranged is not None:
            return _note_departure(table, seat)
        places = tuple(place for place in table.places if place.seat != seat)
        persons = [place.player_id for place in places if place.player_id is not None]
        host = table.host_id if table.host_id in persons else next(iter(persons), None)
        waits = tuple(wait for wait in table.runtime.waits if wait[0] != seat)
        after = table.changed(places=places, host_id=host, runtime=table.runtime._replace(is_called=False, waits=waits))
        if host is None:
            after = after._replace(status=OVER, ended_at=now)

        def free_chair() -> None:
            models.Seat.objects.filter(table_id=table.id, index=seat).delete()

        return store.commit(table, after, also=free_chair)

    return retry(table_id, attempt, now=now)


def _stand_in(table: LoadedTable, seat: Seat, *, now: float) -> LoadedTable:
    stand_ins = table.runtime.stand_ins | {seat}
    host = table.host_id
    if table.seat_of(host) == seat:
        there = [place.player_id for place in table.places if place.player_id and place.seat not in stand_ins]
        host = next(iter(there), host)
    if seat in table.runtime.stand_ins and host == table.host_id:
        return table
    after = table.changed(host_id=host, runtime=table.runtime._replace(stand_ins=stand_ins))
    after = advance.pause_if_abandoned(advance.end_if_agreed(after, now=now), now=now)
    return store.commit(table, schedule_bots(after, now=now))


def return_to_table(table_id: str, player_id: int | None, *, now: float) -> LoadedTable:
    """A person shows up: their stand-in leaves at once; before the game they count as arrived."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is not None and table.status == WAITING:
            after = note_arrival(table, seat, now=now)
            return table if after is table else opening.save_or_begin(table, after, now=now)
        if seat is None or table.status != PLAYING:
            return table
        last_seen.record_presence([table_id], now=now)
        after = advance.resume_clocks(table, now=now) if table.runtime.is_standing else table
        after = advance.note_presence(after, seat)
        if after is table:
            return table
        return store.commit(table, schedule_bots(after._replace(version=table.version + 1), now=now))

    return retry(table_id, attempt, now=now)


def note_viewing(table: LoadedTable, player_id: int | None, *, now: float) -> LoadedTable:
    """Note that a player looks at the table, which resumes one paused for lack of players. Ignored with a stand-in."""
    seat = table.seat_of(player_id)
    if seat is None or table.status != PLAYING or seat in table.runtime.stand_ins:
        return table
    if table.runtime.is_standing:
        return return_to_table(table.id, player_id, now=now)
    last_seen.record_presence([table.id], now=now)
    return table


def note_arrival(table: LoadedTable, seat: Seat, *, now: float) -> LoadedTable:
    """The waiting table after a player has arrived, at the same version; the same table if nothing changes.

    The start waits for their contribution for `CONTRIBUTION_SECONDS` from now.
    """
    runtime, waits = table.runtime, dict(table.runtime.waits)
    until = now + CONTRIBUTION_SECONDS
    if seat in table.silent() and not now < waits.get(seat, now) <= until:
        runtime = runtime._replace(waits=tuple(sorted({**waits, seat: until}.items())))
    if runtime.arranged is not None and seat not in runtime.arranged.arrived:
        arranged = runtime.arranged._replace(arrived=runtime.arranged.arrived | {seat})
        runtime = runtime._replace(arranged=arranged, stand_ins=runtime.stand_ins - {seat})
    return table if runtime is table.runtime else table._replace(runtime=runtime)


def _note_departure(table: LoadedTable, seat: Seat) -> LoadedTable:
    """A player left their arranged table before its game: it waits for them again."""
    runtime = table.runtime
    arranged = runtime.arranged or Arrangement()
    if seat not in arranged.arrived:
        return table
    runtime = runtime._replace(
        arranged=arranged._replace(arrived=arranged.arrived - {seat}),
        waits=tuple(wait for wait in runtime.waits if wait[0] != seat),
    )
    places = tuple(place._replace(entropy=None) if place.seat == seat else place for place in table.places)
    rows = models.Seat.objects.filter(table_id=table.id, index=seat)
    return store.commit(table, table.changed(runtime=runtime, places=places), also=lambda: rows.update(entropy=None))


def contribute(table_id: str, player_id: int | None, *, commitment: str, entropy: str, now: float) -> LoadedTable:
    """Add the player's contribution to the deal before the game starts, or replace it. Idempotent.

    commitment: that of the table, which proves that the sender has read it. The game begins with the last missing
    contribution. Raises NotAllowed (no seat), BadInput, Stale (it has started).
    """
    entropy = clean_entropy(entropy)

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. Sit down first.")
        if commitment != table.commitment or not table.has_own_deal:
            raise BadInput("This contribution belongs to another commitment than this table's. Reload the page.")
        places = tuple(place._replace(entropy=entropy) if place.seat == seat else place for place in table.places)
        if table.status != WAITING:
            if places == table.places:
                return table
            raise Stale("The game has started. You can no longer contribute to this deal.")
        after = note_arrival(table, seat, now=now)._replace(places=places)
        if after == table:
            return table
        rows = models.Seat.objects.filter(table_id=table_id, index=seat)
        return opening.save_or_begin(table, after, now=now, also=lambda: rows.update(entropy=entropy))

    return retry(table_id, attempt, now=now)


def clean_entropy(text: str) -> str:
    """What a person contributes to a deal: printable text of 1 to 64 characters. Raises BadInput."""
    text = text.strip()
    if not 1 <= len(text) <= MAX_ENTROPY or not text.isascii() or not text.isprintable():
        raise BadInput(
            "Enter a contribution of 1 to %(most)s characters: letters without accents, digits and symbols.",
            most=MAX_ENTROPY,
        )
    return text


def order_pass(table_id: str, player_id: int | None, *, on: bool, now: float) -> LoadedTable:
    """Order passes for the rest of this round (on), or cancel them. Raises NotAllowed, Illegal, Stale."""

    def attempt(table: LoadedTable, present: float) -> LoadedTable:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        if not table.rules.standing_pass_ends:
            raise Illegal("You cannot pass in advance in this game.")
        table = run_overdue(table, now=now)
        if table.status != PLAYING:
            raise Stale("No game is under way at this table.")
        if table.runtime.is_standing:
            table = advance.resume_clocks(table, now=present)
        advance.require_running(table)
        if on and seat in table.rules.to_act(table.state) and not _may_pass(table, seat):
            raise Illegal("You lead this round, so you must play.")
        orders = table.runtime.standing_passes | {seat} if on else table.runtime.standing_passes - {seat}
        after = advance.note_presence(table, seat)
        after = after._replace(runtime=after.runtime._replace(standing_passes=orders))
        if after.runtime == table.runtime:
            return table
        return commit(table, after, now=present)

    return retry(table_id, attempt, now=now)


def _may_pass(table: LoadedTable, seat: Seat) -> bool:
    try:
        table.rules.check(table.state, seat, {"pass": True})
    except IllegalMove:
        return False
    return True


def ring_bell(table_id: str, player_id: int | None, *, now: float) -> LoadedTable:
    """The host rings the bell: the clock event `time-up`. Raises NotAllowed, Stale."""

    def attempt(table: LoadedTable, now: float) -> LoadedTable:
        if player_id is None or player_id != table.host_id:
            raise NotAllowed("Only the host of this table can ring the bell.")
        if table.status != PLAYING:
            raise Stale("No game is under way at this table.")
        rung = ring(table, now=now)
        if rung is None:
            raise Stale("The bell has already rung. The game is being played to its end.")
        return rung

    return retry(table_id, attempt, now=now)


def ring(table: LoadedTable, *, now: float) -> LoadedTable | None:
    """The table after the bell; None if it has rung, or the game knows none. Raises Conflict, Busy."""
    try:
        state, events = table.rules.on_clock(table.state, TIME_UP)
    except IllegalMove:
        return None
    if not events:  # it has rung: a ply without effect would only make moves under way stale
        return None
    after, ply = advance.advance_game(table, TIME_UP, state, events, now=now)
    return commit(table, after, [ply], now=now)


def play_again(table_id: str, player: models.Player, *, avatars: tuple[str, ...], now: float) -> LoadedTable:
    """Sit down at the table of the rematch, which the first who asks opens. Raises NotAllowed, Stale."""
    table = store.reload(table_id)
    if table.seat_of(player.pk) is None:
        raise NotAllowed("Only people who played here can ask for a rematch. You can open a table of your own.")
    if table.status != OVER or table.outcome is None:
        raise Stale("This game is not over yet.")
    if table.rematch_id is None:
        _open_rematch(table, player, avatars, now=now)
        table = store.reload(table_id)
    if table.rematch_id is None:
        raise BadInput("The rematch could not be opened. Open a new table in the lobby.")
    return sit(table.rematch_id, player, now=now)


def _open_rematch(table: LoadedTable, player: models.Player, avatars: tuple[str, ...], *, now: float) -> None:
    levels = [place.bot for place in table.places if place.bot]
    wanted = opening.TableRequest(
        game=table.rules.slug,
        seats=table.seat_count,
        options=table.options,
        bots=len(levels),
        is_public=table.is_public,
        talk=table.talk,
        turn_seconds=table.turn_seconds,
        is_rated=table.is_rated,
        is_called=True,
        pace=table.runtime.pace,
        is_timed=table.runtime.is_timed,
    )
    new: LoadedTable | None = None
    try:
        with transaction.atomic():
            new = opening.open_table(player, wanted, avatars=avatars, now=now, levels=levels)
            store.commit(table, table.changed(rematch_id=new.id))
    except store.Conflict:
        pass  # another player asked at the same moment: their table is the rematch
    except DatabaseError as error:
        raise Busy("The database could not open the table. Try again in a moment.") from error
    finally:
        # What was kept inside the transaction may not have become durable.
        for changed in (table, new):
            if changed is not None:
                store.forget(changed.id)
