"""The plan of a tournament: game, format, scoring and times; creating and changing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec

from games.bots import list_bot_levels
from games.models import Player
from games.models.spelling import collapse_spaces
from games.play.errors import BadInput
from games.play.seats.opening import DAY_TURNS, TURN_SECONDS
from games.play.seats.player_names import clean_name
from games.rules import registry
from games.rules.base import BadSetup, Rules
from games.rules.day_pace import DAYS_PER_TURN, is_over_days
from tournaments import formats
from tournaments.flow.entry.waiting_list import move_up
from tournaments.flow.evenings.sessions import GAMES as TIMED_GAMES
from tournaments.flow.permissions import require_organiser
from tournaments.flow.steps.kinds import Kind
from tournaments.flow.steps.recorder import TournamentStep, read_columns, take_step
from tournaments.flow.tokens import make_id, make_seed, make_token
from tournaments.formats.base import GameFacts
from tournaments.formats.rounds import MAX_ROUNDS
from tournaments.models import BOTH_PLACES, LAST_STAGES, AtEnd, Club, ClubsApart, NoShow, Round, Step, Tournament, Venue
from tournaments.scoring.points import BEATEN, MAX_SEATS, SCORE, TABLE, TIE_BREAKS, WHOLE, WITHOUT_SCORES
from tournaments.scoring.teams import MAX_PEOPLE, MIN_PEOPLE

FREE = frozenset({"name", "about", "starts_at", "is_public", "rounds_planned", "round_minutes", "grace_minutes",
                  "no_show", "has_sound", "repeat_worth", "venue", "turn_seconds", "at_end",
                  "capacity", "fee", "entry_closes_at", "clubs_apart", "has_open_teams"})  # fmt: skip
"""What may be changed while rounds are played; the rest is settled with the first draw."""


Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
"""A number of people in a plan from a file; `check` says more."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a plan. Unchecked until `check`; units as in `Tournament`.

    best_of: of a season, in files and for programs, which are told both in one shape; of a tournament null.
    """

    name: str
    game: str
    format: str = formats.DEFAULT.slug
    about: str = ""
    options: dict[str, Any] = {}
    starts_at: datetime | None = None
    is_public: bool = True
    rounds_planned: int = 5
    wanted: Count = 4
    least: Count = 4
    most: Count = 5
    venue: str = Venue.MIXED
    repeat_worth: int = 1260
    advance: Count = 2
    cut_to: Count = 8
    best_of: int | None = None
    bots_fill: bool = False
    bot_level: str = "steady"
    is_rated: bool = True
    duplicate: bool = False
    points: str = BEATEN
    points_table: list[int] = msgspec.field(default_factory=lambda: [5, 3, 2, 1])
    tie_breaks: list[str] = msgspec.field(default_factory=lambda: list(WITHOUT_SCORES))
    bye_points: int = 840
    absent_points: int = 0
    no_show_points: int = 0
    forfeit_points: int = 0
    turn_seconds: int = 45
    round_minutes: int | None = None
    grace_minutes: int = 5
    no_show: str = NoShow.BOT
    has_sound: bool = False
    at_end: str = AtEnd.FINISH
    capacity: int | None = None
    fee: str = ""
    entry_closes_at: datetime | None = None
    clubs_apart: str = ClubsApart.NO
    team_size: int | None = None
    team_best: int | None = None
    has_open_teams: bool = False


SETTLED = frozenset(Agreement.__struct_fields__) - FREE - {"best_of"}
"""Fields that cannot be changed after the first draw."""
MAX_ABOUT = 2000
MAX_PLACES = 2000
MAX_FEE = 120
MAX_POINTS = 1000 * WHOLE
YEARS = range(1900, 3000)
"""Years in which a tournament can begin. Clubs import what they played long ago."""
ROUND_DAYS = range(1, 91)
"""Days from the start of a round over days to its deadline."""
DAY_MINUTES = 24 * 60
JSON_FIELDS = ("options", "points_table", "tie_breaks")


def propose_tie_breaks(venue: str) -> tuple[str, ...]:
    """The tie-breaks of a tournament at this place unless its organiser says otherwise."""
    return WITHOUT_SCORES if venue in BOTH_PLACES else TIE_BREAKS


def plan_tournament(club: Club, player: Player | None, agreement: Agreement, *, now: float) -> Tournament:
    """A new tournament of this club. Raises NotAllowed, BadInput."""
    require_organiser(club, player)
    check(agreement)
    tournament = Tournament.objects.create(
        id=make_id(), club=club, entry_token=make_token(), lot_seed=make_seed(), **columns(agreement)
    )
    Step.objects.create(
        tournament=tournament, number=0, kind=Kind.PLAN, actor=player, actor_name=player.name if player else "", at=now
    )
    return tournament


def revise(tournament: Tournament, player: Player | None, agreement: Agreement, *, now: float) -> None:
    """Change the plan; after the first draw only what does not touch what was played. Raises NotAllowed, BadInput."""
    require_organiser(tournament.club, player)
    check(agreement)
    with take_step(tournament.pk, Kind.REVISE, actor=player, now=now) as step:
        wanted = _changed(step.tournament, columns(agreement))
        if fixed := wanted.keys() & list_settled(step.tournament):
            raise BadInput("After the first draw, you cannot change: %(fields)s.", fields=", ".join(sorted(fixed)))
        _record_changes(step, wanted)
        step.change(step.tournament, **wanted)
        if "capacity" in wanted:
            move_up(step)


def list_settled(tournament: Tournament) -> frozenset[str]:
    """The fields that can no longer be changed. After the cut for a knockout, the number of rounds is one of them."""
    played = tournament.rounds.exclude(status__in=[Round.Status.DRAWING, Round.Status.DRAFT])
    if not tournament.rounds.exists():
        return frozenset()
    return SETTLED | {"rounds_planned"} if played.filter(stage__in=LAST_STAGES).exists() else SETTLED


def _changed(tournament: Tournament, wanted: Mapping[str, Any]) -> dict[str, Any]:
    columns_now = read_columns(tournament)
    return {name: value for name, value in wanted.items() if columns_now[name] != value}


def _record_changes(step: TournamentStep, wanted: Mapping[str, Any]) -> None:
    step.details["fields"] = sorted(wanted)


def columns(agreement: Agreement) -> dict[str, Any]:
    """The agreement as columns of a tournament."""
    values = msgspec.structs.asdict(agreement)
    del values["best_of"]
    values["name"] = collapse_spaces(agreement.name)
    values["fee"] = collapse_spaces(agreement.fee)
    return values | {name: msgspec.json.encode(values[name]).decode() for name in JSON_FIELDS}


def read(tournament: Tournament) -> Agreement:
    """The agreement of a tournament."""
    columns_now = read_columns(tournament)
    values = {name: columns_now[name] for name in Agreement.__struct_fields__ if name in columns_now}
    return Agreement(**(values | {name: msgspec.json.decode(values[name]) for name in JSON_FIELDS}))


def check(agreement: Agreement) -> None:
    """Raises BadInput with a sentence for an impossible agreement."""
    clean_name(agreement.name, least=2, most=80)
    if agreement.format not in formats.FORMATS:
        raise BadInput("This format does not exist.")
    _check_game(agreement)
    if agreement.at_end not in AtEnd.values:
        raise BadInput(
            "Choose what happens when an arena closes: games are played to the end, or they end when time is up."
        )
    _check_words(agreement)
    _check_points(agreement)
    if is_over_days(agreement.turn_seconds):
        _check_days(agreement)
    else:
        _check_live(agreement)
    if not 1 <= agreement.rounds_planned <= MAX_ROUNDS:
        raise BadInput("A tournament has 1 to 50 rounds.")
    if not 0 <= agreement.grace_minutes <= 120:
        raise BadInput("The grace period can be 0 to 120 minutes.")
    if not 0 <= agreement.repeat_worth <= 1_000_000:
        raise BadInput("Choose how strongly to avoid repeat opponents: from 0 to 1,190 rounds won.")


def _check_live(agreement: Agreement) -> None:
    if agreement.turn_seconds not in TURN_SECONDS:
        raise BadInput(
            "Choose a turn time of %(least)s to %(most)s seconds.", least=TURN_SECONDS[0], most=TURN_SECONDS[-1]
        )
    if agreement.round_minutes is not None and not 1 <= agreement.round_minutes <= DAY_MINUTES:
        raise BadInput("A round lasts 1 to 1,440 minutes.")


def _check_days(agreement: Agreement) -> None:
    """Of a tournament over days: drawn rounds at online tables, each with a deadline, and games of an agreed length."""
    if agreement.turn_seconds not in DAY_TURNS:
        raise BadPlan(
            "Choose how many days a turn may take: %(days)s.",
            about="turn_seconds", days=", ".join(map(str, DAYS_PER_TURN)),
        )  # fmt: skip
    if not formats.of(agreement).can_last_days:
        raise BadPlan(
            "This format needs people who are there at the same time. Choose another format or live games.",
            about="turn_seconds",
        )
    if agreement.venue != Venue.ONLINE:
        raise BadPlan(
            "A tournament over days is played at online tables. Choose these as the place to play.", about="venue"
        )
    days = range(ROUND_DAYS[0] * DAY_MINUTES, ROUND_DAYS[-1] * DAY_MINUTES + 1)
    if agreement.round_minutes is None or agreement.round_minutes not in days:
        raise BadPlan(
            "A round over days needs a deadline. Choose %(least)s to %(most)s days.",
            about="round_minutes", least=ROUND_DAYS[0], most=ROUND_DAYS[-1],
        )  # fmt: skip
    if agreement.options.get("minutes") is not None:
        raise BadInput("A game over days has no time limit in minutes. Leave it empty.")
    info = registry.infos()[agreement.game]
    if registry.find(agreement.game).ends_by_clock and not agreement.options.get(info.deals_option):
        raise BadPlan("A game over days needs an agreed length. Choose a number of deals or sessions.", about="deals")


def _check_words(agreement: Agreement) -> None:
    if len(agreement.about) > MAX_ABOUT:
        raise BadInput("This text can have at most 2,000 characters.")
    if agreement.venue not in Venue.values:
        raise BadInput("There is no such place to play.")
    if not any(agreement.bot_level in list_bot_levels(slug) for slug in registry.slugs()):
        raise BadInput("There is no bot level “%(level)s”.", level=agreement.bot_level[:20])
    if agreement.no_show not in NoShow.values:
        raise BadInput("There is no such rule for missing players.")
    if agreement.starts_at is not None:
        _check_start(agreement.starts_at)
    _check_entry(agreement)


def _check_entry(agreement: Agreement) -> None:
    if agreement.capacity is not None and not 2 <= agreement.capacity <= MAX_PLACES:
        raise BadPlan("A tournament has 2 to 2,000 places, or any number.", about="capacity")
    if len(agreement.fee) > MAX_FEE or not agreement.fee.isprintable():
        raise BadPlan("The note on the fee is one line of at most 120 characters.", about="fee")
    if agreement.entry_closes_at is not None and agreement.entry_closes_at.tzinfo is None:
        raise BadInput("The closing time needs a time zone.")
    if agreement.entry_closes_at is not None and agreement.entry_closes_at.year not in YEARS:
        raise BadPlan(
            "A tournament must begin between the years %(first)s and %(last)s.",
            about="entry_closes_at", first=str(YEARS[0]), last=str(YEARS[-1]),
        )  # fmt: skip
    if agreement.clubs_apart not in ClubsApart.values:
        raise BadInput("There is no such rule for people of one club.")
    _check_teams(agreement)


def _check_teams(agreement: Agreement) -> None:
    if agreement.team_size is None:
        if agreement.team_best is not None:
            raise BadPlan("Say how many people of a team play in a round.", about="team_size")
        return
    if "team_size" in formats.of(agreement).unused_fields:
        raise BadPlan("This format has no teams.", about="team_size")
    if not MIN_PEOPLE <= agreement.team_size <= MAX_PEOPLE:
        raise BadPlan("A team has 2 to 8 people.", about="team_size")
    if agreement.team_best is not None and not 1 <= agreement.team_best <= agreement.team_size:
        raise BadPlan(
            "At least one score counts for a team in a round, and at most one of each person.", about="team_best"
        )


def _check_start(starts_at: datetime) -> None:
    """Every reader's zone and every calendar has room before and after it."""
    if starts_at.tzinfo is None:
        raise BadInput("The start time needs a time zone.")
    if starts_at.year not in YEARS:
        raise BadPlan(
            "A tournament must begin between the years %(first)s and %(last)s.",
            about="starts_at", first=str(YEARS[0]), last=str(YEARS[-1]),
        )  # fmt: skip


