"""What a reader of screens hears: each text that the page's live region has had, in this order."""

from __future__ import annotations

from tests.browser.visitor import Visitor, until

_LISTEN = """() => {
  window.heard = [];
  const say = document.getElementById("say");
  new MutationObserver(() => window.heard.push(say.textContent)).observe(say, { childList: true });
}"""


class Ear:
    """Listens to the page of a table, from now on."""

    def __init__(self, person: Visitor) -> None:
        self.person = person
        person.page.evaluate(_LISTEN)
        self._already = len(self._log())

    def heard(self) -> str:
        """Everything that has been said."""
        return " ".join(self.person.page.evaluate("() => window.heard"))

    def misses(self) -> list[str]:
        """The lines that the log has gained and nobody has heard, or not in their order: none, it is hoped."""
        rest, missed = self.heard(), []
        for line in self._log()[self._already :]:
            if line in rest:
                rest = rest[rest.index(line) + len(line) :]
            else:
                missed.append(line)
        return missed

    def await_word(self, word: str) -> None:
        """Until this has been said."""
        until(lambda: word in self.heard(), self.person.page, what=f"{word} is said")

    def _log(self) -> list[str]:
        return self.person.at("#log li").all_text_contents()
