"""Talk at a table: who says what, who hears it, what is cleared."""

from __future__ import annotations

import pytest

from games import models
from games.play.errors import BadInput, NotAllowed, NotFound
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.play.talk import remarks, table_talk
from tests.cast import NOW, finish, open_table, person, start_table


def list_heard_phrases(table: LoadedTable, player: models.Player | None) -> list[str]:
    """What this person hears, phrases by their slugs."""
    remarks = table_talk.list_remarks(store.reload(table.id), player.pk if player else None).remarks
    return [remark.phrase or remark.words for remark in remarks]


def test_a_phrase_is_heard_by_everybody_in_order(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = start_table(ana, ben)
    table_talk.say(table.id, ana, phrase="well-played", now=NOW)
    table_talk.say(table.id, ben, phrase="thanks", now=NOW + 1)
    for listener in (ana, ben, eva, None):
        assert list_heard_phrases(table, listener) == ["well-played", "thanks"]
    first = table_talk.list_remarks(table, ana.pk).remarks[0]
    assert first == remarks.ShownRemark(1, str(ana.pk), 0, "Ana", "well-played", "", NOW, role="host")


def test_who_watches_is_not_called_as_somebody_who_sits_there(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    table_talk.say(table.id, person("Anа"), phrase="thanks", now=NOW)  # with a Cyrillic letter
    assert [one.name for one in table_talk.list_remarks(store.reload(table.id), None).remarks] == ["Anа 2"]


def test_own_words_only_where_the_table_allows_them(ana: models.Player) -> None:
    with pytest.raises(NotAllowed, match="only use phrases"):
        table_talk.say(open_table(ana).id, ana, words="hello", now=NOW)
    free = open_table(ana, talk="free")
    table_talk.say(free.id, ana, words="  hello \n there ", now=NOW)
    assert list_heard_phrases(free, ana) == ["hello there"]


def test_where_nobody_talks_not_even_a_phrase_is_said(ana: models.Player) -> None:
    with pytest.raises(NotAllowed, match="Chat is off"):
        table_talk.say(open_table(ana, talk="off").id, ana, phrase="thanks", now=NOW)


@pytest.mark.parametrize("words", ["", "   ", "x" * 201, "\x07", "a\u202eb"])
def test_words_that_cannot_be_said(ana: models.Player, words: str) -> None:
    table = open_table(ana, talk="free")
    with pytest.raises(BadInput):
        table_talk.say(table.id, ana, words=words, now=NOW)
    assert models.Remark.objects.count() == 0


def test_during_a_game_no_player_hears_who_watches(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = start_table(ana, ben, options={"deals": 1})
    table_talk.say(table.id, eva, phrase="ouch", now=NOW)
    table_talk.say(table.id, ben, phrase="thanks", now=NOW)
    assert list_heard_phrases(table, ana) == list_heard_phrases(table, ben) == ["thanks"]
    assert list_heard_phrases(table, eva) == list_heard_phrases(table, None) == ["ouch", "thanks"]
    finish(table)
    assert list_heard_phrases(table, ana) == ["ouch", "thanks"]


def test_the_host_and_staff_clear_nobody_else(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    table_talk.say(table.id, ben, phrase="ouch", now=NOW)
    with pytest.raises(NotAllowed):
        table_talk.clear(table.id, ben, is_staff=False, now=NOW)
    table_talk.clear(table.id, ana, is_staff=False, now=NOW)
    assert list_heard_phrases(table, ben) == []
    table_talk.say(table.id, ben, phrase="thanks", now=NOW)
    table_talk.clear(table.id, None, is_staff=True, now=NOW)
    table_talk.say(table.id, ben, phrase="once-more", now=NOW)
    assert table_talk.list_remarks(table, ana.pk).since == 5
    assert list_heard_phrases(table, ana) == ["once-more"]
    assert models.Remark.objects.count() == 5  # nothing is deleted


def test_a_remark_is_reported_once_a_person_and_never_ones_own(ana: models.Player, ben: models.Player) -> None:
    table = start_table(ana, ben)
    table_talk.say(table.id, ben, phrase="ouch", now=NOW)
    for _ in range(2):
        table_talk.report(table.id, 1, ana, now=NOW)
    assert [(str(report.remark), report.player) for report in models.Report.objects.all()] == [("Ben: ouch", ana)]
    with pytest.raises(NotAllowed):
        table_talk.report(table.id, 1, ben, now=NOW)
    with pytest.raises(NotFound):
        table_talk.report(table.id, 2, ana, now=NOW)


def test_nobody_reports_what_they_cannot_hear(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    table = start_table(ana, ben)
    table_talk.say(table.id, eva, phrase="ouch", now=NOW)
    with pytest.raises(NotFound):
        table_talk.report(table.id, 1, ana, now=NOW)
