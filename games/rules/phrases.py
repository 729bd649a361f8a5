"""Names inside an engine's sentences: a word of the notation, together with the name that people use for it. Pure.

A sentence of `IllegalMove`, `BadSetup` or `Fault` is English with named places. A phrase in such a place reads as its
word in records and on the command line, and is translated where a person reads the sentence (`games.play.sentences`).
"""

from __future__ import annotations

from collections.abc import Iterable

from games.rules.info import Text


class Phrase(str):
    """A word of the notation ("7LG"), and its name for people.

    text: the name in English, marked with `gettext_noop` or `pgettext_noop`; values: what fills its places.
    """

    text: Text
    values: dict[str, object]

    def __new__(cls, word: str, text: Text, **values: object) -> Phrase:
        """The word itself, with its name."""
        phrase = super().__new__(cls, word)
        phrase.text, phrase.values = text, values
        return phrase


class PhraseList(str):
    """Several words in a row ("7LG 8LG"), which people read with commas between them."""

    parts: tuple[str, ...]

    def __new__(cls, parts: Iterable[str], between: str = " ") -> PhraseList:
        """The words, with what stands between them in the notation."""
        kept = tuple(parts)
        phrases = super().__new__(cls, between.join(kept))
        phrases.parts = kept
        return phrases
