"""Access tokens and bot accounts: shown once, kept as a digest, never more than their owner may do, gone with them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.accounts import access_tokens, bot_accounts
from games.models import AccessToken, Challenge, Player, User
from games.play.errors import BadInput, NotAllowed, NotFound, Refusal, TooFast
from games.play.seats import challenges, player_changes, player_names, sitting
from tests.cast import NOW, browser, open_table, person, start_table

PASSWORD = "a long pass phrase"


@pytest.fixture
def ana(db: None) -> Player:
    """Somebody with an account."""
    player = person("Ana")
    player.user = User.objects.create_user("ana", password=PASSWORD)
    player.save()
    return player


def issue(owner: Player, player: Player | None = None, *scopes: str, days: int = 7, now: float = NOW) -> str:
    """A new token."""
    chosen = scopes or access_tokens.SCOPES
    return access_tokens.issue(owner, (player or owner).pk, name="desk", scopes=chosen, days=days, now=now)


def refusal(act: Any) -> tuple[type[Refusal], str]:
    with pytest.raises(Refusal) as refused:
        act()
    return type(refused.value), refused.value.template


def test_only_a_digest_of_a_token_is_stored(ana: Player) -> None:
    token = issue(ana)
    row = AccessToken.objects.values().get()
    assert row["digest"] == hashlib.sha256(token.encode()).hexdigest()
    assert token.startswith(f"mgt_{row['lookup']}_")
    assert not any(token.rpartition("_")[2] in str(value) for value in row.values())
    found = access_tokens.find(token, now=NOW)
    assert found is not None
    assert (found.player, found.expires_at) == (ana, NOW + 7 * 86_400)


@pytest.mark.parametrize("change", [lambda one: one[:-1] + "x", lambda one: one + "0", lambda one: one[:16], str.upper])
def test_what_is_not_exactly_a_token_opens_nothing(ana: Player, change: Any) -> None:
    assert access_tokens.find(change(issue(ana)), now=NOW) is None


@pytest.mark.parametrize("text", ["", "mgt_", "mgt__", "mgt_x", "mgt_é_x", "mgt_" + 200 * "a", "mng_a_b"])
def test_hostile_texts_are_no_tokens(ana: Player, text: str) -> None:
    assert access_tokens.find(text, now=NOW) is None


def test_a_token_works_until_it_expires_or_is_revoked(ana: Player) -> None:
    first, second = issue(ana), issue(ana, days=30)
    later = NOW + 7 * 86_400
    assert [access_tokens.find(one, now=later) is None for one in (first, second)] == [True, False]
    row = AccessToken.objects.get(expires_at__gt=later)
    access_tokens.require_working(row.pk, now=later)
    stranger = person("Ben")
    assert refusal(lambda: access_tokens.revoke(stranger, row.pk))[0] is NotFound
    access_tokens.revoke(ana, row.pk)
    assert access_tokens.find(second, now=later) is None
    assert refusal(lambda: access_tokens.require_working(row.pk, now=later))[0] is NotAllowed


def test_the_last_use_is_written_once_a_minute(ana: Player) -> None:
    token = issue(ana)
    uses = []
    for seconds in (0, 30, 59, 60, 61):
        access_tokens.find(token, now=NOW + seconds)
        uses.append(AccessToken.objects.get().last_used_at)
    assert uses == [NOW, NOW, NOW, NOW + 60, NOW + 60]


def test_a_token_sleeps_while_its_account_is_closed(ana: Player) -> None:
    bot = bot_accounts.create(ana, name="Robo", games_at_once=3)
    tokens = issue(ana), issue(ana, bot)
    User.objects.update(is_active=False)
    assert [access_tokens.find(one, now=NOW) for one in tokens] == [None, None]
    User.objects.update(is_active=True)
    assert all(access_tokens.find(one, now=NOW) is not None for one in tokens)


def test_what_a_token_may_be_is_checked(ana: Player) -> None:
    guest, other = person("Gina"), person("Ben")
    bad: list[dict[str, Any]] = [{"name": " "}, {"scopes": ["sudo"]}, {"scopes": []}, {"days": 10_000}]
    good: dict[str, Any] = {"name": "desk", "scopes": ["read"], "days": 7}
    for change in bad:
        assert refusal(lambda: access_tokens.issue(ana, ana.pk, **(good | change), now=NOW))[0] is BadInput, change  # noqa: B023
    assert refusal(lambda: issue(guest))[0] is NotAllowed
    assert refusal(lambda: issue(ana, other))[0] is NotAllowed
    for _ in range(access_tokens.MAX_TOKENS):
        issue(ana)
    assert refusal(lambda: issue(ana))[0] is BadInput


def test_scopes_imply_no_more_than_they_say(ana: Player) -> None:
    issue(ana, None, "tournaments:write")
    token = AccessToken.objects.get()
    assert access_tokens.list_scopes(token) == {"tournaments:write", "results"}
    access_tokens.require_scope(token, "results")
    for scope in ("read", "play", "club"):
        assert refusal(lambda: access_tokens.require_scope(token, scope))[0] is NotAllowed  # noqa: B023


def test_a_bot_account_is_marked_wherever_its_name_is(ana: Player) -> None:
    bot = bot_accounts.create(ana, name="Robo", games_at_once=3)
    assert (bot.name, bot.is_bot, bot.owner, bot.is_listed) == ("Robo (bot)", True, ana, False)
    assert bot_accounts.create(ana, name="Robo (BOT)", games_at_once=3).name == "Robo (bot)"
    table = sitting.sit(open_table(ana, is_rated=False).id, bot, now=NOW)
    assert [place.name for place in table.places] == ["Ana", "Robo (bot)"]
    assert "Robo (bot)" in browser(ana).get(reverse("table", args=[table.id])).content.decode()
    for name in ("Robo (bot)", "Robo(Bot)", "Robo ( bot )"):
        assert refusal(lambda: player_names.clean_person_name(name))[0] is BadInput  # noqa: B023
        form = {"name": name, "avatar": "fox"}
        assert browser(ana).post(reverse("me"), form).status_code == 422
    guest = Client()
    guest.post(reverse("sit", args=[open_table(ana, is_rated=False).id]), {"name": "Fake (bot)"})
    assert "bot" not in Player.objects.latest("pk").name


def test_a_bot_account_plays_at_most_so_many_games_and_none_that_is_rated(ana: Player) -> None:
    bot = bot_accounts.create(ana, name="Robo", games_at_once=2)
    tables = [open_table(ana, is_rated=False) for _ in range(3)]
    for table in tables[:2]:
        sitting.sit(table.id, bot, now=NOW)
    assert refusal(lambda: sitting.sit(tables[2].id, bot, now=NOW))[0] is TooFast
    assert refusal(lambda: open_table(bot, is_rated=False))[0] is TooFast
    assert sitting.sit(tables[0].id, bot, now=NOW).seat_of(bot.pk) == 1  # who sits there stays
    sitting.leave(tables[0].id, bot.pk, now=NOW)
    assert refusal(lambda: sitting.sit(open_table(ana).id, bot, now=NOW))[0] is NotAllowed
    assert sitting.sit(tables[2].id, bot, now=NOW).seat_of(bot.pk) == 1


def test_bot_accounts_are_bounded(ana: Player) -> None:
    assert refusal(lambda: bot_accounts.create(person("Gina"), name="Robo", games_at_once=1))[0] is NotAllowed
    assert refusal(lambda: bot_accounts.create(ana, name="Robo", games_at_once=51))[0] is BadInput
    assert refusal(lambda: bot_accounts.create(ana, name=" (bot)", games_at_once=1))[0] is BadInput
    assert refusal(lambda: bot_accounts.create(ana, name="Administrator", games_at_once=1))[0] is BadInput
    bot_accounts.delete(ana, bot_accounts.create(ana, name="Duck Bot", games_at_once=1).pk, now=NOW)
    for number in range(bot_accounts.MAX_BOTS):
        bot_accounts.create(ana, name=f"Robo {number}", games_at_once=1)
    assert refusal(lambda: bot_accounts.create(ana, name="Robo", games_at_once=1))[0] is BadInput


def test_an_account_that_is_deleted_takes_tokens_and_bots_along(ana: Player) -> None:
    bot = bot_accounts.create(ana, name="Robo", games_at_once=3)
    tokens = issue(ana), issue(ana, bot)
    table = sitting.sit(open_table(ana, is_rated=False).id, bot, now=NOW)
    challenges.challenge(table.id, bot, _other_account().pk, now=NOW)
    player_changes.delete_player(ana.pk, now=NOW)
    assert [access_tokens.find(one, now=NOW) for one in tokens] == [None, None]
    assert (AccessToken.objects.count(), Challenge.objects.count()) == (0, 0)
    bot.refresh_from_db()
    assert (bot.name, bot.owner, bot.left_at is None) == ("Anonymous", None, False)


def _other_account() -> Player:
    other = person("Olga")
    other.user = User.objects.create_user("olga", password=PASSWORD)
    other.save()
    return other


def test_a_challenge_opens_the_table_and_is_answered_once(ana: Player) -> None:
    other, guest = _other_account(), person("Gina")
    table = open_table(ana, is_public=False)
    assert refusal(lambda: challenges.challenge(table.id, ana, guest.pk, now=NOW))[0] is NotFound
    assert refusal(lambda: challenges.challenge(table.id, other, ana.pk, now=NOW))[0] is NotAllowed
    sent = challenges.challenge(table.id, ana, other.pk, now=NOW)
    assert challenges.challenge(table.id, ana, other.pk, now=NOW) == sent
    page = browser(other).get(reverse("lobby")).content.decode()
    assert "Ana invites you to a table: Karriere Poker" in page
    assert browser(other).get(reverse("table", args=[table.id])).status_code == 200
    assert browser(guest).get(reverse("table", args=[table.id])).status_code == 403
    assert refusal(lambda: challenges.accept(sent.pk, guest, now=NOW))[0] is NotFound
    for _ in range(2):
        assert challenges.accept(sent.pk, other, now=NOW).seat_of(other.pk) == 1
    assert refusal(lambda: challenges.decline(sent.pk, other))[1].startswith("This challenge was accepted")


def test_a_declined_challenge_opens_nothing(ana: Player) -> None:
    other = _other_account()
    table = open_table(ana, is_public=False)
    sent = challenges.challenge(table.id, ana, other.pk, now=NOW)
    client = browser(other)
    assert client.post(reverse("answer_challenge", args=[sent.pk, "decline"])).status_code == 302
    assert client.get(reverse("table", args=[table.id])).status_code == 403
    assert client.post(reverse("answer_challenge", args=[sent.pk, "accept"])).status_code == 409
    started = start_table(ana)
    assert refusal(lambda: challenges.challenge(started.id, ana, other.pk, now=NOW))[1].startswith("This game has")


def test_bots_are_not_challenged_to_rated_tables(ana: Player) -> None:
    bot = bot_accounts.create(ana, name="Robo", games_at_once=3)
    assert refusal(lambda: challenges.challenge(open_table(ana).id, ana, bot.pk, now=NOW))[0] is BadInput


def test_the_page_shows_a_token_once_and_asks_for_the_password_first(ana: Player) -> None:
    client, url = browser(ana), reverse("tokens")
    assert client.get(url)["Location"].startswith(reverse("account_reauthenticate"))
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    form = {"action": "create-token", "player": ana.pk, "name": "desk", "scope": ["read", "play"], "days": 30}
    made = client.post(url, form)
    row = AccessToken.objects.get()
    assert (row.name, row.scopes) == ("desk", "read play")
    assert f"mgt_{row.lookup}_" in made.content.decode()
    assert "no-store" in made["Cache-Control"]
    shown = client.get(url).content.decode()
    assert "desk" in shown
    assert row.lookup not in shown
    assert client.post(url, form | {"scope": []}).status_code == 400
    assert client.post(url, {"action": "create-bot", "name": "Robo", "games": "3"}).status_code == 302
    bot = Player.objects.get(owner=ana)
    client.post(url, form | {"player": bot.pk})
    assert AccessToken.objects.filter(player=bot).count() == 1
    assert client.get(url).content.decode().count('<details class="confirm">') == 3  # each asks before it removes
    client.post(url, {"action": "revoke-token", "token": row.pk})
    client.post(url, {"action": "delete-bot", "bot": bot.pk})
    bot.refresh_from_db()
    assert (AccessToken.objects.count(), bot.name) == (0, "Anonymous")


def test_the_page_is_not_for_guests(db: None) -> None:
    assert browser(person("Gina")).get(reverse("tokens")).status_code == 403
