"""Every address × everybody: a new URL without a row here fails."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games import memo, models
from games.play.records import game_record, replays
from games.play.seats import sitting
from games.play.storage import codec, store
from games.play.storage.table import LoadedTable
from games.play.talk import table_talk
from games.records.writer import to_text
from tests.cast import NOW, as_other_process, browser, finish, legal, open_table, person, start_table, wait_for
from tests.live.windows import SECONDS, Window, connect
from tests.tournaments.test_permissions import ROWS as CLUB_ROWS

ROLES = ("stranger", "guest", "elsewhere", "invited", "player", "host", "staff")
"""stranger: no session; guest: knows nobody here; elsewhere: plays at another table; invited: has opened the
link; player, host: sit at the table; staff: signed in to the admin, sits nowhere."""


@dataclass
class Club:
    """A table by invitation in each of its three times, an open table, and everybody's browser."""

    waiting: LoadedTable
    playing: LoadedTable
    over: LoadedTable
    public: LoadedTable
    brought: str
    clients: dict[str, Client]


def build_club() -> Club:
    """The club, its people and their browsers."""
    host, player, other, guest = person("Hilda"), person("Paul"), person("Otto"), person("Gina")
    models.Player.objects.filter(pk=guest.pk).update(is_listed=False)
    waiting = open_table(host, player, is_public=False)
    playing = wait_for(start_table(host, player, is_public=False), player)
    over = finish(start_table(host, player, is_public=False, options={"deals": 1}))
    public = start_table(host)
    table_talk.say(playing.id, host, phrase="thanks", now=NOW)
    start_table(other)
    clients = {
        "stranger": Client(),
        "guest": browser(guest),
        "elsewhere": browser(other),
        "invited": Client(),
        "player": browser(player),
        "host": browser(host),
        "staff": Client(),
    }
    for table in (waiting, playing, over):
        clients["invited"].get(reverse("join", args=[table.invite]))
    boss = models.User.objects.create_superuser("boss", password="a long pass phrase")
    clients["staff"].force_login(boss)
    record = to_text(game_record.export(over)).encode()
    return Club(waiting, playing, over, public, replays.keep_record(host, record, now=time.time()), clients)


Row = tuple[str, str, Mapping[str, Any], Mapping[str, int]]


def everybody(status: int, **others: int) -> Mapping[str, int]:
    """One status for all roles, except for these."""
    return {role: others.get(role, status) for role in ROLES}


OUT = {"stranger": 403, "guest": 403, "elsewhere": 403, "staff": 403}
"""Who has nothing to do with a table by invitation."""

