"""How the errands of each kind are done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.flow.archive.errands import Work
from tournaments.flow.archive.reading_in import READING_IN
from tournaments.flow.archive.taking_out import COLLECTING, PACKING, TELLING
from tournaments.models import Errand

WORKS: Final[Mapping[str, Work]] = {
    Errand.Kind.RESTORE: READING_IN,
    Errand.Kind.ARCHIVE: PACKING,
    Errand.Kind.SEASON: TELLING,
    Errand.Kind.PERSON: COLLECTING,
}
