"""What can be translated, collected for Babel (`make extract`): Python, fragments and Django's templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import IO, Any

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

_CALL = re.compile(r"""\b(n?p?gettext|_)\((?:[^()'"]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")*\)""")


def extract_django(
    fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Sequence[str], options: Any
) -> Iterator[tuple[int, Any, Any, Any]]:
    """Messages of one Django template, in Babel's form: (line, function, messages, comments)."""
    spelled = templatize(fileobj.read().decode())
    for line, text in enumerate(_calls_by_line(spelled), start=1):
        if text:
            for _, function, messages, comments in extract_python(BytesIO(text.encode()), keywords, comment_tags, options):
                yield line, function, messages, comments


def _calls_by_line(spelled: str) -> list[str]:
    lines = [""] * (spelled.count("\n") + 1)
    for call in _CALL.finditer(spelled):
        lines[spelled.count("\n", 0, call.start())] += call.group().replace("\n", " ") + "\n"
    return lines
