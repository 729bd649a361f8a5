"""A script runs a whole night by the API alone, and whatever it sends twice happens once."""

from __future__ import annotations

from typing import Any

from games.models import Player
from tests.tournaments.api.described import Description
from tests.tournaments.api.organising.organiser import PLAN, Organiser
from tests.tournaments.cast import NAMES
from tournaments.models import Club, Result, Step, Tournament


class Twice:
    """Sends everything twice with the same key, as after an answer that was lost."""

    def __init__(self, organiser: Organiser) -> None:
        self._organiser = organiser
        self._sent = 0

    def post(self, path: str, **body: Any) -> Any:
        """The answer, which is the same both times."""
        self._sent += 1
        body |= {"key": f"k{self._sent}"}
        first, steps = self._organiser.post(path, **body), Step.objects.count()
        again = self._organiser.post(path, **body)
        assert (again, Step.objects.count()) == (first, steps), path
        return first


def test_a_night_of_twelve_people_and_three_rounds(described: Description, host: Player, club: Club) -> None:
    desk = Organiser(described, host)
    script = Twice(desk)
    made = script.post(f"/clubs/{club.slug}/tournaments", **PLAN)
    base = f"/tournaments/{made['id']}"
    assert (made["phase"], made["agreement"]["rounds_planned"]) == ("planned", 3)
    script.post(f"{base}/phase", phase="entry")
    listed = script.post(f"{base}/import", csv="name,club\n" + "\n".join(f"{name},Harbour" for name in NAMES[:10]))
    assert (listed["added"], [one["number"] for one in listed["entrants"]]) == (10, list(range(1, 11)))
    script.post(f"{base}/phase", phase="check-in")
    script.post(f"{base}/attendance", entrants=list(range(1, 11)), mark="present")
    assert [script.post(f"{base}/entrants", name=name)["number"] for name in NAMES[10:12]] == [11, 12]
    for number in (1, 2, 3):
        here = f"{base}/rounds/{number}"
        drawn = script.post(f"{here}/draw")
        assert (drawn["status"], len(drawn["tables"]), drawn["byes"], drawn["trouble"]) == ("draft", 3, [], "")
        assert all(line["value"] >= line["bound"] for line in drawn["draw"]["objective"])
        assert drawn["draw"]["optimal"]
        assert all(one["reasons"] for one in drawn["tables"])
        assert script.post(f"{here}/release")["missing"] == [1, 2, 3]
        for table in drawn["tables"]:  # the one with the smallest number wins, and so on
            seats = [seat["entrant"] for seat in table["seats"]]
            script.post(
                f"{here}/tables/{table['number']}/result", places=[1 + sorted(seats).index(one) for one in seats]
            )
        assert script.post(f"{here}/complete")["status"] == "complete"
    assert script.post(f"{base}/phase", phase="finished")["phase"] == "finished"
    standings = desk.get(f"{base}/standings")
    assert (standings["after"], len(standings["lines"])) == (3, 12)
    first = standings["lines"][0]
    assert (first["entrant"], first["name"], first["points"], first["wins"]) == (1, NAMES[0], 3 * 840, 3)
    assert sum(line["points"] for line in standings["lines"]) == 3 * 3 * 4 * 420
    assert Tournament.objects.count() == 1
    assert Result.objects.filter(status="accepted").count() == Result.objects.count() == 9


def test_a_key_counts_at_its_address_alone_and_only_after_success(
    described: Description, host: Player, club: Club
) -> None:
    desk = Organiser(described, host)
    base = f"/tournaments/{desk.post(f'/clubs/{club.slug}/tournaments', **PLAN, key='a')['id']}"
    desk.post(f"{base}/entrants", 409, name="Ada", key="a")  # entry is not open yet
    desk.post(f"{base}/phase", phase="entry", key="a")
    assert desk.post(f"{base}/entrants", name="Ada", key="a")["number"] == 1
    assert desk.post(f"{base}/entrants", name="Somebody else", key="a")["name"] == "Ada"
    desk.post(f"{base}/entrants", 400, name="Ada", key="b")  # another request: the name is taken
    renamed = desk.post(f"{base}/entrants/1", name="Ada Lovelace", key="a")
    desk.post(f"{base}/entrants/1", name="Ada", key="b")
    assert renamed["name"] == "Ada Lovelace"
    late = desk.post(f"{base}/entrants/1", name="Ada Lovelace", key="a")  # sent again after it was corrected
    assert late["name"] == "Ada"