class BadPlan(BadInput):
    """about: the part of the agreement that is to be changed."""

    def __init__(self, template: str, *, about: str, **values: object) -> None:
        super().__init__(template, **values)
        self.about = about


def find_game(game: str) -> Rules[Any]:
    """The rules of a game. Raises BadInput if there is none of this name."""
    try:
        return registry.find(game)
    except BadSetup as error:
        raise BadInput(error.template, **error.values) from error


def _check_game(agreement: Agreement) -> None:
    rules = find_game(agreement.game)
    for about in ("wanted", "least", "most"):
        _check_options(rules, getattr(agreement, about), {}, about=about)
    _check_options(rules, agreement.wanted, agreement.options, about="deals")
    if agreement.points == SCORE and not rules.has_scores:
        raise BadPlan(
            "This game has no score of its own. Use the share of opponents beaten, or points for each place.",
            about="points",
        )
    if agreement.bot_level not in list_bot_levels(agreement.game):
        raise BadInput("There is no bot level “%(level)s”.", level=agreement.bot_level[:20])
    if not 2 <= agreement.least <= agreement.wanted <= agreement.most <= MAX_SEATS:
        raise BadPlan(
            "The preferred number of people at a table must lie between the minimum and the maximum. "
            "The maximum is at most 8.",
            about="wanted",
        )
    has_length = bool(agreement.options.keys() & {"deals", "sessions"})
    fault = formats.of(agreement).find_fault(agreement, GameFacts(agreement.game in TIMED_GAMES, has_length))
    if fault is not None:
        raise BadPlan(fault.template, about=fault.about)