ROWS: tuple[Row, ...] = (
    # name, which table or argument, form (none: GET), status by role
    ("lobby", "", {}, everybody(200)),
    ("about", "", {}, everybody(200)),
    *((name, "", {}, everybody(200)) for name in ("health", "ready", "metrics")),
    ("me", "", {}, everybody(200)),
    ("tokens", "", {}, everybody(403)),
    ("devices", "", {}, everybody(200, stranger=403, invited=403, staff=403)),
    ("devices", "", {"key": "x"}, everybody(302, stranger=403, invited=403, staff=403)),
    ("answer_challenge", "1|accept", {"x": "1"}, everybody(404, stranger=403, invited=403, staff=403)),
    ("answer_challenge", "1|decline", {"x": "1"}, everybody(404, stranger=403, invited=403, staff=403)),
    *((name, "", {}, everybody(200)) for name in ("manifest", "service_worker")),
    ("offline", "de", {}, everybody(200)),
    ("notifications", "", {}, everybody(200, stranger=403, invited=403, staff=403)),
    ("add_device", "", {"x": "1"}, everybody(400, stranger=403, invited=403, staff=403)),
    ("remove_device", "", {"device": "1"}, everybody(404, stranger=403, invited=403, staff=403)),
    ("renew_calendar", "", {"x": "1"}, everybody(302, stranger=403, invited=403, staff=403)),
    *((name, "", {}, everybody(200, stranger=403, invited=403, staff=403)) for name in ("my_tables", "holidays")),
    ("next_table", "", {}, everybody(302, stranger=403, invited=403, staff=403)),
    ("holidays", "", {"end": "1"}, everybody(404, stranger=403, invited=403, staff=403)),
    *(
        (name, "playing", form, everybody(403, player=302, host=302))
        for name, form in (("save_note", {"note": "Ben has a 7"}), ("note_seen", {"ply": "1"}))
    ),
    ("unsubscribe", "wrong", {}, everybody(404)),
    ("reset_by_link", "nowhere", {}, everybody(404)),
    ("withdraw_reset_link", "", {"x": "1"}, everybody(403, staff=302)),
    ("game", "karriere-poker", {}, everybody(200)),
    ("game", "chess", {}, everybody(404)),
    ("new_table", "karriere-poker", {}, everybody(200)),
    ("new_table", "chess", {}, everybody(404)),
    ("play_now", "karriere-poker", {"seats": "5"}, everybody(302)),
    ("play_now", "karriere-poker", {"seats": "99"}, everybody(400)),
    ("lesson", "karriere-poker", {}, everybody(200)),
    ("lesson", "chess", {}, everybody(404)),
    ("lesson_moves", "karriere-poker", {"step": "lead"}, everybody(400)),
    ("lesson_moves", "chess", {"step": "lead"}, everybody(404)),
    ("join", "wrong", {}, everybody(404)),
    ("table", "public", {}, everybody(200)),
    ("table", "nowhere", {}, everybody(404)),
    *(
        (name, when, {}, everybody(200, **OUT))
        for name in ("table", "view_json", "board", "log")
        for when in ("waiting", "playing", "over")
    ),
    ("record", "waiting", {}, everybody(403)),
    ("record", "playing", {}, everybody(403)),
    ("record", "public", {}, everybody(403)),
    ("record", "over", {}, everybody(200, **OUT)),
    *((name, when, {}, everybody(403)) for name in ("replay", "verify_replay") for when in ("waiting", "playing")),
    ("replay", "public", {}, everybody(403)),
    ("share_picture", "public", {}, everybody(403)),
    *(("share_picture", when, {}, everybody(404, **OUT)) for when in ("waiting", "playing", "over")),
    *((name, "over", {}, everybody(200, **OUT)) for name in ("replay", "verify_replay")),
    *((name, when, {}, everybody(403)) for name in ("analysis", "analysis_json") for when in ("waiting", "playing")),
    ("analysis", "over", {}, everybody(200, **OUT)),
    ("analysis_json", "over", {}, everybody(404, **OUT)),
    ("cancel_analysis", "over", {"x": "1"}, everybody(403)),
    ("upload_analysis", "brought", {}, everybody(200)),
    ("cancel_upload_analysis", "brought", {"x": "1"}, everybody(403)),
    ("bring_record", "", {}, everybody(200)),
    ("bring_record", "", {"text": "{"}, everybody(422)),
    *((name, "brought", {}, everybody(200)) for name in ("upload", "verify_upload", "upload_record")),
    *((name, "nowhere", {}, everybody(404)) for name in ("upload", "verify_upload", "upload_record")),
    ("moves", "playing", {"move": "MOVE", "ply": "PLY", "key": "k"}, everybody(403, player=200, host=422)),
    ("moves", "waiting", {"move": '{"pass": true}', "ply": "0", "key": "k"}, everybody(403, player=409, host=409)),
    ("hint", "playing", {"x": "1"}, everybody(403)),
    ("commands", "playing", {"name": "auto_pass", "on": "0"}, everybody(403, player=200, host=200)),
    ("commands", "playing", {"name": "standing", "value": ""}, everybody(403, player=200, host=200)),
    ("commands", "playing", {"name": "standing", "value": "pass"}, everybody(403, player=422, host=422)),
    ("commands", "playing", {"name": "here"}, everybody(200, **OUT)),
    ("commands", "playing", {"name": "sudo"}, everybody(400, **OUT)),
    *(("talk", when, {}, everybody(200, **OUT)) for when in ("waiting", "playing", "over")),
    ("say", "playing", {"phrase": "well-played"}, everybody(302, **OUT)),
    ("say", "playing", {"phrase": "rude"}, everybody(400, **OUT)),
    ("say", "playing", {"words": "hello"}, everybody(403)),
    ("report_remark", "playing", {"x": "1"}, everybody(302, **OUT, host=403)),
    ("clear_talk", "playing", {"x": "1"}, everybody(403, host=302)),
    ("contribute", "waiting", {"commitment": "OF WAITING", "entropy": "5eed"}, everybody(403, player=302, host=302)),
    ("contribute", "waiting", {"entropy": "5eed"}, everybody(403, player=400, host=400)),
    ("contribute", "playing", {"commitment": "OF PLAYING", "entropy": "5eed"}, everybody(403, player=409, host=409)),
    ("sit", "waiting", {"chair": "2"}, everybody(302, **OUT)),
    ("sit", "playing", {"chair": "2"}, everybody(409, **OUT, player=302, host=302)),
    ("start", "waiting", {"fill": "random"}, everybody(403, host=302)),
    *((name, "playing", {"on": "0"}, everybody(403, player=302, host=302)) for name in ("pause", "end")),
    *((name, "waiting", {"on": "1"}, everybody(403, invited=409, player=409, host=409)) for name in ("pause", "end")),
    ("bell", "playing", {"x": "1"}, everybody(403, host=302)),
    ("rematch", "over", {"x": "1"}, everybody(403, player=302, host=302)),
    ("rematch", "playing", {"x": "1"}, everybody(403, player=409, host=409)),
    ("leave", "waiting", {"x": "1"}, everybody(302, **OUT)),
    ("tournaments:leaderboards", "", {}, everybody(200)),
    ("tournaments:club_records", "nowhere", {}, everybody(404)),
    ("tournaments:export_me", "", {}, everybody(200)),
    ("tournaments:export_me", "", {"x": "1"}, everybody(302)),
    ("tournaments:leaderboards", "?by=luck", {}, everybody(400)),
    ("tournaments:person", "PAUL", {}, everybody(200)),
    ("tournaments:person", "GINA", {}, everybody(403, guest=200)),
    ("tournaments:person_games", "PAUL", {}, everybody(200)),
    ("tournaments:person_games", "GINA", {}, everybody(403, guest=200)),
    ("tournaments:rivals", "PAUL", {}, everybody(200)),
    ("tournaments:rivals", "GINA", {}, everybody(403, guest=200)),
    ("tournaments:duel", "PAUL|HILDA", {}, everybody(200)),
    ("tournaments:duel", "PAUL|GINA", {}, everybody(403, guest=200)),
    ("tournaments:career", "PAUL|animal-poker", {}, everybody(404)),
    ("tournaments:career", "GINA|animal-poker", {}, everybody(403, guest=404)),
    ("tournaments:year", "PAUL|2026", {}, everybody(200)),
    ("tournaments:year", "GINA|2026", {}, everybody(403, guest=200)),
    ("tournaments:year", "PAUL|1", {}, everybody(404)),
    ("take_over_guest", "", {"x": "1"}, everybody(403)),
    ("delete_me", "", {}, everybody(200, staff=302)),
    *((name, "", {}, everybody(200, staff=302)) for name in ("account_login", "account_signup")),
    *(
        (name, "", {}, everybody(200))
        for name in (
            "account_inactive",
            "account_reset_password",
            "account_reset_password_done",
            "account_reset_password_from_key_done",
            "account_email_verification_sent",
        )
    ),
    ("account_reset_password_from_key", "1|none", {}, everybody(200)),
    ("account_confirm_email", "wrong", {}, everybody(200)),
    ("account_confirm_login_code", "", {}, everybody(302)),
    ("mfa_authenticate", "", {}, everybody(302)),
    ("mfa_login_webauthn", "", {}, everybody(302)),
    ("account_logout", "", {}, everybody(302, staff=200)),
    *(
        (name, "", {}, everybody(302, staff=200))
        for name in ("account_email", "account_change_password", "mfa_index", "mfa_list_webauthn")
    ),
    ("account_set_password", "", {}, everybody(302)),
    *(
        (name, "", {}, everybody(302, **others))
        for name, others in (
            ("account_reauthenticate", {"staff": 200}),
            ("mfa_reauthenticate", {}),
            ("mfa_reauthenticate_webauthn", {}),
            ("mfa_activate_totp", {}),
            ("mfa_deactivate_totp", {"staff": 404}),
            ("mfa_view_recovery_codes", {"staff": 404}),
            ("mfa_generate_recovery_codes", {}),
            ("mfa_download_recovery_codes", {"staff": 404}),
            ("mfa_add_webauthn", {}),
        )
    ),
    *((name, "1", {}, everybody(302)) for name in ("mfa_remove_webauthn", "mfa_edit_webauthn")),
    ("set_language", "", {"language": "de"}, everybody(302)),
    ("admin:index", "", {}, everybody(302, staff=200)),
    ("admin:games_table_changelist", "", {}, everybody(302, staff=200)),
    ("admin:games_player_changelist", "", {}, everybody(302, staff=200)),
    ("admin:games_user_changelist", "", {}, everybody(302, staff=200)),
    ("admin:games_report_changelist", "", {}, everybody(302, staff=200)),
    ("admin:games_table_add", "", {}, everybody(302, staff=403)),
)


