"""Old casual games become files: everything derived from them stays, and is the same when it is computed again."""

from __future__ import annotations

import gzip
import io
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games import memo, models
from games.models import Player
from games.play.clocks import idle_tables
from games.play.errors import NotFound
from games.play.records import filing, game_record, retention
from games.play.records.replays import replay_table
from games.play.seats import player_changes
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from games.records.format import parse_record
from games.records.replay import replay
from games.records.writer import to_text
from tests.cast import NOW, as_other_process, browser, move_until, open_table, start_table
from tests.play.seats.test_arranged_tables import arrange, guest
from tests.tournaments.flow.counting.test_finished_tables import LATER, everything, play
from tests.tournaments.killing import killed_before
from tournaments.flow.counting import finished_tables, recomputing

MONTH = 30 * retention.DAY


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.GAMES_DIR = tmp_path / "games"
    settings.KEEP_GAMES_DAYS = 30


@pytest.mark.parametrize("game", ["animal-poker", "karriere-poker"])
def test_what_is_derived_stays_and_can_be_computed_again(ana: Player, ben: Player, game: str) -> None:
    table = play(ana, ben, game=game, deals=3)
    play(ana, ben, game=game, deals=1)
    recomputing.recompute(now=LATER)
    before, plies, log = everything(), models.Ply.objects.count(), game_record.read_whole_log(table)
    record = to_text(game_record.export(table))
    assert retention.tidy_tables(now=NOW + 2 * MONTH) == retention.TidyResult(0, 2)
    assert models.Ply.objects.count() < plies / 5
    assert everything() == before
    recomputing.recompute(now=LATER)
    assert everything() == before
    assert to_text(game_record.export(as_other_process(lambda: store.reload(table.id)))) == record
    assert game_record.read_whole_log(table) == log
    assert retention.tidy_tables(now=NOW + 2 * MONTH) == retention.TidyResult(0, 0)


def test_a_filed_game_can_be_watched_and_its_record_verifies(ana: Player, ben: Player, settings: Any) -> None:
    table = play(ana, ben)
    page = browser(ana).get(f"/tables/{table.id}/replay/").content
    retention.tidy_tables(now=NOW + 2 * MONTH)
    file = settings.GAMES_DIR / models.FiledGame.objects.get().file
    text = gzip.decompress(file.read_bytes())
    assert list(replay(parse_record(text)))
    assert b"Ana" not in text
    memo.forget_all()
    assert len(replay_table(store.fetch(table.id)).moments) == table.ply + 1
    assert browser(ana).get(f"/tables/{table.id}/replay/").content.count(b"<li") == page.count(b"<li")


def test_a_name_that_goes_goes_from_the_record_of_a_filed_game(ana: Player, ben: Player) -> None:
    table = play(ana, ben)
    retention.tidy_tables(now=NOW + 2 * MONTH)
    player_changes.delete_player(ana.pk, now=NOW + 2 * MONTH)
    assert "Ana" not in to_text(game_record.export(store.reload(table.id)))


def test_where_the_file_is_away_the_page_says_which(ana: Player, settings: Any) -> None:
    table = play(ana)
    retention.tidy_tables(now=NOW + 2 * MONTH)
    filed = models.FiledGame.objects.get()
    (settings.GAMES_DIR / filed.file).unlink()
    with pytest.raises(NotFound, match=filed.file):
        game_record.export(store.reload(table.id))


def test_nothing_is_lost_if_somebody_is_killed_between_any_two_statements(ana: Player, ben: Player) -> None:
    table = play(ana, ben)
    record = to_text(game_record.export(table))
    for statement in range(1, 40):
        with killed_before(statement) as died:
            filing.file_game(table.id, now=LATER)
        if not died:
            break
        memo.forget_all()
        assert to_text(game_record.export(store.reload(table.id))) == record
    assert statement > 5
    filing.file_game(table.id, now=LATER)
    assert to_text(game_record.export(store.reload(table.id))) == record
    assert models.FiledGame.objects.count() == 1


def test_a_disk_that_is_full_takes_nothing_away(ana: Player, settings: Any, tmp_path: Path) -> None:
    table = play(ana)
    settings.GAMES_DIR = tmp_path / "file" / "games"
    (tmp_path / "file").write_text("in the way")
    assert retention.tidy_tables(now=NOW + 2 * MONTH) == retention.TidyResult(0, 0)
    assert models.Ply.objects.filter(table=table.id).count() == table.ply


def test_everything_finished_is_kept_unless_the_operator_says_otherwise(ana: Player, settings: Any) -> None:
    settings.KEEP_GAMES_DAYS = 0
    play(ana)
    assert retention.tidy_tables(now=NOW + 100 * MONTH) == retention.TidyResult(0, 0)


def test_young_struck_and_arranged_games_stay(ana: Player, ben: Player) -> None:
    play(ana)
    assert retention.tidy_tables(now=NOW + MONTH / 2) == retention.TidyResult(0, 0)
    models.Table.objects.update(voided_at=NOW)
    assert retention.tidy_tables(now=NOW + 2 * MONTH) == retention.TidyResult(0, 0)


def test_tables_to_which_nobody_comes_back_are_closed(ana: Player, ben: Player, settings: Any) -> None:
    settings.CLOSE_STANDING_DAYS = 30
    waiting = open_table(ana)
    deals = start_table(ana, ben, game="karriere-poker", options={"deals": 50}, turn_seconds=60)
    begun = move_until(deals, lambda table: any(line.kind == "deal_over" for line in table.log))
    finished_tables.count_table(begun.id, now=NOW)
    pause = NOW + idle_tables.IDLE_SECONDS + 100_000
    idle_tables.pause_idle_tables(now=pause)
    arranged = arrange(guest(ana), guest(ben))
    call_command("recompute_ratings", stdout=io.StringIO())
    before = everything()
    assert before["entries"]
    assert retention.tidy_tables(now=pause + MONTH - 10).closed == 1
    assert store.reload(waiting.id).status == OVER
    assert store.reload(begun.id).status == PLAYING
    assert retention.tidy_tables(now=pause + MONTH + 10).closed == 1
    assert retention.tidy_tables(now=pause + MONTH + 10).closed == 0
    closed = as_other_process(lambda: store.reload(begun.id))
    assert (closed.status, closed.outcome) == (OVER, None)
    assert store.reload(arranged.id).status == WAITING
    page = browser(ana).get(f"/tables/{begun.id}/").content.decode()
    assert "This table was closed because nobody came back." in page
    for path in ("", "replay/", "record/", "log/", "view.json", "verify/", "board/"):
        assert browser(ana).get(f"/tables/{begun.id}/{path}").status_code < 500, path
    finished_tables.count_table(begun.id, now=LATER)
    assert everything()["entries"] == before["entries"]
    call_command("recompute_ratings", stdout=io.StringIO())
    assert everything()["entries"] == before["entries"]


def test_the_command_does_all_of_it_at_once(ana: Player) -> None:
    for _ in range(3):
        play(ana)
    models.Table.objects.update(ended_at=time.time() - 2 * MONTH)
    output = io.StringIO()
    call_command("tidy_games", "--dry-run", stdout=output)
    assert "To write to files: 3 games." in output.getvalue()
    call_command("tidy_games", stdout=output)
    assert ": 3 games." in output.getvalue()
    assert models.FiledGame.objects.count() == 3
