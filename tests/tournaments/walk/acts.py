"""What organisers do at the console: each act picks somebody and something by chance, sensible or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.urls import reverse

from tests.tournaments.walk.house import House, Rows
from tournaments.flow.drawing import draw_requests
from tournaments.flow.planning import tournament_plan
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.flow.undo import season_undo
from tournaments.flow.undo.step_undo import FINAL_KINDS, is_reverted, list_steps, origin_of
from tournaments.models import PodSeat, Round, Step

Act = Callable[[House], None]
TWICE = 0.2
"""How often a button is pressed by two organisers, one after the other, on the same page."""


def do(house: House, action: str, **form: Any) -> str:
    """A button of the console; now and then pressed twice, which is once."""
    sentence = house.press(house.organiser(), "do", action=action, **form)
    if not sentence and house.rng.random() < TWICE:
        before = house.now_there
        house.press(house.organiser(), "do", action=action, **form)
        assert house.now_there == before, f"{action} pressed twice"
    return sentence


def _number(house: House) -> int:
    last = house.last_round()
    return last.number if last else 1


def _key(house: House) -> str:
    return f"{house.rng.random():.12f}"


def _round(house: House, action: str, **form: Any) -> str:
    return do(house, action, round=_number(house), **form)


def open_entry(house: House) -> None:
    do(house, "open-entry")


def start_check_in(house: House) -> None:
    do(house, "check-in")


def open_arena(house: House) -> None:
    do(house, "open-arena")


def draw(house: House) -> None:
    last = house.last_round()
    number = 1 if last is None else last.number + (last.status == Round.Status.COMPLETE)
    if last is not None and last.status == Round.Status.DRAFT:
        do(house, "draw", round=last.number, again=1, instead=last.seed)
    else:
        do(house, "draw", round=number)


def work_out(house: House) -> None:
    """A worker comes to the draw that was asked for."""
    last = house.last_round()
    if last is not None and last.status == Round.Status.DRAWING:
        if house.rng.random() < 0.1:
            _round(house, "cancel-draw")
        else:
            house.run(
                "the draw is done", lambda: draw_requests.run_draw(last.pk, last.drawing, house.owner, now=house.now)
            )


def release(house: House) -> None:
    _round(house, "release")


def complete(house: House) -> None:
    _round(house, "complete", missing=house.rng.choice(("", "", "void", "shared")))


def pause(house: House) -> None:
    _round(house, "pause")


def resume(house: House) -> None:
    _round(house, "resume")


def ring(house: House) -> None:
    _round(house, "bell")


def begin(house: House) -> None:
    _round(house, "begin")


def extend(house: House) -> None:
    _round(house, "extend", minutes=house.rng.choice((5, 30, -5, -40)), key=_key(house))


def finish(house: House) -> None:
    do(house, "finish")


def call_off(house: House) -> None:
    do(house, "call-off")


def archive(house: House) -> None:
    do(house, "archive")


def count(house: House) -> None:
    """For the season, or not."""
    counts, mine = house.rng.random() < 0.7, house.tournament.pk
    house.run(
        f"counts: {counts}",
        lambda: season_changes.count_tournament(house.season, house.organiser(), mine, counts=counts, now=house.now),
    )


def end_season(house: House) -> None:
    """The season is over, or that is taken back."""
    steps = [step for step in list_steps(house.season) if not is_reverted(step)]
    if steps and house.rng.random() < 0.6:
        number = steps[0].number
        house.run("season: undo", lambda: season_undo.revert(house.season, house.owner, number, now=house.now))
    elif house.rng.random() < 0.3:
        house.run("season: called off", lambda: season_phases.call_off(house.season, house.owner, now=house.now))
    else:
        house.run("season: end", lambda: season_phases.finish(house.season, house.owner, now=house.now))


def walk_in(house: House) -> None:
    if len(house.entrants()) < 16:
        do(house, "walk-in", name=f"W{house.rng.randrange(30)}")


def add_bot(house: House) -> None:
    if len(house.entrants()) < 16:
        do(house, "bot", name=f"B{house.rng.randrange(4)}", level="steady")


def import_list(house: House) -> None:
    if len(house.entrants()) < 12:
        text = "\n".join(f"W{house.rng.randrange(30)}" for _ in range(3))
        house.press(house.organiser(), "import", text=text, sure=1, skip=1)


def _some(house: House, *, more: int = 3) -> list[int]:
    ids = [one.pk for one in house.entrants()]
    return house.rng.sample(ids, min(len(ids), house.rng.randint(1, more)))


def people(house: House) -> None:
    what = house.rng.choice(("present", "present", "missing", "away", "back", "withdraw", "return"))
    if ids := _some(house):
        do(house, "people", what=what, entrant=ids)


def everybody_is_here(house: House) -> None:
    do(house, "people", what="present", entrant=[one.pk for one in house.entrants(status="entered")])


def rename(house: House) -> None:
    for pk in _some(house, more=1):
        do(house, "rename", entrant=pk, name=f"N{house.rng.randrange(30)}")


def seed(house: House) -> None:
    for pk in _some(house, more=1):
        do(house, "seed", entrant=pk, seed=house.rng.choice(("", "1", "1", "2", "0", "x")))


def penalise(house: House) -> None:
    for pk in _some(house, more=1):
        do(house, "penalty", entrant=pk, points=house.rng.choice(("0.5", "-1", "x")), reason="late", key=_key(house))


def rule_pair(house: House) -> None:
    ids = _some(house, more=2)
    if len(ids) == 2:
        do(house, "pair-rule", first=ids[0], second=ids[1], kind=house.rng.choice(("apart", "apart", "together", "")))


def keep(house: House) -> None:
    for pod in house.rng.sample(house.pods(), min(1, len(house.pods()))):
        do(house, "keep", pod=pod.pk, on=house.rng.choice("01"))


def move(house: House) -> None:
    for pod in house.rng.sample(house.pods(), min(1, len(house.pods()))):
        do(house, "move", pod=pod.pk, on=house.rng.choice("01"))


def swap(house: House) -> None:
    ids = _some(house, more=2)
    if len(ids) == 2:
        _round(house, "swap", first=ids[0], second=ids[1], key=_key(house))


def reseat(house: House) -> None:
    """Two people sat down at each other's tables."""
    if len(chairs := list_chairs(house)) > 1:
        first, second = house.rng.sample([chair.entrant_id for chair in chairs], 2)
        _round(house, "reseat", first=first, second=second, key=_key(house))


