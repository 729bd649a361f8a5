"""Invariants of a tournament, as its specification has them."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import msgspec
from django.db.models import Q
from django.urls import reverse

from games.models import Table
from games.play.storage import store
from games.play.storage.table import OVER, PLAYING, WAITING
from tests.tournaments.walk.site import Site
from tournaments.flow.seasons import season_standings
from tournaments.flow.standings import book_cache, ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import (
    Entrant,
    PairRule,
    Penalty,
    Phase,
    Pod,
    PodSeat,
    Rest,
    Result,
    Round,
    Season,
    Step,
    Tournament,
)
from tournaments.views.lookups import find_page_version

LAST_STAGES = ("knockout", "final")
WHOLE = 840
PAGES = ("tournament", "pulse", "pairings", "standings", "chronicle", "hall")
DESK = ("console", "log", "outputs", "revise", "import")
FEEDS = ("club", "calendar", "news")
API = ("", "/entrants", "/rounds", "/standings")
SHEETS = ("pairings", "names", "cards", "standings", "certificates")


def check(tournament: Tournament) -> None:
    """Everything that is quick to look at."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    check_rounds(tournament, rounds)
    for played in rounds:
        check_seats(tournament, played)
        check_results(tournament, played)
    check_log(tournament, rounds)
    check_standings(tournament)
    check_closed(tournament)
    if tournament.duplicate:
        check_deals(tournament)


def check_season(site: Site) -> None:
    """In the season's table stands exactly who stands in that of the tournament, if it counts and is over."""
    one, season = Tournament.objects.get(pk=site.tournament.pk), Season.objects.get(pk=site.season.pk)
    over = (Phase.FINISHED, Phase.ARCHIVED)
    is_over, counts = one.phase in over, one.season_id == season.pk
    assert is_over or not counts or season.phase not in over, "a season is over, and a tournament of it is not"
    assert not counts or season.phase != Phase.CALLED_OFF, "a tournament counts for a season that was called off"
    book = open_book(one)
    people = [line for line in ranking.rank(book) if not book.by_key[line.entrant].bot] if counts and is_over else []
    assert len(season_standings.open_table(season).standing()) == len(people)


def check_rounds(tournament: Tournament, rounds: list[Round]) -> None:
    """One after the other; only the last one is open."""
    assert [one.number for one in rounds] == list(range(1, len(rounds) + 1))
    assert {one.status for one in rounds[:-1]} <= {"complete"}, "a round was drawn while another one is open"
    if tournament.phase in (Phase.FINISHED, Phase.ARCHIVED):
        assert {one.status for one in rounds} == {"complete"}
    if any(one.status != "drawing" for one in rounds):
        assert tournament.phase in (Phase.RUNNING, Phase.FINISHED, Phase.ARCHIVED), tournament.phase
    assert not any(one.paused_at and one.status != "released" for one in rounds)


def check_seats(tournament: Tournament, played: Round) -> None:
    """Everybody at most once in a round, on chairs that are numbered; nobody at two tables at a time."""
    seats = list(PodSeat.objects.filter(pod__round=played).select_related("entrant", "pod"))
    rests = list(Rest.objects.filter(round=played))
    done = set(Result.objects.filter(pod__round=played, status="accepted").values_list("pod", flat=True))
    sitting = (seat for seat in seats if played.stage != "arena" or seat.pod_id not in done)
    there = Counter([*(seat.entrant_id for seat in sitting), *(rest.entrant_id for rest in rests)])
    assert set(there.values()) <= {1}, "somebody is twice in a round"
    by_pod: dict[int, list[int]] = defaultdict(list)
    for seat in seats:
        by_pod[seat.pod_id].append(seat.index)
    for chairs in by_pod.values():
        assert sorted(chairs) == list(range(len(chairs)))
        assert 2 <= len(chairs) <= tournament.most, "a table of a size that nobody agreed on"
        assert len(chairs) >= tournament.least or played.stage in LAST_STAGES
    assert set(by_pod) == set(Pod.objects.filter(round=played).values_list("pk", flat=True))
    gone = Entrant.objects.filter(pk__in=there, status="entered")
    assert not gone.exists(), "somebody who is not here has been drawn"
    if played.status == "released":
        check_people(played)
        check_tables(played)


def check_people(played: Round) -> None:
    """Nobody plays at two tables of a round."""
    done = Result.objects.filter(pod__round=played, status="accepted").values("pod")
    seats = PodSeat.objects.filter(pod__round=played, fate="plays").exclude(pod__in=done).select_related("entrant")
    people = Counter(seat.substitute_id or (None if seat.substitute_name else seat.entrant.player_id) for seat in seats)
    people.pop(None, None)
    assert set(people.values()) <= {1}, "somebody plays twice in a round"


