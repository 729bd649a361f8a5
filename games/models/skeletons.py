"""Skeletons of names, for finding look-alikes: two names with a skeleton in common can be mistaken for each other.

A skeleton (Unicode Technical Standard 39, section 4) has every sign replaced by the one that it looks like: a Cyrillic
"а" by a Latin one, "0" by "O", "rn" and "m" by the same. It leaves out capitals, blanks, punctuation and symbols. A
name has two, since letters look like others as capitals and as small letters: "OIga" is taken for "Olga", and so is
"OLGA", but "Ella" is not taken for "Elia". Accents of European alphabets tell names apart: Łukasz and Lukasz,
Müller and Muller are different people. Other marks on their letters, as a dot below, are overlooked and do not. So are
marks of these alphabets on letters of other scripts, and the points by which Hebrew and Arabic may write vowels.

The table of signs that look alike is Unicode's, as the package confusable-homoglyphs ships it.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, count
from typing import Final

_EUROPEAN_END: Final = "\u0530"
"""Behind the letters of Latin (without the additions for Vietnamese and phonetics), Greek and Cyrillic."""
_OVERLOOKED: Final = frozenset(
    sign
    for first, last in (
        (0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),  # of no script
        (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x0652), (0x0656, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06ED),
    )
    for sign in map(chr, range(first, last + 1))
)  # fmt: skip
"""Marks that tell no letter from another one where the letter is of no European alphabet."""
_SMALL: Final = frozenset(
    sign
    for first, last in ((0x02B0, 0x02FF), (0x0559, 0x0559), (0x0640, 0x0640), (0xA4F8, 0xA4FD), (0xA700, 0xA71F),
                        (0xA788, 0xA78A))
    for sign in map(chr, range(first, last + 1))
)  # fmt: skip
"""Letters that look like dots, ticks and lines, and the line that makes an Arabic word longer."""
_FRAMED: Final = {start + index: chr(ord("A") + index) for start in (0x1F150, 0x1F170, 0x1F1E6) for index in range(26)}
"""Letters in black circles and squares, and those of flags, which Unicode does not take apart."""
_MARK: Final = "\u200e"
"""Unicode's table writes this invisible mark around signs that are written from right to left."""


@lru_cache(maxsize=1 << 14)
def list_skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name; none are empty unless the name is."""
    plain = _simplify(name) or name
    spellings = {plain, _drop_gaps(plain) or plain}  # a stroke may stand for a letter, as in "O|ga", or for nothing
    looks = {
        look for spelling in spellings for look in (_replace(spelling).lower(), _replace(spelling.lower()).lower())
    }
    return frozenset(_drop_gaps(look) or look for look in looks)


def collect_skeletons(names: Iterable[str]) -> set[str]:
    """The skeletons of all these names."""
    return {skeleton for name in names for skeleton in list_skeletons(name)}


def are_alike(name: str, other: str) -> bool:
    """Whether a reader can take one of these names for the other."""
    return not list_skeletons(name).isdisjoint(list_skeletons(other))


MAX_NUMBERED_NAME: Final = 32
"""Characters of a person's name with its number: in clubs and at evenings."""
MAX_SEAT_NAME: Final = 40
"""Characters of a name on a seat and in a chat: as many as an entrant's name may have."""


def number_name(name: str, taken: Collection[str], *, most: int) -> str:
    """This name, or with the first number that makes it unlike all others. taken: their skeletons; most: characters.

    What stands in brackets at its end, such as the mark of a bot account, stays there.
    """
    taken_skeletons = frozenset(taken)
    base, bracket, rest = name.rpartition(" (")
    base, ending = (base, bracket + rest) if base and rest.endswith(")") else (name, "")
    tries = chain([name], (f"{base[: most - len(f' {number}{ending}')]} {number}{ending}" for number in count(2)))
    return next(candidate for candidate in tries if taken_skeletons.isdisjoint(list_skeletons(candidate)))


def _replace(text: str) -> str:
    signs = _read_signs()
    return unicodedata.normalize("NFD", "".join(signs.get(sign, sign) for sign in text))


def _simplify(name: str) -> str:
    """A name taken apart, without marks that are overlooked, and with plain letters for wide and framed ones."""
    kept, letter = [], ""
    for sign in unicodedata.normalize("NFKD", name.translate(_FRAMED)):
        if sign in _SMALL:
            continue
        if unicodedata.category(sign)[0] != "M":
            letter = sign
        elif not _tells_apart(letter, sign):
            continue
        kept.append(sign)
    return "".join(kept)


def _tells_apart(letter: str, mark: str) -> bool:
    """Whether a mark on this letter belongs to it, as in Müller, or the letter is of another kind of script."""
    if letter >= _EUROPEAN_END:
        return mark not in _OVERLOOKED
    whole = unicodedata.normalize("NFC", letter + mark)
    return len(whole) == 1 and whole < _EUROPEAN_END


def _drop_gaps(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign)[0] not in "PZCS")


@cache
def _read_signs() -> Mapping[str, str]:
    """By sign, what it looks like. The package lists for each sign all that look like it: a sign that is replaced has
    one entry, the one that it is replaced by has many."""
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    alike = {sign.strip(_MARK): [row["c"].strip(_MARK) for row in found] for sign, found in json.loads(text).items()}
    return {
        sign: found[0]
        for sign, found in alike.items()
        if len(sign) == 1 and len(found) == 1 and _is_replaced(sign, found[0], alike)
    }


def _is_replaced(sign: str, other: str, alike: Mapping[str, list[str]]) -> bool:
    return len(other) > 1 or len(alike.get(other, ())) > 1 or other < sign
