"""Everything that has happened at a table can be read back, a bounded part at a time."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play.records import filing, game_record, log_pages
from games.play.records.log_pages import PAGE_PLIES, LogPage, read_log_page
from games.play.signals import RESULT_KINDS
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.rules import registry
from tests.cast import NOW, browser, finish, start_table

LINE = re.compile(r"<li")


def read_all(table: LoadedTable) -> list[LogPage]:
    """Every page of every deal."""
    deals = read_log_page(table).deals
    return [
        read_log_page(table, deal=deal, page=page)
        for deal in range(1, deals + 1)
        for page in range(1, read_log_page(table, deal=deal).pages + 1)
    ]


@pytest.mark.parametrize("game", registry.slugs())
def test_the_pages_of_all_deals_are_the_whole_log(ana: models.Player, ben: models.Player, game: str) -> None:
    options = {one.name: 3 for one in registry.find(game).options if one.name in ("deals", "sessions")}
    table = finish(start_table(ana, ben, game=game, options=options))
    pages = read_all(table)
    assert tuple(line for page in pages for line in page.lines) == game_record.read_whole_log(table)
    assert all(len({line.ply for line in page.lines}) <= PAGE_PLIES + 1 for page in pages)
    assert pages[0].deals == (3 if options else 1)
    for page in pages:
        results = [at for at, line in enumerate(page.lines) if line.kind in RESULT_KINDS]
        assert results == [] or (page.page == page.pages and results[-1] == len(page.lines) - 1)


def test_a_long_deal_has_pages(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_pages, "PAGE_PLIES", 7)
    table = finish(start_table(ana, options={"deals": 2}))
    pages = read_all(table)
    assert len(pages) > 4
    assert tuple(line for page in pages for line in page.lines) == game_record.read_whole_log(table)
    assert max(len({line.ply for line in page.lines}) for page in pages) <= 7


def test_a_game_in_a_file_is_read_back_the_same(ana: models.Player, settings: Any, tmp_path: Path) -> None:
    settings.GAMES_DIR = tmp_path
    table = finish(start_table(ana, options={"deals": 2}))
    before = read_all(table)
    assert filing.file_game(table.id, now=NOW + 100 * 86_400)
    assert models.Ply.objects.filter(table_id=table.id).count() == 2  # those with results
    assert read_all(store.reload(table.id)) == before


def test_numbers_that_there_are_not_mean_the_nearest(ana: models.Player) -> None:
    table = finish(start_table(ana, options={"deals": 2}))
    for deal, page in ((0, 0), (9, 99)):
        found = read_log_page(table, deal=deal, page=page)
        assert (found.deal, found.page) == ((1, 1) if deal == 0 else (2, found.pages))
    assert read_log_page(table).deal == 2


def test_from_page_to_page_by_links(ana: models.Player, ben: models.Player) -> None:
    table = finish(start_table(ana, ben, options={"deals": 3}))
    client, address, seen = browser(ana), f"{reverse('log', args=[table.id])}?deal=1", 0
    for _page in count():
        text = client.get(address).content.decode()
        seen += len(LINE.findall(text.partition('<ol id="log"')[2].partition("</ol>")[0]))
        later = re.search(r'rel="next" href="\?([^"]+)"', text)
        if later is None:
            break
        address = f"{reverse('log', args=[table.id])}?{later[1].replace('&amp;', '&')}"
    assert seen > 60
    assert reverse("log", args=[table.id]) in client.get(reverse("table", args=[table.id])).content.decode()
    assert store.reload(table.id).ply > 60
