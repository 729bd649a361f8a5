"""Settings: how one Redis is told to each library, and when a build of static files counts."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from config import redis_urls
from config.build import KEPT_SECONDS, MANIFEST, is_fresh, lay
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


def test_production_settings_pass_the_deployment_checks(club: Installation) -> None:
    """As in deploy/menagerie.env: HTTPS at a proxy. Every warning would be a failure."""
    settings = {"SITE_URL": "https://cards.example.org", "ALLOWED_HOSTS": "cards.example.org", "BEHIND_PROXY": "1"}
    done = club.manage("check", "--deploy", "--fail-level", "WARNING", **settings)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_setting_is_explained() -> None:
    """The table of docs/deployment.md names what is read from the environment, and nothing else."""
    read = set(re.findall(r'\benv\.read_\w+\(\s*"([A-Z_]+)"', (ROOT / "config/settings.py").read_text()))
    told = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/deployment.md").read_text(), re.MULTILINE))
    assert len(read) > 20
    assert told == read | {"SECRET_KEY"}


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
        lay(new, built, now=now)
    names = sorted(file.name for file in (built / "css").iterdir())
    assert names == ["a.2.css", "a.2.css.gz", "a.3.css", "a.3.css.gz"]
    assert "a.3.css" in (built / MANIFEST).read_text()
