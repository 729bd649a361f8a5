"""Entering, coming late, sitting out, leaving, coming back; pairs that may not meet; draws that cannot be made."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play.errors import BadInput, NotAllowed, Stale
from games.play.people import has_traces
from tests.cast import NOW, browser, person
from tests.tournaments.cast import (
    NAMES,
    begin,
    check_in,
    draw,
    enter,
    entrant,
    plan,
    play_round,
    release,
    standing,
    table_of,
)
from tournaments.flow import (
    drafts,
    drawing,
    entry,
    imports,
    invitations,
    keys,
    people,
    presence,
    reverting,
    rounds,
    rulings,
)
from tournaments.models import Entrant, Membership, PairRule, Pod, Rest, Round, Step
from tournaments.words import say_trouble


def test_entry_is_for_its_phases(ana: models.Player, ben: models.Player) -> None:
    tournament = plan(ana)
    with pytest.raises(Stale, match="not open yet"):
        entry.enter(tournament, ben, now=NOW)
    check_in(ana, tournament)
    for _ in range(2):
        entry.enter(tournament, ben, now=NOW)
    enter(tournament, "Ben")
    assert [one.name for one in tournament.entrants.order_by("number")] == ["Ben", "Ben 2"]


def test_a_walk_in_is_claimed_once(ana: models.Player, ben: models.Player, eva: models.Player) -> None:
    tournament = begin(ana, ["Benjamin"])
    token = entrant(tournament, "Benjamin").claim_token
    for _ in range(2):
        assert entry.claim(tournament, token, ben, now=NOW).player_id == ben.pk
    with pytest.raises(Stale, match="claimed"):
        entry.claim(tournament, token, eva, now=NOW)


def test_late_entry_withdrawal_absence_and_return(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4, rounds_planned=4)
    play_round(ana, tournament, 1)
    for name in NAMES[8:12]:
        entry.add_walk_in(tournament, ana, name=name, now=NOW)
    presence.withdraw(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    for name in ("Bea", "Cem", "Dan"):
        presence.set_away(tournament, ana, [entrant(tournament, name).pk], away=True, now=NOW)
    play_round(ana, tournament, 2)
    assert {name for pod in table_of(tournament, 2) for name in pod} == set(NAMES[4:12])
    absent = Rest.objects.filter(round__number=2, kind="absent").values_list("entrant__name", flat=True)
    assert set(absent) == {"Bea", "Cem", "Dan"}
    for name in ("Bea", "Cem", "Dan"):
        presence.set_away(tournament, ana, [entrant(tournament, name).pk], away=False, now=NOW)
    presence.bring_back(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    play_round(ana, tournament, 3)
    assert {name for pod in table_of(tournament, 3) for name in pod} == set(NAMES[:12])
    assert len(standing(tournament)) == 12


def test_a_draft_names_who_has_gone_and_who_is_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:10], most=5)
    ids = {name: entrant(tournament, name).pk for name in NAMES[:10]}
    presence.set_away(tournament, ana, [ids["Ida"]], away=True, now=NOW)
    draw(ana, tournament, 1)
    console = reverse("tournaments:console", args=[tournament.pk])
    shown = browser(ana).get(console).content.decode()
    assert ("Gone since this draw" in shown, "Here since this draw" in shown) == (False, False)
    presence.withdraw(tournament, ana, [ids["Ada"]], now=NOW)
    presence.set_away(tournament, ana, [ids["Bea"]], away=True, now=NOW)
    presence.set_away(tournament, ana, [ids["Ida"]], away=False, now=NOW)
    shown = browser(ana).get(console).content.decode()
    assert ("Gone since this draw: Ada, Bea." in shown, "Here since this draw: Ida." in shown) == (True, True)
    played = draw(ana, tournament, 1, again=True)
    assert {name for pod in table_of(tournament, 1) for name in pod} == set(NAMES[2:10])
    assert (rounds.list_gone(played), rounds.list_back(played)) == ([], [])


def test_people_change_only_themselves(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    (ben,) = enter(tournament, "Ben")
    presence.set_away(tournament, ben, [entrant(tournament, "Ben").pk], away=True, now=NOW)
    for act in (presence.withdraw, presence.bring_back):
        with pytest.raises(NotAllowed):
            act(tournament, ben, [entrant(tournament, "Ada").pk], now=NOW)


def test_a_penalty_takes_its_points(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], most=4)
    play_round(ana, tournament, 1)
    best = standing(tournament)[0][0]
    rulings.penalise(tournament, ana, entrant(tournament, best).pk, points=300, reason="late", key="k", now=NOW)
    assert standing(tournament)[0][1:] == (1, 560)
    assert standing(tournament)[1] == (best, 2, 540)


def test_in_a_knockout_there_are_no_points_to_take_away(ana: models.Player) -> None:
    wishes: list[dict[str, Any]] = [
        {"format": "knockout", "advance": 2}, {"format": "swiss-cut", "advance": 2, "rounds_planned": 1, "cut_to": 4}
    ]  # fmt: skip
    for wish in wishes:
        tournament = begin(ana, NAMES[:8], most=4, venue="real", name=f"Night of {wish['format']}", **wish)
        play_round(ana, tournament, 1)
        release(ana, tournament, 2)
        with pytest.raises(BadInput, match="no points to take away"):
            rulings.penalise(
                tournament, ana, entrant(tournament, "Ada").pk, points=300, reason="late", key="k", now=NOW
            )
        page = browser(ana).get(reverse("tournaments:console", args=[tournament.pk])).content.decode()
        assert ('value="penalty"' in page) == (wish["format"] == "swiss-cut")


def test_signs_that_cannot_be_seen_are_no_words(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    entry.add_walk_in(tournament, ana, name="Zoe", club_name=" Har\0bour \u202e Club ", now=NOW)
    assert entrant(tournament, "Zoe").club_name == "Har bour Club"
    with pytest.raises(BadInput, match="why in one sentence"):
        rulings.penalise(tournament, ana, entrant(tournament, "Ada").pk, points=840, reason="la\0te", key="k", now=NOW)


def test_forbidden_pairs_stay_apart_and_locks_together(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4)
    ids = {name: entrant(tournament, name).pk for name in NAMES[:8]}
    rulings.rule_pair(tournament, ana, ids["Ada"], ids["Bea"], PairRule.Kind.APART, now=NOW)
    rulings.rule_pair(tournament, ana, ids["Cem"], ids["Dan"], PairRule.Kind.TOGETHER, now=NOW)
    draw(ana, tournament, 1)
    pods = table_of(tournament, 1)
    assert not any({"Ada", "Bea"} <= set(pod) for pod in pods)
    assert any({"Cem", "Dan"} <= set(pod) for pod in pods)
    here = next(pod for pod in pods if "Ada" in pod)
    other = next(name for name in here if name not in ("Ada", "Cem", "Dan"))
    with pytest.raises(BadInput, match="Ada and Bea may not meet"):
        drafts.swap(tournament, ana, 1, ids[other], ids["Bea"], key="k", now=NOW)
    assert table_of(tournament, 1) == pods


def test_a_draw_that_cannot_be_made_names_the_conflict(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], most=4)
    first, second = entrant(tournament, "Ada").pk, entrant(tournament, "Bea").pk
    draw(ana, tournament, 1)
    pod = Pod.objects.filter(round__tournament=tournament, seats__entrant=first).get()
    partner = pod.seats.exclude(entrant=first).first()
    assert partner is not None
    drafts.keep_pod(tournament, ana, pod.pk, locked=True, now=NOW)
    rulings.rule_pair(tournament, ana, first, partner.entrant_id, PairRule.Kind.APART, now=NOW)
    played = draw(ana, tournament, 1, again=True)
    said = say_trouble(played.trouble)
    assert "Ada" in said
    assert partner.entrant.name in said
    assert played.status == "draft"
    rulings.rule_pair(tournament, ana, first, partner.entrant_id, None, now=NOW)
    assert draw(ana, tournament, 1, again=True).trouble == ""
    assert second


def test_a_kept_table_stays_in_the_next_draw(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], most=4)
    draw(ana, tournament, 1)
    kept = table_of(tournament, 1)[1]
    pod = Pod.objects.get(round__tournament=tournament, number=2)
    drafts.keep_pod(tournament, ana, pod.pk, locked=True, now=NOW)
    draw(ana, tournament, 1, again=True)
    assert kept in table_of(tournament, 1)


def test_no_draw_while_a_result_is_missing(ana: models.Player) -> None:
    tournament = begin(ana)
    release(ana, tournament, 1)
    with pytest.raises(Stale, match="not complete"):
        drawing.request_draw(tournament, ana, 2, again=False, now=NOW)


def test_an_import_enters_whom_it_names_and_nobody_twice(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    text = "name;club;seed\nAda;;\nBea;Harbour;2\nCem;;1\n"
    preview = imports.preview(text, present={"Ada"}, levels=("random",))
    assert (preview.bad, preview.known) == ((), 1)
    for count in (2, 0):
        assert entry.add_imported(tournament, ana, preview.good, now=NOW) == count
    rows = tournament.entrants.order_by("number").values_list("name", "club_name", "rank_hint")
    assert list(rows) == [("Ada", "", None), ("Bea", "Harbour", 2), ("Cem", "", 1)]


def test_every_bad_line_is_named() -> None:
    text = "name,seed,bot\nAda,1,\n,2,\nada,,\nBea,x,\nCem,1,genius\nDan,1,,more\n" + "E" * 41 + ",,\n"
    preview = imports.preview(text, levels=("random",))
    assert [line.name for line in preview.good] == ["Ada"]
    assert [(line.number, str(line.fault)) for line in preview.bad] == [
        (3, "the name is missing"),
        (4, "“ada” stands in line 2 already"),
        (5, "“x” is no seed: a whole number from 1, the strongest"),
        (6, "there is no bot of level “genius”"),
        (7, "more cells than columns"),
        (8, "the name has more than 40 characters, or some that cannot be printed"),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,age\nAda,7\n", "Unknown columns: age."),
        ("", "There is nothing in this file."),
        ("club\nHarbour\n", "“name” is one of them"),
        ("name,name\nAda,Ada\n", "each once"),
        ("name\n" + "".join(f"Person {number}\n" for number in range(10_000)), "These are 10000 lines"),
        ('name\nAda\n"Bea\n', "Line 3: a quotation mark is missing"),
        ("name\n" + "x" * 300_000, "too long"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        imports.preview(text)


def test_a_list_of_names_needs_no_first_line() -> None:
    preview = imports.preview("Ada Nowak\n\nBea\nada nowak\n", present={"BEA"})
    assert preview.is_bare
    assert [(line.number, line.name) for line in preview.good] == [(1, "Ada Nowak"), (3, "Bea")]
    assert [line.number for line in preview.bad] == [4]
    assert preview.known == 1


def test_columns_may_be_called_as_in_german_and_polish() -> None:
    preview = imports.preview("Imię;Verein;Setzplatz\nŻaneta;Łódź;3\n")
    assert [(line.name, line.club, line.seed) for line in preview.good] == [("Żaneta", "Łódź", 3)]


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("name;club\rAna;X\rBen;Y, Z, W, K, L\r", [(2, "Ana", "X"), (3, "Ben", "Y, Z, W, K, L")]),
        ("name,club\r\nAna,X\r\n\r\nBen,Y", [(2, "Ana", "X"), (4, "Ben", "Y")]),
        ("sep=;\r\nname;club\r\nAna;X\r\n", [(3, "Ana", "X")]),
        ('"sep=,"\nAna, the first\n', None),
        ("name,club,,\nAna,X,,\nBen,,\n", [(2, "Ana", "X"), (3, "Ben", "")]),
        ("Ana;;\nBen;\n", [(1, "Ana", ""), (2, "Ben", "")]),
        ("name\tclub\n\u200fעברית\u200e\t\ufeffX\n", [(2, "עברית", "X")]),
        ("=cmd|' /C calc'!A0\n@SUM(1)\n🦊 Fox\n", [
            (1, "=cmd|' /C calc'!A0", ""), (2, "@SUM(1)", ""), (3, "🦊 Fox", ""),
        ]),
    ],
)  # fmt: skip
def test_lists_are_read_as_spreadsheets_write_them(text: str, good: list[tuple[int, str, str]] | None) -> None:
    if good is None:
        with pytest.raises(BadInput, match="a name with a comma in it in quotation marks"):
            imports.preview(text)
        return
    assert [(line.number, line.name, line.club) for line in imports.preview(text).good] == good


def test_what_is_perhaps_a_slip_is_said_and_can_be_imported() -> None:
    text = "name,seed\nJosé,1\nJose,1\nMüller,2\nŁucja,3\nAna,3\n"
    preview = imports.preview(text, present={"lucja", "Muller", "ANA"})
    assert (len(preview.good), preview.known) == (5, 1)
    assert [str(one) for one in preview.doubts] == [
        "lucja, Łucja: is that one person?",
        "Muller, Müller: is that one person?",
        "Jose, José: is that one person?",
        "Seed 1 is given to José, Jose: the lot decides among them.",
        "Seed 3 is given to Łucja, Ana: the lot decides among them.",
    ]
    assert imports.preview("name,seed\nAna,1\nBen,2\n", present={"Ana"}).doubts == ()


def test_a_list_may_begin_with_an_empty_line() -> None:
    preview = imports.preview("\n \nname;club\nAda;Hill\n")
    assert [(line.number, line.name, line.club) for line in preview.good] == [(4, "Ada", "Hill")]


@pytest.mark.parametrize(("name", "club", "is_good"), [(40, 40, True), (41, 40, False), (40, 41, False)])
def test_names_have_forty_characters_at_most(name: int, club: int, is_good: bool) -> None:
    preview = imports.preview(f"name,club\n{'a' * name},{'b' * club}\n")
    assert (len(preview.good), len(preview.bad)) == (int(is_good), int(not is_good))


def test_lines_are_counted_as_in_the_file() -> None:
    preview = imports.preview('name,club\n"Ada","two\nlines"\n,Hill\n')
    assert [(line.number, str(line.fault)) for line in preview.bad] == [(4, "the name is missing")]


def test_one_name_is_one_person_however_it_is_written(ana: models.Player) -> None:
    tournament = begin(ana, ["Zoë"])
    for name in ("zoë", "Zoe\u0308", "ZOË"):
        with pytest.raises(BadInput, match="is in already"):
            entry.add_walk_in(tournament, ana, name=name, now=NOW)
    assert entry.add_imported(tournament, ana, imports.preview("name\nZOE\u0308\nIda\n").good, now=NOW) == 1
    rulings.rename(tournament, ana, entrant(tournament, "Zoë").pk, "ZOË", now=NOW)
    assert sorted(tournament.entrants.values_list("name", flat=True)) == ["Ida", "ZOË"]


def test_many_at_once_are_one_step_and_taken_back_as_one(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada", "Bea", "Cem"])
    everybody = list(tournament.entrants.values_list("pk", flat=True))
    presence.withdraw(tournament, ana, [everybody[0]], now=NOW)
    known = Step.objects.count()
    presence.mark_missing(tournament, ana, everybody, now=NOW)
    assert Step.objects.count() == known + 1
    assert list(tournament.entrants.order_by("number").values_list("status", flat=True)) == [
        "withdrawn", "entered", "entered",
    ]  # fmt: skip
    reverting.revert(tournament, ana, Step.objects.latest("number").number, now=NOW)
    assert list(tournament.entrants.order_by("number").values_list("status", flat=True)) == [
        "withdrawn", "present", "present",
    ]  # fmt: skip


def test_a_guest_who_is_somebody_brings_his_places_along(ana: models.Player) -> None:
    tournament = begin(ana, [])
    (guest,) = enter(tournament, "Guest")
    known = person("Known")
    Membership.objects.create(club=tournament.club, player=guest, role="organiser")
    Membership.objects.create(club=tournament.club, player=known, role="member")
    for _ in range(2):
        people.merge(guest.pk, known.pk)
    assert Entrant.objects.get(tournament=tournament).player == known
    assert Membership.objects.get(club=tournament.club, player=known).role == "organiser"
    assert Round.objects.count() == 0


def test_a_club_of_a_guest_with_its_keys_and_links_is_his_who_takes_him_over(ana: models.Player) -> None:
    guest = person("Fox 42")
    tournament = plan(guest)
    key = keys.make(tournament.club, guest, "Scores")
    invitations.invite(tournament.club, guest)
    for player_id in (guest.pk, guest.pk):
        people.merge(player_id, ana.pk)
    known = keys.find(key)
    assert (known and known.made_by_id, has_traces(guest.pk)) == (ana.pk, False)
    assert list(Membership.objects.values_list("player", "role")) == [(ana.pk, "owner")]
