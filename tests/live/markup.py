"""Reading html the way a strict reader does: balanced tags, unique ids, nothing that runs or styles inline."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
DRAWN = frozenset({"path", "rect", "circle", "line", "polyline", "image", "use"})
"""Elements of SVG that close themselves."""


class Reader(HTMLParser):
    """Collects what is wrong with a piece of html, its ids, and the classes of cards in it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.files: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what must be closed, and look at the attributes."""
        self._look(tag, dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A self-closing tag is for drawings."""
        self._look(tag, dict(attrs))
        if tag not in DRAWN | VOID:
            self.faults.append(f"<{tag}/> does not close itself")

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        """Text that people read."""
        self.words.append(data)

    def _look(self, tag: str, attrs: dict[str, str | None]) -> None:
        self.faults += [f"{name} on <{tag}>" for name in attrs if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in attrs and attrs.get("type") != "application/json"):
            self.faults.append(f"inline <{tag}>")
        if found := attrs.get("id"):
            if found in self.ids:
                self.faults.append(f"id {found} twice")
            self.ids.append(found)
        self.files += [
            value
            for name in ("src", "href", "data-calm", "data-turn")
            if (value := attrs.get(name)) and value.startswith("/static/")
        ]


def read(html: str) -> Reader:
    """The reader after this html, with everything that is wrong in `faults`."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    reader.faults += [f"<{tag}> is never closed" for tag in reader.open]
    return reader
