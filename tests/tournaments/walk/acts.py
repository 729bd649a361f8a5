"""What organisers do at the console: each act picks somebody and something by chance, sensible or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.urls import reverse

from tests.tournaments.walk.site import Rows, Site
from tournaments.flow.drawing import draw_requests
from tournaments.flow.planning import tournament_plan
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.flow.undo import season_undo
from tournaments.flow.undo.step_undo import FINAL_KINDS, is_reverted, list_steps, origin_of
from tournaments.models import PodSeat, Round, Step

Act = Callable[[Site], None]
TWICE = 0.2
"""How often a button is pressed by two organisers, one after the other, on the same page."""


def do(site: Site, action: str, **form: Any) -> str:
    """A button of the console; now and then pressed twice, which is once."""
    sentence = site.press(site.organiser(), "do", action=action, **form)
    if not sentence and site.rng.random() < TWICE:
        before = site.now_there
        site.press(site.organiser(), "do", action=action, **form)
        assert site.now_there == before, f"{action} pressed twice"
    return sentence


def _number(site: Site) -> int:
    last = site.last_round()
    return last.number if last else 1


def _key(site: Site) -> str:
    return f"{site.rng.random():.12f}"


def _round(site: Site, action: str, **form: Any) -> str:
    return do(site, action, round=_number(site), **form)


def open_entry(site: Site) -> None:
    do(site, "open-entry")


def start_check_in(site: Site) -> None:
    do(site, "check-in")


def open_arena(site: Site) -> None:
    do(site, "open-arena")


def draw(site: Site) -> None:
    last = site.last_round()
    number = 1 if last is None else last.number + (last.status == Round.Status.COMPLETE)
    if last is not None and last.status == Round.Status.DRAFT:
        do(site, "draw", round=last.number, again=1, instead=last.seed)
    else:
        do(site, "draw", round=number)


def work_out(site: Site) -> None:
    """A worker comes to the draw that was asked for."""
    last = site.last_round()
    if last is not None and last.status == Round.Status.DRAWING:
        if site.rng.random() < 0.1:
            _round(site, "cancel-draw")
        else:
            site.run(
                "the draw is done", lambda: draw_requests.run_draw(last.pk, last.drawing, site.owner, now=site.now)
            )


def release(site: Site) -> None:
    _round(site, "release")


def complete(site: Site) -> None:
    _round(site, "complete", missing=site.rng.choice(("", "", "void", "shared")))


def pause(site: Site) -> None:
    _round(site, "pause")


def resume(site: Site) -> None:
    _round(site, "resume")


def ring(site: Site) -> None:
    _round(site, "bell")


def begin(site: Site) -> None:
    _round(site, "begin")


def extend(site: Site) -> None:
    _round(site, "extend", minutes=site.rng.choice((5, 30, -5, -40)), key=_key(site))


def finish(site: Site) -> None:
    do(site, "finish")


def call_off(site: Site) -> None:
    do(site, "call-off")


def archive(site: Site) -> None:
    do(site, "archive")


def count(site: Site) -> None:
    """For the season, or not."""
    counts, mine = site.rng.random() < 0.7, site.tournament.pk
    site.run(
        f"counts: {counts}",
        lambda: season_changes.count_tournament(site.season, site.organiser(), mine, counts=counts, now=site.now),
    )


def end_season(site: Site) -> None:
    """The season is over, or that is taken back."""
    steps = [step for step in list_steps(site.season) if not is_reverted(step)]
    if steps and site.rng.random() < 0.6:
        number = steps[0].number
        site.run("season: undo", lambda: season_undo.revert(site.season, site.owner, number, now=site.now))
    elif site.rng.random() < 0.3:
        site.run("season: called off", lambda: season_phases.call_off(site.season, site.owner, now=site.now))
    else:
        site.run("season: end", lambda: season_phases.finish(site.season, site.owner, now=site.now))


def walk_in(site: Site) -> None:
    if len(site.entrants()) < 16:
        do(site, "walk-in", name=f"W{site.rng.randrange(30)}")


def add_bot(site: Site) -> None:
    if len(site.entrants()) < 16:
        do(site, "bot", name=f"B{site.rng.randrange(4)}", level="steady")


def import_list(site: Site) -> None:
    if len(site.entrants()) < 12:
        text = "\n".join(f"W{site.rng.randrange(30)}" for _ in range(3))
        site.press(site.organiser(), "import", text=text, sure=1, skip=1)


def _choose_entrants(site: Site, *, more: int = 3) -> list[int]:
    ids = [one.pk for one in site.entrants()]
    return site.rng.sample(ids, min(len(ids), site.rng.randint(1, more)))


def people(site: Site) -> None:
    what = site.rng.choice(("present", "present", "missing", "away", "back", "withdraw", "return"))
    if ids := _choose_entrants(site):
        do(site, "people", what=what, entrant=ids)


def everybody_is_here(site: Site) -> None:
    do(site, "people", what="present", entrant=[one.pk for one in site.entrants(status="entered")])


def rename(site: Site) -> None:
    for pk in _choose_entrants(site, more=1):
        do(site, "rename", entrant=pk, name=f"N{site.rng.randrange(30)}")


def seed(site: Site) -> None:
    for pk in _choose_entrants(site, more=1):
        do(site, "seed", entrant=pk, seed=site.rng.choice(("", "1", "1", "2", "0", "x")))


def penalise(site: Site) -> None:
    for pk in _choose_entrants(site, more=1):
        do(site, "penalty", entrant=pk, points=site.rng.choice(("0.5", "-1", "x")), reason="late", key=_key(site))


def rule_pair(site: Site) -> None:
    ids = _choose_entrants(site, more=2)
    if len(ids) == 2:
        do(site, "pair-rule", first=ids[0], second=ids[1], kind=site.rng.choice(("apart", "apart", "together", "")))


def keep(site: Site) -> None:
    for pod in site.rng.sample(site.pods(), min(1, len(site.pods()))):
        do(site, "keep", pod=pod.pk, on=site.rng.choice("01"))


def move(site: Site) -> None:
    for pod in site.rng.sample(site.pods(), min(1, len(site.pods()))):
        do(site, "move", pod=pod.pk, on=site.rng.choice("01"))


def swap(site: Site) -> None:
    ids = _choose_entrants(site, more=2)
    if len(ids) == 2:
        _round(site, "swap", first=ids[0], second=ids[1], key=_key(site))


def reseat(site: Site) -> None:
    """Two people sat down at each other's tables."""
    if len(chairs := list_chairs(site)) > 1:
        first, second = site.rng.sample([chair.entrant_id for chair in chairs], 2)
        _round(site, "reseat", first=first, second=second, key=_key(site))


