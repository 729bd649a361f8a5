"""Checks the configuration and reports problems in plain words for the administrator."""

from __future__ import annotations

import os
import resource
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.http.request import validate_host

from games.models import Pulse, Table
from games.operation import signing_keys, storage_report, supervision_report
from games.operation.health import connectivity, readiness, write_check

FREE_BYTES = 500 * 1024 * 1024
"""Less free space than this on the disk of the data is a problem. Set by hand: some days of a busy club."""
OPEN_FILES = 4096
"""File descriptors that a process should be allowed: one per socket, and some for the database."""
KEY_LENGTH = 32
"""Characters; a SECRET_KEY that is shorter can be guessed."""
ASLEEP_SECONDS = 15.0
"""Seconds without a heartbeat, or by which a table is overdue, after which nothing seems to be running."""
BACKUP_SECONDS = 2 * 86_400.0
"""Seconds; an older newest backup is worth a look: they are made each day."""
MAIL_SECONDS = 5
"""Seconds to wait for the mail server."""


class Finding(NamedTuple):
    """The result of one check. level: fine, worth a look, or wrong; words: what it is and what to do."""

    level: Literal["ok", "look", "wrong"]
    words: str


def examine(*, now: float) -> Iterator[Finding]:
    """Run all checks; one finding after the other."""
    reading = (_check_debug, _check_address, _check_secret, _check_file_modes, _check_proxy, _check_mail, _check_push)
    reaching = (_check_database, _check_redis, _check_database_beside_redis, _check_bot_processes)
    around = (_check_static_files, _check_languages, _check_disk, _check_limits, _check_backups, _check_supervision)
    for look in (*reading, *reaching, *around):
        yield from look(now)


def _check_debug(now: float) -> Iterator[Finding]:
    if settings.DEBUG:
        yield Finding("wrong", "DEBUG is on: error pages show everybody the program's internals. Unset DEBUG.")


def _check_address(now: float) -> Iterator[Finding]:
    host = urlsplit(settings.SITE_URL).hostname
    if host is None:
        yield Finding("look", "SITE_URL is not set. That is fine on one machine. For others, set it to their address.")
    elif not validate_host(host, settings.ALLOWED_HOSTS):
        yield Finding("wrong", f"{host}, the host of SITE_URL, is missing in ALLOWED_HOSTS: no page opens. Add it.")
    else:
        yield Finding("ok", f"People come to {settings.SITE_URL}.")
    if "*" in settings.ALLOWED_HOSTS:
        yield Finding("wrong", "ALLOWED_HOSTS contains *: anybody could fake links to this site. List your hosts.")


def _check_secret(now: float) -> Iterator[Finding]:
    file = settings.DATA_DIR / "secret-key"
    given = os.environ.get("SECRET_KEY", "").strip()
    if given and len(given) < KEY_LENGTH:
        yield Finding(
            "wrong",
            f"SECRET_KEY has {len(given)} characters. People who guess it can sign in as anybody. Make a longer one: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'",
        )
    elif given:
        yield Finding("ok", "SECRET_KEY comes from the environment.")
    elif not settings.IS_EMBEDDED:
        yield Finding("look", f"The secret key is in {file}. With several machines, set the same SECRET_KEY on all.")
    elif file.stat().st_mode & 0o077:
        yield Finding("wrong", f"Others on this machine can read {file}. Run: chmod 600 {file}")
    else:
        yield Finding("ok", f"The secret key is kept in {file}, for its owner only.")


def _check_file_modes(now: float) -> Iterator[Finding]:
    """Hands, deals to come and sessions lie in SQLite's file, which SQLite itself makes readable for everybody."""
    if connection.vendor != "sqlite":
        return
    file = Path(connection.settings_dict["NAME"])
    if file.exists() and file.stat().st_mode & 0o044 and file.parent.stat().st_mode & 0o055:
        yield Finding(
            "look", f"Others on this machine can read {file}, with everybody's hands. Run: chmod 700 {file.parent}"
        )


def _check_proxy(now: float) -> Iterator[Finding]:
    is_behind = settings.SECURE_PROXY_SSL_HEADER is not None
    if settings.IS_HTTPS and not is_behind:
        yield Finding(
            "wrong", "SITE_URL is https, but BEHIND_PROXY is off. A proxy in front ends TLS: set BEHIND_PROXY=1."
        )
    elif settings.SITE_URL and not settings.IS_HTTPS:
        yield Finding(
            "look", "SITE_URL is http: passwords and hands are sent unencrypted. See docs/deployment.md, TLS."
        )
    elif is_behind:
        yield Finding("ok", "A proxy in front ends TLS. It must set X-Forwarded-For and X-Forwarded-Proto itself.")


