"""Every address of clubs and tournaments × everybody. tests/test_permissions.py misses an address without a row."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games import models
from games.accounts import rate_limits
from games.models import SharedDeal
from tests.cast import NOW, browser, person
from tests.tournaments.cast import check_in, enter, plan, plan_season, release
from tournaments.flow.archive import import_job
from tournaments.flow.clubs import club_talk, invitations, membership
from tournaments.flow.entry import duties, sign_up
from tournaments.flow.evenings import sessions
from tournaments.models import Club, Entrant, Membership, Role, Tournament

ROLES = ("stranger", "guest", "entrant", "member", "organiser", "owner", "staff")
"""stranger: no session; guest: owns another club and plays there; entrant: plays in the tournament, is no member;
staff: in the admin."""


@dataclass
class Room:
    """A club and a tournament for members only, with a released round, and everybody's browser."""

    club: Club
    tournament: Tournament
    clients: dict[str, Client]
    words: dict[str, Any]


def build() -> Room:
    """The club, its people and their browsers."""
    owner, organiser, member, guest = person("Olga"), person("Otto"), person("Mara"), person("Gina")
    club = membership.found_club(owner, name="Harbour Club", is_public=False)
    for player, role in ((organiser, Role.ORGANISER), (member, Role.MEMBER)):
        Membership.objects.create(club=club, player=player, role=role)
    tournament = plan(owner, club, venue="real", is_public=False, wanted=4, most=4, team_size=2)
    check_in(owner, tournament, ["Ada", "Bea", "Cem"])
    (entrant,) = enter(tournament, "Enzo")
    release(owner, tournament, 1)
    elsewhere = plan(guest, membership.found_club(guest, name="Hill Club"))
    check_in(guest, elsewhere)
    sign_up.enter(elsewhere, guest, now=NOW)
    sessions.open_evening(elsewhere.club, guest, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time())
    invitation = invitations.invite(club, owner)
    club_talk.say(club, owner, phrase="thanks", now=time.time())
    evening = sessions.open_evening(club, owner, sessions.EveningPlan("Friday", "animal-poker", 30), now=time.time())
    season = plan_season(owner, club, is_public=False, tie_breaks=["wins"])
    walk_in = Entrant.objects.get(tournament=tournament, name="Ada")
    boss = models.User.objects.create_superuser("boss", password="a long pass phrase")
    staff = Client()
    staff.force_login(boss)
    clients = {
        "stranger": Client(), "guest": browser(guest), "entrant": browser(entrant), "member": browser(member),
        "organiser": browser(organiser), "owner": browser(owner), "staff": staff,
    }  # fmt: skip
    words = {
        "CLUB": club.slug, "T": tournament.pk, "TOKEN": invitation.token,
        "MEMBER": club.memberships.get(player=member).pk,
        "ENTRY": tournament.entry_token, "CLAIM": walk_in.claim_token,
        "E": evening.pk, "S": season.pk, "POD": tournament.rounds.get().pods.get().pk, "RESULT": 0,
        "GUEST": evening.guest_token,
        "DUTY": duties.give_duty(tournament, owner, "door", name="Dora", now=NOW).token,
        "JOB": import_job.ask(club, owner, b"PK", "night.zip", now=time.time()).pk,
    }  # fmt: skip
    return Room(club, tournament, clients, words)


def rights(least: str, yes: int, no: int = 403) -> Mapping[str, int]:
    """What those who may get, and all others. staff counts as nobody: the admin is elsewhere."""
    order = ("stranger", "guest", "entrant", "member", "organiser", "owner")
    allowed = set(order[order.index(least) :]) | ({"staff"} if least == "stranger" else set())
    return {role: yes if role in allowed else no for role in ROLES}


MEMBERS = {**rights("member", 200), "entrant": 403}
SEEN = rights("entrant", 200)
RUN = rights("organiser", 302)
EVENING = {"name": "Friday", "game": "animal-poker", "minutes": 30}
PODS: dict[str, Any] = {"action": "enter", "place-0": 1, "place-1": 2, "place-2": 3, "place-3": 4}

