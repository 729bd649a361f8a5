"""`manage.py` for the servers of tests: a test is dealt the same cards every time, and meets the same bots.

New passwords are kept by a quick hash; a good one takes a third of a second of the processor at each sign-in.

Its luck is a file in the data folder, to which every new table adds a sign: a server that is killed and started again
deals on. What the club's own name, keys and sessions are drawn from stays as it is.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.play.storage.table import LoadedTable
    from games.rules.base import Seat

FILE = "luck.txt"
QUICK_HASH = "django.contrib.auth.hashers.MD5PasswordHasher"


def luck_of(name: str) -> str:
    """The seed of the test of this name; LUCK=... chooses other cards."""
    return f"{os.environ.get('LUCK', '')} {name}"


class Dealer:
    """Stands for the module `secrets` where tables are opened: the bytes are a new table's, the choices its names."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._own = threading.local()

    def begin(self) -> random.Random:
        """What this thread draws from, anew."""
        with self._lock:
            luck = self._file.read_text()
            self._file.write_text(f"{luck}+")
        self._own.rng = rng = random.Random(luck)
        return rng

    def token_bytes(self, size: int) -> bytes:
        """The secret of a new table."""
        return self.begin().randbytes(size)

    def choice(self, letters: Sequence[str]) -> str:
        """A letter of one of its names."""
        return str(self._own.rng.choice(letters))


class Herald(Dealer):
    """Stands for it where a guest gets an animal, and then its number."""

    def choice(self, letters: Sequence[str]) -> str:
        """The animal of this seat."""
        return self.begin().choice(letters)

    def randbelow(self, end: int) -> int:
        """Its number."""
        return int(self._own.rng.randrange(end))


class BotsLuck:
    """Stands where bots think for what they draw from; each thinks in one thread, anew at every ply."""

    def __init__(self) -> None:
        self._own = threading.local()

    def begin(self, name: str) -> None:
        """What this thread draws from now on."""
        self._own.rng = random.Random(name)

    def __getattr__(self, name: str) -> Any:
        if not hasattr(self._own, "rng"):
            self.begin("")
        return getattr(self._own.rng, name)


def deal_by(file: Path) -> None:
    """From now on this process deals by the luck in this file."""
    from games.accounts import guests
    from games.play.moves import advance, submission
    from games.play.seats import opening

    luck, usual = BotsLuck(), advance.find_next_bot

    def next_bot(table: LoadedTable) -> Seat | None:
        luck.begin(f"{table.id} {table.ply}")
        return usual(table)

    for module, name, stand_in in (
        (guests, "secrets", Herald(file)),
        (opening, "secrets", Dealer(file)),
        (submission, "_rng", luck),
        (advance, "find_next_bot", next_bot),
    ):
        getattr(module, name)  # what is not there would be replaced in vain
        setattr(module, name, stand_in)


def main() -> None:
    """Run one command as `manage.py` does."""
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from manage import GC_THRESHOLD

    gc.set_threshold(GC_THRESHOLD)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.conf import settings
    from django.core.management import execute_from_command_line

    django.setup()
    settings.PASSWORD_HASHERS = [QUICK_HASH, *settings.PASSWORD_HASHERS]
    deal_by(Path(os.environ["DATA_DIR"]) / FILE)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
