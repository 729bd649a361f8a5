"""The talk panel of a table's page, and saying something without a script."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import models
from games.play.talk import table_talk
from tests.cast import NOW, browser, open_table, start_table


def test_what_is_said_is_text_and_never_html(ana: models.Player, ben: models.Player) -> None:
    table = open_table(ana, ben, talk="free")
    answer = browser(ben).post(reverse("say", args=[table.id]), {"words": "<b>hi</b><script>x</script>"})
    assert (answer.status_code, answer["Location"]) == (302, reverse("table", args=[table.id]))
    page = browser(ana).get(reverse("table", args=[table.id])).content.decode()
    assert "&lt;b&gt;hi&lt;/b&gt;&lt;script&gt;x&lt;/script&gt;" in page
    assert "<script>x" not in page


@pytest.mark.parametrize(("language", "words"), [("de", "Gut gespielt"), ("pl", "Dobra gra")])
def test_a_phrase_is_read_in_the_readers_language(ana: models.Player, language: str, words: str) -> None:
    table = start_table(ana)
    table_talk.say(table.id, ana, phrase="well-played", now=NOW)
    table_talk.say(table.id, ana, phrase="low-prices", now=NOW)
    answer = browser(headers={"accept-language": language}).get(reverse("talk", args=[table.id]))
    assert [remark["words"] for remark in answer.json()["remarks"]] == [words, "Codziennie niskie ceny!"]
    assert answer["Cache-Control"] == "no-store"


def test_own_words_and_clearing_are_offered_to_their_owners(ana: models.Player, ben: models.Player) -> None:
    for kind, has_field in (("phrases", False), ("free", True)):
        table = open_table(ana, ben, talk=kind)
        mine, theirs = (browser(who).get(reverse("table", args=[table.id])).content.decode() for who in (ana, ben))
        assert ('id="words-said"' in theirs) is has_field
        for html, is_host in ((mine, True), (theirs, False)):  # Ben may become it, and the page has the tools for that
            assert ('<i id="host" class="me"' in html, "Clear chat" in html) == (is_host, True)
        assert "Clear chat" not in browser().get(reverse("table", args=[table.id])).content.decode()
    silent = browser(ana).get(reverse("table", args=[open_table(ana, talk="off").id])).content.decode()
    assert 'id="talk"' not in silent


def test_saying_too_much_is_refused(ana: models.Player, settings: pytest.FixtureRequest) -> None:
    settings.REMARKS_PER_MINUTE = 1  # type: ignore[attr-defined]
    table, client = start_table(ana), browser(ana)
    url = reverse("say", args=[table.id])
    assert client.post(url, {"phrase": "thanks"}).status_code == 302
    assert client.post(url, {"phrase": "thanks"}).status_code == 429
    assert models.Remark.objects.count() == 1


def test_a_stranger_who_cannot_say_that_stays_a_stranger(ana: models.Player) -> None:
    table = start_table(ana)
    assert browser().post(reverse("say", args=[table.id]), {"words": "hello"}).status_code == 403
    assert models.Player.objects.count() == 1
