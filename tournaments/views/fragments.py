"""The long parts of pages, in Jinja2: a quarter of the time of Django's templates."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

from games.presenters.render import environment


def fragment(macro: str, *args: object, file: str = "people.jinja", **named: object) -> SafeString:
    """The HTML of this macro of this file with these arguments, in the reader's language."""
    draw = getattr(environment.get_template(file).module, macro)
    html: str = draw(*args, **named)
    return mark_safe(html)  # noqa: S308 - rendered by our own autoescaping fragments