Row = tuple[str, tuple[Any, ...], Mapping[str, Any], Mapping[str, int]]
ROWS: tuple[Row, ...] = (
    ("clubs", (), {}, rights("stranger", 200)),
    ("new_club", (), {}, rights("stranger", 200)),
    ("new_club", (), {"name": "Another club"}, rights("stranger", 302)),
    ("new_club", (), {"name": "x"}, rights("stranger", 422)),
    ("club", ("CLUB",), {}, MEMBERS),
    ("club", ("nowhere",), {}, rights("stranger", 404)),
    ("edit_club", ("CLUB",), {}, rights("owner", 200)),
    ("edit_club", ("CLUB",), {"name": "Harbour Club"}, rights("owner", 302)),
    ("invite", ("CLUB",), {"role": "member"}, RUN),
    ("invite", ("CLUB",), {"role": "organiser"}, rights("owner", 302)),
    ("withdraw_invitation", ("CLUB", "TOKEN"), {"x": 1}, RUN),
    ("member", ("CLUB", "MEMBER"), {"role": "organiser"}, rights("owner", 302)),
    ("member", ("CLUB", "MEMBER"), {"role": ""}, {**RUN, "member": 302}),
    ("member_reset_link", ("CLUB", "MEMBER"), {"x": 1}, RUN),
    ("invitation", ("TOKEN",), {}, rights("stranger", 200)),
    ("invitation", ("TOKEN",), {"x": 1}, rights("stranger", 302)),
    ("invitation", ("wrong",), {}, rights("stranger", 404)),
    *((name, ("CLUB",), {}, MEMBERS) for name in ("club_talk", "club_pulse", "club_tournaments", "club_evenings")),
    ("say_in_club", ("CLUB",), {"phrase": "thanks"}, {**rights("member", 302), "entrant": 403}),
    ("say_in_club", ("CLUB",), {"words": " "}, {**rights("member", 400), "entrant": 403}),
    ("clear_club_talk", ("CLUB",), {"x": 1}, RUN),
    ("moderation", ("CLUB",), {}, rights("organiser", 200)),
    ("moderation", ("nowhere",), {}, rights("stranger", 404)),
    ("moderate", ("CLUB",), {"action": "close"}, RUN),
    ("new_device_link", ("CLUB",), {"member": 0}, RUN),
    ("merge", ("CLUB",), {}, rights("organiser", 302)),
    ("search", (), {}, rights("stranger", 200)),
    ("club_picture", ("CLUB", "nowhere"), {}, rights("member", 404)),
    ("change_club_picture", ("CLUB",), {"x": 1}, rights("owner", 302)),
    ("device_link", ("nowhere",), {}, rights("stranger", 404)),
    ("moderate", ("CLUB",), {"action": "explode"}, {**MEMBERS, **rights("member", 400)}),
    ("report_in_club", ("CLUB", 1), {"x": 1}, {**rights("member", 302), "entrant": 403, "owner": 403}),
    ("report_in_club", ("CLUB", 9), {"x": 1}, {**rights("member", 404), "entrant": 403}),
    ("plan", ("CLUB",), {}, rights("organiser", 200)),
    ("plan", ("CLUB",), {"name": "x"}, rights("organiser", 422)),
    ("new_season", ("CLUB",), {}, rights("organiser", 200)),
    ("new_season", ("CLUB",), {"name": "x"}, rights("organiser", 422)),
    *((name, ("S",), {}, MEMBERS) for name in ("tournament", "chronicle", "outputs", "hall")),
    ("ladder", ("T",), {}, rights("entrant", 404)),
    ("console", ("S",), {}, rights("organiser", 200)),
    ("revise", ("S",), {}, rights("organiser", 200)),
    *(("download", ("S", kind), {}, MEMBERS) for kind in ("archive.zip", "league.json", "standings.csv")),
    *(("do", ("S",), {"action": name}, RUN) for name in ("open-season", "count", "uncount", "finish")),
    ("do", ("S",), {"action": "league-name", "entrant": 1, "name": "Ada"}, RUN),
    ("log", ("S",), {}, rights("organiser", 200)),
    ("pulse", ("S",), {}, MEMBERS),
    *(("print", ("S", sheet), {}, MEMBERS) for sheet in ("standings", "certificates")),
    *((name, ("S",), {}, {**rights("member", 302), "entrant": 403}) for name in ("pairings", "standings")),
    *(("do", ("S",), {"action": name}, RUN) for name in ("archive", "call-off")),
    ("act", ("S",), {"action": "enter"}, rights("stranger", 404)),
    ("do", ("T",), {"action": "open-arena"}, RUN),
    ("new_evening", ("CLUB",), {}, MEMBERS),
    ("new_evening", ("CLUB",), {"name": "x"}, {**rights("member", 422), "entrant": 403}),
    ("new_evening", ("CLUB",), EVENING, {**rights("member", 302), "entrant": 403}),
    ("evening", ("E",), {}, MEMBERS),
    ("evening", ("nowhere",), {}, rights("stranger", 404)),
    ("evening_pulse", ("E",), {}, MEMBERS),
    ("evening_hall", ("E",), {}, MEMBERS),
    ("evening_guest", ("E", "GUEST"), {}, rights("stranger", 200)),
    ("evening_guest", ("E", "GUEST"), {"name": "Zoe"}, rights("stranger", 302)),
    ("evening_guest", ("E", "wrong"), {}, rights("stranger", 404)),
    ("steer_evening", ("E",), {"action": "new-guest-link"}, RUN),
    *(("steer_evening", ("E",), {"action": name}, RUN) for name in ("pause", "resume", "end")),
    ("steer_evening", ("E",), {"action": "extend", "minutes": 15, "version": 0}, RUN),
    ("steer_evening", ("E",), {"action": "begin", "table": 1}, RUN),
    ("steer_evening", ("E",), {"action": "close", "table": 1}, RUN),
    ("steer_evening", ("E",), {"action": "undo", "step": 1}, RUN),
    ("steer_evening", ("E",), {"action": "find", "q": "a"}, RUN),
    ("steer_evening", ("E",), {"action": "table", "version": 0}, RUN),
    ("steer_evening", ("E",), {"action": "bring", "table": "", "version": 0}, rights("member", 302)),
    ("steer_evening", ("E",), {"action": "sudo"}, {**rights("member", 400), "entrant": 403}),
    ("tournaments", (), {}, rights("stranger", 200)),
    ("entry_link", ("ENTRY",), {}, rights("stranger", 302)),
    ("entry_link", ("wrong",), {}, rights("stranger", 404)),
    *((name, ("T",), {}, SEEN) for name in ("tournament", "pulse", "pairings", "standings", "chronicle")),
    ("tournament", ("nowhere",), {}, rights("stranger", 404)),
    *((name, ("T",), {}, SEEN) for name in ("fair", "coming")),
    ("contribute", ("T",), {"entropy": "5b0f"}, {**rights("entrant", 403), "entrant": 302}),
    ("act", ("T",), {"action": "enter"}, rights("entrant", 302)),
    ("act", ("T",), {"action": "away"}, rights("entrant", 302)),
    ("act", ("T",), {"action": "sudo"}, rights("entrant", 400)),
    ("act", ("T",), {"action": "claim", "entrant": 0}, rights("member", 302)),
    ("claim", ("T", "CLAIM"), {}, rights("stranger", 200)),
    ("claim", ("T", "wrong"), {}, rights("stranger", 404)),
    ("claim", ("T", "CLAIM"), {"x": 1}, rights("stranger", 302)),
    *((name, ("T",), {}, rights("organiser", 200)) for name in ("door", "scores", "duties")),
    ("at_door", ("T",), {"name": "Zoe"}, RUN),
    ("at_door", ("T",), {"x": 1}, rights("organiser", 400)),
    ("duties", ("T",), {"duty": "door", "name": "Zoe"}, RUN),
    ("teams", ("T",), {}, SEEN),
    ("teams", ("T",), {"action": "new", "name": "Bears"}, RUN),
    ("teams", ("T",), {"action": "sudo"}, rights("organiser", 400)),
    ("act", ("T",), {"action": "team", "team": ""}, rights("entrant", 302)),
    ("duty", ("T", "DUTY"), {}, rights("stranger", 200)),
    ("duty", ("T", "DUTY"), {"name": "Zoe"}, rights("stranger", 302)),
    ("duty", ("T", "wrong"), {}, rights("stranger", 404)),
    ("plan_templates", ("CLUB",), {}, rights("organiser", 200)),
    ("plan_templates", ("CLUB",), {"delete": 1}, RUN),
    ("entrant", ("T", 1), {}, SEEN),
    ("entrant", ("T", 99), {}, rights("entrant", 404)),
    ("pod", ("T", 1, 1), {}, SEEN),
    ("pod", ("T", 1, 9), {}, rights("entrant", 404)),
    ("pod", ("T", 1, 1), PODS, {**rights("organiser", 302), "entrant": 302}),
    ("change_photos", ("T", 1, 1), {"x": 1}, {**rights("organiser", 302), "entrant": 302}),
    ("change_photos", ("T", 1, 9), {"x": 1}, rights("entrant", 404)),
    ("result_photo", ("T", "nowhere"), {}, rights("entrant", 404)),
    ("console", ("T",), {}, rights("organiser", 200)),
    ("settle", ("T", 1), {}, rights("organiser", 200)),
    ("do", ("T",), {"action": "pause", "round": 1}, RUN),
    ("do", ("T",), {"action": "sudo"}, rights("organiser", 400)),
    ("revise", ("T",), {}, rights("organiser", 200)),
    ("revise", ("T",), {"name": "x"}, rights("organiser", 422)),
    ("import", ("T",), {}, rights("organiser", 200)),
    ("import", ("T",), {"text": "name\nZoe\n"}, rights("organiser", 200)),
    ("log", ("T",), {}, rights("organiser", 200)),
    *((name, ("T",), {}, SEEN) for name in ("hall", "outputs")),
    *(("print", ("T", sheet), {}, SEEN) for sheet in ("entrants", "pairings", "names", "cards", "slips")),
    *(("print", ("T", sheet), {}, SEEN) for sheet in ("standings", "certificates")),
    ("print", ("T", "menus"), {}, rights("entrant", 404)),
    *(("download", ("T", kind), {}, SEEN) for kind in ("archive.zip", "tournament.json", "standings.csv")),
    ("download", ("T", "passwords"), {}, rights("entrant", 404)),
    ("download", ("T", "archive.zip"), {"x": 1}, rights("entrant", 302)),
    ("download", ("T", "standings.csv"), {"x": 1}, rights("entrant", 405)),
    ("restore", ("CLUB",), {}, rights("organiser", 200)),
    ("restore", ("CLUB",), {"x": 1}, rights("organiser", 422)),
    ("reading", ("CLUB", "JOB"), {}, rights("organiser", 202)),
    ("reading", ("CLUB", "nowhere"), {}, rights("organiser", 404)),
    ("reading", ("CLUB", "JOB"), {"x": 1}, RUN),
    ("calendar", ("CLUB",), {}, rights("stranger", 404)),
    ("my_calendar", ("wrong",), {}, rights("stranger", 404)),
    ("news", ("CLUB",), {}, rights("stranger", 404)),
    ("connections", ("CLUB",), {}, MEMBERS),
    ("connections", ("CLUB",), {"action": "make-key", "name": "desk"}, rights("organiser", 200)),
    ("connections", ("CLUB",), {"action": "add-hook", "url": "https://example.org/"}, rights("owner", 302)),
    ("connections", ("CLUB",), {"action": "sudo"}, {**rights("member", 302), "entrant": 403}),
)


