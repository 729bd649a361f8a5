"""The one Jinja2 environment for fragments: what travels over sockets, and what pages begin with.

Fragments are rendered with every move, so they are not Django templates: the same html in a quarter
of the time. A fragment file holds macros; `macro` returns one to call. Most of a screen is as it was a
move ago, so a macro's output is cached by its arguments and the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar, Token
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language, gettext, ngettext, npgettext, pgettext
from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from games.presenters.names import say_marks, split_number
from games.rules import registry

T = TypeVar("T")

RENDER_CACHE_SIZE = 8192
"""Cached results of one macro or sentence: a club with a hundred tables under way needs some thousands."""
SHORT_NAME = 9
"""Characters of a name, or of a word in it, that fit on one line at a seat."""
FRAGMENTS = Path(__file__).resolve().parent.parent.parent / "templates" / "fragments"


def _reverse_url(name: str, *args: object) -> str:
    return reverse(name, args=args)


class Fragments(BaseLoader):
    """Reads all fragments once at the start, so that a process serves one version even while files are replaced."""

    def __init__(self, folders: Iterable[Path]) -> None:
        files = (file for folder in folders for file in folder.iterdir())
        self._texts = {file.name: (file.read_text(encoding="utf-8"), str(file)) for file in files}

    def list_templates(self) -> list[str]:
        """The names of all fragments."""
        return sorted(self._texts)

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        """Its text, and where it comes from. Raises TemplateNotFound."""
        try:
            return *self._texts[template], None
        except KeyError:
            raise TemplateNotFound(template) from None


class CompiledFragments(FileSystemBytecodeCache):
    """Fragments as compiled by an earlier process, one file each, valid while the fragment's text is the same.

    Compiling all of them takes 0.7 s of the processor, which the first players after a start would wait for.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what is kept, unless it cannot be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, unless the disk is full or read-only: then the next process compiles it, too."""
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


def count_decimals(text: str) -> int:
    """How many digits of a number stand behind its decimal sign, as it is written in any of our languages."""
    return len(text.replace(",", ".").partition(".")[2])


def find_name_class(name: str) -> str:
    """The CSS class of a name at a seat: "long" for one that needs two lines, "long wide" for one with a long word."""
    if len(name) <= SHORT_NAME:
        return ""
    return "long wide" if max(map(len, name.split())) > SHORT_NAME else "long"


def _split_seat_name(name: str) -> tuple[str, str]:
    """A name that may be cut at a seat, and the number that must not be; the number is empty where nothing is cut."""
    return split_number(name) if len(name) > SHORT_NAME else (name, "")


def _build_environment() -> Environment:
    env = Environment(
        loader=Fragments((FRAGMENTS, *registry.list_folders("templates/fragments"))),
        autoescape=True,
        auto_reload=False,
        bytecode_cache=CompiledFragments(str(settings.COMPILED_FRAGMENTS)),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    # Looked up at every call: the language is the reader's, not that of the first rendering.
    env.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext, npgettext=npgettext)  # type: ignore[attr-defined]
    env.globals.update(static=static, url=_reverse_url, say_marks=say_marks)
    env.filters["decimals"] = count_decimals
    env.filters["name_class"] = find_name_class
    env.filters["split_number"] = _split_seat_name
    return env


environment = _build_environment()


_language: ContextVar[str] = ContextVar("language", default="")
"""The language of `use_language`: asked for with every region, where asking Django takes ten times as long."""


def is_active(language: str) -> bool:
    """Whether everything is rendered in this language now (`use_language`)."""
    return _language.get() == language


class use_language:  # noqa: N801 - reads as a verb: with use_language("de")
    """Render in this language. A class and not a generator, because it is entered five times a move."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._undo: tuple[Token[str], translation.override] | None = None

    def __enter__(self) -> None:
        if _language.get() != self.language:
            active = translation.override(self.language)
            active.__enter__()
            self._undo = _language.set(self.language), active

    def __exit__(self, *error: object) -> None:
        if self._undo is not None:
            token, active = self._undo
            _language.reset(token)
            active.__exit__(None, None, None)


def cache_by_language(render_once: Callable[..., T]) -> Callable[..., T]:
    """The function with its results cached by arguments and language; unhashable arguments are rendered every time."""

    @lru_cache(maxsize=RENDER_CACHE_SIZE)
    def render_in(language: str | None, args: tuple[Any, ...]) -> T:
        return render_once(*args)

    @wraps(render_once)
    def cached(*args: Any) -> T:
        language = _language.get() or get_language()
        try:
            return render_in(language, args)
        except TypeError:  # a list among them; or a mistake in the function, which is then raised again
            given = tuple([tuple(arg) if type(arg) is list else arg for arg in args])
        try:
            hash(given)
        except TypeError:
            return render_once(*args)
        return render_in(language, given)

    return cached


DUE_PLACEHOLDER = "\0"
"""Stands in cached html for the time when a turn runs out, which changes with every move."""


def fill_due(html: str, due: int | None) -> str:
    """The cached html with this time (ms since 1970)."""
    return str.replace(html, DUE_PLACEHOLDER, str(due))


PART_PLACEHOLDER = "\1"
"""Stands in cached html for a part that is rendered by itself."""


def fill_part(html: str, part: str) -> str:
    """The cached html with this part."""
    return str.replace(html, PART_PLACEHOLDER, part)


@cache
def macro(file: str, name: str) -> Callable[..., str]:
    """The macro `name` of the fragment file `file`, e.g. macro("climbing.jinja", "seat").

    Its arguments may be named; whoever passes more than three has to name them (tests/templates/test_shape.py).
    """
    found: Any = getattr(environment.get_template(file).module, name)
    names: tuple[str, ...] = found.arguments
    cached: Callable[..., str] = cache_by_language(found)

    @wraps(cached)
    def call(*args: Any, **named: Any) -> str:
        if named:
            rest = names[len(args) : len(args) + len(named)]
            try:
                args = (*args, *[named.pop(key) for key in rest])
            except KeyError as missing:
                raise TypeError(f"{name}() of {file} lacks the argument {missing}") from None
            if named:
                raise TypeError(f"{name}() of {file} takes no argument {', '.join(named)}")
        return cached(*args)

    return call


def compile_fragments() -> None:
    """Compile every fragment now, before anybody waits for one."""
    for file in environment.list_templates():
        environment.get_template(file)


def render(file: str, context: Mapping[str, Any]) -> str:
    """A whole fragment file."""
    return environment.get_template(file).render(context)
