"""What people do in an evening: each act picks somebody and something by chance, sensible or not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.urls import reverse

from games.accounts.animal_pictures import AVATARS
from games.play.moves import submission
from games.play.seats import opening, sitting
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tests.cast import come_to_table, legal, open_table, to_move
from tests.tournaments.walk import night_people, promises
from tests.tournaments.walk.night import Night
from tournaments.flow.evenings import candidates, sessions
from tournaments.flow.undo import evening_undo
from tournaments.flow.undo.step_undo import is_redo
from tournaments.models import SessionTable, Step

PLIES = 40


def steer(night: Night, action: str, **form: Any) -> str:
    who = night.rng.choice((night.people[0], night.people[0], night.owner, night.other, night.people[1]))
    return night.press(who, action=action, version=night.evening.version, **form)


def add_table(night: Night) -> None:
    free = candidates.list_candidates(sessions.find(night.pk))
    chosen = night.rng.sample(free, min(len(free), night.rng.randint(1, 3)))
    steer(night, "table", player=[one.pk for one in chosen])


def bring_table(night: Night) -> None:
    host = night.rng.choice(night.people)
    table = open_table(host, game=night.game, now=night.now, options={"minutes": 60})
    if night.rng.random() < 0.3:
        night.act("it begins", lambda: opening.start(table.id, host.pk, fill="random", avatars=AVATARS, now=night.now))
    night.press(host, action="bring", version=night.evening.version, table=table.id)


def _number(night: Night) -> int:
    rows = SessionTable.objects.filter(timed_session=night.pk).order_by("number").values_list("number", flat=True)
    return night.rng.choice([*rows, 1])


def close_table(night: Night) -> None:
    steer(night, "close", table=_number(night))


def begin_table(night: Night) -> None:
    steer(night, "begin", table=_number(night))


def extend(night: Night) -> None:
    steer(night, "extend", minutes=night.rng.choice((5, 20, -5, -25, 0)))


def pause(night: Night) -> None:
    steer(night, "pause")


def resume(night: Night) -> None:
    steer(night, "resume")


def end(night: Night) -> None:
    steer(night, "end")


def undo(night: Night) -> None:
    """Take a step back: the last one, or any other; where nothing lay between, it is as it was before it."""
    steps = [one for one in evening_undo.list_steps(sessions.find(night.pk)) if not one.is_reverted]
    if steps:
        step = steps[0] if night.rng.random() < 0.6 else night.rng.choice(steps)
        revert(night, step)


def undo_and_redo(night: Night) -> None:
    step = next((one for one in evening_undo.list_steps(sessions.find(night.pk)) if not one.is_reverted), None)
    before = night.dump()
    if step is not None and not revert(night, step):
        back = Step.objects.filter(evening=night.pk).latest("number")
        assert is_redo(back) == (not step.is_redo)
        if not revert(night, back):
            assert night.compare(before), f"{step.kind} done again is not as before"


def read_log(night: Night) -> None:
    """A line of the evening's log: it has a button exactly if that is not refused."""
    page = night.clients[night.leader().pk].get(reverse("tournaments:evening", args=[night.pk])).content.decode()
    offered = {int(number) for number in re.findall(r'name="step" value="(\d+)"', page)}
    steps = [one for one in evening_undo.list_steps(sessions.find(night.pk)) if not one.is_reverted]
    if steps and night.evening.ends_at > night.now:  # else the bell is due, and rings before anything else
        step = night.rng.choice(steps)
        assert bool(revert(night, step)) != (step.number in offered), f"{step.kind}: {sorted(offered)} were offered"


def revert(night: Night, step: evening_undo.LoggedEveningStep | Step) -> str:
    """Take it back; where it was the last one, everything is as it was before it."""
    expected = night.before.get(step.number) if step.number == night.seen else None
    sentence = night.press(night.leader(), action="undo", step=step.number)
    if not sentence and expected is not None and night.seen == step.number + 1:
        assert night.compare(expected), f"{step.kind} taken back is not as before"
    return sentence


def come(night: Night) -> None:
    """Everybody, or one person, comes to a table that waits."""
    if tables := night.tables(WAITING):
        table = night.rng.choice(tables)
        there = [place.player_id for place in table.places if place.player_id]
        for pk in there if night.rng.random() < 0.7 else there[:1]:
            night.act(f"{pk} comes", lambda pk=pk: come_to_table(table.id, pk, now=night.now))  # type: ignore[misc]


def leave(night: Night) -> None:
    if tables := night.tables():
        table = night.rng.choice(tables)
        there = [place.player_id for place in table.places if place.player_id]
        if there:
            pk = night.rng.choice(there)
            night.act(f"{pk} leaves", lambda: sitting.leave(table.id, pk, now=night.now))


def return_(night: Night) -> None:
    """Somebody that a bot plays for is back."""
    there = [(table.id, seat, table.place(seat)) for table in night.tables(PLAYING) for seat in table.runtime.stand_ins]
    if there:
        table_id, _, place = night.rng.choice(there)
        if place is not None:
            night.act(f"{place.name} is back", lambda: come_to_table(table_id, place.player_id, now=night.now))


def play(night: Night) -> None:
    if tables := night.tables(PLAYING):
        table_id = night.rng.choice(tables).id
        night.act("some moves", lambda: _play_on(night, table_id))


def _play_on(night: Night, table_id: str) -> None:
    table = store.refresh(table_id)
    for _ in range(PLIES):
        if table.status == OVER or table.runtime.paused_at is not None:
            return
        place = table.place(to_move(table))
        assert place is not None
        if place.player_id is None or place.seat in table.runtime.stand_ins:
            table = submission.play_bot(table.id, ply=table.ply, now=night.now) or store.refresh(table_id)
            continue
        move, key = dict(night.rng.choice(legal(table, place.seat))), f"k{table.ply}"
        table = submission.submit_move(table.id, place.player_id, move, ply=table.ply, key=key, now=night.now).table


def wait(night: Night) -> None:
    night.pass_time(night.rng.choice((5.0, 60.0, 310.0, 900.0)))


WEIGHTS: dict[Callable[[Night], None], int] = {
    add_table: 6, bring_table: 2, close_table: 3, begin_table: 2, extend: 4, pause: 3, resume: 5, end: 1, undo: 8,
    undo_and_redo: 4, read_log: 4, come: 6, leave: 2, return_: 2, play: 4, wait: 4, night_people.merge_accounts: 3,
    night_people.delete_account: 1, night_people.rename_account: 1, night_people.change_role: 3,
}  # fmt: skip


def walk(night: Night, steps: int) -> None:
    """Anything, so many times."""
    for _ in range(steps):
        [act] = night.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
        act(night)
        if night.rng.random() < 0.2:
            night.check_pages()
    promises.check_counted(night)