def list_chairs(house: House) -> list[PodSeat]:
    return list(PodSeat.objects.filter(pod__in=house.pods()).order_by("pk"))


def set_fate(house: House) -> None:
    if chairs := list_chairs(house):
        do(house, "fate", seat=house.rng.choice(chairs).pk, fate=house.rng.choice(("no-show", "forfeit", "plays")))


def substitute(house: House) -> None:
    if chairs := list_chairs(house):
        who: dict[str, Any] = house.rng.choice(
            ({"member": house.helpers[0].pk}, {"member": house.helpers[1].pk}, {"member": house.people[0].pk},
             {"name": "Uncle Bob"}, {})
        )  # fmt: skip
        do(house, "substitute", seat=house.rng.choice(chairs).pk, **who)


def revise(house: House) -> None:
    """Something of the plan: before the first draw anything, then what is free."""
    wish: dict[str, Any] = house.rng.choice(
        ({"rounds_planned": 4}, {"venue": "online"}, {"venue": "mixed"}, {"round_minutes": 20}, {"most": 6},
         {"points": "table"}, {"points": "beaten"}, {"bots_fill": True}, {"format": "swiss"})
    )  # fmt: skip
    house.tournament.refresh_from_db()
    if house.tournament.format == "ladder":
        wish.pop("format", None)
    wanted = msgspec.structs.replace(tournament_plan.read(house.tournament), **wish)
    house.run(
        f"revise {wish}", lambda: tournament_plan.revise(house.tournament, house.organiser(), wanted, now=house.now)
    )


