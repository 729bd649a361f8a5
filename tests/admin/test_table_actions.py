"""The admin for real work: pause, resume, void with a reason, let a person go; game data is read-only."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games import models
from games.admin import quick_lists
from games.play.seats.player_changes import ANONYMOUS_NAME
from games.play.storage import store
from games.play.storage.table import OVER
from tests.cast import NOW, browser, finish, start_table
from tests.live.markup import read
from tournaments.flow.counting import finished_tables
from tournaments.models import BoardRow, CountedTable
from tournaments.work import tasks


def act(client: Client, action: str, *chosen: object, model: str = "table", **fields: str) -> str:
    """Choose rows and an action; returns the page that follows."""
    form = {"action": action, "_selected_action": [str(one) for one in chosen], **fields}
    return client.post(reverse(f"admin:games_{model}_changelist"), form, follow=True).content.decode()


def test_a_table_stands_still_and_goes_on(staff: Client, ana: models.Player) -> None:
    table = start_table(ana)
    act(staff, "pause", table.id)
    assert store.reload(table.id).runtime.paused_at is not None
    act(staff, "resume", table.id)
    assert store.reload(table.id).runtime.paused_at is None
    assert [entry.object_id for entry in LogEntry.objects.all()] == [table.id] * 2


def test_a_table_has_a_name_that_people_can_read(staff: Client, ana: models.Player) -> None:
    table = start_table(ana)
    page = staff.get(reverse("admin:games_table_change", args=[table.id])).content.decode()
    opened = models.Table.objects.get().created_at
    day = datetime.fromtimestamp(opened, tz=UTC)
    assert re.search(rf"Karriere Poker, [^<]*{day.day}[^<]*{table.id}", page)
    assert "karriere-poker " + table.id not in page


def test_a_game_is_void_with_a_reason_only(staff: Client, ana: models.Player, ben: models.Player) -> None:
    table = finish(start_table(ana, ben, options={"deals": 1}))
    finished_tables.count_table(table.id, now=NOW)
    asked = act(staff, "void", table.id)
    assert ("Void these games?" in asked, read(asked).faults) == (True, [])
    assert f"{table.id}: Karriere Poker, Ana, Ben, " in " ".join(asked.split())
    assert "Enter a reason." in act(staff, "void", table.id, apply="1", reason=" ")
    assert models.Table.objects.get().voided_at is None
    assert BoardRow.objects.count() == 8
    assert "Voided: A card was seen." in act(staff, "void", table.id, apply="1", reason="A card was seen.")
    tasks.sweep_results()
    assert (BoardRow.objects.count(), CountedTable.objects.get().is_void) == (0, True)
    assert models.Table.objects.get().void_reason == "A card was seen."
    assert "Voided: A card was seen." in str(LogEntry.objects.get().get_change_message())


def test_a_game_under_way_ends_with_its_voiding(staff: Client, ana: models.Player) -> None:
    table = start_table(ana)
    act(staff, "void", table.id, apply="1", reason="The lights went out.")
    assert (store.reload(table.id).status, store.reload(table.id).outcome) == (OVER, None)
    page = browser(ana).get(reverse("table", args=[table.id]))
    assert page.status_code == 200


def test_a_person_goes_at_their_wish_and_staff_stays(staff: Client, ana: models.Player) -> None:
    boss = models.Player.objects.create(user=models.User.objects.get(), name="Boss", avatar="lion")
    act(staff, "forget", ana.pk, boss.pk, model="player")
    names = dict(models.Player.objects.values_list("pk", "name"))
    assert names == {ana.pk: ANONYMOUS_NAME, boss.pk: "Boss"}


def change(client: Client, player: models.Player, **changes: object) -> int:
    """Fill in the form of a person, and save it; the status of the answer."""
    form = {"name": player.name, "avatar": player.avatar, "language": "", "is_listed": "on"} | changes
    address = reverse("admin:games_player_change", args=[player.pk])
    return client.post(address, {name: value for name, value in form.items() if value is not None}).status_code


def test_who_staff_hide_leaves_the_leaderboards_at_once(staff: Client, ana: models.Player, ben: models.Player) -> None:
    finished_tables.count_table(finish(start_table(ana, ben, options={"deals": 1})).id, now=NOW)
    assert change(staff, ana, is_listed=None) == 302
    assert set(BoardRow.objects.filter(player=ana).values_list("is_listed", flat=True)) == {False}
    assert "Ana" not in Client().get(reverse("tournaments:leaderboards")).content.decode()


@pytest.mark.parametrize("changes", [{"avatar": "dragon"}, {"name": " "}, {"name": "A\u202eB"}, {"language": "xx"}])
def test_staff_write_nothing_that_people_could_not(
    staff: Client, ana: models.Player, changes: dict[str, object]
) -> None:
    assert change(staff, ana, **changes) == 200
    ana.refresh_from_db()
    assert (ana.name, ana.avatar, ana.language) == ("Ana", "fox", "")


def test_who_has_gone_is_not_called_back_by_staff(staff: Client, ana: models.Player) -> None:
    act(staff, "forget", ana.pk, model="player")
    assert change(staff, ana, name="Ana") == 403


def test_a_table_leads_to_its_page(staff: Client, ana: models.Player) -> None:
    table = start_table(ana)
    for page in (reverse("admin:games_table_changelist"), reverse("admin:games_table_change", args=[table.id])):
        url = reverse("table", args=[table.id])
        assert f'<a href="{url}">{url}</a>' in staff.get(page).content.decode()


def test_permissions_are_offered_in_the_readers_language(staff: Client, ana: models.Player) -> None:
    account = models.User.objects.create_user("clerk", password="a long pass phrase")
    pages = (
        reverse("admin:games_user_change", args=[account.pk]),
        reverse("admin:auth_group_add"),
    )
    for page in pages:
        shown = staff.get(page, headers={"Accept-Language": "de"}).content.decode()
        assert "Can view table" not in shown
        assert re.findall(r"<option[^>]*>(Tisch: \w+)<", shown) == [
            f"Tisch: {act}" for act in ("anlegen", "ändern", "löschen", "ansehen")
        ]


def test_who_may_only_look_has_no_actions(ana: models.Player) -> None:
    table = start_table(ana)
    user = models.User.objects.create_user("clerk", password="a long pass phrase", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_table"))
    client = Client()
    client.force_login(user)
    page = act(client, "void", table.id, apply="1", reason="For fun.")
    assert ('value="void"' in page, models.Table.objects.get().voided_at) == (False, None)


@pytest.mark.parametrize("model", ["countedtable", "personresult", "careerentry", "boardrow", "persontotal"])
def test_what_was_counted_is_to_look_at(staff: Client, ana: models.Player, ben: models.Player, model: str) -> None:
    table = finish(start_table(ana, ben, options={"deals": 1}))
    finished_tables.count_table(table.id, now=NOW)
    page = staff.get(reverse(f"admin:tournaments_{model}_changelist"), {"q": "Ana"})
    assert page.status_code == 200
    assert staff.get(reverse(f"admin:tournaments_{model}_add")).status_code == 403
    assert 'name="action"' not in page.content.decode()


def test_a_void_game_stays_void_for_its_first_reason(staff: Client, ana: models.Player) -> None:
    table = start_table(ana)
    for reason in ("The first one.", "The second one."):
        act(staff, "void", table.id, apply="1", reason=reason)
    assert models.Table.objects.get().void_reason == "The first one."
    staff.post(reverse("admin:games_table_change", args=[table.id]), {"status": "waiting", "void_reason": ""})
    assert (models.Table.objects.get().status, models.Table.objects.get().void_reason) == ("over", "The first one.")


@pytest.mark.parametrize("model", ["table", "player"])
def test_lists_can_be_searched_and_filtered(staff: Client, ana: models.Player, model: str) -> None:
    table = start_table(ana)
    page = staff.get(reverse(f"admin:games_{model}_changelist"), {"q": "Ana"}).content.decode()
    assert (table.id in page) == (model == "table")
    assert "Ana" in page
    assert staff.get(reverse(f"admin:games_{model}_add")).status_code == 403


def listed(client: Client, model: str, **fields: str) -> list[object]:
    """The rows that a list shows."""
    page = client.get(reverse(f"admin:{model}_changelist"), fields)
    return [row.pk for row in page.context["cl"].result_list]


@pytest.mark.parametrize("wanted", ["łuk", "nowak", "lukasz", "lu.nowak@ex", "accoun"])
def test_a_person_is_found_by_name_and_account(staff: Client, ana: models.Player, wanted: str) -> None:
    user = models.User.objects.create_user("account-7", email="lu.nowak@example.org", password="a long pass phrase")
    lukasz = models.Player.objects.create(user=user, name="Łukasz Nowak", avatar="fox", is_listed=False)
    assert listed(staff, "games_player", q=wanted) == [lukasz.pk]


def test_what_was_played_is_found_by_person_and_by_table(staff: Client, ana: models.Player, ben: models.Player) -> None:
    table = finish(start_table(ana, ben, options={"deals": 1}))
    finished_tables.count_table(table.id, now=NOW)
    rest = start_table(ana)
    assert listed(staff, "games_table", q="ben") == [table.id]
    assert set(listed(staff, "games_table", q="an")) == {table.id, rest.id}
    assert listed(staff, "games_table", q=rest.id) == [rest.id]
    assert listed(staff, "games_table", q=rest.id[:-1]) == []
    assert listed(staff, "games_table", game="karriere-poker", status="playing") == [rest.id]
    assert listed(staff, "games_table", game="animal-poker") == []
    (number,) = listed(staff, "tournaments_countedtable", q="ben")
    assert listed(staff, "tournaments_countedtable", q=table.id) == [number]
    assert len(listed(staff, "tournaments_personresult", q=table.id)) == 2
    assert len(listed(staff, "tournaments_personresult", q="ben")) == 1


def test_a_long_list_is_paged_through_so_far_only(staff: Client, monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    monkeypatch.setattr(quick_lists, "MAX_ROWS", 40)
    models.Player.objects.bulk_create(models.Player(name=f"Otter {number}", avatar="otter") for number in range(50))
    page = staff.get(reverse("admin:games_player_changelist"), {"p": "2"})
    assert (page.context["cl"].result_count, len(page.context["cl"].result_list)) == (40, 10)
    assert "At most 5,000 rows are shown." in page.content.decode()


def test_a_second_factor_can_be_taken_away_and_its_secret_is_not_shown(staff: Client, ana: models.Player) -> None:
    user = models.User.objects.create_user("ana", password="a long pass phrase")
    key = Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "never-to-be-read"})
    listed = staff.get(reverse("admin:mfa_authenticator_changelist"), {"q": "ana"})
    assert listed.context["cl"].result_count == 1
    shown = staff.get(reverse("admin:mfa_authenticator_change", args=[key.pk])).content.decode()
    assert ("never-to-be-read" in shown, "Authenticator" in shown) == (False, True)
    assert staff.get(reverse("admin:mfa_authenticator_add")).status_code == 403
    staff.post(reverse("admin:mfa_authenticator_delete", args=[key.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()


def test_an_account_is_closed_and_not_deleted(staff: Client, ana: models.Player) -> None:
    user = models.User.objects.create_user("ana", password="a long pass phrase")
    assert staff.get(reverse("admin:games_user_delete", args=[user.pk])).status_code == 403
    assert models.User.objects.filter(pk=user.pk).exists()


def test_no_list_can_be_asked_how_a_hidden_value_begins(staff: Client, ana: models.Player) -> None:
    secret = start_table(ana).secret
    tables, rounds = reverse("admin:games_table_changelist"), reverse("admin:tournaments_round_changelist")
    assert staff.get(tables, {"status__exact": "playing", "game": "karriere-poker"}).status_code == 200
    asked = ((tables, "secret__startswith"), (tables, "state__contains"), (rounds, "deal_secret__startswith"))
    assert [staff.get(address, {lookup: secret[0]}).status_code for address, lookup in asked] == [400] * 3