def address(club: Club, name: str, what: str) -> str:
    """The address of a row."""
    table = getattr(club, what, None)
    if what.startswith("?"):
        return reverse(name) + what
    numbers = [1] if name == "report_remark" else []
    if isinstance(table, str):
        return reverse(name, args=[table])
    for player in models.Player.objects.all():
        what = what.replace(player.name.upper(), str(player.pk))
    arguments = [table.id, *numbers] if table else [*what.split("|"), *numbers]
    return reverse(name, args=arguments if what else [])


def fill(club: Club, form: Mapping[str, Any]) -> dict[str, Any]:
    """The form with the move that is legal for the player whose turn it is, and the present ply."""
    table = club.playing
    words = {"MOVE": codec.write(legal(table, 1)[0]), "PLY": str(table.ply), "OF PLAYING": table.commitment}
    words["OF WAITING"] = club.waiting.commitment
    return {key: words.get(value, value) for key, value in form.items()}


@pytest.mark.django_db(transaction=True)  # a transaction of the test's own would keep /ready/ from saving
@pytest.mark.parametrize("role", ROLES)
def test_every_page_as_everybody(role: str) -> None:
    club = build_club()
    wrong = []
    for name, what, form, statuses in ROWS:
        url, client = address(club, name, what), club.clients[role]
        answer = client.post(url, fill(club, form)) if form else client.get(url)
        if answer.status_code != statuses[role]:
            wrong.append((name, what, form, answer.status_code, statuses[role]))
        memo.forget_all()
    assert wrong == []