def decide(house: House) -> None:
    if pods := house.pods():
        pod = house.rng.choice(pods)
        count = pod.seats.count()
        form: dict[str, Any] = {f"place-{index}": house.rng.randint(1, count) for index in range(count)}
        form["place-0"] = 1
        if house.rng.random() < 0.2:
            form = {"how": house.rng.choice(("void", "shared"))}
        do(house, "decide", pod=pod.pk, **form)


def decide_all(house: House) -> None:
    for pod in house.pods():
        if not pod.results.filter(status="accepted").exists():
            places = list(range(1, pod.seats.count() + 1))
            house.rng.shuffle(places)
            do(house, "decide", pod=pod.pk, **{f"place-{index}": place for index, place in enumerate(places)})


def undo(house: House) -> None:
    """Take a step back, the last one or any other; where nothing lay between, it is as it was before it."""
    steps = [step for step in list_steps(house.tournament) if not is_reverted(step)]
    if not steps:
        return
    step = steps[0] if house.rng.random() < 0.6 else house.rng.choice(steps)
    revert(house, step)


def revert(house: House, step: Step) -> str:
    """Take it back; where it was the last one, everything is as it was before it."""
    newest = Step.objects.filter(tournament=house.tournament).latest("number").number
    expected = house.before.get(step.number) if newest == step.number else None
    sentence = do(house, "undo", step=step.number)
    if origin_of(step).kind in FINAL_KINDS:
        assert sentence, f"{step.kind} was taken back"
    elif expected is not None and not sentence:
        assert _differences(house.now_there, expected) == {}, f"{step.kind} taken back is not as before"
    return sentence


def take_back(house: House) -> None:
    """The buttons of the console that take the last step back, or do it again: what is offered is not refused."""
    offered = house.clients[house.owner.pk].get(reverse("tournaments:console", args=[house.tournament.pk])).context
    row = offered["undo"] if offered["redo"] is None or house.rng.random() < 0.5 else offered["redo"]
    if row is not None:
        sentence = revert(house, Step.objects.get(tournament=house.tournament, number=row["number"]))
        assert not sentence, f"what was offered was refused: {row['what']}"


def read_log(house: House) -> None:
    """A step of the whole log: it has a button exactly if that is not refused."""
    page = house.clients[house.owner.pk].get(reverse("tournaments:log", args=[house.tournament.pk])).content.decode()
    lines = [line for line in page.split('<li id="step-')[1:] if ' class="reverted"' not in line[:40]]
    if lines:
        line = house.rng.choice(lines)
        step = Step.objects.get(tournament=house.tournament, number=int(line.partition('"')[0]))
        is_offered = 'value="undo"' in line
        assert bool(revert(house, step)) != is_offered, f"{step.kind} was {'offered' if is_offered else 'not offered'}"


def undo_and_redo(house: House) -> None:
    """Back and forth: the very same rows."""
    step = next((one for one in list_steps(house.tournament) if not is_reverted(one)), None)
    if step is None:
        return
    before = house.now_there
    if not revert(house, step):
        back = Step.objects.filter(tournament=house.tournament).latest("number")
        assert revert(house, back) == "", f"{step.kind} could not be done again"
        assert _differences(house.now_there, before) == {}, f"{step.kind} done again is not as before"


def _differences(now: Rows, before: Rows) -> dict[Any, Any]:
    """What is not as it was; a round that is released again has all its time."""
    all_keys, drawing_now = now.keys() | before.keys(), {"status": Round.Status.DRAWING}
    keys = {
        key for key in all_keys if not any(drawing_now.items() <= rows.get(key, {}).items() for rows in (now, before))
    }
    pairs = {key: (now.get(key) or {}, before.get(key) or {}) for key in keys}
    return {
        (*key, name): (one.get(name), other.get(name))
        for key, (one, other) in pairs.items()
        for name in one.keys() | other.keys()
        if one.get(name) != other.get(name) and name not in ("released_at", "ends_at")
    }
