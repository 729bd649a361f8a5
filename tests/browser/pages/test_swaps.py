"""Swaps of htmx obey the Content Security Policy."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Invite

pytestmark = pytest.mark.chromium

SWAP = """() => {
  const old = document.createElement("p");
  old.id = "measured";
  old.style.setProperty("--left", "0.5");
  document.querySelector("main").append(old);
  htmx.swap(old, '<p id="measured">new</p>', { swapStyle: "outerHTML", settleDelay: 20 });
}"""
"""Replaces an element to which a script has given a style by one with the same id."""


def test_a_style_that_a_script_has_set_is_not_written_as_an_attribute(invite: Invite) -> None:
    """The policy for the content of pages permits no `style` attribute; a browser complains of each."""
    person = invite()
    person.go("/about/")
    person.page.evaluate(SWAP)
    person.page.wait_for_function("document.querySelector('#measured').textContent === 'new'")
    person.page.wait_for_timeout(100)
    assert person.page.locator("#measured").get_attribute("style") is None
    assert person.complaints == []
