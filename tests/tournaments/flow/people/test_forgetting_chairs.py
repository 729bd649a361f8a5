"""People who delete their account are nameless also on a chair that a bot has taken over for good."""

from __future__ import annotations

import pytest

from games.models import Player
from games.play.seats import player_changes
from games.play.storage import store
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, enter, play_online, release
from tests.tournaments.walk.traces import list_traces
from tournaments.flow.rounds import results
from tournaments.models import Pod, PodSeat


@pytest.mark.parametrize("is_over", [False, True])
def test_the_chair_that_a_bot_plays_for_good_forgets_who_goes(ana: Player, is_over: bool) -> None:
    """Their name stood on it, and in the record of the game."""
    tournament = begin(ana, [], venue="online", least=4, most=4)
    gone, absent, *_ = enter(tournament, *NAMES[:4])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    for one in (gone, absent):
        seat = PodSeat.objects.get(entrant__player=one)
        results.set_fate(tournament, ana, seat.pk, PodSeat.Fate.NO_SHOW, now=NOW)
    if is_over:
        play_online(tournament, 1)
    player_changes.delete_player(gone.pk, now=NOW)
    assert list_traces(gone.name) == []
    [pod] = Pod.objects.all()
    assert pod.table_id is not None
    names = sorted(place.name for place in store.refresh(pod.table_id).places)
    assert names == sorted([player_changes.ANONYMOUS_NAME, absent.name, *NAMES[2:4]])
