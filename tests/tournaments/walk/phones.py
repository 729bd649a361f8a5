"""What people do on their own phones and at their tables, and what time does."""

from __future__ import annotations

from games.models import Player, Table
from games.play.errors import Refusal
from games.play.moves import submission
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import PLAYING, WAITING
from tests.cast import come_to_table, legal, to_move
from tests.tournaments.walk.acts import list_chairs
from tests.tournaments.walk.site import Site
from tournaments.flow.rounds import sweeper
from tournaments.models import Result


def act_self(site: Site) -> None:
    """What somebody does on their own phone."""
    who = site.rng.choice(site.people)
    site.enter_link(who)
    action = site.rng.choice(("enter", "enter", "enter", "here", "here", "away", "back", "withdraw"))
    site.press(who, "act", action=action)


def everybody_enters(site: Site) -> None:
    for who in site.people[: site.rng.randint(4, len(site.people))]:
        site.enter_link(who)
        site.press(who, "act", action="enter")


def claim(site: Site) -> None:
    who = site.rng.choice((*site.people, *site.helpers))
    if free := site.entrants(player=None, bot=""):
        site.enter_link(who)
        site.press(who, "act", action="claim", entrant=site.rng.choice(free).pk)


def say_result(site: Site) -> None:
    """A player of the last round enters what they think, or confirms or rejects what another has said."""
    chairs = [chair for chair in list_chairs(site) if chair.entrant.player_id or chair.substitute_id]
    if not chairs:
        return
    chair = site.rng.choice(chairs)
    who = Player.objects.get(pk=chair.substitute_id or chair.entrant.player_id or 0)
    if who.pk not in site.clients:
        return
    proposed = Result.objects.filter(pod=chair.pod, status="proposed").order_by("pk").first()
    here = (chair.pod.round.number, chair.pod.number)
    if proposed is not None and site.rng.random() < 0.7:
        site.press(who, "pod", *here, action=site.rng.choice(("confirm", "confirm", "reject")), result=proposed.pk)
        return
    places = list(range(1, chair.pod.seats.count() + 1))
    if site.rng.random() < 0.4:
        site.rng.shuffle(places)
    site.press(who, "pod", *here, action="enter", **{f"place-{index}": place for index, place in enumerate(places)})


def send_result(site: Site) -> None:
    """A program tells what it was told, sensible or not."""
    if pods := site.pods():
        pod = site.rng.choice(pods)
        count = pod.seats.count()
        site.send(pod, places=[site.rng.randint(1, count) for _ in range(count - (site.rng.random() < 0.1))])


def _online(site: Site, status: str) -> list[str]:
    rows = Table.objects.filter(pod__round__tournament=site.tournament, status=status)
    return list(rows.order_by("pod__pk").values_list("pk", flat=True))


def come(site: Site) -> None:
    """Everybody, or one person, comes to a table that waits."""
    if waiting := _online(site, WAITING):
        table = store.refresh(site.rng.choice(waiting))
        people = [place.player_id for place in table.places if place.player_id]
        for pk in people if site.rng.random() < 0.7 else people[:1]:
            site.run(f"{pk} comes to their table", lambda pk=pk: come_to_table(table.id, pk, now=site.now))  # type: ignore[misc]


def play(site: Site) -> None:
    """One game is played to its end."""
    if playing := _online(site, PLAYING):
        table_id = site.rng.choice(playing)
        site.run("a game is played", lambda: _play_out(site, table_id))


def _play_out(site: Site, table_id: str) -> None:
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
                table = submission.play_bot(table.id, ply=table.ply, now=site.now) or store.refresh(table_id)
            else:
                move = dict(site.rng.choice(legal(table, seat)))
                key = f"k{table.ply}"
                table = submission.submit_move(
                    table.id, place.player_id, move, ply=table.ply, key=key, now=site.now
                ).table
        except Refusal:
            site.now += 1
            table = store.reload(table_id)


def leave_table(site: Site) -> None:
    """Somebody gets up from a game."""
    if playing := _online(site, PLAYING):
        table = store.refresh(site.rng.choice(playing))
        people = [place.player_id for place in table.places if place.player_id]
        if people:
            pk = site.rng.choice(people)
            site.run(f"{pk} leaves their table", lambda: sitting.leave(table.id, pk, now=site.now))


def pass_time(site: Site) -> None:
    """Time passes, and the sweeper comes."""
    site.now += site.rng.choice((5.0, 60.0, 400.0, 1900.0))
    site.run("the sweeper comes", lambda: sweeper.sweep(now=site.now))


def sweep(site: Site) -> None:
    site.now += 1
    site.run("the sweeper comes", lambda: sweeper.sweep(now=site.now))
