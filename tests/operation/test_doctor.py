"""The doctor reports problems, and what to do about them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.test import override_settings

from games import models
from games.operation import signing_keys
from games.operation.doctor import examine
from games.play.clocks import idle_tables
from tests import programs
from tests.cast import NOW, start_table
from tests.servers import ROOT, Installation


def findings(**settings: Any) -> list[str]:
    """What the doctor says with these settings, a line each."""
    with override_settings(**settings):
        return [f"{finding.level} {finding.words}" for finding in examine(now=NOW)]


PROXY = {"SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"), "IS_HTTPS": True}
POST = {"EMAIL_BACKEND": "games.accounts.mail.PostBackend", "EMAIL_HOST": "127.0.0.1"}
CLUB = {"SITE_URL": "https://cards.example.org", "ALLOWED_HOSTS": ["cards.example.org"], **PROXY}


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"DEBUG": True}, "wrong DEBUG is on"),
        ({"SITE_URL": ""}, "look SITE_URL is not set"),
        (CLUB, "ok People come to https://cards.example.org."),
        (CLUB, "ok A proxy in front ends TLS."),
        (CLUB | {"ALLOWED_HOSTS": ["localhost"]}, "wrong cards.example.org, the host of SITE_URL, is missing"),
        (CLUB | {"ALLOWED_HOSTS": [".example.org"]}, "ok People come to https://cards.example.org."),
        (CLUB | {"ALLOWED_HOSTS": ["*"]}, "wrong ALLOWED_HOSTS contains *"),
        (CLUB | {"SECURE_PROXY_SSL_HEADER": None}, "wrong SITE_URL is https, but BEHIND_PROXY is off"),
        ({"SITE_URL": "http://club.lan", "IS_HTTPS": False}, "look SITE_URL is http:"),
        ({"IS_EMBEDDED": False, "REDIS_URL": "redis://127.0.0.1:1/0"}, "wrong Redis does not answer:"),
        ({"IS_EMBEDDED": False, "REDIS_URL": "redis://127.0.0.1:1/0"}, "look REDIS_URL with SQLite"),
        ({"IS_HTTPS": False}, "look Push notifications are off: browsers need HTTPS"),
        (
            {"VAPID_PRIVATE_KEY": "A" * 42 + "E"},
            "ok Push messages are signed with VAPID_PRIVATE_KEY. Its public key is",
        ),
        ({"VAPID_PRIVATE_KEY": "short"}, "wrong Push messages cannot be signed: VAPID_PRIVATE_KEY is no key"),
        ({"BOT_PROCESSES": 0}, "look Bots think in the server, and people's moves wait for them. Set BOT_PROCESSES=1."),
        ({"BOT_PROCESSES": 2}, "ok Bots that search think beside the server (BOT_PROCESSES=2)."),
        ({"HAS_BUILT_STATIC": False}, "look The static files are not built"),
        ({"HAS_BUILT_STATIC": True}, "ok The static files are built"),
        ({}, "ok The database (sqlite) answers and is set up for this version."),
        ({}, "look There is no backup in DATA_DIR/backups"),
        ({}, "look Backups stay on this machine. Set BACKUP_HOOK"),
        ({"BACKUP_HOOK": "/bin/sh -c secret"}, "ok BACKUP_HOOK copies each backup elsewhere: /bin/sh."),
        ({"BACKUP_HOOK": "/no/such/program"}, "wrong BACKUP_HOOK is /no/such/program. It cannot be found or run"),
        ({"BACKUP_HOOK": "'unclosed"}, "wrong BACKUP_HOOK is no program"),
        ({}, "ok Prometheus may read /metrics from 127.0.0.1, ::1."),
        ({"METRICS_TOKEN": "long secret"}, "ok Prometheus may read /metrics with METRICS_TOKEN."),
        ({"METRICS_ALLOW": []}, "look Nobody may read /metrics, so there are no alerts."),
        ({}, "look The clocks are not running"),
        (POST | {"EMAIL_PORT": 1}, "wrong The mail server does not accept email: [Errno 111] Connection refused."),
    ],
)
def test_a_finding_for_each_setting(db: None, settings: dict[str, Any], line: str) -> None:
    assert [found for found in findings(**settings) if found.startswith(line)] != []


def test_the_key_of_push_messages_is_made_by_the_server_and_not_by_a_look(db: None, tmp_path: Path) -> None:
    settings = {**CLUB, "DATA_DIR": tmp_path}
    (tmp_path / "secret-key").write_text("long enough for a key, and no other")
    assert [one for one in findings(**settings) if one.startswith("look The key of push messages")]
    assert not (tmp_path / "vapid-key").exists()
    with override_settings(DATA_DIR=tmp_path):
        signing_keys.read_keys()
    assert [one for one in findings(**settings) if one.startswith("ok Push messages are signed with the key in ")]


@pytest.mark.parametrize(
    ("key", "line"), [("cat", "wrong SECRET_KEY has 3 characters"), ("k" * 40, "ok SECRET_KEY comes")]
)
def test_a_key_that_can_be_guessed(db: None, monkeypatch: pytest.MonkeyPatch, key: str, line: str) -> None:
    monkeypatch.setenv("SECRET_KEY", key)
    assert [found for found in findings() if found.startswith(line)] != []


def test_tables_that_wait_although_somebody_runs(ana: models.Player) -> None:
    models.Pulse.objects.create(pk=1, at=NOW)
    assert "ok The clocks are running." in findings()
    table = start_table(ana)
    models.Table.objects.filter(pk=table.id).update(wake_at=NOW - 60)
    assert [line for line in findings() if line.startswith("wrong 1 tables wait for a bot or a clock")] != []


def test_a_folder_that_nobody_has_made(tmp_path: Path) -> None:
    """With SECRET_KEY from the environment nothing has made it before the first command."""
    done = Installation(tmp_path / "new", {"SECRET_KEY": "long enough for a key, and no other"}).manage("doctor")
    output = [line for line in done.stdout.splitlines() if f"The folder {tmp_path / 'new'} " in line]
    assert ([line.split()[0] for line in output], "Traceback" in done.stderr) == (["wrong", "look"], False)


def test_a_clock_that_was_set_back(db: None) -> None:
    models.Pulse.objects.create(pk=1, at=NOW + 3600)
    (line,) = [line for line in findings() if "a server was last active 3600 s in the future" in line]
    assert line.startswith("wrong By this machine's clock")


def test_another_secret_key_than_the_one_of_second_factors(db: None) -> None:
    user = models.User.objects.create_user("ana")
    Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "Phone"})
    RecoveryCodes.activate(user)
    for key, found in ((settings.SECRET_KEY, False), ("another one, long enough for a key", True)):
        lines = [line for line in findings(SECRET_KEY=key) if line.startswith("wrong SECRET_KEY has changed")]
        assert bool(lines) is found


def test_a_language_that_is_not_compiled(db: None, tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text("")
    lines = [line for line in findings(LOCALE_PATHS=[tmp_path]) if "not compiled" in line]
    assert lines == ["wrong The language de is not compiled, so its pages are in English. Run: make build"]


def test_the_command_ends_with_1_if_something_is_wrong(club: Installation) -> None:
    done = club.manage("doctor")
    assert (done.returncode, "Nothing has to be fixed." in done.stdout) == (0, True), done.stdout + done.stderr
    done = club.manage("doctor", DATABASE_URL=f"postgresql://club@127.0.0.1:{programs.free_port()}/club", DEBUG="1")
    assert done.returncode == 1
    assert "wrong  DEBUG is on" in done.stdout
    assert "wrong  PostgreSQL cannot be reached" in done.stdout
    assert done.stderr == "CommandError: Problems to fix: 2.\n"
    done = club.manage("migrate", DATABASE_URL=f"postgresql://club@127.0.0.1:{programs.free_port()}/club")
    assert (done.returncode, done.stderr.splitlines()[-1].partition(":")[0]) == (1, "PostgreSQL cannot be reached")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["menagerie.sqlite3", ""])
def test_what_belongs_to_somebody_else_is_named(club: Installation, closed: str) -> None:
    """A database that can be read and not written is no database to play with: neither doctor nor server takes it."""
    path = club.folder / closed
    path.chmod(0o555)
    if not os.geteuid() and shutil.which("setpriv") is None:
        pytest.skip("needs setpriv (apt-get install util-linux), or not to be root")
    may = [] if os.geteuid() else ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]  # who may everything may not
    for command in (["doctor"], ["serve", "--port", str(club.port)]):
        args = [*may, sys.executable, str(ROOT / "manage.py"), *command]
        done = subprocess.run(
            args, env=club.environment(), cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
        )
        output = done.stdout + done.stderr
        assert (done.returncode, f"this user may not write {path}." in output) == (1, True), output
    path.chmod(0o755)


def test_a_folder_is_made_for_its_owner_and_one_that_others_read_is_named(empty_club: Path, tmp_path: Path) -> None:
    """SQLite's file holds everybody's hands."""
    club = Installation(tmp_path / "new")
    club.manage("doctor")
    shutil.copy(empty_club / "menagerie.sqlite3", club.folder)
    (club.folder / "menagerie.sqlite3").chmod(0o644)  # as SQLite makes it, whatever this shell's umask is
    assert club.folder.stat().st_mode & 0o777 == 0o700
    assert "Others on this machine" not in club.manage("doctor").stdout
    club.folder.chmod(0o755)
    output = club.manage("doctor").stdout
    assert f"look   Others on this machine can read {club.folder / 'menagerie.sqlite3'}" in output


def test_what_stored_games_take_up_and_what_becomes_of_them(ana: models.Player, tmp_path: Path) -> None:
    table = start_table(ana, turn_seconds=3600)
    idle_tables.pause_idle_tables(now=NOW + 5000)
    text = "\n".join(findings(GAMES_DIR=tmp_path))
    assert "ok 1 table stands still because nobody is there" in text
    assert "moves are stored" in text
    assert "ok Finished games stay in the database for good (KEEP_GAMES_DAYS is 0)." in text
    assert "go to files after 9 days" in "\n".join(findings(KEEP_GAMES_DAYS=9, GAMES_DIR=tmp_path))
    models.FiledGame.objects.create(table_id=table.id, file="2055-01/x.json.gz", plies=0, done="[]", at=NOW)
    assert f"wrong {tmp_path} lacks 2055-01/x.json.gz" in "\n".join(findings(GAMES_DIR=tmp_path))
    (tmp_path / "2055-01").mkdir()
    (tmp_path / "2055-01" / "x.json.gz").touch()
    text = "\n".join(findings(GAMES_DIR=tmp_path))
    assert f"1 are in {tmp_path}; backups hold them, too." in text
    assert "lacks" not in text
