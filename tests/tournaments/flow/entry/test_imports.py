"""Lists of people, as they come from files and spreadsheets."""

from __future__ import annotations

import pytest

from games import models
from games.play.errors import BadInput
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, entrant, release
from tournaments.flow.entry import imports, organiser_decisions, sign_up
from tournaments.models import Tournament


def test_an_import_enters_who_it_names_and_nobody_twice(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    text = "name;club;seed\nAda;;\nBea;Harbour;2\nCem;;1\n"
    preview = imports.preview(text, present={"Ada"}, levels=("random",))
    assert (preview.bad, preview.known) == ((), 1)
    for count in (2, 0):
        assert sign_up.add_imported(tournament, ana, preview.good, now=NOW) == count
    rows = tournament.entrants.order_by("number").values_list("name", "club_name", "rank_hint")
    assert list(rows) == [("Ada", "", None), ("Bea", "Harbour", 2), ("Cem", "", 1)]


@pytest.mark.parametrize("phase", ["entry", "check-in", "running"])
def test_who_is_on_a_list_is_not_here_before_somebody_says_so(ana: models.Player, phase: str) -> None:
    """A list imported during check-in must not seat people who have not come."""
    tournament = begin(ana, NAMES[:4], venue="mixed")
    if phase == "running":
        release(ana, tournament, 1)
    Tournament.objects.filter(pk=tournament.pk).update(phase=phase)
    lines = imports.preview("name,bot\nYan,\nZoe,\nBruno,random\n", levels=("random",)).good
    sign_up.add_imported(tournament, ana, lines, now=NOW)
    come = tournament.entrants.order_by("number").values_list("name", "status")
    assert list(come)[4:] == [("Yan", "entered"), ("Zoe", "entered"), ("Bruno", "present")]


def test_every_bad_line_is_named() -> None:
    text = "name,seed,bot\nAda,1,\n,2,\nada,,\nBea,x,\nCem,1,genius\nDan,1,,more\n" + "E" * 41 + ",,\n"
    preview = imports.preview(text, levels=("random",))
    assert [line.name for line in preview.good] == ["Ada"]
    assert [(line.number, str(line.fault)) for line in preview.bad] == [
        (3, "the name is missing"),
        (4, "“ada” is already in line 2"),
        (5, "“x” is not a seed. Use a whole number from 1 (the strongest)"),
        (6, "there is no bot level “genius”"),
        (7, "more cells than columns"),
        (8, "Enter a name of 1 to 40 characters."),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,age\nAda,7\n", "Unknown columns: age."),
        ("", "This file is empty."),
        ("club\nHarbour\n", "One of them must be “name”"),
        ("name,name\nAda,Ada\n", "Name each column once"),
        ("name\n" + "".join(f"Person {number}\n" for number in range(10_000)), "Too many lines: 10000."),
        ('name\nAda\n"Bea\n', "Line 3 has a missing or extra quotation mark"),
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
        with pytest.raises(BadInput, match="Put names that contain a comma in quotation marks"):
            imports.preview(text)
        return
    assert [(line.number, line.name, line.club) for line in imports.preview(text).good] == good


def test_what_is_perhaps_a_slip_is_said_and_can_be_imported() -> None:
    text = "name,seed\nJosé,1\nJose,1\nMüller,2\nŁucja,3\nAna,3\n"
    preview = imports.preview(text, present={"lucja", "Muller", "ANA"})
    assert (len(preview.good), preview.known) == (5, 1)
    assert [str(one) for one in preview.doubts] == [
        "lucja, Łucja: is this the same person?",
        "Muller, Müller: is this the same person?",
        "Jose, José: is this the same person?",
        "Several people have seed 1: José, Jose. A lot decides between them.",
        "Several people have seed 3: Łucja, Ana. A lot decides between them.",
    ]
    assert imports.preview("name,seed\nAna,1\nBen,2\n", present={"Ana"}).doubts == ()


def test_lines_are_counted_as_in_the_file() -> None:
    preview = imports.preview('name,club\n"Ada","two\nlines"\n,Hill\n')
    assert [(line.number, str(line.fault)) for line in preview.bad] == [(4, "the name is missing")]


def test_one_name_is_one_person_however_it_is_written(ana: models.Player) -> None:
    tournament = begin(ana, ["Zoë"])
    for name in ("zoë", "Zoe\u0308", "ZOË"):
        with pytest.raises(BadInput, match="is already in this tournament"):
            sign_up.add_walk_in(tournament, ana, name=name, now=NOW)
    assert sign_up.add_imported(tournament, ana, imports.preview("name\nZOE\u0308\nIda\n").good, now=NOW) == 1
    organiser_decisions.rename(tournament, ana, entrant(tournament, "Zoë").pk, "ZOË", now=NOW)
    assert sorted(tournament.entrants.values_list("name", flat=True)) == ["Ida", "ZOË"]


def test_gross_and_gross_with_a_sharp_s_are_two_families(ana: models.Player) -> None:
    tournament = begin(ana, ["Anna Groß"])
    sign_up.add_walk_in(tournament, ana, name="Anna Gross", now=NOW)
    with pytest.raises(BadInput, match="is already in this tournament"):
        sign_up.add_walk_in(tournament, ana, name="ANNA GROẞ", now=NOW)
    preview = imports.preview("name\nAnna Gross\n", present={"Anna Groß"})
    assert (len(preview.good), preview.known) == (1, 0)
    assert [str(one) for one in preview.doubts] == ["Anna Gross, Anna Groß: is this the same person?"]
