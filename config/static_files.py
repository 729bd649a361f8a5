"""How the built static files are named."""

from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Hashes in the names, also where one of our scripts imports another."""

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