def list_chairs(site: Site) -> list[PodSeat]:
    return list(PodSeat.objects.filter(pod__in=site.pods()).order_by("pk"))


def set_fate(site: Site) -> None:
    if chairs := list_chairs(site):
        do(site, "fate", seat=site.rng.choice(chairs).pk, fate=site.rng.choice(("no-show", "forfeit", "plays")))


def substitute(site: Site) -> None:
    if chairs := list_chairs(site):
        who: dict[str, Any] = site.rng.choice(
            ({"member": site.helpers[0].pk}, {"member": site.helpers[1].pk}, {"member": site.people[0].pk},
             {"name": "Uncle Bob"}, {})
        )  # fmt: skip
        do(site, "substitute", seat=site.rng.choice(chairs).pk, **who)


def revise(site: Site) -> None:
    """Something of the plan: before the first draw anything, then what is free."""
    changes: dict[str, Any] = site.rng.choice(
        ({"rounds_planned": 4}, {"venue": "online"}, {"venue": "mixed"}, {"round_minutes": 20}, {"most": 6},
         {"points": "table"}, {"points": "beaten"}, {"bots_fill": True}, {"format": "swiss"})
    )  # fmt: skip
    site.tournament.refresh_from_db()
    if site.tournament.format == "ladder":
        changes.pop("format", None)
    wanted = msgspec.structs.replace(tournament_plan.read(site.tournament), **changes)
    site.run(
        f"revise {changes}", lambda: tournament_plan.revise(site.tournament, site.organiser(), wanted, now=site.now)
    )


def decide(site: Site) -> None:
    if pods := site.pods():
        pod = site.rng.choice(pods)
        count = pod.seats.count()
        form: dict[str, Any] = {f"place-{index}": site.rng.randint(1, count) for index in range(count)}
        form["place-0"] = 1
        if site.rng.random() < 0.2:
            form = {"how": site.rng.choice(("void", "shared"))}
        do(site, "decide", pod=pod.pk, **form)


def decide_all(site: Site) -> None:
    for pod in site.pods():
        if not pod.results.filter(status="accepted").exists():
            places = list(range(1, pod.seats.count() + 1))
            site.rng.shuffle(places)
            do(site, "decide", pod=pod.pk, **{f"place-{index}": place for index, place in enumerate(places)})


def undo(site: Site) -> None:
    """Take a step back, the last one or any other; where nothing lay between, it is as it was before it."""
    steps = [step for step in list_steps(site.tournament) if not is_reverted(step)]
    if not steps:
        return
    step = steps[0] if site.rng.random() < 0.6 else site.rng.choice(steps)
    revert(site, step)


def revert(site: Site, step: Step) -> str:
    """Take it back; where it was the last one, everything is as it was before it."""
    newest = Step.objects.filter(tournament=site.tournament).latest("number").number
    expected = site.before.get(step.number) if newest == step.number else None
    sentence = do(site, "undo", step=step.number)
    if origin_of(step).kind in FINAL_KINDS:
        assert sentence, f"{step.kind} was taken back"
    elif expected is not None and not sentence:
        assert _differences(site.now_there, expected) == {}, f"{step.kind} taken back is not as before"
    return sentence


def take_back(site: Site) -> None:
    """The buttons of the console that take the last step back, or do it again: what is offered is not refused."""
    offered = site.clients[site.owner.pk].get(reverse("tournaments:console", args=[site.tournament.pk])).context
    row = offered["undo"] if offered["redo"] is None or site.rng.random() < 0.5 else offered["redo"]
    if row is not None:
        sentence = revert(site, Step.objects.get(tournament=site.tournament, number=row["number"]))
        assert not sentence, f"what was offered was refused: {row['what']}"


def read_log(site: Site) -> None:
    """A step of the whole log: it has a button exactly if that is not refused."""
    page = site.clients[site.owner.pk].get(reverse("tournaments:log", args=[site.tournament.pk])).content.decode()
    lines = [line for line in page.split('<li id="step-')[1:] if ' class="reverted"' not in line[:40]]
    if lines:
        line = site.rng.choice(lines)
        step = Step.objects.get(tournament=site.tournament, number=int(line.partition('"')[0]))
        is_offered = 'value="undo"' in line
        assert bool(revert(site, step)) != is_offered, f"{step.kind} was {'offered' if is_offered else 'not offered'}"


def undo_and_redo(site: Site) -> None:
    """Back and forth: the very same rows."""
    step = next((one for one in list_steps(site.tournament) if not is_reverted(one)), None)
    if step is None:
        return
    before = site.now_there
    if not revert(site, step):
        back = Step.objects.filter(tournament=site.tournament).latest("number")
        assert revert(site, back) == "", f"{step.kind} could not be done again"
        assert _differences(site.now_there, before) == {}, f"{step.kind} done again is not as before"


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
