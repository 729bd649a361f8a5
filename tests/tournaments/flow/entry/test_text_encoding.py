"""Files of text in the encodings that spreadsheets write."""

from __future__ import annotations

import pytest

from games.play.errors import BadInput
from tournaments.flow.entry.text_encoding import decode

TEXT = "name;club\nŻaneta Wójcik;Łódź\nJürgen Groß;Köln\n"


@pytest.mark.parametrize(
    ("encoding", "guess"),
    [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", ""), ("cp1250", "Windows-1250")],
)
def test_a_list_is_read_as_it_was_written(encoding: str, guess: str) -> None:
    assert decode(TEXT.encode(encoding)) == (TEXT, guess)


def test_big_endian_is_read_too() -> None:
    assert decode(b"\xfe\xff" + TEXT.encode("utf-16-be")) == (TEXT, "")


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"PK\x03\x04 and more", "This is a spreadsheet file, not a text list."),
        (b"name\x00Ada", "This is not a text file."),
        (b"\xff\xfe\x00", "This is not a text file."),
        (bytes(range(256)), "This is not a text file."),
        (b"name\nA\x81", "This is not a text file."),
    ],
)
def test_what_is_no_text_is_refused_with_a_sentence(raw: bytes, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        decode(raw)
