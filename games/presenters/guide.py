"""The guide through a person's first game: tips that depend on what the page shows."""

from __future__ import annotations

from games.presenters.names import translate
from games.rules import registry


def list_guide_tips(game: str) -> list[list[str]]:
    """The game's remarks in the reader's language, each as [CSS selector, sentence]."""
    return [[remark.selector, str(translate(remark.text))] for remark in registry.infos()[game].guide]
