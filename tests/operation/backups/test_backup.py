"""Backups as files: what is none is refused in a sentence, and nothing is changed."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core import serializers
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model, QuerySet
from django.test import override_settings

from games import memo, models
from games.models.people import spell_on
from games.models.spelling import find_flaw
from games.operation.backups.backup import BATCH, back_up, list_models, remove_remains
from games.operation.backups.backup_file import BackupError, Parts, check
from games.operation.backups.restore import RestoreResult, restore
from games.play.records.replays import replay_table
from games.play.storage import store
from tests.cast import NOW
from tests.servers import Installation
from tournaments.models import BackgroundJob, BackgroundJobFile

pytestmark = pytest.mark.django_db(transaction=True)


def say_nothing(_line: str) -> None:
    """Progress that nobody reads."""


@pytest.fixture
def file(transactional_db: None, tmp_path: Path) -> Path:
    """The backup of an empty club, as versions before checksums made it."""
    applied = [f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()]
    head = {"format": "menagerie-backup/1", "at": 1_800_000_000, "migrations": applied, "secret_key": None}
    found = tmp_path / "club.jsonl.gz"
    found.write_bytes(gzip.compress(json.dumps(head).encode() + b'\n{"rows": 0}\n'))
    assert restore(found, say=say_nothing) == RestoreResult(0, has_checksums=False, is_key_other=False)
    return found


def write(file: Path, rows: Sequence[Model]) -> None:
    """Put these rows into the backup."""
    head = gzip.decompress(file.read_bytes()).splitlines(keepends=True)[0]
    lines = serializers.serialize("jsonl", rows, use_natural_foreign_keys=True).encode()
    file.write_bytes(gzip.compress(head + lines + json.dumps({"rows": len(rows)}).encode() + b"\n"))


def test_what_is_no_backup_changes_nothing(file: Path, tmp_path: Path) -> None:
    head = gzip.decompress(file.read_bytes()).splitlines(keepends=True)[0]
    answer = json.loads(head)
    newer = json.dumps(answer | {"migrations": [*answer["migrations"], "games.9999_future"]}).encode() + b"\n"
    player = b'{"model": "games.player", "pk": 1, "fields": {"name": "Ana", "avatar": "fox", "user": null, '
    player += b'"language": "", "created_at": "2026-01-01T00:00:00Z"}}\n'
    wrong = {
        "missing": (None, "cannot be read: No such file or directory."),
        "text": (b"hello", "is not complete: Not a gzipped file"),
        "cut": (file.read_bytes()[:-30], "is not complete: Compressed file ended"),
        "short": (gzip.compress(head + player), "ends after 1 rows. It is not complete."),
        "count": (gzip.compress(head + player + b'{"rows": 7}\n'), "has 1 rows and should have 7"),
        "row": (gzip.compress(head + b'{"model": "games.dragon", "pk": 1}\n{"rows": 1}\n'), "cannot be restored"),
        "list": (gzip.compress(head + player + b"[1]\n"), "What follows row 1 of the backup is not a row"),
        "foreign": (gzip.compress(b'{"format": "other"}\n'), "is not a backup of Menagerie"),
        "no list": (gzip.compress(b'{"format": "menagerie-backup/1"}\n'), "is not a backup of Menagerie"),
        "newer": (gzip.compress(newer + b'{"rows": 0}\n'), "This backup needs games.9999_future"),
    }
    for name, (content, sentence) in wrong.items():
        bad = tmp_path / name
        if content is not None:
            bad.write_bytes(content)
        with pytest.raises(BackupError) as refused:
            restore(bad, say=say_nothing)
        assert sentence in str(refused.value), name
    assert models.Player.objects.count() == 0


def test_a_place_that_cannot_be_written(transactional_db: None) -> None:
    with pytest.raises(BackupError, match="cannot be written"):
        back_up(Path("/dev/null/club.gz"), now=0.0, say=say_nothing)


def test_a_copy_of_the_database_that_does_not_fit(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies beside the backup, not where temporary files do, which is often memory."""
    made: list[Path] = []

    def measure(folder: Path) -> SimpleNamespace:
        made.append(folder)
        return SimpleNamespace(free=1000)

    monkeypatch.setattr(shutil, "disk_usage", measure)
    with pytest.raises(BackupError, match=f"0 MB are free in {tmp_path}, and a copy of the database is made there"):
        back_up(tmp_path / "club.gz", now=0.0, say=say_nothing)
    assert (made, list(tmp_path.iterdir())) == ([tmp_path], [])


