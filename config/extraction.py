"""Collects translatable texts with Babel (`make extract`): from Python, Jinja fragments and Django templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.frontend import parse_keywords, parse_mapping_cfg
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = {code: ROOT / "locale" / code / "LC_MESSAGES" / "django.po" for code in ("de", "pl")}
_REFUSALS = (
    "IllegalMove",
    "BadSetup",
    "BadInput",
    "BadPlan",
    "Fault",
    "_Flaw",
    "NotAllowed",
    "NotFound",
    "Missing",
    "Stale",
    "Illegal",
    "TooFast",
    "Busy",
    "Unreadable",
    "NotInstalled",
    "NoToken",
    "TournamentMissing",
    "UnknownGame",
    "Reason",
)
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **parse_keywords(
        [
            "gettext_lazy",
            "gettext_noop",
            "ngettext_lazy:1,2",
            "pgettext_lazy:1c,2",
            "pgettext_noop:1c,2",
            "npgettext_lazy:1c,2,3",
            *_REFUSALS,
        ]
    ),
}
"""Functions, and refusals, whose first argument is a sentence for people."""
FOLDERS = frozenset({"games", "tournaments", "config", "templates"})

_HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: Menagerie\\n"
"Language: {code}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

_CALL = re.compile(r"""\b(n?p?gettext|_)\((?:[^()'"]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")*\)""")


def extract_django(
    fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Sequence[str], options: Any
) -> Iterator[tuple[int, Any, Any, Any]]:
    """Messages of one Django template, in Babel's form: (line, function, messages, comments)."""
    spelled = templatize(fileobj.read().decode())
    for line, text in enumerate(_calls_by_line(spelled), start=1):
        if text:
            source = BytesIO(text.encode())
            for _, function, messages, comments in extract_python(source, keywords, comment_tags, options):
                yield line, function, messages, comments


def _calls_by_line(spelled: str) -> list[str]:
    lines = [""] * (spelled.count("\n") + 1)
    for call in _CALL.finditer(spelled):
        lines[spelled.count("\n", 0, call.start())] += call.group().replace("\n", " ") + "\n"
    return lines


def collect() -> Catalog:
    """All translatable texts in the sources."""
    catalog = Catalog(project="Menagerie", charset="utf-8")
    with (ROOT / "locale" / "babel.cfg").open() as mapping:
        methods, options = parse_mapping_cfg(mapping)  # type: ignore[no-untyped-call]
    found = extract_from_dir(ROOT, methods, options, KEYWORDS, directory_filter=_is_ours)
    for name, line, message, comments, context in found:
        catalog.add(message, None, [(name, line)], auto_comments=comments, context=context)
    return catalog


def _is_ours(folder: str | Path) -> bool:
    inside = Path(folder).absolute().relative_to(ROOT).parts
    return inside[0] in FOLDERS and inside[-1] != "__pycache__"


def read(code: str) -> Catalog:
    """The catalogue of a language, an empty one for a language that has none yet."""
    path = CATALOGUES[code]
    if not path.exists():
        return Catalog(code)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def refresh() -> None:
    """Update the catalogues from the sources; new entries are empty."""
    template = collect()
    for code, path in CATALOGUES.items():
        catalog = read(code)
        catalog.update(template, no_fuzzy_matching=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(_HEADER.format(code=code, plural=catalog.plural_forms).encode())
            write_po(file, catalog, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True)


if __name__ == "__main__":
    refresh()
