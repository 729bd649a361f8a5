"""What people do on their own phones and at their tables, and what time does."""

from __future__ import annotations

from games.models import Player, Table
from games.play.errors import Refusal
from games.play.moves import submission
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING
from tests.cast import arrive, legal, to_move
from tests.tournaments.walk.acts import list_chairs
from tests.tournaments.walk.house import House
from tournaments.flow.rounds import sweeper
from tournaments.models import Result


def act_self(house: House) -> None:
    """What somebody does on his own phone."""
    who = house.rng.choice(house.people)
    house.enter_link(who)
    action = house.rng.choice(("enter", "enter", "enter", "here", "here", "away", "back", "withdraw"))
    house.press(who, "act", action=action)


def everybody_enters(house: House) -> None:
    for who in house.people[: house.rng.randint(4, len(house.people))]:
        house.enter_link(who)
        house.press(who, "act", action="enter")


def claim(house: House) -> None:
    who = house.rng.choice((*house.people, *house.helpers))
    if free := house.entrants(player=None, bot=""):
        house.enter_link(who)
        house.press(who, "act", action="claim", entrant=house.rng.choice(free).pk)


def say_result(house: House) -> None:
    """A player of the last round enters what he thinks, or confirms or rejects what another has said."""
    chairs = [chair for chair in list_chairs(house) if chair.entrant.player_id or chair.substitute_id]
    if not chairs:
        return
    chair = house.rng.choice(chairs)
    who = Player.objects.get(pk=chair.substitute_id or chair.entrant.player_id or 0)
    if who.pk not in house.clients:
        return
    proposed = Result.objects.filter(pod=chair.pod, status="proposed").order_by("pk").first()
    here = (chair.pod.round.number, chair.pod.number)
    if proposed is not None and house.rng.random() < 0.7:
        house.press(who, "pod", *here, action=house.rng.choice(("confirm", "confirm", "reject")), result=proposed.pk)
        return
    places = list(range(1, chair.pod.seats.count() + 1))
    if house.rng.random() < 0.4:
        house.rng.shuffle(places)
    house.press(who, "pod", *here, action="enter", **{f"place-{index}": place for index, place in enumerate(places)})


def send_result(house: House) -> None:
    """A program tells what it was told, sensible or not."""
    if pods := house.pods():
        pod = house.rng.choice(pods)
        count = pod.seats.count()
        house.send(pod, places=[house.rng.randint(1, count) for _ in range(count - (house.rng.random() < 0.1))])


def _online(house: House, status: str) -> list[str]:
    rows = Table.objects.filter(pod__round__tournament=house.tournament, status=status)
    return list(rows.order_by("pod__pk").values_list("pk", flat=True))


def come(house: House) -> None:
    """Everybody, or one person, comes to a table that waits."""
    if waiting := _online(house, WAITING):
        table = store.refresh(house.rng.choice(waiting))
        people = [place.player_id for place in table.places if place.player_id]
        for pk in people if house.rng.random() < 0.7 else people[:1]:
            house.run(f"{pk} comes to his table", lambda pk=pk: arrive(table.id, pk, now=house.now))  # type: ignore[misc]


def play(house: House) -> None:
    """One game is played to its end."""
    if playing := _online(house, PLAYING):
        table_id = house.rng.choice(playing)
        house.run("a game is played", lambda: _play_out(house, table_id))


def _play_out(house: House, table_id: str) -> None:
    """To its end; where only a bell ends it, for a while."""
    table = store.refresh(table_id)
    has_end = not table.rules.has_jobs or bool({"deals", "sessions"} & {*table.options})
    for _ in range(3000 if has_end or table.rules.view(table.state, None)["last_deal"] else 80):
        if table.status != PLAYING or table.runtime.paused_at is not None:
            return
        seat = to_move(table)
        place = table.place(seat)
        assert place is not None
        try:
            if place.player_id is None or seat in table.runtime.stand_ins:
                table = submission.play_bot(table.id, ply=table.ply, now=house.now) or store.refresh(table_id)
            else:
                move = dict(house.rng.choice(legal(table, seat)))
                key = f"k{table.ply}"
                table = submission.submit_move(
                    table.id, place.player_id, move, ply=table.ply, key=key, now=house.now
                ).table
        except Refusal:
            house.now += 1
            table = store.reload(table_id)


def leave_table(house: House) -> None:
    """Somebody gets up from a game."""
    if playing := _online(house, PLAYING):
        table = store.refresh(house.rng.choice(playing))
        people = [place.player_id for place in table.places if place.player_id]
        if people:
            pk = house.rng.choice(people)
            house.run(f"{pk} leaves his table", lambda: sitting.leave(table.id, pk, now=house.now))


def pass_time(house: House) -> None:
    """Time passes, and the sweeper comes."""
    house.now += house.rng.choice((5.0, 60.0, 400.0, 1900.0))
    house.run("the sweeper comes", lambda: sweeper.sweep(now=house.now))


def sweep(house: House) -> None:
    house.now += 1
    house.run("the sweeper comes", lambda: sweeper.sweep(now=house.now))
