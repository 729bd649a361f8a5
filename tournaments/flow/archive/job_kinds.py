"""How the background jobs of each kind are run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.flow.archive import export_jobs, import_job
from tournaments.flow.archive.background_jobs import JobHandler
from tournaments.models import BackgroundJob

HANDLERS: Final[Mapping[str, JobHandler]] = {
    BackgroundJob.Kind.RESTORE: import_job.IMPORT,
    BackgroundJob.Kind.ARCHIVE: export_jobs.ARCHIVE,
    BackgroundJob.Kind.SEASON: export_jobs.SEASON,
    BackgroundJob.Kind.PERSON: export_jobs.PERSON,
}
