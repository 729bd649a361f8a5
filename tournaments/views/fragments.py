"""The long parts of pages, in Jinja2: a quarter of the time of Django's templates."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

from games.presenters.render import environment


def render_fragment(name: str, *args: object, file: str = "people.jinja") -> SafeString:
    """The HTML of a Jinja2 macro in the reader's language. name, args: of the macro; file: its template."""
    render = getattr(environment.get_template(file).module, name)
    html: str = render(*args)
    return mark_safe(html)  # noqa: S308 - rendered by our own autoescaping fragments