def test_what_was_ended_by_force_goes_a_day_later(tmp_path: Path) -> None:
    for name, age in (("yesterday", 90_000), ("now", 60)):
        (tmp_path / f"menagerie-{name}.jsonl.gz.part").touch()
        (tmp_path / f"menagerie-{name}.part").mkdir()
        (tmp_path / f"menagerie-{name}.part" / "copy.sqlite3").touch()
        for file in tmp_path.glob(f"menagerie-{name}*"):
            os.utime(file, (NOW - age, NOW - age))
    remove_remains(tmp_path, now=NOW)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["menagerie-now.jsonl.gz.part", "menagerie-now.part"]


def test_names_are_found_again_whatever_a_backup_says_of_their_keys(file: Path) -> None:
    """Ben was renamed by a process of a version without keys; of Cem, from such a version's backup, there are none."""
    people = {name: models.Player.objects.create(name=name, avatar="fox").pk for name in ("Ana", "Ben", "Cem")}
    QuerySet(models.Player).filter(name="Ben").update(name="Eva")
    QuerySet(models.Player).filter(name="Cem").update(keyed="")
    models.NameKey.objects.filter(player=people["Cem"]).delete()
    rows = [*models.Player.objects.order_by("pk"), *models.NameKey.objects.order_by("pk")]
    write(file, rows)
    models.Player.objects.all().delete()
    assert restore(file, say=say_nothing).rows == 5
    assert (spell_on(), spell_on()) == (2, 0)
    keys = dict(models.NameKey.objects.values_list("key", "player"))
    assert keys == {"ana": people["Ana"], "eva": people["Ben"], "cem": people["Cem"]}


def test_names_of_old_backups_are_repaired(file: Path) -> None:
    """From before names had rules."""
    write(file, [models.Player.objects.create(name="Z" + "\u0301" * 20, avatar="fox")])
    models.Player.objects.all().delete()
    restore(file, say=say_nothing)
    assert find_flaw(models.Player.objects.get().name) is None


def test_background_jobs_of_old_backups_are_restored(file: Path) -> None:
    """They were called errands then, and so were the permissions for them."""
    staff = models.User.objects.create_user("helper", is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="view_backgroundjob"))
    job = BackgroundJob.objects.create(
        key="k", kind="person", deduplication_key="person:1", key_seed="5eed", done=2, total=7, error="[]", asked_at=NOW
    )
    write(file, [staff, job, BackgroundJobFile.objects.create(job=job, content=b"PK")])
    head, end, rows = gzip.decompress(file.read_bytes()).decode().partition("\n")
    for now, then in (
        ("backgroundjob", "errand"), ("deduplication_key", "sameness"), ("key_seed", "lot"), ("error", "trouble"),
        ("total", "of"),
    ):  # fmt: skip
        assert now in rows
        rows = rows.replace(now, then)
    file.write_bytes(gzip.compress(f"{head}{end}{rows}".encode()))
    models.User.objects.all().delete()
    BackgroundJob.objects.all().delete()
    assert restore(file, say=say_nothing).rows == 3
    found = BackgroundJob.objects.values_list("deduplication_key", "key_seed", "done", "total", "error").get()
    assert found == ("person:1", "5eed", 2, 7, "[]")
    assert bytes(BackgroundJob.objects.get().file.content) == b"PK"
    assert models.User.objects.get().has_perm("tournaments.view_backgroundjob")


def test_whose_first_person_has_an_account_is_restored(file: Path) -> None:
    """People's rows name their accounts: those must be there by then, however few there are."""
    for name in ("olga", "otto"):
        user = models.User.objects.create_user(name, password="a long one")
        models.Player.objects.create(name=name.title(), avatar="fox", user=user)
    write(file, [*models.User.objects.order_by("pk"), *models.Player.objects.order_by("pk")])
    models.Player.objects.all().delete()
    models.User.objects.all().delete()
    assert restore(file, say=say_nothing).rows == 4
    assert dict(models.Player.objects.values_list("name", "user__username")) == {"Olga": "olga", "Otto": "otto"}


