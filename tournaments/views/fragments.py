"""The long parts of pages, in Jinja2: a quarter of the time of Django's templates."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe

from games.presenters.render import environment


def render_fragment(macro: str, *args: object, file: str = "people.jinja", **named: object) -> SafeString:
    """The HTML of a Jinja2 macro in the reader's language. args, named: of the macro; file: its template."""
    render = getattr(environment.get_template(file).module, macro)
    html: str = render(*args, **named)
    return mark_safe(html)  # noqa: S308 - rendered by our own autoescaping fragments
