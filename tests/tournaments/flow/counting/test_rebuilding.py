"""All derived rows, rebuilt from exported records and archives by the pure modules alone, equal what is
stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, NamedTuple

import msgspec

from games.models import Player
from games.play.records import game_record
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import LoadedTable
from games.records.format import parse_record
from games.records.playback import Playback, play_back
from games.records.stand_ins import DecidedMove, find_deciders, list_deciders_by_deal, read_deciders
from games.records.writer import to_text
from tests.cast import NOW, finish, finish_alone, start_table, to_move
from tests.tournaments import cast
from tests.tournaments.flow.counting.test_finished_tables import everything
from tournaments.careers.entries import Entry, list_entries
from tournaments.careers.feats import DUEL_EVENTS, find_feats
from tournaments.careers.totals import CareerDeal, CareerResult, Total
from tournaments.flow.archive.tournament_document import describe, write_json
from tournaments.flow.archive.tournament_schema import Archive, ArchivedPod
from tournaments.flow.counting import finished_tables, leaderboard_rows, place_counts, player_totals
from tournaments.flow.counting.calendar_years import season_of
from tournaments.flow.counting.careers import name_ranks
from tournaments.flow.entry import attendance
from tournaments.flow.entry import sign_up as entry
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import BoardRow, Club, Membership, Phase, Pod, PodSeat, Tournament
from tournaments.ratings.placement import NEWCOMER, Rating, find_cautious_share, rate
from tournaments.scoring.points import share_beaten
from tournaments.work import tasks

YEAR = 366 * 86_400
RATED = ("mu", "sigma", "total_mu", "total_sigma")


class Exported(NamedTuple):
    """What a record does not say is stored beside it. people: by seat; at: when it was played."""

    text: str
    table: str
    at: float
    people: dict[int, int]
    is_rated: bool


def play(*people: Player, game: str, at: float, is_rated: bool = True, **options: Any) -> Exported:
    """A game of these people, counted and exported."""
    chairs = 4
    table = start_table(*people, game=game, seats_wished=chairs, options=options, is_rated=is_rated, now=at)
    over: LoadedTable = finish(table, now=at)
    assert finished_tables.count_table(over.id, now=at)
    seated = {place.seat: place.player_id for place in over.places if place.player_id is not None}
    return Exported(to_text(game_record.export(over)), over.id, at, seated, is_rated)


class Archived(NamedTuple):
    """What an archive does not say. people: by number of entrant; pods: rows by number; at: when its round ended."""

    text: bytes
    people: dict[int, int]
    pods: dict[int, int]
    at: float
    is_rated: bool


def play_real(ana: Player, ben: Player, *, at: float, is_rated: bool = True) -> Archived:
    """A round at real tables, with walk-ins without an account and one no-show."""
    tournament = cast.plan(ana, venue="real", game="animals-on-board", options={}, wanted=3, least=3, most=3)
    Tournament.objects.filter(pk=tournament.pk).update(is_rated=is_rated)
    phases.move_on(tournament, ana, Phase.ENTRY, now=at)
    for player in (ana, ben):
        entry.enter(tournament, player, now=at)
    tournament.refresh_from_db()
    phases.move_on(tournament, ana, Phase.CHECK_IN, now=at)
    attendance.check_in(tournament, ana, list(tournament.entrants.values_list("pk", flat=True)), now=at)
    for name in ("Cem", "Dan", "Eli", "Fay"):
        entry.add_walk_in(tournament, ana, name=name, now=at)
    cast.release(ana, tournament, 1)
    for pod in Pod.objects.filter(round__tournament=tournament):
        absent = pod.seats.order_by("-index").filter(entrant__player=None).first()
        if absent is not None and pod.number == 1:
            results.set_fate(tournament, ana, absent.pk, PodSeat.Fate.NO_SHOW, now=at)
        results.decide(tournament, ana, pod.pk, ReportedResult((2, 1, 3), (30, 41, 12)), now=at)
    lifecycle.complete(tournament, ana, 1, now=at)
    tasks.sweep_results()
    people = {one.number: one.player_id for one in tournament.entrants.exclude(player=None) if one.player_id}
    pods = dict(Pod.objects.filter(round__tournament=tournament).values_list("number", "pk"))
    return Archived(write_json(describe(open_book(tournament))), people, pods, at, is_rated)


def play_with_stand_ins(ana: Player, ben: Player, eva: Player, *, game: str, at: float, **options: Any) -> Exported:
    """A game of three: one never comes, one leaves after a while and comes back at the end, one orders passes."""
    table = start_table(ana, ben, eva, game=game, options=options, now=at)
    sitting.leave(table.id, eva.pk, now=at)
    table = finish_alone(store.refresh(table.id), now=at, until=lambda one: one.ply >= 12)
    sitting.leave(table.id, ben.pk, now=at)
    table = finish_alone(store.refresh(table.id), now=at, until=lambda one: one.ply >= 60)
    if table.rules.standing_pass_ends:
        table = move_until_free(table, ana, now=at)
        table = sitting.order_pass(table.id, ana.pk, on=True, now=at)
    sitting.return_to_table(table.id, ben.pk, now=at)
    over = finish_alone(store.refresh(table.id), now=at)
    assert over.list_stand_ins()[2].is_all
    assert not over.list_stand_ins()[1].is_all
    assert finished_tables.count_table(over.id, now=at)
    return Exported(to_text(game_record.export(over)), over.id, at, {0: ana.pk, 1: ben.pk, 2: eva.pk}, is_rated=True)


def move_until_free(table: LoadedTable, player: Player, *, now: float) -> LoadedTable:
    """The table when somebody else is to move."""
    return finish_alone(table, now=now, until=lambda one: to_move(one) != one.seat_of(player.pk))


def _read_deals(watched: Playback, done: list[DecidedMove]) -> list[tuple[int, tuple[int, ...], frozenset[int]]]:
    """Number, ranks and who decided something, of each deal of a record."""
    over = [
        (moment.ply, event.data)
        for moment in watched.moments
        for event in moment.events
        if event.kind == "deal_over" and "ranks" in event.data
    ]
    parts = list_deciders_by_deal(done, [ply for ply, _ in over])
    return [(data["deal"], tuple(data["ranks"]), who) for (_, data), who in zip(over, parts, strict=True)]


class Rebuild:
    """Derives everything from what was exported, one game after the other."""

    def __init__(self) -> None:
        self.entries: list[tuple[Any, ...]] = []
        self.results: list[tuple[Any, ...]] = []
        self.totals: dict[tuple[int, str, int], Total] = defaultdict(Total)
        self.lines: dict[tuple[str, int, int], list[tuple[Any, ...]]] = defaultdict(list)
        self.ratings: dict[tuple[str, int], Rating] = {}

    def read(self, game: Exported) -> None:
        """One game more."""
        watched = play_back(parse_record(game.text.encode()))
        events = [event for moment in watched.moments for event in moment.events]
        done = read_deciders(watched.record.source["events"], game.people)
        deciders = find_deciders(done)
        game = game._replace(people={seat: one for seat, one in game.people.items() if seat in deciders})
        entries = (
            list_entries(_read_deals(watched, done))
            if watched.record.game in ("karriere-poker", "animal-poker")
            else []
        )
        tops = Counter(entry.seat for entry in entries if entry.rank == 1)
        self._read_careers(game, watched, entries)
        self._read_result(game, watched, tops, [(one.kind, one.seat) for one in events if one.kind in DUEL_EVENTS])

    def _read_careers(self, game: Exported, watched: Playback, expected: list[Entry]) -> None:
        slug, people = watched.record.game, game.people
        jobs = name_ranks(slug, len(watched.record.players), watched.record.options)
        for one in expected:
            job = jobs[one.rank - 1]
            rival = people.get(one.demoted_by) if one.demoted_by is not None else None
            fields = one.rank, one.of, job, one.before, one.spell, one.climb, rival, game.at
            self.entries.append((game.table, people[one.seat], slug, one.deal, one.seat, *fields))
            deal = CareerDeal(one.rank, one.of, one.before, one.spell, one.climb, job, rival, game.at)
            for season in (0, season_of(game.at)):
                self.totals[people[one.seat], slug, season].add_deal(deal)

    def _read_result(self, game: Exported, watched: Playback, tops: Counter[int], duels: list[Any]) -> None:
        slug = watched.record.game
        outcome = watched.rules.outcome(watched.moments[-1].state)
        assert outcome is not None
        feats = find_feats(slug, len(watched.record.players), outcome.scores, duels)
        places = tuple(outcome.places[seat] for seat in game.people)
        ranks = [1 + sum(other < place for other in places) for place in places]
        rated = self._rate(slug, list(game.people.values()), ranks, is_rated=game.is_rated)
        for index, (seat, player) in enumerate(game.people.items()):
            beaten = share_beaten(places, index) if len(places) > 1 else 0
            score, feat = outcome.scores[seat] if outcome.scores else None, feats[seat]
            counted = ranks[index], len(places), beaten, score, tops[seat], feat, *rated[index]
            chair = seat, places[index], len(outcome.places)
            self.results.append((game.table, player, slug, game.at, *chair, *counted, None))
            for season in (0, season_of(game.at)):
                played = CareerResult(places[index], len(places), beaten, score, feat, game.at)
                self.totals[player, slug, season].add_result(played)
                if len(places) > 1:
                    self.lines[slug, season, player].append((ranks[index], tops[seat], beaten, *rated[index][:2]))
                    self.lines["", season, player].append((ranks[index], tops[seat], beaten, *rated[index][2:]))

    def read_archive(self, archived: Archived) -> None:
        """A tournament's real tables, of which nothing is kept but what was said of them."""
        archive = msgspec.json.decode(archived.text, type=Archive)
        for pod in (pod for played in archive.rounds if played.is_complete for pod in played.pods):
            came = [index for index, seat in enumerate(pod.seats) if seat.fate == "plays"]
            if pod.places is None or pod.is_void or pod.is_online or len({pod.places[index] for index in came}) < 2:
                continue
            places = [1 + sum(pod.places[other] < pod.places[index] for other in came) for index in came]
            self._read_pod(archived, archive, pod, list(zip(came, places, strict=True)))

    def _read_pod(self, archived: Archived, archive: Archive, pod: ArchivedPod, chairs: list[tuple[int, int]]) -> None:
        slug, at = archive.agreement.game, archived.at
        places = tuple(place for _, place in chairs)
        feats = find_feats(slug, len(pod.seats), pod.scores, ())
        seated = [
            (index, seat, place, archived.people[pod.seats[seat].entrant])
            for index, (seat, place) in enumerate(chairs)
            if pod.seats[seat].entrant in archived.people
        ]
        ranks, people = [place for *_, place, _ in seated], [player for *_, player in seated]
        rated = self._rate(slug, people, ranks, is_rated=archived.is_rated)
        for (index, seat, place, player), ratings in zip(seated, rated, strict=True):
            beaten = share_beaten(places, index)
            score, feat = pod.scores[seat] if pod.scores else None, feats[seat]
            fields = (
                seat,
                place,
                len(places),
                place,
                len(places),
                beaten,
                score,
                0,
                feat,
                *ratings,
                archived.pods[pod.number],
            )
            self.results.append((None, player, slug, at, *fields))
            for season in (0, season_of(at)):
                self.totals[player, slug, season].add_result(CareerResult(place, len(places), beaten, score, feat, at))
                self.lines[slug, season, player].append((place, 0, beaten, *ratings[:2]))
                self.lines["", season, player].append((place, 0, beaten, *ratings[2:]))

    def _rate(self, slug: str, people: list[int], ranks: list[int], *, is_rated: bool) -> list[tuple[Any, ...]]:
        if not is_rated or len(people) < 2:
            return [(None,) * 4] * len(people)
        after = []
        for which in (slug, ""):
            rated = rate([self.ratings.get((which, player), NEWCOMER) for player in people], ranks)
            self.ratings |= {(which, player): rating for player, rating in zip(people, rated, strict=True)}
            after.append(rated)
        return [(*own, *total) for own, total in zip(*after, strict=True)]

    def rows(self, listed: dict[int, bool]) -> list[tuple[Any, ...]]:
        """The leaderboards."""
        return [
            (game, season, player, listed[player], *self._sum(lines))
            for (game, season, player), lines in self.lines.items()
        ]

    def _sum(self, lines: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        rated = [Rating(mu, sigma) for *_, mu, sigma in lines if mu is not None]
        mu, sigma = rated[-1] if rated else (None, None)
        beaten = sum(line[2] for line in lines)
        by_rating = rated[-1].cautious if rated else BoardRow.UNRATED
        by_share = round(840 * find_cautious_share(beaten / (840 * len(lines)), len(lines)))
        wins, tops = sum(line[0] == 1 for line in lines), sum(line[1] for line in lines)
        last_week = (None,) * 5  # they have played since
        return len(lines), wins, tops, beaten, len(rated), mu, sigma, by_rating, by_share, *last_week


def count_places(rows: list[tuple[Any, ...]], clubs: dict[int, list[int]]) -> list[tuple[Any, ...]]:
    """How many stand at which value of a board, of everybody and of each club."""
    counts: Counter[tuple[Any, ...]] = Counter()
    for game, season, player, is_listed, *values in rows:
        columns = dict(zip(leaderboard_rows.COLUMNS, values, strict=True))
        for by, column in place_counts.COUNTED.items():
            if is_listed and columns[column] is not None and ("rating" not in by or columns["mu"] is not None):
                counts.update((game, season, club, by, columns[column]) for club in (0, *clubs.get(player, [])))
    return [(*spot, people) for spot, people in counts.items()]


def test_everything_comes_out_of_exports_alone(ana: Player, ben: Player, eva: Player) -> None:
    club = Club.objects.create(slug="foxes", name="The Foxes", avatar="fox", feed_token="f")
    for member in (ana, eva):
        Membership.objects.create(club=club, player=member)
    Player.objects.filter(pk=eva.pk).update(is_listed=False)
    exported = [
        play(ana, ben, game="animal-poker", at=NOW, sessions=3),
        play(eva, ana, ben, game="karriere-poker", at=NOW + 1000, deals=4),
        play(ben, eva, ana, game="animals-on-board", at=NOW + 2000),
        play(ana, eva, game="karriere-poker", at=NOW + 3000, is_rated=False, deals=2),
        play(ben, ana, game="fancy-animals", at=NOW + YEAR),
        play(eva, ana, ben, game="super-zwierzaki", at=NOW + YEAR + 1000),
        play(ana, game="animal-poker", at=NOW + YEAR + 2000, sessions=2),
        play_with_stand_ins(ana, ben, eva, game="karriere-poker", at=NOW + YEAR + 2100, deals=6),
        play_with_stand_ins(ben, ana, eva, game="animal-poker", at=NOW + YEAR + 2200, sessions=6),
        play_with_stand_ins(ben, ana, eva, game="fancy-animals", at=NOW + YEAR + 2300),
        *(play(ana, ben, game="karriere-poker", at=NOW + YEAR + 3000 + n, deals=1) for n in range(10)),
    ]
    rebuild = Rebuild()
    for game in exported:
        rebuild.read(game)
    for number, is_rated in enumerate((True, False)):
        rebuild.read_archive(play_real(ana, ben, at=NOW + YEAR + 9000 + number, is_rated=is_rated))
    rows = rebuild.rows({ana.pk: True, ben.pk: True, eva.pk: False})
    kept = everything()
    assert kept["entries"] == sorted(rebuild.entries, key=str)
    assert kept["results"] == sorted(rebuild.results, key=str)
    assert kept["totals"] == sorted(
        ((*key, *player_totals.values_of(one)) for key, one in rebuild.totals.items()), key=str
    )
    assert kept["rows"] == sorted(rows, key=str)
    clubs: dict[int, list[int]] = defaultdict(list)
    for player, one in Membership.objects.values_list("player", "club"):
        clubs[player].append(one)
    assert clubs[eva.pk] == [club.pk]
    assert kept["counts"] == sorted(count_places(rows, clubs))
