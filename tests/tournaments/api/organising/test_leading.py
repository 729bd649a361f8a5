"""What an organiser's program can correct: plans, lists, drafts, seats, disputed results, and any step."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Player
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import PLAN, Organiser
from tests.tournaments.cast import NAMES, begin, draw, plan_season, release
from tournaments.flow.clubs import membership
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import sign_up
from tournaments.flow.seasons import season_phases
from tournaments.models import Entrant, Penalty, Result, Role, Round, Tournament
from tournaments.work import tasks

NOON = "2055-06-04T12:00:00Z"


@pytest.fixture
def tournament(host: Player) -> Tournament:
    return begin(host, NAMES[:8], venue="real", least=4, most=4, rounds_planned=2)


def list_seats(expected: dict[str, Any]) -> list[list[int]]:
    """The numbers of the entrants of each table."""
    return [[seat["entrant"] for seat in table["seats"]] for table in expected["tables"]]


def test_a_plan_is_changed_by_what_is_sent_and_copied(desk: Organiser, tournament: Tournament, host: Player) -> None:
    base = f"/tournaments/{tournament.pk}"
    before = desk.get(base)["agreement"]
    changed = desk.post(f"{base}/plan", about="Bring cake.", round_minutes=30)["agreement"]
    assert changed == before | {"about": "Bring cake.", "round_minutes": 30}
    assert desk.post(f"{base}/plan", round_minutes=None)["agreement"]["round_minutes"] is None
    desk.post(f"{base}/plan", 400, rounds_planned=99)
    desk.post(f"{base}/plan", 422, wanted=-1)
    draw(host, tournament, 1)
    settled = desk.post(f"{base}/plan", 400, points="table")
    assert "After the first draw" in settled["sentence"]
    copied = desk.post(f"{base}/copy", starts_at=NOON, key="again")
    assert desk.post(f"{base}/copy", starts_at=NOON, key="again")["id"] == copied["id"]
    assert (copied["phase"], copied["entrants"], copied["name"]) == ("planned", 0, "Thursday")
    assert copied["agreement"] == changed | {"round_minutes": None, "starts_at": "2055-06-04T12:00:00Z"}


def test_a_tournament_is_created_for_a_season_and_called_off(
    desk: Organiser, tournament: Tournament, host: Player
) -> None:
    year = plan_season(host, tournament.club)
    path = f"/clubs/{tournament.club.slug}/tournaments"
    desk.post(path, 404, **PLAN, season="nowhere")
    assert Tournament.objects.count() == 1
    season_phases.open_season(year, host, now=0.0)
    made = desk.post(path, **PLAN, season=year.pk)
    assert Tournament.objects.get(pk=made["id"]).season_id == year.pk
    desk.post(path, 422, name="No game")
    desk.post(path, 400, **PLAN | {"game": "chess"})
    desk.post("/clubs/nowhere/tournaments", 404, **PLAN)
    assert desk.post(f"/tournaments/{made['id']}/phase", phase="called-off")["phase"] == "called-off"
    desk.post(f"/tournaments/{made['id']}/phase", 422, phase="running")
    desk.post(f"/tournaments/{made['id']}/phase", 409, phase="entry")


def test_entrants_are_imported_marked_seeded_and_penalised(desk: Organiser, tournament: Tournament) -> None:
    base = f"/tournaments/{tournament.pk}"
    bad = desk.post(f"{base}/import", 400, csv="name,seed\nIda,1\nJan,strong")
    assert bad["sentence"].startswith("Line 3: ")
    done = desk.post(f"{base}/import", csv="name,seed\nIda,1\nJan,strong", skip=True)
    assert (done["added"], [row["line"] for row in done["left_out"]], len(done["entrants"])) == (1, [3], 9)
    assert done["entrants"][8]["status"] == "entered"
    for mark, shown in (("present", ("present", False)), ("away", ("present", True)), ("back", ("present", False)),
                        ("withdraw", ("withdrawn", False)), ("return", ("present", False))):  # fmt: skip
        answer = desk.post(f"{base}/attendance", entrants=[9], mark=mark)[8]
        assert (answer["status"], answer["is_away"]) == shown, mark
    desk.post(f"{base}/attendance", 404, entrants=[9, 99], mark="away")
    desk.post(f"{base}/attendance", 422, entrants=[9], mark="late")
    desk.post(f"{base}/entrants", 400, name="Robo", bot="grandmaster")
    desk.post(f"{base}/entrants/99", 404, name="Zoe")
    late = {"entrant": 2, "points": 420, "reason": "Late.", "key": "late"}
    first, again = (desk.post(f"{base}/penalties", **late) for _ in range(2))
    assert first == again == [{"entrant": 2, "round": 1, "points": 420, "reason": "Late."}]
    assert Penalty.objects.count() == 1
    desk.post(f"{base}/penalties", 400, entrant=2, points=0, reason="Late.")


def test_a_fixed_table_is_told_to_organisers_only(desk: Organiser, tournament: Tournament) -> None:
    base = f"/tournaments/{tournament.pk}"
    Entrant.objects.filter(tournament=tournament, number=1).update(fixed_table=2)
    assert desk.post(f"{base}/attendance", entrants=[2], mark="away")[0]["fixed_table"] == 2
    assert {answer["fixed_table"] for answer in desk.get(f"{base}/entrants")} == {None}


def test_a_draft_obeys_rules_about_pairs_and_is_corrected(desk: Organiser, tournament: Tournament) -> None:
    base, here = f"/tournaments/{tournament.pk}", f"/tournaments/{tournament.pk}/rounds/1"
    desk.get(here, 404)
    rules = desk.post(f"{base}/pair-rules", first=2, second=1, kind="apart")
    assert rules == desk.get(f"{base}/pair-rules") == [{"first": 1, "second": 2, "kind": "apart"}]
    drafted = desk.post(f"{here}/draw")
    first, second = list_seats(drafted)
    assert [len({1, 2} & {*seats}) for seats in (first, second)] == [1, 1]
    assert desk.get(here) == drafted
    one_of, other = (next(number for number in seats if number > 2) for seats in (first, second))
    swapped = desk.post(f"{here}/swap", first=one_of, second=other, key="s")
    assert desk.post(f"{here}/swap", first=one_of, second=other, key="s") == swapped
    assert one_of in list_seats(swapped)[1]
    desk.post(f"{here}/swap", 409, first=one_of, second=other, first_table=1)
    with_two = next(seats for seats in list_seats(swapped) if 2 in seats)
    desk.post(f"{here}/swap", 400, first=1, second=next(number for number in with_two if number > 2))
    assert desk.post(f"{here}/tables/1/lock")["tables"][0]["is_locked"]
    kept = desk.post(f"{here}/draw", again=True, instead=swapped["seed"])
    assert sorted(list_seats(swapped)[0]) in [sorted(seats) for seats in list_seats(kept)]
    desk.post(f"{here}/tables/9/lock", 404)
    assert desk.post(f"{base}/pair-rules", first=1, second=2, kind=None) == []


def test_a_draw_that_fails_says_why(desk: Organiser, tournament: Tournament) -> None:
    here = f"/tournaments/{tournament.pk}/rounds/1"
    first, second = list_seats(desk.post(f"{here}/draw"))[0][:2]
    desk.post(f"{here}/tables/1/lock")
    desk.post(f"/tournaments/{tournament.pk}/pair-rules", first=first, second=second, kind="apart")
    failed = desk.post(f"{here}/draw", again=True)
    assert (failed["status"], failed["draw"], len(failed["tables"])) == ("draft", None, 1)
    assert failed["trouble"]
    desk.post(f"{here}/release", 409)


def test_a_long_draw_goes_on_behind_and_can_be_cancelled(
    desk: Organiser, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(draw_requests, "MAX_INLINE_PEOPLE", 4)
    monkeypatch.setattr(tasks, "send_task", lambda _task, *arguments: sent.append(arguments))
    here = f"/tournaments/{tournament.pk}/rounds/1"
    assert desk.post(f"{here}/draw", key="a")["status"] == "drawing"
    assert [arguments[0] for arguments in sent] == [Round.objects.get().pk]
    assert desk.post(f"{here}/cancel") == []
    assert not Round.objects.exists()
    desk.post(f"{here}/draw", key="b")
    tasks.run_draw(*sent[-1])
    assert desk.get(here)["status"] == "draft"


def test_results_are_reported_disputed_and_decided(
    described: Description, desk: Organiser, tournament: Tournament
) -> None:
    ben, zed = account("Ben"), account("Zed")
    for player in (ben, zed):
        sign_up.enter(tournament, player, now=0.0)
    desk.post(f"/tournaments/{tournament.pk}/attendance", entrants=[7, 8], mark="away")
    desk.post(f"/tournaments/{tournament.pk}/pair-rules", first=9, second=10, kind="together")
    here = f"/tournaments/{tournament.pk}/rounds/1"
    drawn = desk.post(f"{here}/draw")
    desk.post(f"{here}/release")
    table = next(
        tournament["number"] for tournament in drawn["tables"] if 9 in [seat["entrant"] for seat in tournament["seats"]]
    )
    mine, theirs = (Organiser(described, player, "results") for player in (ben, zed))
    path = f"{here}/tables/{table}"
    mine.post(f"{path}/report", places=[1, 2, 3, 4])
    [report] = desk.get(here)["tables"][table - 1]["reports"]
    assert (report["status"], report["places"], report["rejected_by"]) == ("proposed", [1, 2, 3, 4], "")
    mine.post(f"/tournaments/{tournament.pk}/reports/{report['id']}/confirm", 403)
    theirs.post(f"/tournaments/{tournament.pk}/reports/{report['id']}/reject")
    [report] = desk.get(here)["tables"][table - 1]["reports"]
    assert (report["status"], report["rejected_by"]) == ("rejected", "Zed")
    mine.post(f"{path}/report", places=[2, 1, 3, 4])
    newest = Result.objects.latest("pk").pk
    answer = theirs.post(f"/tournaments/{tournament.pk}/reports/{newest}/confirm")
    assert [seat["place"] for seat in answer["pods"][table - 1]["seats"]] == [2, 1, 3, 4]
    held = desk.get(here)
    assert (held["missing"], held["tables"][table - 1]["reports"]) == ([3 - table], [])
    desk.post(f"/tournaments/{tournament.pk}/reports/{newest + 9}/confirm", 404)
    void = desk.post(f"{here}/tables/{3 - table}/result", counts_as="void")
    assert void["pods"][2 - table]["is_void"]
    shared = desk.post(f"{path}/result", counts_as="shared")["pods"][table - 1]["seats"]
    assert [seat["place"] for seat in shared] == [1, 1, 1, 1]
    mine.post(f"{path}/result", 403, places=[1, 2, 3, 4])


def test_seats_times_and_steps(desk: Organiser, tournament: Tournament, host: Player, described: Description) -> None:
    release(host, tournament, 1)
    base, here = f"/tournaments/{tournament.pk}", f"/tournaments/{tournament.pk}/rounds/1"
    longer = desk.post(f"{here}/extend", minutes=10, key="more")
    assert desk.post(f"{here}/extend", minutes=10, key="more")["ends_at"] == longer["ends_at"] is not None
    assert desk.post(f"{here}/pause")["paused_at"] is not None
    assert desk.post(f"{here}/resume")["paused_at"] is None
    desk.post(f"{here}/extend", 400, minutes=0)
    assert desk.post(f"{here}/tables/1/seats/0/fate", fate="no-show")["tables"][0]["seats"][0]["fate"] == "no-show"
    answer = desk.post(f"{here}/tables/1/seats/0/substitute", name="Zoe")["tables"][0]["seats"][0]
    assert (answer["fate"], answer["substitute"]) == ("plays", "Zoe")
    ben = account("Ben")
    desk.post(f"{here}/tables/1/seats/1/substitute", 400, person=ben.pk)
    membership.take_in(tournament.club_id, ben.pk, Role.MEMBER)
    assert (
        desk.post(f"{here}/tables/1/seats/1/substitute", person=ben.pk)["tables"][0]["seats"][1]["substitute"] == "Ben"
    )
    desk.post(f"{here}/tables/1/seats/9/fate", 404, fate="forfeit")
    first, second = list_seats(answer := desk.get(here))
    answer = desk.post(f"{here}/reseat", first=first[2], second=second[2], first_table=1, second_table=2)
    assert (list_seats(answer)[0][2], list_seats(answer)[1][2]) == (second[2], first[2])
    log = desk.get(f"{base}/steps")
    assert (log[0]["kind"], log[0]["who"], log[0]["is_reverted"]) == ("reseat", "Ana", False)
    assert log[0]["what"]
    assert len(desk.get(f"{base}/steps?before={log[0]['number']}")) == len(log) - 1
    undone = desk.post(f"{base}/steps/{log[0]['number']}/undo", key="u")
    assert (undone[0]["kind"], undone[1]["is_reverted"]) == ("undo", True)
    assert list_seats(desk.get(here)) == [first, second]
    redone = desk.post(f"{base}/steps/{undone[0]['number']}/undo")
    assert desk.post(f"{base}/steps/{log[0]['number']}/undo", key="u") == redone  # sent again late: nothing happens
    desk.post(f"{base}/steps/99999/undo", 404)
    desk.post(f"{here}/complete", 409)
    assert desk.post(f"{here}/bell")["has_rung"]
