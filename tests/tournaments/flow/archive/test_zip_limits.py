"""ZIPs that somebody sends: whatever is wrong with one is a sentence."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from games.play.errors import BadInput
from tournaments.flow.archive.zip_limits import Zip

LOCAL, ENTRY = b"PK\x03\x04", b"PK\x01\x02"


def pack() -> bytearray:
    """A ZIP with one document."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("one.json", '{"a": 1}')
    return bytearray(packed.getvalue())


def encrypt(raw: bytearray) -> None:
    raw[raw.index(LOCAL) + 6] |= 1
    raw[raw.index(ENTRY) + 8] |= 1


def pack_otherwise(raw: bytearray) -> None:
    raw[raw.index(LOCAL) + 8] = raw[raw.index(ENTRY) + 10] = 99


def alter(raw: bytearray) -> None:
    raw[raw.index(b'"a"') + 1] = ord("b")


def cut_off(raw: bytearray) -> None:
    del raw[-8:]


def test_a_document_is_read() -> None:
    assert Zip(bytes(pack())).read("one.json") == b'{"a": 1}'


@pytest.mark.parametrize("spoil", [encrypt, pack_otherwise, alter, cut_off])
def test_a_spoilt_zip_is_refused_with_a_sentence(spoil: Callable[[bytearray], None]) -> None:
    raw = pack()
    spoil(raw)
    with pytest.raises(BadInput, match="This archive cannot be opened"):
        Zip(bytes(raw)).read("one.json")
