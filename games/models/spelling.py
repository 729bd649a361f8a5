"""Which characters a name may have, and the search keys by which it is found.

A name is one line of signs that can be seen, in NFC, with at most `MAX_MARKS` combining marks on a letter.

It is looked up without case, accents and punctuation, from the beginning of any of its words. `Łukasz` is found as
`lukasz`, `Müller` as `muller` and as `mueller`, `Anna Maria Berg` as `mar`, as `berg an` and as `anna berg`. A name is
kept as keys, one for each of its words: the name, turned so that this word comes first. What somebody types is looked
for at the beginning of a key, which is a range of an index.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

LONGEST_KEY: Final = 64
"""A key is cut here: a name of 24 letters that stands for more (as the German sharp s) is found all the same."""
MAX_WORDS: Final = 12
"""Words of a name that are looked at; a name has no room for more."""
MAX_MARKS: Final = 3
"""Combining marks on one letter: as many as any living script stacks (Hebrew, Tibetan, Vietnamese taken apart)."""
_UNSEEN: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0x1D159))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))
"""Letters, marks and signs that show nothing, beside the control and format characters, which are not printable."""
_STYLES: Final = dict.fromkeys(range(0xFE00, 0xFE10))
"""Variation selectors: telephones put them behind a picture. A name does without them."""
Flaw = Literal["unseen", "marks"]
LAST: Final = "\U0010ffff"
"""Comes after every letter there is."""

_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters with a stroke and ligatures, which Unicode does not take apart."""
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


class NameQuery(NamedTuple):
    """What to look for among the keys: one that begins with `start` and has every one of `words` at the beginning of a
    word."""

    start: str
    words: tuple[str, ...]


def collapse_spaces(text: str) -> str:
    """A name as it is kept: in NFC, one blank between two words, without variation selectors."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_STYLES).split())


def find_flaw(name: str) -> Flaw | None:
    """What is wrong with the signs of a tidy name: some cannot be seen, or too many marks stand on one letter."""
    if name.isascii():
        return None if name.isprintable() else "unseen"
    if not name.isprintable() or any(sign in _UNSEEN for sign in name):
        return "unseen"
    return "marks" if clean_foreign_name(name) != name else None


def clean_foreign_name(text: str, instead: str = "") -> str:
    """A text from elsewhere, without signs that cannot be seen, and marks beyond what may stand on a letter.

    Line breaks and tabs stay. instead: what stands for a sign that cannot be seen.
    """
    if text.isascii() and text.isprintable():
        return text
    kept, marks = [], MAX_MARKS  # a mark without a letter before it is one too many
    for sign in unicodedata.normalize("NFC", text).translate(_STYLES):
        if sign in _UNSEEN or not (sign.isprintable() or sign.isspace()):
            kept.append(instead)
        elif unicodedata.category(sign) in ("Mn", "Me"):
            marks += 1
            kept.append(sign if marks <= MAX_MARKS else "")
        else:
            marks = MAX_MARKS if sign.isspace() else 0
            kept.append(sign)
    return "".join(kept)


def list_keys(name: str) -> list[str]:
    """The keys of a name, sorted; none for an empty one."""
    keys = {" ".join(words[at:] + words[:at])[:LONGEST_KEY] for words in _spell(name) for at in range(len(words))}
    return sorted(keys)


def parse_name_query(text: str) -> list[NameQuery]:
    """What somebody typed, the likeliest first: in each of the ways it may be spelt as it stands, and then the words in
    any order and with others between them, where the longest decides where to look. Empty if there is nothing in it.
    """
    ways = _spell(text)
    return [NameQuery(" ".join(words), ()) for words in ways] + [_scatter(words) for words in ways if len(words) > 1]


def finds(queries: Sequence[NameQuery], name: str) -> bool:
    """Whether what somebody typed finds this name; for names that are kept without keys."""
    keys = list_keys(name)
    return any(
        key.startswith(query.start) and all(f" {word}" in key for word in query.words)
        for query in queries
        for key in keys
    )


def mentions(wanted: str, text: str) -> bool:
    """Whether each searched word begins some word of this text; of nothing searched, yes."""
    ways = _spell(text, most=len(text))
    return any(
        all(any(word.startswith(start) for word in words) for start in starts)
        for starts in (_spell(wanted) or [[]])
        for words in ways
    )


@lru_cache(maxsize=1 << 14)
def fold(name: str) -> str:
    """The name without capitals and blanks, to compare names. Groß and Gross stay different."""
    return " ".join(unicodedata.normalize("NFC", name).split()).lower()


def _scatter(words: list[str]) -> NameQuery:
    longest = max(range(len(words)), key=lambda at: len(words[at]))
    return NameQuery(words[longest], (*words[:longest], *words[longest + 1 :]))


def _spell(text: str, *, most: int = MAX_WORDS) -> list[list[str]]:
    """The words of a text without accents, and, if it has letters that German writes as two, with these."""
    small = unicodedata.normalize("NFC", text.casefold())
    ways = [_split(small, most), _split(small.translate(_GERMAN), most)]
    return [words for at, words in enumerate(ways) if words and words not in ways[:at]]


def _split(text: str, most: int) -> list[str]:
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if unicodedata.category(letter) != "Mn")
    spelt = unicodedata.normalize("NFC", bare.casefold().translate(_LETTERS))
    words = "".join(letter if unicodedata.category(letter)[0] in "LMN" else " " for letter in spelt).split()
    return (words or text.split())[:most]
