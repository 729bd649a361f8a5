"""Sentences of refusals, engines and faults in the reader's language, with the names inside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from django.utils.translation import gettext, pgettext

from games.rules.info import ContextText
from games.rules.phrases import Phrase, PhraseList


@runtime_checkable
class Readable(Protocol):
    """What an error says: an English template, which is also its key in the catalogues, and what fills its places."""

    @property
    def template(self) -> str:
        """English."""

    @property
    def values(self) -> Mapping[str, object]:
        """By the names of the places."""


def say_sentence(sentence: Readable) -> str:
    """The sentence for the reader. A value may be a phrase, or a sentence, which loses its full stop."""
    return _fill(gettext(sentence.template), sentence.values)


def _fill(template: str, values: Mapping[str, object]) -> str:
    return template % {name: _say_value(value) for name, value in values.items()} if values else template


def _say_value(value: object) -> object:
    if isinstance(value, Readable):
        return say_sentence(value).removesuffix(".")
    if isinstance(value, PhraseList):
        return gettext(", ").join(str(_say_value(part)) for part in value.parts)
    return _say_phrase(value) if isinstance(value, Phrase) else value


def _say_phrase(phrase: Phrase) -> str:
    text = phrase.text
    name = pgettext(text.context, text.message) if isinstance(text, ContextText) else gettext(text)
    return _fill(name, phrase.values)