def names_of(patterns: list[URLPattern | URLResolver], space: str = "") -> set[str]:
    """The names of all addresses, those of the admin under its name."""
    found: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            found |= names_of(pattern.url_patterns, inner)
        else:
            found.add(f"{space}{pattern.name}")
    return found


def test_every_address_has_a_row() -> None:
    """Clubs and tournaments have roles, and so rows, of their own; the API has tests/tournaments/api/test_api.py."""
    elsewhere = ("admin:", "api:")
    ours = {name for name in names_of(get_resolver().url_patterns) if not name.startswith(elsewhere)}
    rows = {name for name, _, _, _ in ROWS if not name.startswith("admin:")}
    assert ours == rows | {f"tournaments:{name}" for name, _, _, _ in CLUB_ROWS}


def test_the_admin_lets_nobody_in_but_staff(db: None) -> None:
    """Whatever pages Django's admin has."""
    clients = build_club().clients
    listed = [name for name in names_of(get_resolver().url_patterns) if name.startswith("admin:games_")]
    assert len(listed) >= 15
    for name in listed:
        needs = name.rsplit("_", 1)[1] not in ("changelist", "add")
        url = reverse(name, args=["1"] if needs else [])
        for role in ROLES[:-1]:
            assert clients[role].get(url).status_code == 302, (name, role)