@pytest.mark.parametrize("role", ROLES)
def test_every_page_as_everybody(db: None, role: str) -> None:
    """Each row finds the club as it was built: what it changed is rolled back."""
    room, wrong = build(), []
    for name, args, form, statuses in ROWS:
        url = reverse(f"tournaments:{name}", args=[room.words.get(one, one) for one in args])
        with transaction.atomic():
            answer = room.clients[role].post(url, form) if form else room.clients[role].get(url)
            transaction.set_rollback(True)
        if answer.status_code != statuses[role]:
            wrong.append((name, args, form, answer.status_code, statuses[role]))
        rate_limits.reset()
    assert wrong == []


def test_no_address_takes_the_wrong_method(db: None) -> None:
    room = build()
    both = {
        "new_evening",
        "evening_guest",
        "device_link",
        "merge",
        "duties",
        "teams",
        "duty",
        "plan_templates",
        "new_season",
        "new_club",
        "edit_club",
        "invitation",
        "plan",
        "claim",
        "pod",
        "revise",
        "import",
        "restore",
        "reading",
        "connections",
        "download",
    }
    for name, args, form, _ in ROWS:
        if name in both:
            continue
        url = reverse(f"tournaments:{name}", args=[room.words.get(one, one) for one in args])
        answer = room.clients["owner"].get(url) if form else room.clients["owner"].post(url)
        assert answer.status_code == 405, name


def test_a_public_tournament_shows_no_secrets(ana: models.Player) -> None:
    tournament = plan(ana, duplicate=True, most=4, venue="real")
    check_in(ana, tournament, ["Ada", "Bea", "Cem", "Dan"])
    release(ana, tournament, 1)
    hidden = list(SharedDeal.objects.values_list("secret", flat=True))
    assert len(hidden) == 1
    links = [one.claim_token for one in tournament.entrants.all()] + [tournament.entry_token, *hidden]
    for name in ("tournament", "pairings", "standings", "chronicle"):
        page = Client().get(reverse(f"tournaments:{name}", args=[tournament.pk])).content.decode()
        assert [link for link in links if link in page] == [], name
