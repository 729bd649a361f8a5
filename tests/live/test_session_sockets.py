"""Sockets are closed with the sessions by which they were opened, whatever they show."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games import models
from games.live import session_sockets
from games.live.session_sockets import SessionSockets
from tests.cast import browser

pytestmark = pytest.mark.django_db(transaction=True)


class Wire:
    """A socket that notes when it is closed."""

    is_open = True
    recheck: Callable[[], object] | None = None

    def __init__(self, player_id: int | None, session_key: str | None) -> None:
        self.player_id, self.session_key = player_id, session_key

    async def dismiss(self) -> None:
        self.is_open = False


async def test_who_is_not_signed_in_any_more_is_found(
    transactional_db: None, ana: models.Player, ben: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_sockets, "MAX_PER_QUERY", 1)
    ana.user = models.User.objects.create_user("ana", password="a first word")
    ana.save()
    browsers = [browser(player) for player in (ana, ben)]
    wires = [Wire(player.pk, one.session.session_key) for player, one in zip((ana, ben), browsers, strict=True)]
    stranger, registry = Wire(None, None), SessionSockets()
    for wire in (*wires, stranger):
        registry.add(wire)

    async def who_is_there() -> list[bool]:
        await registry.check_all()
        return [wire.is_open for wire in (*wires, stranger)]

    assert await who_is_there() == [True, True, True]
    browsers[1].logout()
    assert await who_is_there() == [True, False, True]
    ana.user.set_password("a second word")
    ana.user.save()
    assert await who_is_there() == [False, False, True]


async def test_who_signs_out_leaves_those_of_their_other_browsers_open() -> None:
    here, there, registry = Wire(1, "here"), Wire(1, "there"), SessionSockets()
    for wire in (here, there):
        registry.add(wire)
    await registry.dismiss_session("here")
    assert (here.is_open, there.is_open) == (False, True)
