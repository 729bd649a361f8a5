"""The storage that names built static files by their hashes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from urllib.parse import quote

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

LONGEST_INLINED = 512
"""Bytes. A smaller picture is written into the style sheets that show it: to ask for it would take longer."""


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Adds hashes to the names, also in imports between scripts, and writes small SVG pictures into style sheets."""

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

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """Extends Django's: what a match in the file `name` is replaced by."""
        convert: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)

        def inline_or_convert(match: re.Match[str]) -> str:
            url = match["url"]
            if name.endswith(".css") and url.endswith(".svg") and ":" not in url:
                with self.open(posixpath.normpath(posixpath.join(posixpath.dirname(name), url))) as file:
                    picture: bytes = file.read()
                if len(picture) <= LONGEST_INLINED:
                    return f'url("{write_data_url(picture.decode())}")'
            return convert(match)

        return inline_or_convert


def write_data_url(svg: str) -> str:
    """The picture as an address, without what ends an address in a style sheet: quotes, brackets, line breaks."""
    return "data:image/svg+xml," + quote(svg.strip().replace('"', "'"), safe=" !$&'*+,/:;=?@")