def _check_database(now: float) -> Iterator[Finding]:
    fault = connectivity.find_database_fault()
    if fault:
        yield Finding("wrong", fault)
        return
    try:
        if readiness.is_behind():
            yield Finding("wrong", "The database is not set up for this version. Run: manage.py migrate")
        else:
            yield Finding("ok", f"The database ({connection.vendor}) answers and is set up for this version.")
            yield from _check_saving()
            yield from _check_keys()
            yield from _check_clocks(now)
            yield from _check_games()
    except DatabaseError as error:
        yield Finding("wrong", f"The database answers, but cannot be read: {error}.")


def _check_games() -> Iterator[Finding]:
    for words in (storage_report.say_standing(), storage_report.say_size(), storage_report.say_retention()):
        yield Finding("ok", words)
    if fault := storage_report.find_fault():
        yield Finding("wrong", fault)


def _check_saving() -> Iterator[Finding]:
    fault = write_check.find_fault()
    if fault:
        yield Finding(
            "wrong", f"The database answers, but {fault}. Every move is refused. Free disk space, or allow it to write."
        )
    else:
        yield Finding("ok", "The database saves what is written.")


def _check_keys() -> Iterator[Finding]:
    """Check for a changed SECRET_KEY, which signs everybody out and invalidates second-factor codes."""
    stored = Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN).values_list("data", flat=True)
    adapter = get_adapter()
    lost = sum(not adapter.can_read(data.get("secret") or data["seed"]) for data in stored.iterator())
    if lost:
        yield Finding(
            "wrong",
            f"SECRET_KEY has changed since {lost} second factors were stored, so they no longer work. Set the old key "
            "again. If it is lost, remove these second factors in the admin.",
        )


def _check_redis(now: float) -> Iterator[Finding]:
    if settings.IS_EMBEDDED:
        return
    fault = readiness.ask_redis().removesuffix(".")
    if fault:
        yield Finding(
            "wrong", f"Redis does not answer: {fault}. Bots wait, and pages show moves late. Check REDIS_URL."
        )
    else:
        yield Finding("ok", "Redis answers.")


def _check_database_beside_redis(now: float) -> Iterator[Finding]:
    """Check that the settings of database and Redis fit together."""
    is_file = connection.vendor == "sqlite"
    if settings.IS_EMBEDDED and not is_file:
        yield Finding(
            "look", "PostgreSQL without REDIS_URL: run only one server process. A second would not notice moves."
        )
    elif not settings.IS_EMBEDDED and is_file:
        yield Finding(
            "look", "REDIS_URL with SQLite: all processes must be on one machine, and only one writes at a time."
        )


def _check_bot_processes(now: float) -> Iterator[Finding]:
    """Report where bots compute; with Redis it is in the Celery workers."""
    if settings.IS_EMBEDDED and settings.BOT_PROCESSES:
        yield Finding("ok", f"Bots that search think beside the server (BOT_PROCESSES={settings.BOT_PROCESSES}).")
    elif settings.IS_EMBEDDED:
        yield Finding("look", "Bots think in the server, and people's moves wait for them. Set BOT_PROCESSES=1.")


def _check_clocks(now: float) -> Iterator[Finding]:
    pulse = Pulse.objects.filter(pk=1).values_list("at", flat=True).first()
    late = Table.objects.filter(wake_at__lt=now - ASLEEP_SECONDS).count()
    if pulse is not None and pulse > now + ASLEEP_SECONDS:
        yield Finding(
            "wrong",
            f"By this machine's clock, a server was last active {pulse - now:.0f} s in the future. The clock was "
            "set back, or another machine's is ahead. Let the network set all clocks: timedatectl set-ntp true",
        )
    elif pulse is None or pulse < now - ASLEEP_SECONDS:
        yield Finding("look", "The clocks are not running. Start a server, or with Redis a Celery worker and beat.")
    elif late:
        yield Finding(
            "wrong", f"{late} tables wait for a bot or a clock although a server runs. Check the logs of the workers."
        )
    else:
        yield Finding("ok", "The clocks are running.")


def _check_static_files(now: float) -> Iterator[Finding]:
    if settings.HAS_BUILT_STATIC:
        yield Finding("ok", f"The static files are built, in {settings.STATIC_ROOT}.")
    else:
        yield Finding("look", "The static files are not built, or out of date, so pages load slower. Run: make build")


