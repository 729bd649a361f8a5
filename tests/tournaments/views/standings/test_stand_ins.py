"""Whenever a bot played for a person, every page, sheet, file and answer says so in the same words."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec
import pytest
from django.db.models import F
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation import override

from games.models import Player, Ply, Table
from games.play.moves import deciders
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import OVER, LoadedTable
from games.presenters.stand_in_texts import say_rounds, say_stand_in
from games.records.stand_ins import StandIn
from tests.cast import NOW, browser, come_to_table, finish_alone, move_seat, person, start_table, to_move
from tests.play.moves.test_deciders import make_old
from tests.tournaments.cast import enter, found, import_file, plan, release
from tests.tournaments.flow.seasons.test_season_changes import count, season
from tournaments.flow.archive import export_jobs
from tournaments.flow.archive.tournament_schema import ArchivedSeat
from tournaments.flow.clubs import webhooks
from tournaments.flow.counting import rederiving
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.evenings import sessions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.models import Club, Delivery, Ledger, Membership, Phase, Pod, PodSeat, Season, SessionTable, Tournament
from tournaments.work import tasks

LATER = NOW + 7 * 86_400


class Night(NamedTuple):
    """A tournament of one round at one table. Ana and Eli play, Fay never comes, Gus moves once and
    leaves."""

    tournament: Tournament
    owner: Player
    table: LoadedTable
    gus: str
    """From which move on a bot plays for Gus."""


@pytest.fixture
def night(ana: Player) -> Night:
    """As above."""
    return play_night(ana)


def play_night(ana: Player, prepare: Callable[[Club], object] = repr) -> Night:
    """The same. prepare: what is done with the club before."""
    tournament = plan(ana, game="karriere-poker", options={"deals": 2}, venue="online", rounds_planned=1)
    prepare(tournament.club)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    tournament.refresh_from_db()
    sign_up.enter(tournament, ana, now=NOW)
    fay, gus, eli = enter(tournament, "Fay", "Gus", "Eli")
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    tournament.refresh_from_db()
    attendance.check_in(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), now=NOW)
    release(ana, tournament, 1)
    table_id = Pod.objects.values_list("table_id", flat=True).get()
    assert table_id is not None
    for player in (ana, fay, gus, eli):
        come_to_table(table_id, player.pk, now=NOW)
    sitting.leave(table_id, fay.pk, now=NOW)
    table = store.refresh(table_id)
    seat = table.seat_of(gus.pk)
    table = move_seat(finish_alone(table, until=lambda one: to_move(one) == seat))
    sitting.leave(table_id, gus.pk, now=NOW)
    table = finish_alone(store.refresh(table_id))
    assert table.status == OVER
    sweeper.sweep(now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    stand_ins = table.list_stand_ins()
    assert seat is not None
    return Night(Tournament.objects.get(), ana, table, f"from move {stand_ins[seat].moves[0][0]}")


def words_of(night: Night) -> tuple[str, str]:
    """What is said of Fay and of Gus."""
    return "bot for Fay, all of it", f"bot for Gus, {night.gus}"


def show(owner: Player, one: Tournament | Season, name: str, *args: object) -> str:
    """A page of a tournament or season, as its owner sees it."""
    return browser(owner).get(reverse(f"tournaments:{name}", args=[one.pk, *args])).content.decode()


def page(night: Night, name: str, *args: object) -> str:
    """A page of the tournament, as its owner sees it."""
    return show(night.owner, night.tournament, name, *args)


@pytest.mark.parametrize(
    ("name", "args"),
    [("pairings", ()), ("pod", (1, 1)), ("tournament", ()), ("hall", ()), ("print", ("pairings",))],
)
def test_every_page_of_results_names_who_had_a_stand_in(night: Night, name: str, args: tuple[object, ...]) -> None:
    shown = page(night, name, *args)
    fay, gus = words_of(night)
    assert fay in shown
    assert (gus if name in ("pairings", "pod") or args else "bot for Gus, round 1: from move") in shown
    assert "bot for Ana" not in shown


@pytest.mark.parametrize(
    ("name", "args"), [("standings", ()), ("print", ("standings",)), ("print", ("certificates",)), ("hall", ())]
)
def test_standings_say_in_which_rounds(night: Night, name: str, args: tuple[object, ...]) -> None:
    shown = page(night, name, *args)
    assert "bot for Fay, all of it" in shown
    assert f"bot for Gus, round 1: {night.gus}" in shown
    assert "bot for Ana" not in shown


def test_the_table_its_replay_and_its_record_say_so(night: Night) -> None:
    client = browser(night.owner)
    table = night.table.id
    for address in (reverse("table", args=[table]), reverse("replay", args=[table])):
        shown = client.get(address).content.decode()
        assert all(words in shown for words in words_of(night)), address
    record = json.loads(client.get(reverse("record", args=[table])).content)
    assert {event["by"] for event in record["events"] if "by" in event} == {"stand-in"}
    view = client.get(reverse("view_json", args=[table])).json()
    assert view["stand_ins"] == {
        str(seat): {"all": one.is_all, "moves": [list(pair) for pair in one.moves]}
        for seat, one in night.table.list_stand_ins().items()
    }


def test_a_table_under_way_says_so(ana: Player, ben: Player) -> None:
    table = start_table(ana, ben, options={"deals": 4})
    client = browser(ana)
    assert "bot for" not in client.get(reverse("table", args=[table.id])).content.decode()
    sitting.leave(table.id, ben.pk, now=NOW)
    table = finish_alone(store.refresh(table.id), until=lambda one: one.ply > 20)
    assert "bot for Ben, all of it" in client.get(reverse("table", args=[table.id])).content.decode()
    sitting.return_to_table(table.id, ben.pk, now=NOW)
    table = finish_alone(store.refresh(table.id), until=lambda one: one.ply > 40)
    first, last = table.list_stand_ins()[1].moves[0]
    assert f"bot for Ben, moves {first}–{last}" in client.get(reverse("table", args=[table.id])).content.decode()


def test_files_and_the_api_say_so(night: Night) -> None:
    results = list(csv.DictReader(io.StringIO(page(night, "download", "results.csv").lstrip("\ufeff"))))
    assert {row["name"]: row["stand-in"] for row in results} == {
        "Ana": "",
        "Eli": "",
        "Fay": "all of it",
        "Gus": night.gus,
    }
    table = list(csv.DictReader(io.StringIO(page(night, "download", "standings.csv").lstrip("\ufeff"))))
    assert {row["name"]: row["stand-in"] for row in table} == {
        "Ana": "", "Eli": "", "Fay": "1: all of it", "Gus": f"1: {night.gus}",
    }  # fmt: skip
    stretch = [int(night.gus.split()[-1]), None]
    client = Client()
    played = client.get(f"/api/v1/tournaments/{night.tournament.pk}/rounds").json()
    stand_ins = {seat["name"]: seat["stand_in"] for seat in played[0]["pods"][0]["seats"]}
    assert stand_ins["Ana"] is None
    assert (stand_ins["Fay"]["all"], stand_ins["Gus"]) == (True, {"all": False, "moves": [stretch]})
    lines = client.get(f"/api/v1/tournaments/{night.tournament.pk}/standings").json()["lines"]
    assert {line["name"]: [one["round"] for one in line["stand_ins"]] for line in lines} == {
        "Ana": [], "Eli": [], "Fay": [1], "Gus": [1],
    }  # fmt: skip
    assert client.get(f"/api/v1/tables/{night.table.id}").json()["stand_ins"]


def test_a_season_says_so(night: Night) -> None:
    """On its page, in the hall, on paper, in its file, and to programs; at any moment, and again after a change."""
    one = season(night.owner, night.tournament.club)
    phases.move_on(night.tournament, night.owner, Phase.FINISHED, now=NOW)
    assert "bot for" not in show(night.owner, one, "tournament")
    count(night.owner, one, night.tournament)
    for name, args in (("tournament", ()), ("hall", ()), ("print", ("standings",)), ("print", ("certificates",))):
        shown = show(night.owner, one, name, *args)
        assert ("bot for Fay in 1 game" in shown, "bot for Gus in 1 game" in shown, "bot for Ana" in shown) == (
            True, True, False,
        ), (name, args)  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(show(night.owner, one, "download", "standings.csv").lstrip("\ufeff"))))
    assert {row["name"]: row["stand-in games"] for row in rows} == {"Ana": "0", "Eli": "0", "Fay": "1", "Gus": "1"}
    lines = Client().get(f"/api/v1/seasons/{one.pk}").json()["lines"]
    assert {line["name"]: line["stand_ins"] for line in lines} == {"Ana": 0, "Eli": 0, "Fay": 1, "Gus": 1}
    PodSeat.objects.filter(entrant__name="Fay").update(stand_in="")
    Tournament.objects.filter(pk=night.tournament.pk).update(version=F("version") + 1)
    shown = show(night.owner, one, "tournament")
    assert ("bot for Fay" in shown, "bot for Gus in 1 game" in shown) == (False, True)


def test_the_news_of_a_round_say_so(night: Night) -> None:
    feed = Client().get(reverse("tournaments:news", args=[night.tournament.club.slug])).content.decode()
    text = [entry for entry in feed.split("<entry>")[1:] if "bot for" in entry]
    assert [("completed round 1" in entry, entry.count("bot for")) for entry in text] == [(True, 2)]
    assert all(words in text[0] for words in words_of(night))


def test_webhooks_say_so(ana: Player) -> None:
    """Of each result, in the order of its names; nothing where no bot played."""
    with override_settings(WEBHOOKS_MAY_BE_LOCAL=True):
        night = play_night(ana, partial(webhooks.add, player=ana, url="http://127.0.0.1:9/"))
    [body] = Delivery.objects.filter(event="result.in").values_list("body", flat=True)
    answer = json.loads(body)["details"]
    stretch = [int(night.gus.split()[-1]), None]
    by_name = dict(zip(answer["names"], answer["stand_ins"], strict=True))
    assert (by_name["Ana"], by_name["Eli"]) == (None, None)
    assert (by_name["Fay"]["all"], by_name["Gus"]) == (True, {"all": False, "moves": [stretch]})


def test_an_archive_takes_it_along_and_an_old_one_reads(night: Night, eva: Player) -> None:
    raw = export_jobs.write_at_once(night.tournament, "archive")
    other = found(eva, "Elsewhere")
    brought = import_file(other, eva, raw)
    kept = PodSeat.objects.filter(pod__round__tournament=brought).order_by("index")
    assert list(kept.values_list("stand_in", flat=True)) == list(
        PodSeat.objects.filter(pod__round__tournament=night.tournament)
        .order_by("index")
        .values_list("stand_in", flat=True)
    )
    away = night._replace(tournament=brought, owner=eva)
    assert all(words in page(away, "pairings") for words in words_of(night))
    old = json.loads(page(night, "download", "tournament.json"))
    for seat in old["rounds"][0]["pods"][0]["seats"]:
        del seat["stand_in"]
        assert msgspec.convert(seat, ArchivedSeat).stand_in is None


def test_old_results_are_brought_up_to_date_by_the_sweeper(night: Night) -> None:
    before = page(night, "pairings")
    make_old(night.table)
    PodSeat.objects.update(stand_in="")
    Tournament.objects.update(version=night.tournament.version + 1)
    assert "bot for" not in page(night, "pairings")
    Ledger.objects.update_or_create(pk=1, defaults={"derived_by": 1})
    for _ in range(3):
        tasks.sweep_results()
    assert Ledger.objects.get().derived_by == rederiving.VERSION
    assert page(night, "pairings").count("bot for") == before.count("bot for") > 0
    assert all(words in page(night, "pairings") for words in words_of(night))
    assert (
        "bot for Fay, all of it" in browser(night.owner).get(reverse("table", args=[night.table.id])).content.decode()
    )


def test_somebody_without_a_device_has_a_bot_from_the_start(ana: Player) -> None:
    tournament = plan(ana, game="karriere-poker", options={"deals": 1}, venue="online", rounds_planned=1)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    tournament.refresh_from_db()
    sign_up.enter(tournament, ana, now=NOW)
    check_in_all(ana, tournament, "Walter", "Wilma", "Wanda")
    release(ana, tournament, 1)
    table = store.refresh(Pod.objects.values_list("table_id", flat=True).get() or "")
    come_to_table(table.id, ana.pk, now=NOW)
    finish_alone(store.refresh(table.id))
    sweeper.sweep(now=NOW)
    stand_ins = {
        seat.entrant.name: seat.stand_in for seat in PodSeat.objects.select_related("entrant").order_by("index")
    }
    assert stand_ins == {"Ana": "", **dict.fromkeys(("Walter", "Wilma", "Wanda"), '{"all":true,"moves":[[1,null]]}')}


def check_in_all(owner: Player, tournament: Tournament, *walk_ins: str) -> None:
    """Check-in, with these people who have no device."""
    phases.move_on(tournament, owner, Phase.CHECK_IN, now=NOW)
    tournament.refresh_from_db()
    for name in walk_ins:
        sign_up.add_walk_in(tournament, owner, name=name, now=NOW)
    everybody = tournament.entrants.values_list("pk", flat=True)
    attendance.check_in(tournament, owner, list(everybody), now=NOW)


def test_the_chronicle_of_an_evening_says_so_deal_by_deal(ana: Player, ben: Player) -> None:
    club = found(person("Olga"))
    for player in (ana, ben):
        Membership.objects.create(club=club, player=player)
    cem = person("Cem")
    Membership.objects.create(club=club, player=cem)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Friday", "animal-poker", 30), now=NOW)
    version = sessions.find(evening.pk).version
    sessions.add_table(evening, ana, [ana.pk, ben.pk, cem.pk], version=version, now=NOW)
    sessions.begin_table(evening, ana, 1, now=NOW)
    table_id = SessionTable.objects.values_list("table_id", flat=True).get()
    for player in (ana, cem):
        come_to_table(table_id, player.pk, now=NOW)
    table = finish_alone(store.refresh(table_id), until=lambda one: one.state.deal.number > 2)
    sitting.leave(table_id, cem.pk, now=NOW)
    finish_alone(store.refresh(table_id), until=lambda one: one.state.deal.number > 5)
    shown = browser(ana).get(reverse("tournaments:evening", args=[evening.pk])).content.decode()
    chronicle = shown[shown.index("chronicle-of-jobs") :]
    rows = {row.split("<", 1)[0]: row for row in chronicle.split('<th scope="row">')[1:]}
    by_bot = {name: row.split("</tr>")[0].count('<small class="soft">bot</small></td>') for name, row in rows.items()}
    assert "bot for Ben, all of it" in rows["Ben "]
    assert "bot for Cem, from move" in rows["Cem "]
    assert "bot for" not in rows["Ana "]  # before the mark "(you)"
    assert by_bot["Ben "] == 5
    assert by_bot["Cem "] in (2, 3)
    answer = Client().get(f"/api/v1/evenings/{evening.pk}").json()
    chairs = {seat["name"]: seat for seat in answer["tables"][0]["seats"]}
    assert (chairs["Ana"]["stand_in"], any(chairs["Ana"]["by_bot"])) == (None, False)
    assert (chairs["Ben"]["stand_in"]["all"], chairs["Ben"]["by_bot"]) == (True, [True] * 5)
    assert chairs["Cem"]["by_bot"].count(True) == by_bot["Cem "]
    done = deciders.read_decided_moves([table.id])[table.id]
    assert Ply.objects.filter(table=table.id).count() >= len(done)
    assert Table.objects.filter(pk=table.id).exists()


def test_the_words_in_every_language() -> None:
    back = StandIn(False, ((12, 40), (50, 50), (71, None)))
    sentences = {}
    for language in ("en", "de", "pl"):
        with override(language):
            sentences[language] = [
                say_stand_in("Fay", StandIn(True, ((3, None),))),
                say_stand_in("Fay", back),
                say_rounds("Fay", [(1, StandIn(True, ((3, None),))), (3, back)], total=4),
            ]
    assert sentences["en"] == [
        "bot for Fay, all of it",
        "bot for Fay, moves 12–40, move 50 and from move 71",
        "bot for Fay, round 1: all of it; round 3: moves 12–40, move 50 and from move 71",
    ]
    assert sentences["de"][:2] == ["Bot für Fay, ganze Partie", "Bot für Fay, Züge 12–40, Zug 50 und ab Zug 71"]
    assert sentences["pl"][:2] == ["bot za: Fay, cała partia", "bot za: Fay, ruchy 12–40, ruch 50 i od ruchu 71"]
