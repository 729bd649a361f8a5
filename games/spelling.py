"""How a name is looked up: without case, accents and punctuation, from the beginning of any of its words.

`Łukasz` is found as `lukasz`, `Müller` as `muller` and as `mueller`, `Anna Maria Berg` as `mar`, as `berg an` and as
`anna berg`. A name is kept as keys, one for each of its words: the name, turned so that this word comes first. What
somebody types is looked for at the beginning of a key, which is a range of an index.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

LONGEST_KEY: Final = 64
"""A key is cut here: a name of 24 letters that stands for more (as the German sharp s) is found all the same."""
MOST_WORDS: Final = 12
"""More words have no room in a name."""
LAST: Final = "\U0010ffff"
"""Comes after every letter there is."""

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters with a stroke and ligatures, which Unicode does not take apart."""
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


class Wanted(NamedTuple):
    """What to look for among the keys: one that begins with `start` and has every one of `words` at the beginning of a
    word."""

    start: str
    words: tuple[str, ...]


def list_keys(name: str) -> list[str]:
    """The keys of a name, sorted; none for an empty one."""
    keys = {" ".join(words[at:] + words[:at])[:LONGEST_KEY] for words in _spell(name) for at in range(len(words))}
    return sorted(keys)


def read_wish(text: str) -> list[Wanted]:
    """What somebody typed, the likeliest first: in each of the ways it may be spelt as it stands, and then the words in
    any order and with others between them, where the longest decides where to look. Empty if there is nothing in it.
    """
    ways = _spell(text)
    return [Wanted(" ".join(words), ()) for words in ways] + [_scatter(words) for words in ways if len(words) > 1]


def finds(wishes: Sequence[Wanted], name: str) -> bool:
    """Whether what somebody typed finds this name; for names that are kept without keys."""
    keys = list_keys(name)
    return any(
        key.startswith(one.start) and all(f" {word}" in key for word in one.words) for one in wishes for key in keys
    )


@lru_cache(maxsize=1 << 14)
def fold(name: str) -> str:
    """What two names have in common that are one name: all but capitals and blanks. Groß and Gross are two."""
    return " ".join(unicodedata.normalize("NFC", name).split()).lower()


def _scatter(words: list[str]) -> Wanted:
    longest = max(range(len(words)), key=lambda at: len(words[at]))
    return Wanted(words[longest], (*words[:longest], *words[longest + 1 :]))


def _spell(text: str) -> list[list[str]]:
    """The words of a text without accents, and, if it has letters that German writes as two, with these."""
    small = unicodedata.normalize("NFC", text.casefold())
    ways = [_split(small), _split(small.translate(_GERMAN))]
    return [words for at, words in enumerate(ways) if words and words not in ways[:at]]


def _split(text: str) -> list[str]:
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if unicodedata.category(one) != "Mn")
    spelt = unicodedata.normalize("NFC", bare.casefold().translate(_LETTERS))
    words = "".join(one if unicodedata.category(one)[0] in "LMN" else " " for one in spelt).split()
    return (words or text.split())[:MOST_WORDS]
