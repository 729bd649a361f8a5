"""`manage.py startgame` writes a package with its names filled in, or says why not."""

from __future__ import annotations

import random
from importlib import import_module
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.bots.search import search_move
from games.rules.base import Config
from games.rules.chance import Chance


def test_a_package_is_written_under_its_names(tmp_path: Path) -> None:
    call_command("startgame", "  Rot  &  Blau 2 ", str(tmp_path / "new"))
    written = sorted(path.relative_to(tmp_path / "new").as_posix() for path in (tmp_path / "new").rglob("*.*"))
    assert written == [
        "README.md",
        "pyproject.toml",
        "rot_blau/__init__.py",
        "rot_blau/bots.py",
        "rot_blau/lesson.py",
        "rot_blau/presenter.py",
        "rot_blau/rules.py",
        "rot_blau/templates/games/rot-blau/picture.html",
        "rot_blau/templates/games/rot-blau/rules.html",
        "tests/test_bots.py",
        "tests/test_rules.py",
    ]
    assert 'rot-blau = "rot_blau"' in (tmp_path / "new/pyproject.toml").read_text()
    assert 'slug: ClassVar[str] = "rot-blau"' in (tmp_path / "new/rot_blau/rules.py").read_text()
    rules = (tmp_path / "new/rot_blau/templates/games/rot-blau/rules.html").read_text()
    assert rules.startswith('{% extends "game.html" %}{% load i18n %}')
    assert "verbatim" not in rules


@pytest.mark.parametrize("name", ["", "17", "x" * 61, 'A "quoted" name'])
def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandError, match="begins with a letter"):
        call_command("startgame", name, str(tmp_path / "new"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="already exists"):
        call_command("startgame", "Chess", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_its_bots_play_to_win_and_give_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("startgame", "Chess of Frogs", str(tmp_path / "new"))
    monkeypatch.syspath_prepend(tmp_path / "new")
    info = import_module("chess_of_frogs").INFO
    bots, rules = import_module(info.bots), import_module(info.rules).RULES
    assert info.has_hints
    assert info.bot_levels[-1] == "sharp"
    state = rules.start(Config(3), Chance(bytes(32)))
    rng = random.Random(1)
    while acting := rules.to_act(state):
        view, legal = rules.view(state, acting[0]), rules.legal_moves(state, acting[0])
        assert rules.view(bots.complete_view(view, rng), acting[0]) == view
        move = search_move(bots.SEARCH, rules, bots.choose, view, legal, rng)
        assert move in legal
        reason = bots.explain(view, legal, move)
        assert reason is None or str(reason).endswith(".")
        state, _ = rules.apply(state, acting[0], move)
