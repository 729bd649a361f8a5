"""Plans by API have whatever the form of a plan has: its fields, weekly repeats, templates."""

from __future__ import annotations

from games.models import Player
from tests.tournaments.api.organising.organiser import PLAN, Organiser
from tests.tournaments.cast import plan_season
from tournaments.api.organising.plan_shapes import NewTournamentIn, PlanIn
from tournaments.api.shapes import AgreementOut
from tournaments.flow.planning.tournament_plan import Agreement
from tournaments.flow.seasons import season_phases
from tournaments.models import Club, PlanTemplate, Tournament
from tournaments.views.forms.plan_form import PlanForm

OF_SEASONS = {"best_of"}
"""Fields of an agreement that tournaments do not have."""
PROPOSALS = {"expected", "length", "proposed", "zone"}
"""Fields of the form that only help to fill in others, or say in which zone its times are."""
IN_OPTIONS = {"deals"}
"""Fields of the form that stand in `options`."""
OVER_DAYS = {"pace", "round_days"}
"""Fields of the form for a tournament over days, which stand in `turn_seconds` and `round_minutes`."""
OF_CREATION = {"season", "weeks", "zone", "template"}
"""What a new tournament takes besides its plan."""


def test_no_field_of_the_form_is_missing_in_the_api() -> None:
    """If this fails after a new field of the plan: add it to `PlanIn` and `AgreementOut`, too."""
    plan = set(Agreement.__struct_fields__)
    assert set(AgreementOut.model_fields) == plan
    assert set(PlanIn.model_fields) - {"key"} == plan - OF_SEASONS
    assert set(NewTournamentIn.model_fields) - set(PlanIn.model_fields) == OF_CREATION
    fields = set(NewTournamentIn.model_fields) | PROPOSALS | IN_OPTIONS | OVER_DAYS
    assert set(PlanForm.base_fields) - fields == set()


def test_every_field_of_a_plan_is_sent_stored_and_told(desk: Organiser, club: Club) -> None:
    newer = {"capacity": 24, "fee": "5 euros", "entry_closes_at": "2055-06-03T18:00:00Z", "clubs_apart": "wish"}
    made = desk.post(f"/clubs/{club.slug}/tournaments", **PLAN, **newer)
    assert newer.items() <= made["agreement"].items()
    changed = desk.post(f"/tournaments/{made['id']}/plan", capacity=None, clubs_apart="must")
    assert (changed["agreement"]["capacity"], changed["agreement"]["clubs_apart"]) == (None, "must")
    assert changed["agreement"]["fee"] == "5 euros"
    for bad in ({"capacity": 1}, {"clubs_apart": "never"}, {"entry_closes_at": "2055-06-03T18:00:00"}):
        desk.post(f"/tournaments/{made['id']}/plan", 400, **bad)


def test_people_wait_when_all_places_are_taken_and_move_up(desk: Organiser, club: Club) -> None:
    made = desk.post(f"/clubs/{club.slug}/tournaments", **PLAN, capacity=2)
    base = f"/tournaments/{made['id']}"
    desk.post(f"{base}/phase", phase="entry")
    entered = [desk.post(f"{base}/entrants", name=name)["status"] for name in ("Ada", "Bea", "Cem")]
    assert entered == ["entered", "entered", "waiting"]
    desk.post(f"{base}/plan", capacity=3)
    assert [one["status"] for one in desk.get(f"{base}/entrants")] == ["entered"] * 3
    assert desk.post(f"{base}/entrants/1", fixed_table=3)["fixed_table"] == 3
    assert desk.post(f"{base}/entrants/1", fixed_table=None)["fixed_table"] is None
    desk.post(f"{base}/entrants/1", 400, fixed_table=0)


def test_a_tournament_is_planned_for_weeks_at_the_same_hour(desk: Organiser, club: Club, host: Player) -> None:
    year = plan_season(host, club)
    season_phases.open_season(year, host, now=0.0)
    path, october = f"/clubs/{club.slug}/tournaments", "2055-10-28T18:00:00+02:00"
    body = PLAN | {"starts_at": october, "weeks": 2, "season": year.pk, "zone": "Europe/Berlin", "key": "autumn"}
    first = desk.post(path, **body)
    assert desk.post(path, **body)["id"] == first["id"]
    moments = Tournament.objects.order_by("starts_at").values_list("starts_at", "season")
    assert [(at and at.isoformat(), season) for at, season in moments] == [
        ("2055-10-28T16:00:00+00:00", year.pk), ("2055-11-04T17:00:00+00:00", year.pk),
    ]  # fmt: skip
    desk.post(path, 400, **PLAN, weeks=2)
    desk.post(path, 400, **PLAN, weeks=27, starts_at=october)
    desk.post(path, 400, **PLAN, weeks=2, starts_at="2055-10-28T18:00:00")
    desk.post(path, 400, **PLAN, zone="Moon/Crater")
    assert Tournament.objects.count() == 2


def test_a_plan_is_kept_as_a_template(desk: Organiser, club: Club) -> None:
    path = f"/clubs/{club.slug}/tournaments"
    made = desk.post(path, **PLAN, fee="5 euros", starts_at="2055-06-04T18:00:00Z")
    saved = desk.post(f"/tournaments/{made['id']}/template", name="Usual", key="t")
    assert desk.post(f"/tournaments/{made['id']}/template", name="Usual", key="t") == saved
    assert desk.get(f"/clubs/{club.slug}/templates") == [saved]
    again = desk.post(path, name="Friday", game="animal-poker", options={}, template=saved["id"])["agreement"]
    assert (again["name"], again["game"], again["fee"], again["starts_at"]) == (
        "Friday",
        "animal-poker",
        "5 euros",
        None,
    )
    assert desk.post(f"/clubs/{club.slug}/templates/{saved['id']}/delete") == []
    assert not PlanTemplate.objects.exists()
    desk.post(path, 404, name="Friday", game="animal-poker", template=saved["id"])
