"""Pages on which nothing is yet: an animal, what will be here, and a way on."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.models import Player
from tests.cast import browser
from tests.html import read_page
from tests.tournaments.cast import found, plan_season

WAY_ON = re.compile(r'<a (?:class="[^"]*" )?href="(?!#)|<a class="btn|<button')


@pytest.mark.parametrize(
    "name",
    [
        *("lobby", "tournaments:tournaments", "tournaments:clubs", "tournaments:leaderboards", "my_tables"),
        *("tournaments:person", "tournaments:rivals", "tournaments:person_games", "tournaments:year"),
        *("tournaments:search", "tournaments:club", "tournaments:club_records", "tournaments:season"),
    ],
)
def test_an_empty_page_has_an_animal_and_a_first_step(ana: Player, name: str) -> None:
    args: dict[str, list[object]] = {"tournaments:year": [ana.pk, 2026]}
    if name in ("tournaments:person", "tournaments:rivals", "tournaments:person_games"):
        args[name] = [ana.pk]
    if name in ("tournaments:club", "tournaments:club_records", "tournaments:season"):
        club = found(ana)
        args[name] = [plan_season(ana, club).pk] if name.endswith("season") else [club.slug]
    address = reverse(name.replace("season", "tournament"), args=args.get(name, []))
    page = read_page(browser(ana).get(address))
    main = page[page.index("<main") : page.index("</main>")]
    assert re.search(r'class="empty".{0,40}?<i\s+class="a \w+', main, re.S)
    assert WAY_ON.search(main)
