"""Races of merging, deleting or removing a person, while they or others act."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from games.models import Player
from games.play.seats import player_changes
from tests.tournaments.racing import Race, Stage, is_so
from tournaments.flow.clubs import membership
from tournaments.flow.entry import sign_up
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Entrant, Membership, PodSeat, Role, Step
from tournaments.work import tasks

BOTH = ("", "")


def _names(player: Player) -> set[str]:
    """The names somebody has in lists, in logs and on chairs, once the sweeper has come by."""
    tasks.sweep_results()
    rows = (
        Entrant.objects.filter(player=player).values_list("name", flat=True),
        Step.objects.filter(actor=player).values_list("actor_name", flat=True),
        player.seats.values_list("name", flat=True),
    )
    return {name.rstrip(" 0123456789") for part in rows for name in part}


def merge_and_release() -> Race:
    """Two of the list are one: after the release they sit at one table, and nobody at the other."""
    stage = Stage(drawn=True, venue="online")
    guest, member = stage.sitting(stage.pods[0])[0], stage.sitting(stage.pods[1])[0]

    def holds(answers: tuple[str, str]) -> None:
        sweeper.sweep(now=stage.now)
        here = member.seats.filter(table__pod__round__tournament=stage.one)
        is_so((stage.status(), here.count(), answers), (["released"], 1, BOTH))
        is_so(_names(guest), {player_changes.ANONYMOUS_NAME})

    merge = partial(player_changes.merge_guest, guest.pk, member.pk, now=stage.now)
    return Race(stage, (merge, partial(stage.release, stage.olga)), holds)


def merge_and_merge() -> Race:
    """Signed in on two pages: it is done once."""
    stage = Stage(drawn=True)
    guest, member = stage.players[:2]

    def holds(answers: tuple[str, str]) -> None:
        is_so(
            (Entrant.objects.filter(player=member).count(), _names(guest), answers),
            (1, {player_changes.ANONYMOUS_NAME}, BOTH),
        )

    merge = partial(player_changes.merge_guest, guest.pk, member.pk, now=stage.now)
    return Race(stage, (merge, merge), holds)


def go_and_say_a_result() -> Race:
    stage = Stage(released=True)
    pod = stage.pods[0]
    gone = stage.sitting(pod)[0]

    def holds(answers: tuple[str, str]) -> None:
        is_so((answers[0], _names(gone)), ("", {player_changes.ANONYMOUS_NAME}))

    says = partial(results.enter, stage.one, gone, pod.pk, ReportedResult((1, 2, 3, 4)), now=stage.now)
    return Race(stage, (partial(player_changes.delete_player, gone.pk, now=stage.now), says), holds)


def go_and_claim() -> Race:
    stage = Stage()
    sign_up.add_walk_in(stage.one, stage.olga, name="Zoe", now=stage.now)
    token = stage.one.entrants.get(name="Zoe").claim_token

    def holds(answers: tuple[str, str]) -> None:
        is_so((answers[0], _names(stage.mara) <= {player_changes.ANONYMOUS_NAME}), ("", True))

    claim = partial(sign_up.claim, stage.one, token, stage.mara, now=stage.now)
    return Race(stage, (partial(player_changes.delete_player, stage.mara.pk, now=stage.now), claim), holds)


def leave_the_club_and_play_for_somebody() -> Race:
    stage = Stage(released=True)
    chair = stage.pods[0].seats.get(index=0)
    member = Membership.objects.get(club=stage.one.club, player=stage.mara)
    leave = partial(membership.leave, stage.one.club, stage.mara, member.pk)
    sends = partial(lifecycle.substitute, stage.one, stage.olga, chair.pk, player=stage.mara, now=stage.now)

    def holds(answers: tuple[str, str]) -> None:
        sits = PodSeat.objects.filter(substitute=stage.mara).exists()
        is_so((answers[0], sits), ("", not answers[1]))

    return Race(stage, (leave, sends), holds)


def lose_the_lead_and_draw() -> Race:
    stage = Stage()
    member = Membership.objects.get(club=stage.one.club, player=stage.otto)
    takes = partial(membership.change_role, stage.one.club, stage.olga, member.pk, Role.MEMBER)

    def holds(answers: tuple[str, str]) -> None:
        is_so((answers[0], stage.status()), ("", [] if answers[1] else ["draft"]))

    return Race(stage, (takes, partial(stage.draw, stage.otto)), holds)


RACES: tuple[Callable[[], Race], ...] = (
    merge_and_release, merge_and_merge, go_and_say_a_result, go_and_claim, leave_the_club_and_play_for_somebody,
    lose_the_lead_and_draw,
)  # fmt: skip
