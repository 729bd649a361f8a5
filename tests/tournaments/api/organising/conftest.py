"""Fixtures: the API's description, an account, its club, and a program that acts for it."""

from __future__ import annotations

import pytest

from games.models import Player
from tests.live.streams.opening import account
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import Organiser
from tests.tournaments.cast import found
from tournaments.models import Club


@pytest.fixture
def described(db: None) -> Description:
    return Description()


@pytest.fixture
def host(db: None) -> Player:
    return account("Ana")


@pytest.fixture
def club(host: Player) -> Club:
    return found(host)


@pytest.fixture
def desk(described: Description, host: Player) -> Organiser:
    return Organiser(described, host)