def _check_options(rules: Rules[Any], size: int, options: dict[str, Any], *, about: str) -> None:
    try:
        rules.check_options(size, options)
    except BadSetup as error:
        raise BadPlan(error.template, about=about, **error.values) from error


def _check_points(agreement: Agreement) -> None:
    check_points(agreement.points, agreement.points_table, agreement.tie_breaks)
    agreed = (agreement.bye_points, agreement.absent_points, agreement.no_show_points, agreement.forfeit_points)
    if any(not -MAX_POINTS <= points <= MAX_POINTS for points in agreed):
        raise BadInput(
            "A bye, a round sat out, a no-show or a forfeit can count as at most 1,000 rounds won, or as many lost."
        )


def check_points(points: str, points_table: Sequence[int], tie_breaks: Sequence[str]) -> None:
    """Raises BadInput for a way to count that is none."""
    if points not in (BEATEN, TABLE, SCORE):
        raise BadInput(
            "Choose what points are based on: the share of opponents beaten, points for each place, or the game score."
        )
    if not 1 <= len(points_table) <= MAX_SEATS or any(not -999 <= p <= 999 for p in points_table):
        raise BadPlan(
            "A table of points has 1 to 8 whole numbers up to 999, starting with first place.", about="points_table"
        )
    unknown = set(tie_breaks) - set(TIE_BREAKS)
    if unknown or len(set(tie_breaks)) != len(tie_breaks):
        raise BadPlan(
            "Choose tie-breaks from this list, each at most once: %(known)s.",
            about="tie_breaks",
            known=", ".join(TIE_BREAKS),
        )
