"""No sentence is glued from parts: word order and endings differ between languages.

What can be found by its shape is found here: texts that begin or end in the middle of a sentence, texts beside values
in templates, and texts that Python adds, formats or joins. Two whole sentences may follow each other, a label may stand
before a value, and a tag such as "(you)" behind a name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import extraction
from games.rules import registry

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(
    file
    for folder in (ROOT / "templates", *registry.list_folders("templates"))
    for file in folder.rglob("*.*")
    if file.suffix in (".html", ".jinja")
)
SOURCES = sorted(
    file for app in ("games", "tournaments") for file in (ROOT / app).rglob("*.py") if "migrations" not in file.parts
)
DANGLING = re.compile(r"\S (?:a|an|and|because|but|from|if|into|of|or|since|than|that|the|until|when|which|with)$")
"""Words with which no text can end: what follows is added by code. (In, on, at and for end verbs and labels, too.)"""
FUNCTIONS = frozenset(
    {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy", "npgettext"}
)
LAST_TEXT = {"pgettext": 1, "pgettext_lazy": 1, "npgettext": 1}
"""Which argument is the text, where it is not the first."""
FIELD_NAMES = "games/admin/names.py"
"""Names that the admin makes of those of fields in the code: “best of”."""
LIST_SEPARATOR = ", "
"""Stands between the items of a list, and is translated, too."""
SAID = r"\{%\s*translate \"(?P<text>[^\"]+)\"[^%]*%\}"
SAID_BY_JINJA = r"\{\{-?\s*_\(\"(?P<text>[^\"]+)\"\)\s*-?\}\}"
VALUE = r"\{\{-?\s*(?!_\(|ngettext|pgettext|npgettext)[^}]*\}\}"
END = re.compile(r"[.?!…:–)”]$")
BREAK = re.compile(r"[·:–—/|\n]")
"""What separates two texts, so that each stands for itself."""


def is_cut(text: str) -> bool:
    """Whether a text begins or ends where a sentence goes on."""
    is_broken = text != text.strip() or text[0] in ",.);" or text[-1] in ",(" or DANGLING.search(text) is not None
    return is_broken and text != LIST_SEPARATOR


def find_glue_in_template(source: str) -> Iterator[str]:
    """Texts of a template that stand beside a value as if both were one sentence."""
    for remark in (SAID, SAID_BY_JINJA):
        for found in re.finditer(rf"{remark}\s+{VALUE}", source):
            if not END.search(found["text"]):
                yield " ".join(found[0].split())
        for found in re.finditer(rf"(?:{VALUE}|%\}},)\s+{remark}", source):
            if found["text"][0].islower():
                yield " ".join(found[0].split())


def read_text(node: ast.expr) -> str | None:
    """The English of a call that translates, also with values in it; None for everything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return read_text(node.left)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
        return None
    at = LAST_TEXT.get(node.func.id, 0)
    text = node.args[at] if len(node.args) > at else None
    return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else None


def is_part(node: ast.expr) -> bool:
    """Whether this is a translated text that is no whole sentence."""
    text = read_text(node)
    return text is not None and not END.search(text)


def find_glue_in_python(tree: ast.AST) -> Iterator[int]:
    """The lines in which a translated text that is no sentence is added to, formatted or joined with something."""
    for node in ast.walk(tree):
        parts, glue = take_apart(node)
        if any(map(is_part, parts)) and not BREAK.search(glue):
            yield getattr(node, "lineno", 0)


def take_apart(node: ast.AST) -> tuple[list[ast.expr], str]:
    """What an expression puts together, and what it writes between; nothing where nothing is put together."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left = node.left.right if isinstance(node.left, ast.BinOp) and not is_part(node.left) else node.left
        return [left, node.right], read_constants([left, node.right])
    if isinstance(node, ast.JoinedStr):
        return [one.value for one in node.values if isinstance(one, ast.FormattedValue)], read_constants(node.values)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        parts = [one for one in ast.walk(node.args[0]) if isinstance(one, ast.expr)]
        return parts if isinstance(node.func.value, ast.Constant) else [], read_constants([node.func.value])
    return [], ""


def read_constants(nodes: list[ast.expr]) -> str:
    """The constants among these expressions, one after the other."""
    return "".join(str(one.value) for one in nodes if isinstance(one, ast.Constant))


def test_no_text_begins_or_ends_inside_a_sentence() -> None:
    texts = {
        text
        for message in extraction.collect()
        if message.id and any(file != FIELD_NAMES for file, _line in message.locations)
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    }
    assert len(texts) > 3000
    assert sorted(filter(is_cut, texts)) == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.name)
def test_no_template_glues_a_text_to_a_value(template: Path) -> None:
    assert list(find_glue_in_template(template.read_text())) == []


def test_no_module_glues_a_text_to_something() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in SOURCES
        for line in find_glue_in_python(ast.parse(file.read_text()))
    ]
    assert found == []


@pytest.mark.parametrize("text", ["Ends at ", "paused since", ", with a bot", "of the", "Missing (", "Nobody, and"])
def test_a_cut_text_is_found(text: str) -> None:
    assert is_cut(text)


@pytest.mark.parametrize("text", ["Sign in", "Results in", "Sign in with %(name)s", "(you)", "Let in", "From"])
def test_a_whole_text_is_left_alone(text: str) -> None:
    assert not is_cut(text)


@pytest.mark.parametrize(
    "source",
    [
        '{% translate "Table" %} {{ number }}',
        '{{ points }} {% translate "points" %}',
        '{{ people }}{% endif %}, {% translate "you are one of them" %}',
        '{{ _("Table") }} {{ number }}',
        '{{ points }} {{ _("points now") }}',
    ],
)
def test_glue_in_a_template_is_found(source: str) -> None:
    assert len(list(find_glue_in_template(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '{% translate "No draw is possible:" %} {{ trouble }}',
        '{% translate "Points" %}: {{ points }}',
        '{{ name }} · {% translate "guest" %}',
        '{{ name }} {% translate "(you)" %}',
        '{{ sentence }} {% translate "Try again." %}',
    ],
)
def test_labels_tags_and_sentences_may_stand_beside_a_value(source: str) -> None:
    assert list(find_glue_in_template(source)) == []


@pytest.mark.parametrize(
    "source",
    [
        '_("Ends at") + " " + clock',
        "f'{count} {_(\"points\")}'",
        '" ".join([_("won by"), name])',
        '", ".join(_("%(count)s points") % {"count": one} for one in counts)',
    ],
)
def test_glue_in_python_is_found(source: str) -> None:
    assert list(find_glue_in_python(ast.parse(source))) != []


@pytest.mark.parametrize(
    "source",
    [
        "f'{name}: {_(\"points\")}'",
        'body + " · " + ngettext("%(days)d day", "%(days)d days", days)',
        '" ".join([_("Nobody is waiting."), said])',
        '_("Ends at %(time)s") % {"time": clock}',
    ],
)
def test_whole_texts_in_python_are_left_alone(source: str) -> None:
    assert list(find_glue_in_python(ast.parse(source))) == []