BOTH_METHODS = (
    "me", "devices", "tokens", "notifications", "holidays", "unsubscribe", "delete_me", "new_table", "bring_record",
    "reset_by_link", "analysis", "upload_analysis", "tournaments:export_me",
)  # fmt: skip
"""Pages that show a form and take it."""


def test_no_address_takes_the_wrong_method(db: None) -> None:
    club = build_club()
    for name, what, form, _ in ROWS:
        if name in BOTH_METHODS or name.startswith(("admin:", "set_language", "account_", "mfa_")):
            continue
        url = address(club, name, what)
        answer = club.clients["host"].get(url) if form else club.clients["host"].post(url)
        assert answer.status_code == 405, name
        assert b"Go back" in answer.content, name


@pytest.mark.parametrize("what", ["waiting", "playing", "over", "public"])
async def test_every_socket_as_everybody(transactional_db: None, what: str) -> None:
    club = build_club()
    table: LoadedTable = getattr(club, what)
    for role in ROLES:
        wire = connect(table.id, club.clients[role])
        assert (await wire.connect(SECONDS))[0]
        if table.is_public or role not in OUT:
            shown = Window(wire)
            assert (await shown.fragment()).is_full, role
            presence = await shown.message("presence")
            assert presence["seats"] == seats_of(table, role)
            await wire.disconnect()
        else:
            assert await Window(wire).closing() == 4403, role


def seats_of(table: LoadedTable, role: str) -> list[int]:
    """The seat of who has this role at the table, if anybody."""
    name = {"host": "Hilda", "player": "Paul"}.get(role)
    return [place.seat for place in table.places if place.name == name]


def test_forms_need_their_token(ana: models.Player) -> None:
    table = open_table(ana)
    client = browser(ana, enforce_csrf_checks=True)
    for name in ("moves", "hint", "commands", "sit", "contribute", "leave", "start", "bell", "rematch"):
        answer = client.post(reverse(name, args=[table.id]), {"fill": "random"})
        assert answer.status_code == 403, name
        assert b"reload that page" in answer.content
    for name in ("new_table", "play_now"):
        assert client.post(reverse(name, args=["karriere-poker"])).status_code == 403
    assert store.reload(table.id).version == table.version
    assert models.Table.objects.count() == 1


def test_the_admin_shows_no_secrets(ana: models.Player) -> None:
    table = start_table(ana)
    boss = models.User.objects.create_superuser("boss", password="a long pass phrase")
    client = Client()
    client.force_login(boss)
    page = client.get(reverse("admin:games_table_change", args=[table.id])).content.decode()
    assert table.commitment in page
    for hidden in (table.secret, table.seed, table.invite, models.Table.objects.get(pk=table.id).state):
        assert hidden not in page


def test_what_another_process_decided_counts_here(ana: models.Player, ben: models.Player) -> None:
    """A page of a table by invitation, where this process does not know yet who has sat down."""
    table = open_table(ana, is_public=False)
    as_other_process(lambda: sitting.sit(table.id, ben, now=NOW))
    assert browser(ben).get(reverse("table", args=[table.id])).status_code == 200
    as_other_process(lambda: sitting.leave(table.id, ben.pk, now=NOW))
    assert browser(ben).get(reverse("table", args=[table.id])).status_code == 403
