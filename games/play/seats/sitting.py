"""Sit, contribute to the deal, leave, be absent and come back, order a standing pass, ring the bell, play again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from django.db import DatabaseError, transaction

from games import models
from games.play.errors import BadInput, Busy, Illegal, NotAllowed, Stale
from games.play.moves import advance
from games.play.moves.submission import commit, retry, run_overdue, with_bots
from games.play.seats import last_seen, opening
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING, Arrangement, Loaded, Place
from games.rules.base import IllegalMove, Seat

SHARE_SECONDS = 3.0
"""So long the contribution of somebody whose page is there is waited for."""
MAX_ENTROPY = 64
TIME_UP = {"clock": "time-up"}
"""The clock event of the bell."""


def sit(table_id: str, player: models.Player, *, now: float, chair: Seat | None = None) -> Loaded:
    """Take a chair (the first free one) until the seats are drawn. Sitting twice is sitting once.

    At a table whose start has been asked for, the last who sits down lets the game begin.
    Raises Stale (the game has started, the chair is taken), BadInput.
    """

    def attempt(table: Loaded, now: float) -> Loaded:
        if table.seat_of(player.pk) is not None:
            return table
        place = Place(require_chair(table, chair), player.pk, "", player.name, player.avatar, None)
        waits = (*table.desk.waits, (place.seat, now + opening.COME_SECONDS))
        after = table.changed(places=_in_order([*table.places, place]), desk=table.desk._replace(waits=waits))
        return store.commit(table, after, also=_insert(table, place))

    return retry(table_id, attempt, now=now)


def _in_order(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places, key=attrgetter("seat")))


def require_chair(table: Loaded, chair: Seat | None) -> Seat:
    """The chair that somebody who comes now gets: the wished one, or the first free. Raises Stale, BadInput."""
    if table.status != WAITING:
        raise Stale("This game has started already. You can watch it.")
    if chair is not None and chair not in range(table.seat_count):
        raise BadInput("This table has no chair %(chair)s.", chair=chair + 1)
    free = table.free_chairs()
    if not free:
        raise Stale("Every chair at this table is taken. You can watch, or open a table of your own.")
    if chair is not None and chair not in free:
        raise Stale("Somebody was faster: this chair is taken. Choose another one.")
    return free[0] if chair is None else chair


def _insert(table: Loaded, place: Place) -> Callable[[], None]:
    def write() -> None:
        models.Seat.objects.create(
            table_id=table.id, index=place.seat, player_id=place.player_id, name=place.name,
            avatar=place.avatar,
        )  # fmt: skip

    return write


def leave(table_id: str, player_id: int | None, *, now: float) -> Loaded:
    """Get up: before the start the chair is free again; in a running game a bot stands in until the return.

    The host's role goes to the next person; with nobody left a waiting table is closed.
    """

    def attempt(table: Loaded, now: float) -> Loaded:
        seat = table.seat_of(player_id)
        if seat is None or table.status == OVER:
            return table
        if table.status == PLAYING:
            return _stand_in(table, seat, now=now)
        if table.desk.arranged is not None:
            return _go_away(table, seat)
        places = tuple(place for place in table.places if place.seat != seat)
        persons = [place.player_id for place in places if place.player_id is not None]
        host = table.host_id if table.host_id in persons else next(iter(persons), None)
        waits = tuple(wait for wait in table.desk.waits if wait[0] != seat)
        after = table.changed(places=places, host_id=host, desk=table.desk._replace(is_called=False, waits=waits))
        if host is None:
            after = after._replace(status=OVER, ended_at=now)

        def free_chair() -> None:
            models.Seat.objects.filter(table_id=table.id, index=seat).delete()

        return store.commit(table, after, also=free_chair)

    return retry(table_id, attempt, now=now)


def _stand_in(table: Loaded, seat: Seat, *, now: float) -> Loaded:
    stand_ins = table.desk.stand_ins | {seat}
    host = table.host_id
    if table.seat_of(host) == seat:
        there = [place.player_id for place in table.places if place.player_id and place.seat not in stand_ins]
        host = next(iter(there), host)
    if seat in table.desk.stand_ins and host == table.host_id:
        return table
    after = table.changed(host_id=host, desk=table.desk._replace(stand_ins=stand_ins))
    return store.commit(table, with_bots(after, now=now))


def come_back(table_id: str, player_id: int | None, *, now: float) -> Loaded:
    """A sign of life of a person: a bot that stood in for them gets up at once; before the game they have come."""

    def attempt(table: Loaded, now: float) -> Loaded:
        seat = table.seat_of(player_id)
        if seat is not None and table.status == WAITING:
            after = note_arrival(table, seat, now=now)
            return table if after is table else opening.go_on(table, after, now=now)
        if seat is None or table.status != PLAYING:
            return table
        last_seen.note([table_id], now=now)
        after = advance.go_on(table, now=now) if table.desk.is_standing else table
        after = advance.note_presence(after, seat)
        if after is table:
            return table
        return store.commit(table, with_bots(after._replace(version=table.version + 1), now=now))

    return retry(table_id, attempt, now=now)


def stay(table: Loaded, player_id: int | None, *, now: float) -> Loaded:
    """Somebody looks at the table: one of its people is there, unless a stand-in plays for them."""
    seat = table.seat_of(player_id)
    if seat is None or table.status != PLAYING or seat in table.desk.stand_ins:
        return table
    if table.desk.is_standing:
        return come_back(table.id, player_id, now=now)
    last_seen.note([table.id], now=now)
    return table


def note_arrival(table: Loaded, seat: Seat, *, now: float) -> Loaded:
    """The waiting table after somebody has come to it, of the same version; the same table if they are there already.

    From now on their contribution is waited for so long, and no longer.
    """
    desk, waits = table.desk, dict(table.desk.waits)
    until = now + SHARE_SECONDS
    if seat in table.silent() and not now < waits.get(seat, now) <= until:
        desk = desk._replace(waits=tuple(sorted({**waits, seat: until}.items())))
    if desk.arranged is not None and seat not in desk.arranged.arrived:
        arranged = desk.arranged._replace(arrived=desk.arranged.arrived | {seat})
        desk = desk._replace(arranged=arranged, stand_ins=desk.stand_ins - {seat})
    return table if desk is table.desk else table._replace(desk=desk)


def _go_away(table: Loaded, seat: Seat) -> Loaded:
    """Somebody has left their arranged table before its game: they are waited for anew."""
    desk = table.desk
    arranged = desk.arranged or Arrangement()
    if seat not in arranged.arrived:
        return table
    desk = desk._replace(
        arranged=arranged._replace(arrived=arranged.arrived - {seat}),
        waits=tuple(wait for wait in desk.waits if wait[0] != seat),
    )
    places = tuple(place._replace(entropy=None) if place.seat == seat else place for place in table.places)
    rows = models.Seat.objects.filter(table_id=table.id, index=seat)
    return store.commit(table, table.changed(desk=desk, places=places), also=lambda: rows.update(entropy=None))


def contribute(table_id: str, player_id: int | None, *, commitment: str, entropy: str, now: float) -> Loaded:
    """Add to the deal what nobody else chose, until the game starts; again replaces it. Twice the same is once.

    commitment: that of the table, which the sender has read before: without it nothing is accepted. With the last
    contribution that is waited for the game begins. Raises NotAllowed (no seat), BadInput, Stale (it has started).
    """
    entropy = clean_entropy(entropy)

    def attempt(table: Loaded, now: float) -> Loaded:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. Sit down first.")
        if commitment != table.commitment or not table.has_own_deal:
            raise BadInput("This contribution names another commitment than that of this table. Reload the page.")
        places = tuple(place._replace(entropy=entropy) if place.seat == seat else place for place in table.places)
        if table.status != WAITING:
            if places == table.places:
                return table
            raise Stale("The game has started. Nothing can be added to this deal any more.")
        after = note_arrival(table, seat, now=now)._replace(places=places)
        if after == table:
            return table
        rows = models.Seat.objects.filter(table_id=table_id, index=seat)
        return opening.go_on(table, after, now=now, also=lambda: rows.update(entropy=entropy))

    return retry(table_id, attempt, now=now)


def clean_entropy(text: str) -> str:
    """What a person contributes to a deal: printable text of 1 to 64 characters. Raises BadInput."""
    text = text.strip()
    if not 1 <= len(text) <= MAX_ENTROPY or not text.isascii() or not text.isprintable():
        raise BadInput("A contribution to the deal is 1 to %(most)s plain letters, digits and signs.", most=MAX_ENTROPY)
    return text


def order_pass(table_id: str, player_id: int | None, *, on: bool, now: float) -> Loaded:
    """Pass for the rest of this round, or take that back. Raises NotAllowed, Illegal."""

    def attempt(table: Loaded, present: float) -> Loaded:
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        if not table.rules.standing_pass_ends:
            raise Illegal("In this game nobody passes beforehand.")
        table = run_overdue(table, now=now)
        if table.status != PLAYING:
            raise Stale("No game is under way at this table.")
        if table.desk.is_standing:
            table = advance.go_on(table, now=present)
        if table.desk.paused_at is not None:
            raise Stale("The organiser has paused this table. The clocks stand still; wait until it goes on.")
        if on and seat in table.rules.to_act(table.state) and not _may_pass(table, seat):
            raise Illegal("You lead this round: you must play.")
        orders = table.desk.standing_passes | {seat} if on else table.desk.standing_passes - {seat}
        after = advance.note_presence(table, seat)
        after = after._replace(desk=after.desk._replace(standing_passes=orders))
        if after.desk == table.desk:
            return table
        return commit(table, after, now=present)

    return retry(table_id, attempt, now=now)


def _may_pass(table: Loaded, seat: Seat) -> bool:
    try:
        table.rules.check(table.state, seat, {"pass": True})
    except IllegalMove:
        return False
    return True


def ring_bell(table_id: str, player_id: int | None, *, now: float) -> Loaded:
    """End the evening: the clock event `time-up`, by the host. Raises NotAllowed, Stale."""

    def attempt(table: Loaded, now: float) -> Loaded:
        if player_id is None or player_id != table.host_id:
            raise NotAllowed("Only the host of this table rings the bell.")
        if table.status != PLAYING:
            raise Stale("No game is under way at this table.")
        rung = ring(table, now=now)
        if rung is None:
            raise Stale("The bell has rung already: what is under way is the last.")
        return rung

    return retry(table_id, attempt, now=now)


def ring(table: Loaded, *, now: float) -> Loaded | None:
    """The table after the bell; None if it has rung, or the game knows none. Raises Conflict, Busy."""
    try:
        state, events = table.rules.on_clock(table.state, TIME_UP)
    except IllegalMove:
        return None
    if not events:  # it has rung: a ply that changes nothing would only make everybody's move stale
        return None
    after, ply = advance.step(table, TIME_UP, state, events, now=now)
    return commit(table, after, [ply], now=now)


def play_again(table_id: str, player: models.Player, *, avatars: tuple[str, ...], now: float) -> Loaded:
    """The table of the rematch: opened by the first who asks, the others sit down at it. Raises NotAllowed, Stale."""
    table = store.reload(table_id)
    if table.seat_of(player.pk) is None:
        raise NotAllowed("Only who played here can ask for a rematch. You can open a table of your own.")
    if table.status != OVER or table.outcome is None:
        raise Stale("This game is not over yet.")
    if table.rematch_id is None:
        _open_rematch(table, player, avatars, now=now)
        table = store.reload(table_id)
    if table.rematch_id is None:
        raise BadInput("The rematch could not be opened. Open a new table in the lobby.")
    return sit(table.rematch_id, player, now=now)


def _open_rematch(table: Loaded, player: models.Player, avatars: tuple[str, ...], *, now: float) -> None:
    levels = [place.bot for place in table.places if place.bot]
    wish = opening.Wish(
        game=table.rules.slug,
        seats=table.seat_count,
        options=table.options,
        bots=len(levels),
        is_public=table.is_public,
        talk=table.talk,
        turn_seconds=table.turn_seconds,
        is_rated=table.is_rated,
        is_called=True,
    )
    new: Loaded | None = None
    try:
        with transaction.atomic():
            new = opening.open_table(player, wish, avatars=avatars, now=now, levels=levels)
            store.commit(table, table.changed(rematch_id=new.id))
    except store.Conflict:
        pass  # somebody else asked at the same moment: theirs is the table
    except DatabaseError as error:
        raise Busy("The club's database could not open a table now. Try again in a moment.") from error
    finally:
        # What was kept inside the transaction may not have become durable.
        for known in (table, new):
            if known is not None:
                store.forget(known.id)
