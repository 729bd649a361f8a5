"""Decodes a text file in any encoding that spreadsheets write."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from games.play.errors import BadInput

CENTRAL_EUROPE = "Windows-1250"
"""What spreadsheets write in German and Polish where nobody says UTF-8."""
WORKBOOK = b"PK\x03\x04"


def decode(raw: bytes) -> tuple[str, str]:
    """The text of a file, and the encoding where that was a guess. Raises BadInput for what is no text."""
    if raw.startswith(WORKBOOK):
        raise BadInput("This is a spreadsheet file, not a text list. Save it as “CSV UTF-8” and try again.")
    try:
        if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            return _require_text(raw.decode("utf-16")), ""
        return _require_text(raw.decode("utf-8-sig")), ""
    except UnicodeDecodeError:
        return _guess_encoding(raw)


def _guess_encoding(raw: bytes) -> tuple[str, str]:
    try:
        return _require_text(raw.decode("cp1250")), CENTRAL_EUROPE
    except UnicodeDecodeError as error:
        raise _no_text() from error


def _require_text(text: str) -> str:
    if any(sign < " " and sign not in "\t\r\n" for sign in text):
        raise _no_text()
    return text


def _no_text() -> BadInput:
    return BadInput("This is not a text file. Save the list as “CSV UTF-8” and try again.")
