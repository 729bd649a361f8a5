"""The storage that names built static files by their hashes."""

from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Adds hashes to the names, also in imports between scripts."""

    patterns = (
        *HashedFilesMixin.patterns,
        (
            "js/*.js",
            (
                (r"""(?P<matched>from\s*["'](?P<url>\.{1,2}/[^"']+)["'])""", 'from "%(url)s"'),
                (r"""(?P<matched>void import\(["'](?P<url>\.{1,2}/[^"']+)["'])""", 'void import("%(url)s"'),
            ),
        ),
    )
