"""The JSON API of playing: open a table, sit down, start, move, leave, rematch, challenge. The same use cases as pages.

With an access token of the scope `play`, or with a browser session and its CSRF token.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.http import HttpRequest

from games import bots
from games.accounts import access_tokens, rate_limits, table_access
from games.accounts.animal_pictures import AVATARS
from games.models import Challenge, Player
from games.operation import metrics
from games.play.errors import NotFound, Stale, TooFast
from games.play.moves import submission
from games.play.moves.form_keys import make_once
from games.play.records.table_description import describe
from games.play.seats import challenges, opening, readiness, sitting, standing_answers, table_limits
from games.play.sentences import say_sentence
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.presenters.names import name_game
from games.rules import registry
from games.views.json_responses import JsonAnswer
from tournaments.api import tables
from tournaments.api.playing_shapes import (
    AcceptedOut,
    AccountOut,
    ChallengeIn,
    ChallengeOut,
    CommandIn,
    ContributionIn,
    MoveIn,
    OpenIn,
    PlayableGameOut,
    SeatIn,
    StaleOut,
    StartIn,
)
from tournaments.api.readers import CHANGE_REFUSED, REFUSED, Token, find_token, read_session
from tournaments.api.routes import Router
from tournaments.api.tables import TableOut

router = Router(tags=["play"])
can_play = Token(access_tokens.PLAY)


@router.get("/games", response={200: list[PlayableGameOut], **REFUSED})
def list_games(request: HttpRequest) -> Any:
    """The games of this site, with the options of a table and the JSON Schema of their moves."""
    find_token(request)
    return [_describe_game(slug) for slug in registry.slugs()]


def _describe_game(slug: str) -> dict[str, Any]:
    rules = registry.find(slug)
    return {
        "slug": slug,
        "name": str(name_game(slug)),
        "seats": list(rules.seat_counts),
        "options": [{**option._asdict(), "choices": list(option.choices)} for option in rules.options],
        "levels": list(bots.list_bot_levels(slug)),
        "standing_answers": list(rules.standing_answers),
        "move": dict(registry.find_move_schema(slug)),
    }


@router.get("/account", auth=can_play, response={200: AccountOut, **REFUSED})
def show_account(request: HttpRequest) -> Any:
    """The player for whom this token acts, and the tables at which they sit."""
    player, token = _player_of(request), find_token(request)
    return {
        "id": player.pk,
        "name": player.name,
        "is_bot": player.is_bot,
        "owner": player.owner_id,
        "games_at_once": player.games_at_once or None,
        "scopes": sorted(access_tokens.list_scopes(token)) if token else [],
        "tables": sorted(table_limits.list_current(player)),
    }


@tables.router.post("/tables", tags=["play"], auth=can_play, response={200: TableOut, **CHANGE_REFUSED})
def open_table(request: HttpRequest, wanted: OpenIn) -> Any:
    """Open a table and sit down on its first seat. Send a `key`: the same key twice is one table."""
    player = _player_of(request)
    level = wanted.level or (registry.infos()[wanted.game].bot_levels[-1] if registry.is_installed(wanted.game) else "")
    asked = opening.TableRequest(
        game=wanted.game,
        seats=wanted.seats,
        options=wanted.options,
        bots=wanted.bots,
        bot_level=level,
        is_public=wanted.is_public,
        is_rated=wanted.is_rated,
        is_called=wanted.is_called,
        is_timed=wanted.is_timed,
        turn_seconds=wanted.turn_seconds,
        pace=wanted.pace,
        talk=wanted.talk,
    )
    opening.check_request(asked)

    def make() -> str:
        _allow_table(player)
        network = rate_limits.network_of(request.META.get("REMOTE_ADDR", ""))
        table_limits.require_below_limits(player, network, turn_seconds=asked.turn_seconds)
        table = opening.open_table(player, asked, avatars=AVATARS, now=time.time())
        table_limits.record_opener(table.id, network)
        store.forget(table.id)  # it is not durable yet
        return table.id

    key = sha256(f"api {wanted.key}".encode()).hexdigest()[:48] if wanted.key else ""
    return _answer_with_table(request, store.fetch(make_once(player.pk, key, make, now=time.time())))


def _allow_table(player: Player) -> None:
    if not rate_limits.allow_table(player.pk):
        raise TooFast("You have opened too many tables in the last hour. Play at one of them, or try again later.")


@router.post("/tables/{table_id}/sit", auth=can_play, response={200: TableOut, **CHANGE_REFUSED})
def sit_down(request: HttpRequest, table_id: str, wanted: SeatIn) -> Any:
    """Take a seat at a waiting table. If you sit there already, nothing changes."""
    _find_table(request, table_id)
    return _answer_with_table(request, sitting.sit(table_id, _player_of(request), chair=wanted.seat, now=time.time()))


@router.post("/tables/{table_id}/start", auth=can_play, response={200: TableOut, **CHANGE_REFUSED})
def start_game(request: HttpRequest, table_id: str, wanted: StartIn) -> Any:
    """Ask for the start; the host can fill free seats with bots. The game begins when all have contributed."""
    _find_table(request, table_id)
    me = _player_of(request).pk
    return _answer_with_table(request, opening.start(table_id, me, fill=wanted.fill, avatars=AVATARS, now=time.time()))


@router.post(
    "/tables/{table_id}/contribute",
    auth=can_play,
    response={200: AcceptedOut, **CHANGE_REFUSED},
)
def contribute_to_deal(request: HttpRequest, table_id: str, sent: ContributionIn) -> Any:
    """Add to the deal before the game. A table waits up to 30 seconds for players who have not contributed."""
    _find_table(request, table_id)
    me, now = _player_of(request).pk, time.time()
    return _accept(sitting.contribute(table_id, me, commitment=sent.commitment, entropy=sent.entropy, now=now))


@router.post(
    "/tables/{table_id}/moves",
    auth=can_play,
    response={200: AcceptedOut, **CHANGE_REFUSED, 409: StaleOut},
)
def make_move(request: HttpRequest, table_id: str, sent: MoveIn) -> Any:
    """Make a move. 409: the table has moved on; the answer shows it. 422: the rules forbid the move."""
    received = time.time()
    status = 500
    try:
        answer = _make_move(request, table_id, sent, received)
        status = answer.status_code if isinstance(answer, JsonAnswer) else 200
        return answer
    finally:
        metrics.note_move(status, time.time() - received)


def _make_move(request: HttpRequest, table_id: str, sent: MoveIn, received: float) -> Any:
    _find_table(request, table_id)
    me = _player_of(request).pk
    _limit_moves(table_id, me)
    try:
        done = submission.submit_move(table_id, me, sent.move, ply=sent.ply, key=sent.key, now=received)
    except Stale as stale:
        table = describe(store.refresh(table_id), me)
        return JsonAnswer({"status": 409, "sentence": say_sentence(stale), "table": table}, status=409)
    return _accept(done.table, is_repeat=done.is_repeat)


@router.post(
    "/tables/{table_id}/commands",
    auth=can_play,
    response={200: AcceptedOut, **CHANGE_REFUSED},
)
def send_command(request: HttpRequest, table_id: str, sent: CommandIn) -> Any:
    """Say that you are ready after a new deal, or back; pass for the rest of the round; or answer windows in advance.

    Only you see what you have chosen. Answers given in advance follow after a pause.
    """
    _find_table(request, table_id)
    me, now = _player_of(request).pk, time.time()
    _limit_moves(table_id, me)
    if sent.name == "auto_pass":
        return _accept(sitting.order_pass(table_id, me, on=sent.on, now=now))
    if sent.name == "standing":
        return _accept(standing_answers.set_standing_answer(table_id, me, standing=sent.value, now=now))
    act: Callable[..., LoadedTable] = readiness.mark_ready if sent.name == "ready" else sitting.return_to_table
    return _accept(act(table_id, me, now=now))


@router.post("/tables/{table_id}/leave", auth=can_play, response={200: AcceptedOut, **CHANGE_REFUSED})
def leave_table(request: HttpRequest, table_id: str) -> Any:
    """Stand up. In a game under way a bot of this site plays on until you return (`here`)."""
    _find_table(request, table_id)
    return _accept(sitting.leave(table_id, _player_of(request).pk, now=time.time()))


@router.post(
    "/tables/{table_id}/rematch",
    auth=can_play,
    response={200: TableOut, **CHANGE_REFUSED},
)
def ask_for_rematch(request: HttpRequest, table_id: str) -> Any:
    """Sit down at the table of the rematch; the first person to ask opens it. The answer is that table."""
    table, player = _find_table(request, table_id), _player_of(request)
    if table.rematch_id is None and table.seat_of(player.pk) is not None:
        _allow_table(player)
    return _answer_with_table(request, sitting.play_again(table_id, player, avatars=AVATARS, now=time.time()))


@router.post(
    "/tables/{table_id}/challenges",
    auth=can_play,
    response={200: ChallengeOut, **CHANGE_REFUSED},
)
def challenge_player(request: HttpRequest, table_id: str, wanted: ChallengeIn) -> Any:
    """Invite a person or a bot account to the waiting table at which you sit. Sending it twice counts once."""
    _find_table(request, table_id)
    if not 0 < wanted.player < 2**31:
        raise NotFound("Nobody with this ID can be challenged. Choose a person with an account, or a bot.")
    return _describe_challenge(challenges.challenge(table_id, _player_of(request), wanted.player, now=time.time()))


@router.get("/challenges", auth=can_play, response={200: list[ChallengeOut], **REFUSED})
def list_challenges(request: HttpRequest) -> Any:
    """The open challenges for you, oldest first."""
    mine = challenges.list_open(now=time.time()).filter(challenged=_player_of(request))
    return [_describe_challenge(challenge) for challenge in mine]


@router.post(
    "/challenges/{challenge_id}/accept",
    auth=can_play,
    response={200: TableOut, **CHANGE_REFUSED},
)
def accept_challenge(request: HttpRequest, challenge_id: int) -> Any:
    """Sit down at the challenge's table."""
    return _answer_with_table(
        request, challenges.accept(_require_valid_id(challenge_id), _player_of(request), now=time.time())
    )


