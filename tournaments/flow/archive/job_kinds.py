"""How the errands of each kind are done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.flow.archive.background_jobs import JobHandler
from tournaments.flow.archive.export_jobs import COLLECTING, PACKING, TELLING
from tournaments.flow.archive.import_job import READING_IN
from tournaments.models import Errand

HANDLERS: Final[Mapping[str, JobHandler]] = {
    Errand.Kind.RESTORE: READING_IN,
    Errand.Kind.ARCHIVE: PACKING,
    Errand.Kind.SEASON: TELLING,
    Errand.Kind.PERSON: COLLECTING,
}