def test_what_was_made_then_was_not_made_now(file: Path) -> None:
    made = models.Player.objects.create(name="Ana", avatar="fox")
    then = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    models.Player.objects.filter(pk=made.pk).update(created_at=then)
    write(file, list(models.Player.objects.all()))
    models.Player.objects.all().delete()
    restore(file, say=say_nothing)
    assert models.Player.objects.get().created_at == then
    assert models.Player.objects.create(name="Ben", avatar="fox").created_at > then


def test_no_row_notes_anything_else_by_itself() -> None:
    noting = {column for model in list_models() for column in model._meta.fields if getattr(column, "auto_now", False)}
    assert noting == set()


def test_what_is_restored_is_counted_whole(file: Path) -> None:
    """Rows are written some hundred at a time; what is said is how many of a kind there are."""
    made = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    people = [models.Player(pk=one, name=f"P {one}", avatar="fox", created_at=made) for one in range(1, BATCH + 8)]
    write(file, people)
    collected: list[str] = []
    assert restore(file, say=collected.append).rows == BATCH + 7
    assert collected == [f"{BATCH + 7:>9}  people"]


# --- checksums ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def backup_file(empty_club: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of today's format, of a club with two people."""
    folder = tmp_path_factory.mktemp("made")
    shutil.copytree(empty_club, folder / "club")
    club = Installation(folder / "club")
    people = "from games.models import Player; [Player.objects.create(name=n, avatar='fox') for n in ('Ana', 'Ben')]"
    for command in (["shell", "-c", people], ["backup", str(folder / "kept.jsonl.gz")]):
        done = club.manage(*command)
        assert done.returncode == 0, done.stderr
    return folder / "kept.jsonl.gz"


