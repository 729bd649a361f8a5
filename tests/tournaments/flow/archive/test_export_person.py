"""Everything that is stored about a person, downloaded by them: complete, valid, and nobody else's."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.models import (
    AccessToken,
    Challenge,
    Holiday,
    LessonProgress,
    Notice,
    NoticeWishes,
    PersonAnalysis,
    Player,
    Ply,
    Remark,
    Report,
    SignedInDevice,
    TableMark,
    Upload,
    User,
)
from games.play.seats import challenges
from games.play.storage import codec
from tests.cast import NOW, browser, finish, open_table, start_table
from tests.live.streams.opening import account, bot_of, issue
from tests.notifications.push_service import PushService
from tests.tournaments import cast
from tournaments.flow.archive import export_jobs
from tournaments.flow.archive.person_export import export_person
from tournaments.flow.clubs import api_keys as keys
from tournaments.flow.clubs import club_talk, invitations, moderation
from tournaments.flow.counting import finished_tables
from tournaments.flow.entry import attendance, duties, sign_up, team_members
from tournaments.flow.evenings import guests, sessions
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.seasons import season_phases
from tournaments.models import BackgroundJob, Club, Membership, Phase, Pod, ResultPhoto
from tournaments.work import tasks


def take(player: Player) -> dict[str, Any]:
    """The document that the person downloads."""
    answer = browser(player).get(reverse("tournaments:export_me"))
    assert answer["Content-Disposition"] == f'attachment; filename="menagerie-{player.pk}.json"'
    document: dict[str, Any] = json.loads(answer.getvalue())
    return document


def test_a_new_guest_is_a_name_and_an_animal(ana: Player) -> None:
    document = take(ana)
    assert document["person"]["name"] == "Ana"
    assert {name: rows for name, rows in document.items() if isinstance(rows, list)} == {
        name: []
        for name in (
            "clubs", "removals", "moderation",
            "tournaments", "teams", "tournament_tables", "tournament_results", "result_photos", "tournament_steps",
            "season_steps", "evening_steps",
            "evenings", "invitations", "evenings_as_guest", "night_duties", "api_keys", "access_tokens", "bots",
            "challenges",
            "seats", "moves", "results", "career", "leaderboards", "uploads",
            "lessons", "table_notes", "holidays", "analyses", "devices", "notification_devices", "notification_wishes",
            "notifications",
            "errands", "remarks", "reports", "club_remarks", "club_reports",
        )
    }  # fmt: skip


EXPORTED = {
    "games.Seat": "seats", "games.Remark": "remarks", "games.Report": "reports", "games.Upload": "uploads",
    "games.LessonProgress": "lessons", "games.PersonAnalysis": "analyses",
    "games.AccessToken": "access_tokens", "games.Player": "bots", "games.Challenge": "challenges",
    "games.SignedInDevice": "devices",
    "games.PushDevice": "notification_devices", "games.NoticeWishes": "notification_wishes",
    "games.Notice": "notifications",
    "games.TableMark": "table_notes", "games.Holiday": "holidays",
    "games.AwaitedTurn": "seats: whether a game over days waits for them now",
    "games.Attention": "notification_devices: which tables they have open now, for an hour or two",
    "tournaments.ClubRemark": "club_remarks", "tournaments.ClubReport": "club_reports",
    "games.SentForm": "seats, clubs, tournaments and evenings: that their forms were sent once",
    "games.NameKey": "person: their name, as it is searched for",
    "games.Table": "seats: the person who opened a table sits at it, or left it",
    "tournaments.Membership": "clubs", "tournaments.Removal": "removals", "tournaments.Invitation": "invitations",
    "tournaments.NightDuty": "night_duties", "tournaments.EveningGuest": "evenings_as_guest",
    "tournaments.ModerationStep": "moderation",
    "tournaments.PersonMerge": "moderation: who somebody was before is nobody any more",
    "tournaments.ApiKey": "api_keys",
    "tournaments.Entrant": "tournaments", "tournaments.PodSeat": "tournament_tables",
    "tournaments.ResultPhoto": "result_photos",
    "tournaments.Result": "tournament_results", "tournaments.Step": "tournament_steps, season_steps, evening_steps",
    "tournaments.TimedSession": "evenings", "tournaments.BackgroundJob": "errands",
    "tournaments.PersonResult": "results",
    "tournaments.CareerEntry": "career", "tournaments.BoardRow": "leaderboards",
    "tournaments.PersonTotal": "results and career: their sums",
}  # fmt: skip
"""Whatever points at a person → where it stands in the document."""


def test_whatever_points_at_a_person_is_in_the_document() -> None:
    found = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Player
    }
    assert found == set(EXPORTED)


def test_a_tournament_of_mine_with_what_i_said_of_it(ana: Player, ben: Player) -> None:
    tournament = cast.plan(ana, venue="real", name="Thursday")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    for player in (ana, ben):
        sign_up.enter(tournament, player, now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    attendance.check_in(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), now=NOW)
    for name in ("Cem", "Dan"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    cast.release(ana, tournament, 1)
    pod = Pod.objects.get()
    results.enter(tournament, ben, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    results.confirm(tournament, ana, pod.results.get().pk, now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    tasks.sweep_results()
    document = take(ben)
    seat = pod.seats.get(entrant__player=ben).index
    (table,) = document["tournament_tables"]
    assert (table["round"], table["table"], table["seat"], table["place"]) == (1, 1, seat, seat + 1)
    assert [row["places"] for row in document["tournament_results"]] == [[1, 2, 3, 4]]
    assert [step["kind"] for step in document["tournament_steps"]] == ["enter", "result"]
    (result,) = document["results"]
    assert (result["tournament"], result["place"]) == (tournament.pk, seat + 1)
    assert [row["games"] for row in document["leaderboards"]] == [1] * 4
    assert "Cem" not in json.dumps(document)


def test_all_of_mine_and_nothing_of_the_others(ana: Player, ben: Player) -> None:
    Player.objects.filter(pk=ana.pk).update(user=User.objects.create_user("ana", "ana@club.example", "long phrase"))
    club = Club.objects.create(slug="foxes", name="The Foxes", avatar="fox", feed_token="secret-token")
    Membership.objects.create(club=club, player=ana)
    table = finish(start_table(ana, ben, options={"deals": 2}))
    finished_tables.count_table(table.id, now=NOW)
    for number, (player, words) in enumerate(((ana, "Mine!"), (ben, "Hush."))):
        Remark.objects.create(table_id=table.id, number=number, player=player, name=player.name, words=words, at=NOW)
    document = take(ana)
    events = [codec.read(event) for event in Ply.objects.order_by("number").values_list("event", flat=True)]
    assert [move["move"] for move in document["moves"]] == [event["move"] for event in events if event.get("seat") == 0]
    assert document["person"]["account"]["email"] == "ana@club.example"
    assert (document["clubs"][0]["club"], len(document["results"]), len(document["career"])) == ("foxes", 1, 2)
    assert [remark["words"] for remark in document["remarks"]] == ["Mine!"]
    text = json.dumps(document)
    for hidden in ("Ben", "Hush.", "secret-token", table.secret):
        assert hidden not in text


def test_a_stranger_has_nothing_to_take(db: None) -> None:
    assert Client().get(reverse("tournaments:export_me")).status_code == 403


def test_taking_everything_on_and_on_is_too_much(ana: Player) -> None:
    client = browser(ana)
    statuses = [client.get(reverse("tournaments:export_me")).status_code for _ in range(7)]
    assert statuses == [200] * 6 + [429]


def read_documented_keys() -> dict[str, set[str]]:
    """What docs/personal-data.md says of the document: by list, the keys of a row."""
    text = (settings.BASE_DIR / "docs" / "personal-data.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", keys)) for name, keys in rows}


def test_every_key_of_the_document_is_explained(ana: Player, ben: Player) -> None:
    tournament = cast.plan(ana, venue="real", team_size=2, has_open_teams=True)
    club = tournament.club
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    sign_up.enter(tournament, ana, now=NOW)
    team_members.choose_team(tournament, ana, None, team_name="Foxes", now=NOW)
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=NOW)
    attendance.check_in(tournament, ana, [tournament.entrants.get().pk], now=NOW)
    for name in ("Cem", "Dan", "Eli"):
        sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    cast.release(ana, tournament, 1)
    results.decide(tournament, ana, Pod.objects.get().pk, ReportedResult((1, 2, 3, 4)), now=NOW)
    ResultPhoto.objects.create(pod=Pod.objects.get(), key="photo", body=b"WEBP", added_by=ana, at=NOW)
    season_phases.open_season(cast.plan_season(ana, club), ana, now=NOW)
    evening = sessions.open_evening(club, ana, sessions.EveningPlan("Lamps", "animal-poker", 30), now=NOW)
    guests.add_guest(evening, ana)
    duties.take_duty(tournament, ana, duties.give_duty(tournament, ana, "door", name="Ana", now=NOW).token, now=NOW)
    invitations.invite(club, ana)
    invitations.bar_from_club(cast.found(ben), ana.pk)
    keys.make(club, ana, "Scores")
    AccessToken.objects.create(player=ana, name="desk", scopes="read", created_at=NOW, expires_at=NOW)
    Player.objects.create(name="Robo (bot)", owner=ana, games_at_once=1)
    Challenge.objects.create(table_id=open_table(ana).id, challenger=ana, challenged=ben, at=NOW)
    table = finish(start_table(ana, ben, options={"deals": 1}))
    finished_tables.count_table(table.id, now=NOW)
    Upload.objects.create(key="k", player=ana, text="{}", at=NOW)
    LessonProgress.objects.create(player=ana, game="karriere-poker", step="beat", at=NOW)
    TableMark.objects.create(table_id=table.id, player=ana, note="Ben has a seven.")
    Holiday.objects.create(player=ana, first=date(2030, 1, 1), last=date(2030, 1, 2), since=NOW, until=NOW + 1)
    PersonAnalysis.objects.create(
        player=ana, table_id=table.id, game="karriere-poker", decisions=9, average_loss=0.02, at=NOW
    )
    device = PushService().subscribe(ana)
    SignedInDevice.objects.create(session="k", player=ana, name="Firefox", since=NOW, seen_at=NOW)
    NoticeWishes.objects.create(player=ana)
    Notice.objects.create(player=ana, kind="your-turn", key="k", device=device, tag="t", at=NOW, ends_at=NOW)
    remark = Remark.objects.create(table_id=table.id, number=1, player=ana, name="Ana", words="Mine!", at=NOW)
    Report.objects.create(remark=remark, player=ana, at=NOW)
    Membership.objects.create(club=club, player=ben)
    club_talk.say(club, ben, words="Not mine!", now=NOW)
    club_talk.say(club, ana, words="Mine!", now=NOW)
    club_talk.report(club, 1, ana, now=NOW)
    moderation.close_chat(club, ana, now=NOW)
    export_jobs.ask_file(tournament, BackgroundJob.Kind.ARCHIVE, ana, "", now=NOW)
    document = json.loads("".join(export_person(ana)))
    assert document.pop("format") == "menagerie-person/1"
    assert [name for name, rows in document.items() if not rows] == []
    assert {
        name: set(rows[0] if isinstance(rows, list) else rows) for name, rows in document.items()
    } == read_documented_keys()


def test_tokens_bots_and_challenges_without_anything_secret(db: None) -> None:
    ana, ben = account("Ana"), account("Ben")
    bot = bot_of(ana)
    tokens = issue(ana), issue(ana, bot), issue(ben)
    table = open_table(ben, is_rated=False)
    challenges.challenge(table.id, ben, ana.pk, now=NOW)
    document = json.loads("".join(export_person(ana)))
    assert [(row["player"], row["name"], row["scopes"]) for row in document["access_tokens"]] == [
        (ana.pk, "desk", "read play"),
        (bot.pk, "desk", "read play"),
    ]
    assert [(row["id"], row["name"], row["games_at_once"]) for row in document["bots"]] == [(bot.pk, "Robo (bot)", 10)]
    assert document["challenges"] == [
        {"table": table.id, "challenger": ben.pk, "challenged": ana.pk, "status": "open", "at": NOW}
    ]
    text = json.dumps(document)
    for token in tokens:
        assert not any(part in text for part in token.split("_")[1:])
