"""Duplicate deals that nobody chooses: committed to in time, open to contributions until the release, and proved."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from games import models
from games.models import SharedDeal
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.records import game_record
from games.play.storage import store
from games.records.fair import commit, is_deal_proved
from games.records.format import parse_record
from games.records.replay import verify
from games.records.writer import to_text
from tests.cast import NOW, person
from tests.records.test_fair import run_verifier
from tests.tournaments.cast import NAMES, begin, check_in, draw, enter, found, import_file, plan, play_round, release
from tests.tournaments.flow.drawing.test_ground import redo
from tests.tournaments.flow.rounds.test_arena import opened, play_on
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow import duplicate_commitments
from tournaments.flow.archive import tournament_document, zip_export
from tournaments.flow.duplicate_commitments import DealKey, contribute
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Contribution, Phase, Pod, Round, RoundDeals, Step, Tournament
from tournaments.scoring.arena import BREAK_SECONDS


def duplicate(owner: models.Player, **overrides: object) -> tuple[Tournament, list[models.Player]]:
    """A tournament of eight people with duplicate deals, checked in."""
    tournament = begin(owner, [], venue="online", most=4, duplicate=True, **overrides)
    return tournament, enter(tournament, *NAMES[:8])


def promises(tournament: Tournament) -> list[tuple[int, int, int, str]]:
    """Round, seating, attempt and commitment of everything that was ever committed to."""
    return [
        (one.number, one.seating, one.attempt, one.deal.commitment)
        for one in duplicate_commitments.list_commitments(tournament)
    ]


def latest(tournament: Tournament, number: int = 1) -> RoundDeals:
    row = duplicate_commitments.find(tournament, DealKey(number))
    assert row is not None
    return row


def add(tournament: Tournament, player: models.Player, text: str, *, number: int = 1, replace: bool = False) -> str:
    commitment = latest(tournament, number).deal.commitment
    return contribute(tournament, player, commitment, text, replace=replace, now=NOW)


def test_the_first_round_is_committed_to_when_check_in_opens(ana: models.Player) -> None:
    tournament = plan(ana, duplicate=True, most=4, venue="online")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    assert promises(tournament) == []
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW + 5)
    [row] = duplicate_commitments.list_commitments(tournament)
    assert (row.number, row.committed_at, row.closed_at, row.revealed_at) == (1, NOW + 5, None, None)
    assert row.deal.commitment == commit(bytes.fromhex(row.deal.secret))
    steps = Step.objects.get(tournament=tournament, kind="check-in")
    assert row.deal.commitment in steps.details


def test_nothing_is_committed_to_where_every_table_has_its_own_deals(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="online", most=4)
    draw(ana, tournament, 1)
    assert not RoundDeals.objects.filter(tournament=tournament).exists()


def test_the_next_round_is_committed_to_when_one_is_complete(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    play_round(ana, tournament, 1)
    assert [(number, attempt) for number, _, attempt, _ in promises(tournament)] == [(1, 1), (2, 1)]
    before = promises(tournament)
    draw(ana, tournament, 2)
    draw(ana, tournament, 2, again=True)
    assert promises(tournament) == before


def test_no_step_tells_a_secret(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    play_round(ana, tournament, 1)
    secrets = SharedDeal.objects.values_list("secret", flat=True)
    steps = "".join(one.changes + one.details for one in Step.objects.filter(tournament=tournament))
    assert len(secrets) == 2
    assert [secret for secret in secrets if secret in steps] == []


def test_contributions_stand_in_order_of_entrants_when_the_draw_is_released(ana: models.Player) -> None:
    tournament, players = duplicate(ana)
    draw(ana, tournament, 1)
    assert add(tournament, players[2], "word of the third") == "word of the third"
    assert add(tournament, players[0], "5b0f") == "5b0f"
    assert add(tournament, players[0], "other") == "5b0f"
    assert add(tournament, players[0], "other", replace=True) == "other"
    lifecycle.release(tournament, ana, 1, now=NOW + 9)
    row = latest(tournament)
    assert row.closed_at == NOW + 9
    assert duplicate_commitments.list_contributions(row) == [
        "other",
        None,
        "word of the third",
        None,
        None,
        None,
        None,
        None,
    ]
    assert not Contribution.objects.exists()
    with pytest.raises(Stale, match="contributions to this round can no longer change"):
        add(tournament, players[1], "late")
    steps = Step.objects.get(tournament=tournament, kind="release").details
    assert f'"commitment":"{row.deal.commitment}","contributions":2' in steps


def test_a_contribution_is_no_step(ana: models.Player) -> None:
    """Two hundred people contribute within a second of check-in: nobody reads the tournament anew for that."""
    tournament, players = duplicate(ana)
    before = Tournament.objects.get(pk=tournament.pk).version
    for player in players:
        add(tournament, player, f"word {player.pk}")
    assert Tournament.objects.get(pk=tournament.pk).version == before
    assert sum(given is not None for given in duplicate_commitments.list_contributions(latest(tournament))) == 8


def test_who_may_contribute_and_what(ana: models.Player) -> None:
    tournament, (ada, *_) = duplicate(ana)
    with pytest.raises(NotAllowed, match="Only entrants of this tournament"):
        add(tournament, person("Mallory"), "5b0f")
    with pytest.raises(BadInput, match="1 to 64 characters"):
        add(tournament, ada, "  ")
    with pytest.raises(BadInput, match="1 to 64 characters"):
        add(tournament, ada, "x" * 65)
    with pytest.raises(Stale, match="You cannot contribute to these deals"):
        contribute(tournament, ada, "00" * 32, "5b0f", now=NOW)
    other, _ = duplicate(person("Olga"))
    with pytest.raises(Stale, match="You cannot contribute to these deals"):
        contribute(tournament, ada, latest(other).deal.commitment, "5b0f", now=NOW)
    assert not Contribution.objects.exists()


def test_records_of_the_round_carry_all_that_is_needed_and_verify(ana: models.Player, tmp_path: Path) -> None:
    tournament, players = duplicate(ana)
    add(tournament, players[0], "5b0f")
    add(tournament, players[5], "Fay's word")
    play_round(ana, tournament, 1)
    row = latest(tournament)
    assert row.revealed_at == NOW
    tables = [store.reload(pod.table_id or "") for pod in Pod.objects.filter(round__tournament=tournament)]
    assert len(tables) == 2
    for table in tables:
        record = game_record.export(table)
        assert record["duplicate"] == {
            "tournament": tournament.pk, "round": 1, "seating": 0, "seats": 4,
            "contributions": ["5b0f", None, None, None, None, "Fay's word", None, None],
        }  # fmt: skip
        assert (record["commitment"], record["secret"]) == (row.deal.commitment, row.deal.secret)
        raw = to_text(record).encode()
        assert verify(raw).fault is None
        assert is_deal_proved(parse_record(raw))
        lines = run_verifier(tmp_path, record)
        assert lines[:3] == ["the commitment is kept", "the seed is right", "2 contributed"]
        assert [line.split(":")[0] for line in lines[3:]] == [place.name for place in table.places]


def test_a_dishonest_server_is_found_out(ana: models.Player, tmp_path: Path) -> None:
    """It chooses another secret once it knows the contributions, or leaves one of them out."""
    tournament, players = duplicate(ana)
    add(tournament, players[0], "5b0f")
    seen = latest(tournament).deal.commitment
    play_round(ana, tournament, 1)
    record = game_record.export(store.reload(Pod.objects.filter(round__tournament=tournament)[0].table_id or ""))
    assert record["commitment"] == seen
    for lie in (
        {"secret": "11" * 32},
        {"duplicate": record["duplicate"] | {"contributions": [None] * 8}},
        {"duplicate": record["duplicate"] | {"contributions": ["5b0e", *[None] * 7]}},
    ):
        assert verify(to_text(record | lie).encode()).fault is not None
        assert {"THE SEED IS WRONG"} <= set(run_verifier(tmp_path, record | lie))


def test_releasing_again_changes_neither_commitment_nor_contributions(ana: models.Player) -> None:
    tournament, players = duplicate(ana)
    add(tournament, players[0], "5b0f")
    release(ana, tournament, 1)
    before, row = promises(tournament), latest(tournament)
    undo(ana, tournament, "release")
    with pytest.raises(Stale, match="can no longer change"):
        add(tournament, players[1], "later")
    draw(ana, tournament, 1, again=True)
    undo(ana, tournament, "draw")
    lifecycle.release(tournament, ana, 1, now=NOW + 60)
    after = latest(tournament)
    assert promises(tournament) == before
    assert (after.pk, after.closed_at, after.deal.contributions) == (row.pk, row.closed_at, row.deal.contributions)


def test_doing_a_release_again_keeps_the_commitment(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    release(ana, tournament, 1)
    before = promises(tournament)
    undo(ana, tournament, "release")
    redo(ana, tournament, "release")
    assert (promises(tournament), latest(tournament).closed_at) == (before, NOW)


def test_a_round_that_is_opened_again_keeps_what_the_next_one_has_promised(ana: models.Player) -> None:
    tournament, players = duplicate(ana)
    play_round(ana, tournament, 1)
    add(tournament, players[0], "for the second", number=2)
    before = promises(tournament)
    undo(ana, tournament, "complete")
    assert (promises(tournament), duplicate_commitments.find_coming(tournament)) == (before, None)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    assert promises(tournament) == before
    assert duplicate_commitments.list_contributions(latest(tournament, 2))[0] == "for the second"


def test_a_check_in_that_is_taken_back_keeps_its_commitment(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4, duplicate=True)
    before = promises(tournament)
    undo(ana, tournament, "check-in")
    assert duplicate_commitments.find_coming(tournament) is None
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    tournament.refresh_from_db()
    coming = duplicate_commitments.find_coming(tournament)
    assert coming is not None
    assert (promises(tournament), coming.closed_at) == (before, None)


def test_deals_that_were_published_are_dealt_no_more(ana: models.Player) -> None:
    """Drawn anew, the round has another commitment: everybody knows the first secret."""
    tournament = begin(ana, NAMES[:8], venue="real", most=4, duplicate=True)
    release(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    assert latest(tournament).revealed_at == NOW
    for kind in ("complete", "release"):
        undo(ana, tournament, kind)
    assert [(number, attempt) for number, _, attempt, _ in promises(tournament)] == [(1, 1), (1, 2), (2, 1)]
    assert latest(tournament).revealed_at is None
    lifecycle.release(tournament, ana, 1, now=NOW)
    row = latest(tournament)
    assert (row.attempt, row.closed_at) == (2, NOW)
    assert duplicate_commitments.find(tournament, DealKey(1)) == row


def test_the_secret_of_a_round_is_published_only_when_nobody_plays_it(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    release(ana, tournament, 1)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    sweeper.sweep(now=NOW + 1)
    row = latest(tournament)
    [described] = tournament_document.describe(open_book(tournament)).rounds
    assert (row.revealed_at, described.deals[0].secret, described.deals[0].commitment) == (
        None,
        "",
        row.deal.commitment,
    )
    assert not open_book(tournament).is_published(Round.objects.get(tournament=tournament))


def test_a_worker_that_dies_before_publishing_is_made_up_for(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4, duplicate=True)
    release(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    RoundDeals.objects.filter(number=1).update(revealed_at=None)
    sweeper.sweep(now=NOW + 3)
    assert latest(tournament).revealed_at == NOW + 3


def test_a_round_that_is_never_played_publishes_its_secret(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    play_round(ana, tournament, 1)
    assert latest(tournament, 2).revealed_at is None
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW + 7)
    assert latest(tournament, 2).revealed_at == NOW + 7
    undo(ana, tournament, "finish")
    again = latest(tournament, 2)
    assert (again.attempt, again.revealed_at) == (2, None)


def test_what_is_called_off_publishes_its_secret(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    phases.call_off(tournament, ana, now=NOW + 7)
    assert latest(tournament).revealed_at == NOW + 7


def test_every_seating_of_an_arena_is_committed_to_before_it_is_drawn(ana: models.Player) -> None:
    tournament = opened(ana, *NAMES[:8], venue="online", duplicate=True)
    assert [(number, seating) for number, seating, _, _ in promises(tournament)] == [(1, 1)]
    first = duplicate_commitments.find(tournament, DealKey(1, 1))
    assert first is not None
    ada = tournament.entrants.get(name=NAMES[0]).player
    assert ada is not None
    contribute(tournament, ada, first.deal.commitment, "5b0f", now=NOW)
    sweeper.sweep(now=NOW + BREAK_SECONDS)
    assert [seating for _, seating, _, _ in promises(tournament)] == [1, 2]
    play_on(tournament, now=NOW + BREAK_SECONDS)
    sweeper.sweep(now=NOW + 2 * BREAK_SECONDS)
    assert [seating for _, seating, _, _ in promises(tournament)] == [1, 2, 3]
    rows = [duplicate_commitments.find(tournament, DealKey(1, seating)) for seating in (1, 2, 3)]
    assert [row is not None and row.closed_at for row in rows] == [NOW + BREAK_SECONDS, NOW + 2 * BREAK_SECONDS, None]
    assert rows[0] is not None
    assert (rows[0].deal.commitment, duplicate_commitments.list_contributions(rows[0])[0]) == (
        first.deal.commitment,
        "5b0f",
    )
    tables = {pod.wave: pod.table_id for pod in Pod.objects.filter(round__tournament=tournament)}
    assert store.reload(tables[1] or "").seed == duplicate_commitments.derive_seed(rows[0], 4)


def test_an_archive_brings_commitments_contributions_and_secrets(ana: models.Player) -> None:
    tournament, players = duplicate(ana, rounds_planned=1)
    add(tournament, players[0], "5b0f")
    play_round(ana, tournament, 1)
    rosa = person("Rosa")
    copy = import_file(found(rosa, "Mountain Club"), rosa, zip_export.write_zip(open_book(tournament)))
    row, came = latest(tournament), latest(copy)
    assert copy.pk != tournament.pk
    assert (came.deal.tournament, came.deal.secret, came.deal.contributions) == (
        tournament.pk, row.deal.secret, row.deal.contributions,
    )  # fmt: skip
    assert tournament_document.describe(open_book(copy)).rounds[0].deals[0].commitment == row.deal.commitment


MIGRATION = import_module("tournaments.migrations.0031_committed_deals")


def as_before(tournament: Tournament, number: int | None = None, secret: str = "") -> None:
    """The tournament as the version before has left it; this round was drawn with a secret of its own."""
    RoundDeals.objects.filter(tournament=tournament).delete()
    SharedDeal.objects.filter(tournament=tournament.pk).delete()
    if number is not None:
        drawn = Round.objects.filter(tournament=tournament, number=number)
        drawn.update(deal_secret=secret, deal_commitment=commit(bytes.fromhex(secret)))


def test_what_is_under_way_is_committed_to_by_the_migration(ana: models.Player) -> None:
    drafted, _ = duplicate(ana, name="Drafted")
    draw(ana, drafted, 1)
    as_before(drafted, 1, "ab" * 32)
    check_in(ana, waiting := plan(ana, drafted.club, name="Waiting", duplicate=True, most=4, venue="online"))
    planned = plan(ana, drafted.club, name="Planned", duplicate=True, most=4, venue="online")
    alone = begin(person("Olga"), NAMES[:4], most=4)
    as_before(waiting)
    MIGRATION.commit(apps, connection.schema_editor())
    assert promises(drafted) == [(1, 0, 1, commit(bytes.fromhex("ab" * 32)))]
    assert [len(promises(one)) for one in (waiting, planned, alone)] == [1, 0, 0]


def test_rounds_that_were_released_before_stay_as_they_are(ana: models.Player) -> None:
    tournament, _ = duplicate(ana)
    draw(ana, tournament, 1)
    as_before(tournament, 1, "ab" * 32)
    Round.objects.filter(tournament=tournament).update(status=Round.Status.RELEASED, released_at=NOW)
    MIGRATION.commit(apps, connection.schema_editor())
    assert promises(tournament) == []
    lifecycle.open_tables(tournament, 1, now=NOW)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    one, other = (store.reload(pod.table_id or "") for pod in Pod.objects.filter(round__tournament=tournament))
    assert one.state.hands == other.state.hands
    assert "commitment" not in game_record.export(one)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    assert [(number, attempt) for number, _, attempt, _ in promises(tournament)] == [(2, 1)]