def _check_languages(now: float) -> Iterator[Finding]:
    for folder in settings.LOCALE_PATHS:
        for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
            compiled = source.with_suffix(".mo")
            if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
                language = source.parent.parent.name
                yield Finding(
                    "wrong", f"The language {language} is not compiled, so its pages are in English. Run: make build"
                )


def _check_disk(now: float) -> Iterator[Finding]:
    if not settings.DATA_DIR.exists():
        yield Finding("look", f"The folder {settings.DATA_DIR} (DATA_DIR) does not exist. Backups are kept there.")
        return
    free = shutil.disk_usage(settings.DATA_DIR).free
    words = f"{free // 1024**2:,} MB are free where {settings.DATA_DIR} is"
    if free < FREE_BYTES:
        yield Finding("wrong", f"Only {words}. Soon no move can be saved. Free disk space.")
    else:
        yield Finding("ok", f"{words}.")


def _check_limits(now: float) -> Iterator[Finding]:
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < OPEN_FILES:
        yield Finding(
            "look", f"This user may open {soft} files, and each open page is one. Raise it: ulimit -n, LimitNOFILE"
        )


def _check_mail(now: float) -> Iterator[Finding]:
    """Report whether this site sends email, and what that means."""
    backend = settings.EMAIL_BACKEND.split(".")[-2]
    if backend == "dummy":
        yield Finding(
            "look",
            "This site does not send email (EMAIL_URL is not set). People who forget their password need a reset "
            "link, from the admin, an organiser of their club, or manage.py reset_link NAME.",
        )
    elif backend == "console":
        yield Finding("look", "Email is written to the server's output and reaches nobody (EMAIL_URL is console://).")
    if not settings.EMAIL_HOST:
        return
    try:
        with mail.get_connection(timeout=MAIL_SECONDS):
            yield Finding(
                "ok", f"This site sends email through {settings.EMAIL_HOST}, from {settings.DEFAULT_FROM_EMAIL}."
            )
    except OSError as error:
        yield Finding(
            "wrong",
            f"The mail server does not accept email: {error}. Nobody can reset their password by email. "
            "Check EMAIL_URL.",
        )


def _check_push(now: float) -> Iterator[Finding]:
    """Whether browsers can get push messages, and which key signs them."""
    if not settings.IS_HTTPS:
        yield Finding("look", "Push notifications are off: browsers need HTTPS for them, and SITE_URL is not https.")
    file = signing_keys.find_file()
    if not settings.VAPID_PRIVATE_KEY and not file.exists():
        yield Finding("look", f"The key of push messages, {file}, is made when the server first starts.")
        return
    try:
        public = signing_keys.read_keys().public
    except (ImproperlyConfigured, OSError) as error:
        yield Finding("wrong", f"Push messages cannot be signed: {error}")
        return
    if settings.VAPID_PRIVATE_KEY:
        yield Finding("ok", f"Push messages are signed with VAPID_PRIVATE_KEY. Its public key is {public}.")
    elif file.stat().st_mode & 0o077:
        yield Finding("wrong", f"Others on this machine can read {file}. Run: chmod 600 {file}")
    else:
        words = "" if settings.IS_EMBEDDED else " With several machines, set the same VAPID_PRIVATE_KEY on all."
        yield Finding("ok", f"Push messages are signed with the key in {file}. Its public key is {public}.{words}")


def _check_backups(now: float) -> Iterator[Finding]:
    found = sorted((settings.DATA_DIR / "backups").glob("menagerie-*.jsonl.gz"))
    if not found:
        yield Finding("look", "There is no backup in DATA_DIR/backups. Every night, run: manage.py backup --keep 14")
        return
    age = now - found[-1].stat().st_mtime
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(found[-1].stat().st_mtime))
    yield Finding("look" if age > BACKUP_SECONDS else "ok", f"The newest backup is from {when} UTC.")


def _check_supervision(now: float) -> Iterator[Finding]:
    """Check backups and monitoring: nothing fails without them, until something breaks."""
    if fault := supervision_report.find_hook_fault():
        yield Finding("wrong", fault)
    else:
        yield Finding("ok" if settings.BACKUP_HOOK else "look", supervision_report.say_hook())
    yield Finding(
        "ok" if settings.METRICS_TOKEN or settings.METRICS_ALLOW else "look", supervision_report.say_metrics()
    )