@pytest.fixture
def backup_copy(transactional_db: None, backup_file: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of it, to be restored here; the key that it holds goes into a folder of the test."""
    with override_settings(DATA_DIR=tmp_path):
        yield Path(shutil.copy(backup_file, tmp_path))


def sign(lines: list[bytes]) -> list[bytes]:
    """These lines with a last one that goes with them."""
    parts = Parts()
    for line in lines[:-1]:
        parts.add(json.loads(line).get("model", "head"), line)
    done = parts.close()
    whole = hashlib.sha256(json.dumps(done).encode()).hexdigest()
    return [*lines[:-1], json.dumps({"rows": len(lines) - 2, "parts": done, "sha256": whole}).encode() + b"\n"]


def change(file: Path, alter: Callable[[list[bytes]], list[bytes]]) -> None:
    """Write the lines of this backup anew, well compressed."""
    file.write_bytes(gzip.compress(b"".join(alter(gzip.decompress(file.read_bytes()).splitlines(keepends=True)))))


def test_a_backup_carries_the_checksum_of_each_part(backup_copy: Path) -> None:
    lines = gzip.decompress(backup_copy.read_bytes()).splitlines(keepends=True)
    end = json.loads(lines[-1])
    named = [json.loads(line).get("model", "head") for line in lines[:-1]]
    for name, count, digest in end["parts"]:
        theirs = [line for line, of in zip(lines, named, strict=False) if of == name]
        assert (len(theirs), hashlib.sha256(b"".join(theirs)).hexdigest()) == (count, digest)
    assert [part[0] for part in end["parts"]] == list(dict.fromkeys(named))
    assert check(backup_copy).has_checksums
    assert restore(backup_copy, say=say_nothing) == RestoreResult(
        len(lines) - 2, has_checksums=True, is_key_other=False
    )
    assert sorted(models.Player.objects.values_list("name", flat=True)) == ["Ana", "Ben"]


ALTERED: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "a row": (
        lambda lines: [line.replace(b"Ana", b"Eva") for line in lines],
        "the checksum of games.player is wrong",
    ),
    "the head": (lambda lines: [lines[0].replace(b'"at"', b'"as"'), *lines[1:]], "the checksum of head is wrong"),
    "the order": (lambda lines: [lines[0], *reversed(lines[1:-1]), lines[-1]], "is wrong"),
    "a row less": (lambda lines: [*lines[:2], *lines[3:]], "rows and should have"),
    "no end": (lambda lines: lines[:-1], "It is not complete"),
    "half an end": (lambda lines: [*lines[:-1], lines[-1][:40]], "cannot be read. The backup is not complete"),
    "an old end": (lambda lines: [*lines[:-1], b'{"rows": %d}\n' % (len(lines) - 2)], "is wrong"),
    "two ends": (lambda lines: [*lines, lines[-1]], "continues after its end"),
}


@pytest.mark.parametrize("name", ALTERED)
def test_what_was_altered_is_refused_before_anything_is_touched(backup_copy: Path, name: str) -> None:
    alter, sentence = ALTERED[name]
    change(backup_copy, alter)
    models.Pulse.objects.create(pk=1, at=NOW)  # restoring would remove it
    for read in (check, lambda file: restore(file, say=say_nothing)):
        with pytest.raises(BackupError) as refused:
            read(backup_copy)
        assert sentence in str(refused.value)
    assert (models.Player.objects.count(), models.Pulse.objects.count()) == (0, 1)


def test_what_was_cut_or_has_a_wrong_bit_is_refused(backup_copy: Path) -> None:
    whole = backup_copy.read_bytes()
    for position in range(60, len(whole) - 8, max(1, len(whole) // 40)):
        for damaged in (whole[:position], whole[:position] + bytes([whole[position] ^ 16]) + whole[position + 1 :]):
            backup_copy.write_bytes(damaged)
            with pytest.raises(BackupError):
                restore(backup_copy, say=say_nothing)
    assert models.Player.objects.count() == 0


def test_another_key_is_named(backup_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one from the environment stays; what the backup holds is not used."""
    monkeypatch.setenv("SECRET_KEY", "k" * 50)
    with override_settings(SECRET_KEY="k" * 50):
        assert restore(backup_copy, say=say_nothing).is_key_other
    assert not (backup_copy.parent / "secret-key").exists()


def test_a_key_from_the_environment_is_asked_for_again(backup_copy: Path, backup_file: Path) -> None:
    """An installation with SECRET_KEY does not put it into its backups: they only know whether it is the same."""
    change(
        backup_copy,
        lambda lines: sign([json.dumps(json.loads(lines[0]) | {"secret_key": None}).encode() + b"\n", *lines[1:]]),
    )
    given = (backup_file.parent / "club" / "secret-key").read_text()
    for key, is_other in ((given, False), ("k" * 50, True)):
        with override_settings(SECRET_KEY=key):
            assert restore(backup_copy, say=say_nothing).is_key_other is is_other
        models.Player.objects.all().delete()


# --- the files of finished games -----------------------------------------------------------------------


PLAY = """
from games.models import Player
from games.play.records import filing
from tests.cast import NOW, finish, start_table
ana = Player.objects.create(name="Ana", avatar="fox")
for _ in range(2):
    assert filing.file_game(finish(start_table(ana, options={"deals": 1})).id, now=NOW + 100 * 86_400)
"""


@pytest.fixture(scope="module")
def old_club(empty_club: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A club with two finished games in files, and its backup."""
    folder = tmp_path_factory.mktemp("old")
    shutil.copytree(empty_club, folder / "club")
    club = Installation(folder / "club")
    for command in (["shell", "-c", PLAY], ["backup", str(folder / "filed.jsonl.gz")]):
        done = club.manage(*command)
        assert (done.returncode, done.stderr) == (0, "")
    return club


@pytest.fixture
def filed(transactional_db: None, old_club: Installation, tmp_path: Path, settings: Any) -> Path:
    """A copy of that backup; what is restored here goes into folders of the test."""
    settings.DATA_DIR, settings.GAMES_DIR = tmp_path, tmp_path / "games"
    memo.forget_all()
    return Path(shutil.copy(old_club.folder.parent / "filed.jsonl.gz", tmp_path))


def list_files(folder: Path) -> dict[str, bytes]:
    """What is in the files below this folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_finished_games_in_files_are_backed_up_and_restored(
    filed: Path, old_club: Installation, tmp_path: Path
) -> None:
    checked = check(filed)
    end = json.loads(gzip.decompress(filed.read_bytes()).splitlines()[-1])
    assert (checked.files, end["parts"][-1][:2]) == (2, ["files", 2])
    collected: list[str] = []
    done = restore(filed, say=collected.append)
    assert (done.rows, done.files, done.missing) == (checked.rows, 2, 0)
    assert "        2  files of finished games" in collected
    assert list_files(tmp_path / "games") == list_files(old_club.folder / "games")
    for game in models.FiledGame.objects.all():
        table = store.reload(game.table_id)
        assert len(replay_table(table).moments) == table.ply + 1


def test_a_file_that_was_altered_is_refused(filed: Path, tmp_path: Path) -> None:
    change(filed, lambda lines: [*lines[:-2], lines[-2].replace(b'"data": "H4s', b'"data": "H4t'), lines[-1]])
    with pytest.raises(BackupError, match="the checksum of files is wrong"):
        restore(filed, say=say_nothing)
    assert (models.Player.objects.count(), (tmp_path / "games").exists()) == (0, False)


@pytest.mark.parametrize("name", ["../evil.json.gz", "/evil.json.gz", "2055-01/../../x.json.gz", "2055-01/x.sh"])
def test_nothing_is_written_beside_the_games(filed: Path, tmp_path: Path, name: str) -> None:
    line = json.dumps({"file": name, "data": ""}).encode() + b"\n"
    change(filed, lambda lines: sign_with_files([*lines[:-2], line, lines[-1]]))
    with pytest.raises(BackupError, match="which is not the file of a game"):
        restore(filed, say=say_nothing)
    assert list_files(tmp_path / "games") == {}  # what was written before is gone
    assert (models.Player.objects.count(), models.FiledGame.objects.count()) == (0, 0)


def sign_with_files(lines: list[bytes]) -> list[bytes]:
    """These lines, the last rows' files among them, with a last one that goes with them."""
    parts, rows = Parts(), 0
    for line in lines[:-1]:
        answer = json.loads(line)
        rows += "model" in answer
        parts.add("files" if "file" in answer else answer.get("model", "head"), line)
    done = parts.close()
    whole = hashlib.sha256(json.dumps(done).encode()).hexdigest()
    return [*lines[:-1], json.dumps({"rows": rows, "parts": done, "sha256": whole}).encode() + b"\n"]


def test_files_that_are_there_already_are_taken_for_the_same(
    filed: Path, old_club: Installation, tmp_path: Path
) -> None:
    shutil.copytree(old_club.folder / "games", tmp_path / "games")
    done = restore(filed, say=say_nothing)
    assert (done.files, done.missing, models.FiledGame.objects.count()) == (2, 0, 2)


def test_a_file_that_differs_is_not_written_over(filed: Path, old_club: Installation, tmp_path: Path) -> None:
    names = list(list_files(old_club.folder / "games"))
    for name in names:  # whichever comes first, the other one goes again
        shutil.rmtree(tmp_path / "games", ignore_errors=True)
        (tmp_path / "games" / name).parent.mkdir(parents=True)
        (tmp_path / "games" / name).write_bytes(b"another game")
        with pytest.raises(BackupError, match="already exists and differs from the one in the backup"):
            restore(filed, say=say_nothing)
        assert list_files(tmp_path / "games") == {name: b"another game"}
    assert (len(names), models.FiledGame.objects.count()) == (2, 0)


def test_a_folder_that_takes_no_files_changes_nothing(filed: Path, tmp_path: Path, settings: Any) -> None:
    (tmp_path / "file").write_text("in the way")
    settings.GAMES_DIR = tmp_path / "file"
    with pytest.raises(BackupError, match=r"cannot be written: Not a directory\. Nothing was changed"):
        restore(filed, say=say_nothing)
    assert models.FiledGame.objects.count() == 0


def test_files_that_are_missing_are_named(filed: Path, old_club: Installation, tmp_path: Path) -> None:
    """The rest is backed up. Backups of older versions hold none: the folder has to be copied."""
    shutil.copytree(old_club.folder, tmp_path / "club")
    club, file = Installation(tmp_path / "club"), tmp_path / "made.gz"
    first, second = sorted((tmp_path / "club" / "games").rglob("*.gz"))
    first.unlink()
    done = club.manage("backup", str(file))
    missing = tmp_path / "club" / "games"
    assert f"Warning: 1 files of finished games are missing in {missing}, for example" in done.stderr
    assert (done.returncode, first.name in done.stderr) == (0, True)
    output = [io.StringIO(), io.StringIO()]
    call_command("restore", str(file), stdout=output[0], stderr=output[1])
    assert "Warning: 1 files of finished games are neither in this backup nor in" in output[1].getvalue()
    assert [one.name for one in (tmp_path / "games").rglob("*.gz")] == [second.name]
