"""What a screen reader announces: each text of the page's live region, in order."""

from __future__ import annotations

from contextlib import suppress

from tests.browser.visitor import Visitor, wait_until

_LISTEN = """() => {
  window.heard = [];
  const say = document.getElementById("say");
  new MutationObserver(() => window.heard.push(say.textContent)).observe(say, { childList: true });
}"""


_BOTH = """() => [
  [...document.querySelectorAll("#log li")].map((line) => line.textContent), window.heard
]"""


class ScreenReader:
    """Records the announcements on the page of a table, from now on."""

    def __init__(self, person: Visitor) -> None:
        self.person = person
        person.page.evaluate(_LISTEN)
        self._already = len(self._log())

    def heard(self) -> str:
        """All announcements so far as one text."""
        return " ".join(self.person.page.evaluate("() => window.heard"))

    def misses(self) -> list[str]:
        """New lines of the log that were not announced, or not in order. Waits until there are none, or time is up."""
        with suppress(AssertionError):
            wait_until(lambda: not self._missed(), self.person.page, what="all lines are announced")
        return self._missed()

    def _missed(self) -> list[str]:
        lines, heard = self.person.page.evaluate(_BOTH)
        rest, missed = " ".join(heard), []
        for line in lines[self._already :]:
            if line in rest:
                rest = rest[rest.index(line) + len(line) :]
            else:
                missed.append(line)
        return missed

    def await_word(self, word: str) -> None:
        """Wait until this is announced. Raises AssertionError."""
        wait_until(lambda: word in self.heard(), self.person.page, what=f"{word} is announced")

    def _log(self) -> list[str]:
        return self.person.at("#log li").all_text_contents()
