"""The long parts of pages, in Jinja2: a quarter of the time of Django's templates."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

from games.presenters.render import environment


def fragment(name: str, *args: object, file: str = "people.jinja") -> SafeString:
    """The HTML of a macro of this file, in the reader's language."""
    draw = getattr(environment.get_template(file).module, name)
    html: str = draw(*args)
    return mark_safe(html)  # noqa: S308 - rendered by our own autoescaping fragments