def check_tables(played: Round) -> None:
    """A table on screens has exactly the people of its pod; at a real table there is none."""
    for pod in Pod.objects.filter(round=played).select_related("table"):
        assert pod.is_online or pod.table_id is None
        if pod.table_id is None:
            is_decided = pod.results.filter(status="accepted").exists()
            assert not pod.is_online or pod.trouble or is_decided, "a table on screens was not opened"
            continue
        if pod.table is not None and pod.table.status == OVER:
            continue
        table = store.reload(pod.table_id)
        for seat in pod.seats.select_related("entrant", "substitute"):
            place = table.place(seat.index)
            plays = seat.fate == "plays"
            wanted = (seat.substitute_id or seat.entrant.player_id) if plays else None
            assert place is not None
            assert place.player_id == wanted, f"chair {seat.index}: {place.name} instead of {wanted}"
        assert (table.runtime.paused_at is not None) <= (played.paused_at is not None)


def check_results(tournament: Tournament, played: Round) -> None:
    """One result counts where one has to; what a game came to is told once."""
    pods = Pod.objects.filter(round=played)
    for pod in pods:
        results = Counter(pod.results.values_list("status", flat=True))
        assert results["accepted"] == 1 if played.status == "complete" else results["accepted"] <= 1
        assert pod.results.filter(source="table").count() <= 1
        for one in pod.results.all():
            assert len(msgspec.json.decode(one.places)) == pod.seats.count()
    if played.status == "draft":
        assert not Result.objects.filter(pod__round=played).exists()


def check_log(tournament: Tournament, rounds: list[Round]) -> None:
    """A round changes its state once, unless that was taken back; every step says who."""
    steps = list(Step.objects.filter(tournament=tournament).order_by("number"))
    site = {"plan", "fillers", "table-result", "bell", "no-show", "draw"}
    site |= {"seat", "dropped", "complete"} if tournament.format == "arena" else set()
    assert {step.kind for step in steps if not step.actor_name} <= site
    assert all(
        step.kind in msgspec.json.decode(step.details).get("kind", step.kind) or step.reverts_id for step in steps
    )
    standing = Counter(
        (step.kind, msgspec.json.decode(step.details).get("round")) for step in steps if _is_in_force(step)
    )
    for one in rounds:
        if one.status in ("released", "complete"):
            assert standing["open-arena" if one.stage == "arena" else "release", one.number] == 1
        assert standing["complete", one.number] == (one.status == "complete")


def _is_in_force(step: Step) -> bool:
    """Whether a step is not taken back, or taken back and done again."""
    if step.reverts_id is not None:
        return False
    depth, later = 0, getattr(step, "reverted_by", None)
    while later is not None:
        depth, later = depth + 1, getattr(later, "reverted_by", None)
    return depth % 2 == 0


def check_standings(tournament: Tournament) -> None:
    """What is shown is what follows from the raw results, for every round."""
    fresh, shown = open_book(tournament), book_cache.read(tournament, find_page_version(tournament))
    for after in (None, *(one.number for one in fresh.rounds)):
        assert ranking.rank(shown, after) == ranking.rank(fresh, after)
    if tournament.points == "beaten" and tournament.format in ("swiss", "round-robin", "ladder", "arena"):
        lines = {int(line.entrant): line.points for line in ranking.rank(fresh)}
        points = add_up(tournament)
        assert lines == {number: points.get(number, 0) for number in lines}


def add_up(tournament: Tournament) -> dict[int, int]:
    """Points by the entrant's number, in the simplest way."""
    sums: dict[int, Fraction] = defaultdict(Fraction)
    rounds = Round.objects.filter(tournament=tournament).filter(Q(status="complete") | Q(stage="arena"))
    for result in Result.objects.filter(pod__round__in=rounds, status="accepted", is_void=False):
        seats = list(result.pod.seats.order_by("index").select_related("entrant"))
        places = msgspec.json.decode(result.places)
        for seat in seats:
            sums[seat.entrant.number] += _points(tournament, seat, seats, places)
    for rest in Rest.objects.filter(round__in=rounds).select_related("entrant"):
        sums[rest.entrant.number] += tournament.bye_points if rest.kind == "bye" else tournament.absent_points
    numbers = rounds.values_list("number", flat=True)
    for penalty in Penalty.objects.filter(tournament=tournament, round_number__in=numbers).select_related("entrant"):
        sums[penalty.entrant.number] -= penalty.points
    return {number: int(points) for number, points in sums.items()}


