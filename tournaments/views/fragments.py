"""The long parts of pages, in Jinja2: a quarter of the time of Django's templates."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

from games.live.render import environment


def fragment(name: str, *args: object) -> SafeString:
    """The HTML of a macro of `people.jinja`, in the reader's language."""
    draw = getattr(environment.get_template("people.jinja").module, name)
    html: str = draw(*args)
    return mark_safe(html)  # noqa: S308 - rendered by our own autoescaping fragments
