"""The picture of a moment of a replay: of finished games at public tables only, and of what spectators saw."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.urls import reverse
from PIL import Image

from games import memo, models
from games.accounts import rate_limits
from games.live.replays.share_picture import SharedChair, render_png
from games.play.storage.table import LoadedTable
from tests.cast import browser, finish, start_table


@pytest.fixture
def table(ana: models.Player, ben: models.Player) -> LoadedTable:
    return finish(start_table(ana, ben, options={"deals": 2}))


def fetch(table: LoadedTable, ply: int) -> tuple[int, bytes]:
    answer = browser().get(reverse("share_picture", args=[table.id]), {"ply": ply})
    return answer.status_code, answer.content


def test_the_page_names_the_picture_of_its_moment(table: LoadedTable) -> None:
    page = browser().get(reverse("replay", args=[table.id]), {"ply": "7", "eyes": "0"}).content.decode()
    found = re.findall(r'<meta property="og:image" content="([^"]+)">', page)
    assert found == [f"http://testserver{reverse('share_picture', args=[table.id])}?ply=7"]
    status, png = fetch(table, 7)
    shown = Image.open(BytesIO(png))
    assert (status, shown.format, shown.size, len(png) < 300_000) == (200, "PNG", (1200, 630), True)
    assert fetch(table, 8)[1] != png


def test_no_picture_of_a_game_under_way_or_at_a_table_by_link(ana: models.Player, ben: models.Player) -> None:
    assert fetch(start_table(ana, ben), 0)[0] == 403
    hidden = finish(start_table(ana, ben, is_public=False))
    assert fetch(hidden, 0)[0] != 200
    page = browser(ana).get(reverse("replay", args=[hidden.id])).content.decode()
    assert ("og:title" in page, "og:image" in page) == (True, False)


def test_pictures_are_made_once_and_not_without_end(table: LoadedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    memo.forget_all()
    monkeypatch.setattr(rate_limits, "PICTURES_PER_MINUTE", 2)
    assert [fetch(table, ply)[0] for ply in (1, 2, 1, 2, 3)] == [200, 200, 200, 200, 429]


def test_names_and_lines_are_text_whatever_they_hold() -> None:
    def draw(name: str, line: str) -> bytes:
        return render_png(game="A & B", place="<b>", happened=[line], chairs=[SharedChair(name, "fox")] * 8)

    plain = draw("Ana", "<li>Ana plays <i class='c3'></i></li>")
    assert draw('"/><text>', "x</text><svg>&lt;script&gt; " * 40) != plain
    assert draw("Ana", "<li>Ana plays</li>") == plain