def _points(tournament: Tournament, seat: PodSeat, seats: list[PodSeat], places: list[int]) -> Fraction:
    if seat.fate != "plays":
        return Fraction(tournament.no_show_points if seat.fate == "no-show" else tournament.forfeit_points)
    others = [one for one in seats if one is not seat]
    mine = places[seat.index]
    behind = sum(one.fate != "plays" or places[one.index] > mine for one in others)
    equal = sum(one.fate == "plays" and places[one.index] == mine for one in others)
    return Fraction(WHOLE * (2 * behind + equal), 2 * len(others))


def check_released(site: Site) -> None:
    """When a round is released everybody who is here has a chair or a bye, and nobody who has gone has one."""
    tournament = Tournament.objects.get(pk=site.tournament.pk)
    played = site.last_round()
    assert played is not None
    here = Entrant.objects.filter(
        tournament=tournament, status="present", is_away=False, joined_round__lte=played.number, is_filler=False
    )
    drawn = Q(pk__in=PodSeat.objects.filter(pod__round=played).values("entrant"))
    drawn |= Q(pk__in=Rest.objects.filter(round=played).values("entrant"))
    if played.stage not in LAST_STAGES:
        left = list(here.exclude(drawn).values_list("name", flat=True))
        assert not left, f"{left} neither play nor rest"
    tables = PodSeat.objects.filter(pod__round=played).values_list("pod", "entrant")
    together: dict[int, set[int]] = defaultdict(set)
    for pod, entrant in tables:
        together[pod].add(entrant)
    if tournament.format in ("swiss", "round-robin"):
        for rule in PairRule.objects.filter(tournament=tournament, kind="apart"):
            assert not any({rule.first_id, rule.second_id} <= pod for pod in together.values()), "they may not meet"


def check_pages(site: Site, *, all_of_them: bool) -> None:
    """Every page answers in every state: to an organiser, to somebody who plays."""
    tournament = Tournament.objects.select_related("club").get(pk=site.tournament.pk)
    for_all = _list_addresses(site, tournament)
    readers = [(site.owner, for_all + _list_desk(site, tournament)), (site.rng.choice(site.people), for_all)]
    for who, there in readers:
        for address in there if all_of_them else site.rng.sample(there, 1):
            answer = site.clients[who.pk].get(address)
            assert answer.status_code == 200, f"{address} for {who.name}: {answer.status_code}"


def _list_addresses(site: Site, tournament: Tournament) -> list[str]:
    """What everybody reads: pages, feeds, and what programs ask for."""
    mine, last = tournament.pk, site.last_round()
    found = [reverse("tournaments:" + name, args=[mine]) for name in PAGES]
    found += [reverse("tournaments:" + name, args=[tournament.club.slug]) for name in FEEDS]
    found += [f"/api/v1/tournaments/{mine}{part}" for part in API]
    if last is not None and last.status in ("released", "complete"):
        found += [reverse("tournaments:pod", args=[mine, last.number, pod.number]) for pod in site.pods()]
    return [*found, reverse("tournaments:ladder", args=[mine])] if tournament.format == "ladder" else found


def _list_desk(site: Site, tournament: Tournament) -> list[str]:
    """What organisers read."""
    mine, last = tournament.pk, site.last_round()
    found = [reverse("tournaments:" + name, args=[mine]) for name in DESK]
    found += [reverse("tournaments:print", args=[mine, sheet]) for sheet in SHEETS]
    if last is not None and last.status == "released":
        found += [reverse("tournaments:settle", args=[mine, pod.number]) for pod in site.pods()]
    return found


def check_closed(tournament: Tournament) -> None:
    """No table of a round that is over, or was taken back, still waits for people."""
    waiting = Table.objects.filter(pod__round__tournament=tournament, status=WAITING)
    stale = waiting.exclude(pod__round__status="released")
    assert not stale.exists(), "a table waits although its round is not played"
    paused = Table.objects.filter(pod__round__tournament=tournament, pod__round__status="complete", status="playing")
    for table in paused:
        assert store.reload(table.pk).runtime.paused_at is None, "a table stands still although its round is over"


def check_deals(tournament: Tournament) -> None:
    """Nobody plays duplicate deals that everybody can look at, and they are published once nobody plays them."""
    there = Table.objects.filter(pod__round__tournament=tournament)
    is_sealed = {
        table.pk: (arrangement := store.reload(table.pk).runtime.arranged) and arrangement.is_sealed for table in there
    }
    for played in Round.objects.filter(tournament=tournament):
        here = there.filter(pod__round=played)
        is_under_way = here.filter(status__in=[WAITING, PLAYING]).exists()
        assert not is_under_way or all(is_sealed[table.pk] for table in here), "published deals are played"
        is_late = here.filter(ended_at__gte=played.completed_at or 0.0).exists()  # the sweeper comes to it
        if played.status == "complete" and not is_under_way and not is_late:
            assert not any(is_sealed[table.pk] for table in here), "deals that nobody plays are kept back"
