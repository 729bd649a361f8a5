"""Who may lead a tournament by the API: the console's rules, and the token's scope besides."""

from __future__ import annotations

import time

import pytest

from games.models import Player
from tests.cast import NOW
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import PLAN, Organiser
from tests.tournaments.api.test_described import Program
from tests.tournaments.cast import NAMES, begin, found, plan_season, release
from tournaments.flow.clubs import api_keys, membership, moderation
from tournaments.flow.entry import teams
from tournaments.models import Club, ModerationStep, Role, Step, Tournament


@pytest.fixture
def tournament(host: Player) -> Tournament:
    made = begin(host, NAMES[:8], venue="real", least=4, most=4, rounds_planned=2, team_size=2)
    teams.name_team(made, host, "Foxes", now=NOW)
    release(host, made, 1)
    return made


def list_changes(tournament: Tournament, host: Player) -> list[tuple[str, dict[str, object]]]:
    """Every address that changes something and needs an organiser, with a body that would."""
    base, here = f"/tournaments/{tournament.pk}", f"/tournaments/{tournament.pk}/rounds/1"
    club, year = f"/clubs/{tournament.club.slug}", f"/seasons/{plan_season(host, tournament.club).pk}"
    other = account("Mia")
    membership.take_in(tournament.club_id, other.pk, Role.MEMBER)
    moderation.silence(tournament.club, host, other.pk, hours=1, now=time.time())
    step = ModerationStep.objects.get().pk
    return [
        (f"/clubs/{tournament.club.slug}/tournaments", PLAN), (f"{base}/plan", {"about": "New."}), (f"{base}/copy", {}),
        (f"{base}/phase", {"phase": "finished"}), (f"{base}/entrants", {"name": "Zoe"}), (f"{base}/arena", {}),
        (f"{base}/import", {"csv": "name\nZoe"}), (f"{base}/attendance", {"entrants": [1], "mark": "away"}),
        (f"{base}/entrants/1", {"name": "Zoe"}), (f"{base}/teams", {"name": "Bears"}),
        (f"{base}/teams/1", {"name": "Owls"}), (f"{base}/teams/1/members", {"entrants": [1], "role": "member"}),
        (f"{base}/penalties", {"entrant": 1, "points": 420, "reason": "Late."}),
        (f"{base}/pair-rules", {"first": 1, "second": 2, "kind": "apart"}), (f"{base}/rounds/2/draw", {}),
        (f"{here}/cancel", {}), (f"{here}/swap", {"first": 1, "second": 2}),
        (f"{here}/reseat", {"first": 1, "second": 2}),
        (f"{here}/tables/1/lock", {}), (f"{here}/tables/1/online", {}), (f"{here}/release", {}),
        (f"{here}/complete", {"missing": "void"}), (f"{here}/pause", {}), (f"{here}/resume", {}), (f"{here}/bell", {}),
        (f"{here}/begin", {}), (f"{here}/extend", {"minutes": 5}),
        (f"{here}/tables/1/seats/0/fate", {"fate": "forfeit"}),
        (f"{here}/tables/1/seats/0/substitute", {"name": "Zoe"}), (f"{base}/steps/1/undo", {}),
        (f"{base}/template", {"name": "Usual"}), (f"{club}/templates/1/delete", {}),
        (f"{club}/seasons", {"name": "Winter"}), (f"{year}/plan", {"about": "New."}),
        (f"{year}/phase", {"phase": "running"}), (f"{year}/tournaments", {"tournament": tournament.pk}),
        (f"{year}/names", {"tournament": tournament.pk, "entrant": 1, "name": "Zoe"}), (f"{year}/steps/1/undo", {}),
        (f"{club}/members/{other.pk}/role", {"role": "organiser"}), (f"{club}/members/{other.pk}/remove", {}),
        (f"{club}/kept-out/{other.pk}/let-in", {}), (f"{club}/invitations", {}),
        (f"{club}/invitations/x/withdraw", {}), (f"{club}/steps/{step}/undo", {}),
    ]  # fmt: skip


def test_every_change_needs_the_scope_and_the_role(
    described: Description, tournament: Tournament, host: Player
) -> None:
    """Without the scope; with it as a member, as organiser of another club, with a club's key, and as nobody."""
    ben, cem = account("Ben"), account("Cem")
    membership.take_in(tournament.club_id, ben.pk, Role.MEMBER)
    found(cem, "Second Club")
    others = [
        (Organiser(described, host, "read", "club", "play", "results").program, 403),
        (Organiser(described, ben).program, 403),
        (Organiser(described, cem).program, 403),
        (Program(described, api_keys.make(tournament.club, host, "desk")), 401),
        (Program(described), 401),
    ]
    changes = list_changes(tournament, host)
    steps = Step.objects.count()
    for path, body in changes:
        for program, status in others:
            assert program.post(path, body) == status, (path, status)
    assert (Step.objects.count(), Tournament.objects.count()) == (steps, 1)
    operations = {path for path, method in described.operations() if method == "post" and _is_change(described, path)}
    assert operations == {path for path, method, status in described.seen if status == 403 and method == "post"}
    desk = Organiser(described, host).program
    assert not [path for path, body in changes if desk.post(path, body) in (401, 403, 404, 422)]


def _is_change(described: Description, path: str) -> bool:
    """Whether this address is for organisers; players report, confirm and dispute results of their own tables, and
    members open evenings (`test_evenings`)."""
    tags = described.document["paths"][path]["post"]["tags"]
    return tags == ["organise"] and not path.endswith(("/report", "/confirm", "/reject")) and "evening" not in path


def test_who_enters_results_does_nothing_else(described: Description, tournament: Tournament, host: Player) -> None:
    scorer = Organiser(described, host, "results")
    answer = scorer.post(f"/tournaments/{tournament.pk}/rounds/1/tables/1/result", places=[1, 2, 3, 4])
    assert [seat["place"] for seat in answer["pods"][0]["seats"]] == [1, 2, 3, 4]
    scorer.post(f"/tournaments/{tournament.pk}/rounds/1/complete", 403, missing="void")
    scorer.get(f"/tournaments/{tournament.pk}/rounds/1", 403)
    scorer.get(f"/tournaments/{tournament.pk}/steps", 403)


def test_drafts_rules_and_the_log_are_for_organisers(described: Description, tournament: Tournament) -> None:
    ben = account("Ben")
    membership.take_in(tournament.club_id, ben.pk, Role.MEMBER)
    member = Organiser(described, ben)
    for path in ("rounds/1", "pair-rules", "steps"):
        member.get(f"/tournaments/{tournament.pk}/{path}", 403)


def test_a_private_tournament_is_led_by_its_organisers_alone(described: Description, host: Player) -> None:
    made = begin(host, NAMES[:4], is_public=False)
    Club.objects.update(is_public=False)
    Organiser(described, account("Ben")).post(f"/tournaments/{made.pk}/plan", 403, about="x")
    assert Organiser(described, host, "tournaments:write").post(f"/tournaments/{made.pk}/plan", about="x")
