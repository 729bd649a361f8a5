"""The backup hook gets each new backup, and its failure is reported."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from games.management.commands.backup import Command
from games.operation.backups.backup_file import BackupError
from tests.servers import Installation

COPY = "import shutil, sys; shutil.copy(sys.argv[2], sys.argv[1])"


def test_each_backup_goes_to_the_program_with_its_arguments(club: Installation, tmp_path: Path) -> None:
    away = tmp_path / "off site"
    away.mkdir()
    done = club.manage("backup", "--keep", "2", BACKUP_HOOK=shlex.join([sys.executable, "-c", COPY, str(away)]))
    (made,) = (club.folder / "backups").iterdir()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"BACKUP_HOOK has handled {made.name}.\n")
    assert (away / made.name).read_bytes() == made.read_bytes()


@pytest.mark.parametrize(
    ("hook", "sentence"),
    [
        (shlex.join([sys.executable, "-c", "raise SystemExit(3)"]), "ended with status 3. Check for a copy."),
        ("/no/such/program", "cannot be run: [Errno 2] No such file or directory: '/no/such/program'."),
        ("'unclosed", "cannot be run: No closing quotation."),
    ],
)
def test_a_program_that_fails_is_said(tmp_path: Path, hook: str, sentence: str) -> None:
    command = Command()
    command._hook = hook
    with pytest.raises(BackupError) as error:
        command._run_hook(tmp_path / "club.jsonl.gz")
    assert str(error.value) == f"{tmp_path}/club.jsonl.gz was made, but BACKUP_HOOK {sentence}"
