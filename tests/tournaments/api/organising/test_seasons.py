"""A season run by a program: planned, opened, its tournaments and names, finished; each step once, logged, undone."""

from __future__ import annotations

from typing import Any

from games.models import Player
from tests.cast import NOW
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import Organiser
from tests.tournaments.cast import begin
from tests.tournaments.flow.seasons.test_season_changes import play
from tournaments.api.organising.programme_shapes import SeasonPlanIn, SeasonPlanOut
from tournaments.flow.clubs import membership
from tournaments.flow.seasons import season_plan
from tournaments.flow.seasons.season_plan import SeasonPlan
from tournaments.models import Club, Role, Season, Step
from tournaments.views.forms.season_forms import SeasonForm


def send_twice(desk: Organiser, path: str, **body: Any) -> Any:
    """The answer, which is the same and has changed nothing the second time."""
    body |= {"key": f"k{Step.objects.count()}"}
    first, steps = desk.post(path, **body), Step.objects.count()
    assert (desk.post(path, **body), Step.objects.count()) == (first, steps), path
    return first


def test_a_program_runs_a_season_to_its_end(desk: Organiser, host: Player, club: Club) -> None:
    made = send_twice(desk, f"/clubs/{club.slug}/seasons", name="Winter", best_of=2)
    base = f"/seasons/{made['id']}"
    assert (made["phase"], made["plan"]["best_of"], made["tournaments"]) == ("planned", 2, [])
    assert send_twice(desk, f"{base}/plan", about="Best two count.")["plan"] == made["plan"] | {
        "about": "Best two count."
    }
    desk.post(f"{base}/plan", 400, best_of=0)
    assert send_twice(desk, f"{base}/phase", phase="running")["phase"] == "running"
    first, second = (
        play(host, club, "Ada", "Bea", "Cem", "Dan", at=NOW + 1),
        play(host, club, "Ada B", "Bea", "Eli", "Fay", at=NOW + 2),
    )
    desk.post(f"{base}/phase", 409, phase="finished")
    for one in (first, second):
        counted = desk.post(f"{base}/tournaments", tournament=one.pk)["tournaments"]
    assert counted == [{"id": one.pk, "name": "Thursday", "phase": "finished"} for one in (first, second)]
    assert [one["shown"] for one in desk.get(f"{base}/names")] == [
        "Ada",
        "Bea",
        "Cem",
        "Dan",
        "Ada B",
        "Bea",
        "Eli",
        "Fay",
    ]
    named = desk.post(f"{base}/names", tournament=second.pk, entrant=1, name="Ada", key="n")
    assert (named[4]["name"], named[4]["shown"]) == ("Ada B", "Ada")
    desk.post(f"{base}/names", 404, tournament=second.pk, entrant=9, name="Ada")
    desk.post(f"{base}/names", 404, tournament="nowhere", entrant=1, name="Ada")
    [top, *_] = desk.get(base)["lines"]
    assert (top["name"], top["person"], top["played"], top["points"]) == ("Ada", None, 2, 2.0)
    assert send_twice(desk, f"{base}/tournaments", tournament=second.pk, counts=False)["tournaments"] == counted[:1]
    assert send_twice(desk, f"{base}/phase", phase="finished")["phase"] == "finished"
    assert desk.post(f"{base}/phase", phase="archived")["phase"] == "archived"
    assert [one["id"] for one in desk.get(f"/clubs/{club.slug}/seasons")] == [made["id"]]


def test_steps_of_a_season_are_logged_and_undone(desk: Organiser, club: Club) -> None:
    base = f"/seasons/{desk.post(f'/clubs/{club.slug}/seasons', name='Winter')['id']}"
    desk.post(f"{base}/phase", phase="running")
    [newest, _] = desk.get(f"{base}/steps")
    assert (newest["kind"], newest["who"], newest["what"]) == ("open-season", "Ana", "opened the season")
    assert len(desk.get(f"{base}/steps?before={newest['number']}")) == 1
    undone = send_twice(desk, f"{base}/steps/{newest['number']}/undo")
    assert (undone[0]["kind"], undone[1]["is_reverted"]) == ("undo", True)
    assert Season.objects.get().phase == "planned"
    desk.post(f"{base}/steps/99/undo", 404)
    desk.post(f"{base}/phase", phase="called-off")
    desk.post(f"{base}/phase", 409, phase="running")
    desk.post(f"{base}/phase", 422, phase="planned")


def test_strangers_see_no_hidden_season_and_no_hidden_tournament(
    described: Description, desk: Organiser, host: Player, club: Club
) -> None:
    path = f"/clubs/{club.slug}/seasons"
    hidden, shown = (desk.post(path, name=f"Year {is_public}", is_public=is_public) for is_public in (False, True))
    member, stranger = account("Ben"), Organiser(described, account("Zed"))
    membership.take_in(club.pk, member.pk, Role.MEMBER)
    assert [one["id"] for one in stranger.get(path)] == [shown["id"]]
    assert [one["id"] for one in Organiser(described, member).get(path)] == [shown["id"], hidden["id"]]
    desk.post(f"/seasons/{hidden['id']}/phase", phase="running")
    night = begin(host, (), club=club, is_public=False)
    desk.post(f"/seasons/{hidden['id']}/tournaments", tournament=night.pk)
    Season.objects.update(is_public=True)  # as an old one may be
    assert [one["tournaments"] for one in stranger.get(path)] == [[], []]
    for name in ("names", "steps"):
        Organiser(described, member).get(f"/seasons/{shown['id']}/{name}", 403)


def test_the_plan_of_a_season_by_api_has_every_field_of_its_form() -> None:
    wanted = set(SeasonPlan.__struct_fields__)
    assert set(SeasonPlanIn.model_fields) - {"key"} == set(SeasonPlanOut.model_fields) == wanted
    assert set(SeasonForm.base_fields) <= wanted | {"zone"}
    assert season_plan.columns(SeasonPlan(name="Winter")).keys() == wanted
