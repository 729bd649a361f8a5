"""Settings: how one Redis is told to each library, and when a build of static files counts."""

from __future__ import annotations

import json
import os
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import redis_urls
from config.build import KEPT_SECONDS, MANIFEST, install_files, is_fresh
from tests.servers import ROOT, Installation


@pytest.mark.parametrize(
    ("url", "celery", "limits"),
    [
        ("redis://host:6380/2", "redis://host:6380/2", "redis://host:6380/2"),
        ("unix:///run/r.sock", "redis+socket:///run/r.sock?virtual_host=0", "redis+unix:///run/r.sock"),
        ("unix:///run/r.sock?db=3", "redis+socket:///run/r.sock?virtual_host=3", "redis+unix:///run/r.sock?db=3"),
        ("unix://u:p@/run/r.sock", "redis+socket://u:p@/run/r.sock?virtual_host=0", "redis+unix://u:p@/run/r.sock"),
    ],
)
def test_one_redis_has_a_name_for_each_library(url: str, celery: str, limits: str) -> None:
    assert redis_urls.check(url) == url
    assert redis_urls.for_celery(url) == celery
    assert redis_urls.for_limits(url) == limits


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("SITE_URL", text) for text in ("cards.example.org", "https:/x", "https://", "https://u:p@a.org")),
        *(("SITE_URL", text) for text in ("https://a.org/club", "https://a b.org", "https://a.org:99999", "https://*")),
        *(("SITE_URL", text) for text in ("https://a.org,https://b.org", "https://[::1", "'https://a.org'")),
        *(("ALLOWED_HOSTS", text) for text in ("https://a.org", "a.org:443", "a.org/", "a.org; b.org", '"a.org"')),
        *(("DATABASE_URL", text) for text in ("postgresql://u:p@h:x/n", "postgresql://u@h:1/", "postgresql:h")),
        *(("DATABASE_URL", text) for text in ("sqlite:///club.db", "POSTGRESQL://h/n", "postgresql://[::1/n")),
        *(("REDIS_URL", text) for text in ("redis://h:x/0", "redis://:p#w@h/0", "redis://[::1", "redis://h/one")),
        *(("EMAIL_URL", text) for text in ("smtp://h:x", "smtp://", "smtp://u:p#w@h:25", "smtp:h")),
        ("EMAIL_URL", "smtp://mail.example.org"),  # and no SITE_URL, to which letters lead
        *(("EMAIL_FROM", text) for text in ("The Ark", "The Ark <club@>", "Ark, the <a@b.org>", "a@b.org\nBcc: c@d")),
        *(("PORT", text) for text in ("80.5", "1e3", "nan", '"80"')),
        ("OIDC_SERVER_URL", "http://sso.example.org/realms/club"),
        ("OIDC_SERVER_URL", "https://sso.example.org/realms/club"),  # and no client
        ("DATABASE_POOL", "2.5"),
        ("TIME_ZONE", '"Europe/Warsaw"'),
        ("DATA_DIR", '"/var/lib/menagerie"'),
    ],
)
def test_what_cannot_be_meant_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=rf"\A{name}.*\.\Z"):
        read_settings()


def read_settings() -> dict[str, Any]:
    """What config/settings.py makes of the environment, read as at a start; nothing of this process is changed."""
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


