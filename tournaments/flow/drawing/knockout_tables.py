"""The tables of a knockout: who goes on, and who meets whom."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.play.errors import Stale
from games.rules import registry
from tournaments.flow.drawing import bot_places
from tournaments.flow.drawing.draw_input import Drawn, list_present
from tournaments.flow.standings import knockouts
from tournaments.flow.standings.book import Book
from tournaments.models import LAST_STAGES, Format, Round, Stage
from tournaments.scoring.knockout import fill_up, seed_stage
from tournaments.scoring.standings import compute_lot


def pair_knockout(book: Book, number: int) -> Drawn:
    """A stage of a knockout. Raises Stale for too few people."""
    tournament = book.tournament
    ranked = rank_for_knockout(book, number)
    ranked += [str(one.number) for one in list_present(book, number) if one.is_filler]
    if len(ranked) < registry.find(tournament.game).seat_counts.start:
        raise Stale("Too few people are here for another round.")
    pods, byes = seed_stage(ranked, wanted=tournament.wanted, least=tournament.least, most=tournament.most)
    stage = Stage.FINAL if len(pods) == 1 and not byes else Stage.KNOCKOUT
    here = book.by_key
    return Drawn(
        stage,
        tuple((tuple(here[key] for key in pod), [["seeds %(seeds)s", {"seeds": _seeds(ranked, pod)}]]) for pod in pods),
        tuple(here[key] for key in byes),
        {"seeding": [here[key].name for key in ranked], "numbers": [here[key].number for key in ranked]},
    )


def _seeds(ranked: Sequence[str], pod: Sequence[str]) -> str:
    return ", ".join(str(ranked.index(key) + 1) for key in pod)


def rank_for_knockout(book: Book, number: int, *, back: str = "") -> list[str]:
    """Who plays the next knockout stage, best seed first, but for the bots on chairs that are left empty.

    back: as if this one, who is away, were here.
    """
    present = [key for one in list_present(book, number) if not one.is_filler and (key := str(one.number)) != back]
    present += [back] if back else []
    stages = [played for played in book.rounds if played.stage in LAST_STAGES and played.number < number]
    if stages:
        return _list_through(book, stages, present, number)
    seed = book.tournament.lot_seed
    if book.tournament.format == Format.SWISS_CUT:
        places = {line.entrant: line.place for line in book.standings()}
        present.sort(key=lambda key: (places.get(key, len(places) + 1), -compute_lot(seed, key)))
        return present[: book.tournament.cut_to]
    hints = {str(one.number): one.rank_hint for one in book.entrants.values()}
    return sorted(present, key=lambda key: (hints[key] is None, hints[key] or 0, -compute_lot(seed, key)))


def _list_through(book: Book, stages: Sequence[Round], present: Collection[str], number: int) -> list[str]:
    """Who of the last stage plays on: bots take the chairs that are left, or else the best of those who are out."""
    played, tournament = book.round_result(stages[-1]), book.tournament
    ranked = knockouts.read_seeding(stages[0], book.by_key)
    winners = knockouts.find_through(book, stages[0], played)
    through = [key for key in winners if key in present]
    missing = max(0, tournament.least - len(through))
    if tournament.bots_fill and bot_places.can_fill(book, [book.by_key[key] for key in through], number, missing):
        return through
    least = registry.find(tournament.game).seat_counts.start
    return list(fill_up(through, played, least=least, present=present, ranked=ranked))