@router.post(
    "/challenges/{challenge_id}/decline",
    auth=can_play,
    response={200: ChallengeOut, **CHANGE_REFUSED},
)
def decline_challenge(request: HttpRequest, challenge_id: int) -> Any:
    """Decline a challenge."""
    return _describe_challenge(challenges.decline(_require_valid_id(challenge_id), _player_of(request)))


def _require_valid_id(number: int) -> int:
    """An id that every database can look for. Raises NotFound."""
    if not 0 < number < 2**31:
        raise NotFound("This challenge does not exist, or is for somebody else.")
    return number


def _describe_challenge(one: Challenge) -> dict[str, Any]:
    return {
        "id": one.pk,
        "table": one.table_id,
        "game": one.table.game,
        "challenger": one.challenger_id,
        "challenged": one.challenged_id,
        "status": one.status,
        "at": one.at,
    }


def _player_of(request: HttpRequest) -> Player:
    """Who acts, as `Token` has found them."""
    player: Player = request.auth  # type: ignore[attr-defined]
    return player


def _find_table(request: HttpRequest, table_id: str) -> LoadedTable:
    """The table, if the player may look at it. Raises NotFound, NotAllowed."""
    table, token = store.refresh(table_id), find_token(request)
    if token is not None:
        table_access.enter_by_token(table, token)
    else:
        table_access.enter(table, _player_of(request).pk, read_session(request))
    return table


def _limit_moves(table_id: str, player_id: int) -> None:
    if not rate_limits.allow_move(table_id, player_id):
        raise TooFast("That was too fast. Wait a moment and try again.")


def _accept(table: LoadedTable, *, is_repeat: bool = False) -> dict[str, Any]:
    return {"table": table.id, "ply": table.ply, "repeat": is_repeat}


def _answer_with_table(request: HttpRequest, table: LoadedTable) -> JsonAnswer:
    return JsonAnswer(describe(table, _player_of(request).pk))