def test_what_can_be_meant_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {
        "SITE_URL": " https://[::1]:8443/ ",
        "ALLOWED_HOSTS": "a.org, .b.org,[::1],",
        "DATABASE_URL": "postgresql://u:p#@ss@h:5433/n",
        "REDIS_URL": "redis://:p%23@h:6380/2",
        "EMAIL_URL": "smtp+tls://club%40a.org:p%23@h",
        "EMAIL_FROM": "'The Ark' <club@a.org>",
        "METRICS_ALLOW": "",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    found = read_settings()
    assert found["SITE_URL"] == "https://[::1]:8443"
    assert found["ALLOWED_HOSTS"] == ["a.org", ".b.org", "[::1]"]
    assert found["DATABASES"]["default"]["PASSWORD"] == "p#@ss"
    line = found["DATABASES"]["default"]["OPTIONS"]  # the kernel by itself waits a quarter of an hour
    assert 0 < line["tcp_user_timeout"] <= 30_000
    assert 0 < line["keepalives_idle"] <= 30
    options = found["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert 0 < options["socket_timeout"] <= 5 >= options["socket_connect_timeout"] > 0  # a Redis may hang, too
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"], found["EMAIL_PORT"]) == ("club@a.org", "p#", 587)
    assert (found["DEFAULT_FROM_EMAIL"], found["METRICS_ALLOW"]) == ("'The Ark' <club@a.org>", [])


def test_an_empty_setting_is_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("PORT", "ALLOWED_HOSTS", "DATABASE_POOL", "BOT_DELAY", "LOG_LEVEL", "EMAIL_FROM", "SITE_URL", "EMAIL_URL")
    kept = [name for name in (*names, "DEFAULT_FROM_EMAIL") if name not in ("EMAIL_FROM", "EMAIL_URL")]
    for name in names:
        monkeypatch.delenv(name, raising=False)
    unset = read_settings()
    for name in names:
        monkeypatch.setenv(name, " ")
    empty = read_settings()
    assert [empty[name] for name in kept] == [unset[name] for name in kept]


def test_production_settings_pass_the_deployment_checks(club: Installation) -> None:
    """As in deploy/menagerie.env: HTTPS at a proxy. Every warning would be a failure."""
    settings = {"SITE_URL": "https://cards.example.org", "ALLOWED_HOSTS": "cards.example.org", "BEHIND_PROXY": "1"}
    done = club.manage("check", "--deploy", "--fail-level", "WARNING", **settings)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_setting_is_explained() -> None:
    """The table of docs/deployment.md names what is read from the environment, and nothing else."""
    read = set(re.findall(r'\benv\.read_\w+\(\s*"([A-Z_]+)"', (ROOT / "config/settings.py").read_text()))
    matches = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/deployment.md").read_text(), re.MULTILINE))
    assert len(read) > 20
    assert matches == read | {"SECRET_KEY"}


def build(folder: Path) -> tuple[Path, Path]:
    """A source folder with one file in it, and the manifest of its build."""
    source = folder / "static"
    (source / "css").mkdir(parents=True)
    (source / "css" / "a.css").write_text("a {}")
    manifest = folder / "staticfiles.json"
    manifest.write_text(json.dumps({"paths": {"css/a.css": "css/a.1.css"}}))
    return source, manifest


def test_a_build_of_the_present_sources_counts(tmp_path: Path) -> None:
    source, manifest = build(tmp_path)
    assert is_fresh(manifest, [source])


def test_a_build_older_than_a_change_does_not(tmp_path: Path) -> None:
    source, manifest = build(tmp_path)
    later = manifest.stat().st_mtime + 10
    os.utime(source / "css" / "a.css", (later, later))
    assert not is_fresh(manifest, [source])


def test_a_build_that_lacks_a_file_does_not(tmp_path: Path) -> None:
    source, manifest = build(tmp_path)
    (source / "b.js").write_text("")
    os.utime(source / "b.js", (0, 0))
    assert not is_fresh(manifest, [source])


@pytest.mark.parametrize("text", [None, "", "[", "{}"])
def test_a_build_that_is_none_does_not(tmp_path: Path, text: str | None) -> None:
    source, manifest = build(tmp_path)
    manifest.unlink()
    if text is not None:
        manifest.write_text(text)
    assert not is_fresh(manifest, [source])


def test_a_new_build_leaves_what_the_version_before_asks_for(tmp_path: Path) -> None:
    """It was built long ago, and its processes run until they are exchanged; what it had replaced itself may go."""
    built = tmp_path / "built"
    for day, name in enumerate(("a.1.css", "a.2.css", "a.3.css")):
        new = tmp_path / "new"
        (new / "css").mkdir(parents=True, exist_ok=True)
        (new / MANIFEST).write_text(json.dumps({"paths": {"css/a.css": f"css/{name}"}}))
        now = 1_800_000_000 + day * (KEPT_SECONDS + 60)
        for file in (new / MANIFEST, new / "css" / name, new / "css" / f"{name}.gz"):
            file.touch()
            os.utime(file, (now, now))
        install_files(new, built, now=now)
    names = sorted(file.name for file in (built / "css").iterdir())
    assert names == ["a.2.css", "a.2.css.gz", "a.3.css", "a.3.css.gz"]
    assert "a.3.css" in (built / MANIFEST).read_text()
