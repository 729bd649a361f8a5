"""A bot sits where there are screens, and nowhere else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, draw, enter, entrant, play_round, table_of
from tournaments.flow.drawing import bot_places, drafts
from tournaments.flow.entry import imports, organiser_decisions, sign_up
from tournaments.flow.planning import tournament_plan
from tournaments.flow.rounds import arena, sweeper
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import PairRule, Pod, PodSeat, Rest, Round, Tournament
from tournaments.words.terms import say_trouble


def room(owner: models.Player, walk_ins: int, phones: int, *, with_bots: int = 1, **overrides: Any) -> Tournament:
    """So many walk-ins, people with a phone, and bots."""
    tournament = begin(owner, NAMES[:walk_ins], **{"venue": "mixed", "least": 4, "most": 4} | overrides)
    enter(tournament, *NAMES[12 : 12 + phones])
    for name in ("Bruno", "Cleo", "Dago")[:with_bots]:
        sign_up.add_bot(tournament, owner, name=name, level="random", now=NOW)
    return tournament


def where_bots_sit(tournament: Tournament) -> list[tuple[str, bool]]:
    """Each bot at a table, and whether it plays on screens."""
    chairs = PodSeat.objects.filter(pod__round__tournament=tournament).exclude(entrant__bot="")
    return sorted(chairs.values_list("entrant__name", "pod__is_online"))


@pytest.mark.parametrize("venue", ["mixed", "apart"])
@pytest.mark.parametrize(("walk_ins", "phones", "with_bots"), [(4, 3, 1), (8, 3, 1), (5, 6, 1), (6, 4, 2), (1, 5, 2)])
def test_a_bot_sits_with_people_who_have_a_screen(
    ana: models.Player, walk_ins: int, phones: int, with_bots: int, venue: str
) -> None:
    tournament = room(ana, walk_ins, phones, with_bots=with_bots, venue=venue)
    assert draw(ana, tournament, 1).trouble == ""
    assert where_bots_sit(tournament) == [(name, True) for name in ("Bruno", "Cleo")[:with_bots]]
    assert not Rest.objects.filter(kind="bye").exists()


@pytest.mark.parametrize(("walk_ins", "phones"), [(8, 0), (7, 1), (6, 2)])
def test_where_too_few_have_a_screen_it_sits_out_and_the_page_says_why(
    ana: models.Player, walk_ins: int, phones: int
) -> None:
    tournament = room(ana, walk_ins, phones)
    draw(ana, tournament, 1)
    assert where_bots_sit(tournament) == []
    assert list(Rest.objects.values_list("entrant__name", "kind")) == [("Bruno", "absent")]
    page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    assert "Bruno: bots play only at online tables, with people on devices." in page


@pytest.mark.parametrize(("walk_ins", "phones", "needed"), [(0, 1, 2), (0, 2, 0), (1, 2, 4), (3, 0, 4), (0, 0, 2)])
@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_a_table_needs_as_many_as_bots_cannot_replace(
    ana: models.Player, walk_ins: int, phones: int, needed: int, form: str
) -> None:
    tournament = room(ana, walk_ins, phones, with_bots=0, bots_fill=True, format=form)
    if needed:
        with pytest.raises(Stale, match=rf"Checked in: {walk_ins + phones}\. A table needs {needed}\."):
            draw(ana, tournament, 1)
    else:
        assert draw(ana, tournament, 1).trouble == ""


@pytest.mark.parametrize(
    ("walk_ins", "phones", "fillers"), [(7, 0, 0), (6, 1, 0), (4, 3, 1), (3, 4, 1), (6, 4, 2), (5, 2, 0), (2, 4, 2)]
)
def test_an_empty_chair_is_filled_only_where_a_bot_can_sit(
    ana: models.Player, walk_ins: int, phones: int, fillers: int
) -> None:
    tournament = room(ana, walk_ins, phones, with_bots=0, bots_fill=True)
    draw(ana, tournament, 1)
    sitting = where_bots_sit(tournament)
    assert (len(sitting), all(online for _, online in sitting)) == (fillers, True)
    byes = Rest.objects.filter(kind="bye").count()
    assert byes == (0 if fillers else (walk_ins + phones) % 4)
    console = browser(ana).get(reverse("tournaments:console", args=[tournament.pk]))
    page = browser(ana).get(reverse("tournaments:tournament", args=[tournament.pk]))
    here = (console.context["counts"]["present"], page.context["people"])
    assert here == (walk_ins + phones,) * 2  # who fills a chair is not one who has come


@pytest.mark.parametrize("overrides", [
    {"format": "knockout", "advance": 2},
    {"format": "ladder", "game": "animal-poker", "options": {"sessions": 1}, "round_minutes": 20},
])  # fmt: skip
def test_where_results_alone_decide_bots_play_while_everybody_has_a_screen(
    ana: models.Player, overrides: dict[str, Any]
) -> None:
    whole = room(ana, 0, 7, **overrides)
    draw(ana, whole, 1)
    assert where_bots_sit(whole) == [("Bruno", True)]
    mixed = room(ana, 1, 7, name="Friday", **overrides)
    draw(ana, mixed, 1)
    assert where_bots_sit(mixed) == []
    cut = room(ana, 1, 7, name="Saturday", format="swiss-cut", rounds_planned=1, cut_to=4, advance=2)
    here = list(open_book(cut).entrants.values())
    assert [bot_places.can_sit(open_book(cut), here, number) for number in (1, 2)] == [True, False]


def test_at_real_tables_there_are_none(ana: models.Player) -> None:
    tournament = room(ana, 4, 0, with_bots=0, venue="real")
    with pytest.raises(BadInput, match="at online tables only"):
        sign_up.add_bot(tournament, ana, name="Bruno", level="random", now=NOW)
    lines = imports.preview("name,bot\nBruno,random\nZoe,\n", levels=("random",)).good
    with pytest.raises(BadInput, match="at online tables only"):
        sign_up.add_imported(tournament, ana, lines, now=NOW)
    assert tournament.entrants.count() == 4
    client = browser(ana)
    assert 'id="bot-name"' not in client.get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
    shown = client.post(
        reverse("tournaments:import", args=[tournament.pk]), {"text": "name,bot\nBruno,random\nZoe,\n"}
    ).context
    assert [(one["line"].number, one["why"]) for one in shown["bad"]] == [
        (2, "bots play at online tables only, and this tournament is played at real tables")
    ]
    assert [line.name for line in shown["preview"].good] == ["Zoe"]


def test_a_room_without_screens_any_more_has_no_bots_any_more(ana: models.Player) -> None:
    tournament = room(ana, 0, 7)
    play_round(ana, tournament, 1)
    tournament_plan.revise(
        tournament, ana, msgspec.structs.replace(tournament_plan.read(tournament), venue="real"), now=NOW
    )
    draw(ana, tournament, 2)
    assert [len(pod) for pod in table_of(tournament, 2)] == [4]
    assert list(Rest.objects.filter(round__number=2, kind="absent").values_list("entrant__name", flat=True)) == [
        "Bruno"
    ]


def test_nobody_puts_it_at_a_real_table_by_hand(ana: models.Player) -> None:
    tournament = room(ana, 4, 3)
    draw(ana, tournament, 1)
    bot, walk_in = entrant(tournament, "Bruno"), entrant(tournament, "Ada")
    before = table_of(tournament, 1)
    with pytest.raises(BadInput, match="Cannot play at a real table: Bruno"):
        drafts.swap(tournament, ana, 1, bot.pk, walk_in.pk, key="k", now=NOW)
    with pytest.raises(BadInput, match="Cannot play at a real table: Bruno"):
        drafts.move_pod(tournament, ana, Pod.objects.get(is_online=True).pk, online=False, now=NOW)
    assert (table_of(tournament, 1), where_bots_sit(tournament)) == (before, [("Bruno", True)])


def test_to_sit_with_somebody_without_a_screen_is_a_conflict_that_is_named(ana: models.Player) -> None:
    tournament = room(ana, 4, 3)
    first, second = entrant(tournament, "Ada"), entrant(tournament, "Bruno")
    organiser_decisions.rule_pair(tournament, ana, first.pk, second.pk, PairRule.Kind.TOGETHER, now=NOW)
    sentence = say_trouble(draw(ana, tournament, 1).trouble)
    assert ("Ada" in sentence, "Bruno" in sentence) == (True, True)


def test_a_swap_takes_a_table_to_the_room_and_back(ana: models.Player) -> None:
    tournament = room(ana, 4, 4, with_bots=0, venue="apart")
    draw(ana, tournament, 1)
    assert [pod.is_online for pod in Pod.objects.order_by("number")] == [False, True]
    walk_in, phone = entrant(tournament, "Ada"), entrant(tournament, NAMES[12])
    drafts.swap(tournament, ana, 1, walk_in.pk, phone.pk, key="k", now=NOW)
    assert [pod.is_online for pod in Pod.objects.order_by("number")] == [False, False]
    drafts.swap(tournament, ana, 1, walk_in.pk, phone.pk, key="l", now=NOW)
    assert [pod.is_online for pod in Pod.objects.order_by("number")] == [False, True]


def test_an_arena_seats_it_with_screens(ana: models.Player) -> None:
    tournament = room(ana, 4, 3, format="arena", round_minutes=60)
    arena.open_arena(tournament, ana, now=NOW)
    for later in range(5, 60, 5):
        sweeper.sweep(now=NOW + later)
    assert where_bots_sit(tournament) == [("Bruno", True)]
    assert sorted(table_of(tournament, 1)) == sorted([("Bruno", *sorted(NAMES[12:15])), NAMES[:4]])
    assert Round.objects.count() == 1
