"""What a page says, whatever the line breaks of its templates."""

from __future__ import annotations

import re
from typing import Protocol

_AT_TAGS = re.compile(r"\s*\n\s*(?=[<>])|(?<=>)\s*\n\s*")
_ELSEWHERE = re.compile(r"\s+")


class HasContent(Protocol):
    """An answer of Django's, or of its test client."""

    content: bytes


def flatten(page: str) -> str:
    """A page in one line: without the line breaks at its tags, and with one space for any other white space."""
    return _ELSEWHERE.sub(" ", _AT_TAGS.sub("", page))


def read_page(answer: HasContent) -> str:
    """The page of an answer in one line (`flatten`)."""
    return flatten(answer.content.decode())
