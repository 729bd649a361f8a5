"""A tournament, its entrants, and the organiser's rules for pairs. Changed by `tournaments.flow` only."""

from __future__ import annotations

from django.db import models

from games.models import Player
from games.rules.day_pace import is_over_days
from tournaments.models.clubs import Club
from tournaments.models.phases import Phase
from tournaments.models.seasons import Season


class Format(models.TextChoices):
    """The slugs of the formats."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    KNOCKOUT = "knockout"
    SWISS_CUT = "swiss-cut"
    LADDER = "ladder"
    ARENA = "arena"


class Venue(models.TextChoices):
    """Where pods are played. Mixed: online where everybody plays on a device, else at a real table.

    Apart: the same, and in Swiss rounds those on a device and those in the room are drawn each for themselves.
    """

    ONLINE = "online"
    REAL = "real"
    MIXED = "mixed"
    APART = "apart"


BOTH_PLACES = (Venue.MIXED, Venue.APART)
"""Where it matters who plays on a device and who in the room."""


class NoShow(models.TextChoices):
    """What happens to the seat of a missing person after the grace period."""

    BOT = "bot"
    FORFEIT = "forfeit"


class AtEnd(models.TextChoices):
    """What happens to games under way when an arena closes."""

    FINISH = "finish"
    BELL = "bell"


class ClubsApart(models.TextChoices):
    """Whether people of one club or family may meet: they may, should not, or must not."""

    NO = ""
    WISH = "wish"
    MUST = "must"


class VisibleTournaments(models.Manager["Tournament"]):
    """All tournaments except those that are still being imported, which nobody sees and nothing acts on."""

    def get_queryset(self) -> models.QuerySet[Tournament]:
        """Without those that are being imported."""
        return super().get_queryset().filter(arriving="")


class Tournament(models.Model):
    """One tournament of a club.

    `version` rises with every step; a step begins by raising it, which holds every other step back
    until it is durable. Minutes and seconds as named; points and worths in 840ths of a round won;
    options, points_table, tie_breaks, details are JSON text. `season` is the one it counts for. An arena is
    open for `round_minutes`; of a tournament over days, whose turns last days, they are the deadline. arriving: the job
    that still reads it in. capacity: places for people and bots, null for any number; more than that wait. fee: what
    taking part costs, in words. entry_closes_at: when people can no longer sign up themselves. clubs_apart: what the
    draw does about people of one club or family (`Entrant.club_name`). team_size: people of a team who usually play in
    a round, null in a tournament without teams; team_best: how many of their scores count in each round, null for all
    of team_size; has_open_teams: people who sign up may choose a team or name a new one.
    """

    id = models.CharField(primary_key=True, max_length=16)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True, max_length=2000)
    game = models.CharField(max_length=32, blank=True)
    options = models.TextField(default="{}")
    format = models.CharField(max_length=12, choices=Format.choices, default=Format.SWISS)
    phase = models.CharField(max_length=12, choices=Phase.choices, default=Phase.PLANNED)
    version = models.PositiveIntegerField(default=0)
    season = models.ForeignKey(Season, on_delete=models.PROTECT, null=True, blank=True, related_name="counted")
    is_public = models.BooleanField(default=True)
    entry_token = models.CharField(max_length=32, unique=True)
    starts_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.FloatField(null=True)

    rounds_planned = models.PositiveSmallIntegerField(default=5)
    wanted = models.PositiveSmallIntegerField(default=4)
    least = models.PositiveSmallIntegerField(default=4)
    most = models.PositiveSmallIntegerField(default=5)
    venue = models.CharField(max_length=8, choices=Venue.choices, default=Venue.MIXED)
    repeat_worth = models.PositiveIntegerField(default=1260)
    advance = models.PositiveSmallIntegerField(default=2, help_text="Knockout: how many of a pod go on.")
    cut_to = models.PositiveSmallIntegerField(default=8, help_text="Swiss with a cut: how many go on.")
    bots_fill = models.BooleanField(default=False, help_text="A bot takes an empty chair rather than a bye.")
    bot_level = models.CharField(max_length=16, default="steady")
    is_rated = models.BooleanField(default=True)
    duplicate = models.BooleanField(default=False)

    points = models.CharField(max_length=8, default="beaten", help_text="beaten, table or score")
    points_table = models.TextField(default="[5,3,2,1]")
    tie_breaks = models.TextField(default='["opponents","wins","head-to-head","best","lot"]')
    bye_points = models.IntegerField(default=840)
    absent_points = models.IntegerField(default=0)
    no_show_points = models.IntegerField(default=0)
    forfeit_points = models.IntegerField(default=0)
    lot_seed = models.CharField(max_length=64)

    turn_seconds = models.PositiveIntegerField(default=45)
    round_minutes = models.PositiveIntegerField(null=True)
    grace_minutes = models.PositiveIntegerField(default=5)
    no_show = models.CharField(max_length=8, choices=NoShow.choices, default=NoShow.BOT)
    at_end = models.CharField(max_length=8, choices=AtEnd.choices, default=AtEnd.FINISH, db_default=AtEnd.FINISH)
    has_sound = models.BooleanField(default=False)
    capacity = models.PositiveSmallIntegerField(null=True)
    fee = models.CharField(max_length=120, blank=True, default="", db_default="")
    entry_closes_at = models.DateTimeField(null=True)
    clubs_apart = models.CharField(
        max_length=4, choices=ClubsApart.choices, blank=True, default=ClubsApart.NO, db_default=""
    )
    team_size = models.PositiveSmallIntegerField(null=True)
    team_best = models.PositiveSmallIntegerField(null=True)
    has_open_teams = models.BooleanField(default=False, db_default=False)
    arriving = models.CharField(max_length=24, blank=True, default="", db_default="")

    objects = VisibleTournaments()
    everything: models.Manager[Tournament] = models.Manager()

    class Meta:
        constraints = (  # the version before planned seasons as tournaments: it must not add another one
            models.CheckConstraint(condition=~models.Q(format="league"), name="no_season_is_a_tournament"),
        )
        indexes = (
            models.Index(fields=["phase", "-finished_at"], name="tournament_ended"),
            models.Index(fields=["club", "phase", "-finished_at", "-created_at"], name="tournament_phases"),
            models.Index(fields=["club", "-created_at"], name="tournament_made"),
            models.Index(fields=["-created_at"], name="tournament_made_anywhere"),
            models.Index(
                fields=["club", "-starts_at"], name="tournament_dates", condition=models.Q(starts_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_over_days(self) -> bool:
        """Whether its games are played over days: nobody needs to be there, and each round has a deadline."""
        return is_over_days(self.turn_seconds)

    @property
    def round_days(self) -> int:
        """The days from the start of a round over days to its deadline; 0 for live rounds."""
        return (self.round_minutes or 0) // (24 * 60) if self.is_over_days else 0


class Entrant(models.Model):
    """A person, or a bot, in a tournament.

    player: null for a bot, and for a walk-in without an account until they claim their place by `claim_token`. number:
    the order of entry, from 1. is_away: sits out rounds until they are back. joined_round: the first round they may be
    in. is_filler: a bot that takes a seat where one is left empty. rank_hint: seed of a first knockout round, lower is
    better. ready_at: when they last said that they are there. is_on_device: whether this person wants to play on a
    device rather than in the room; see `flow.tables.plays_on_device`. fixed_table: the number of the real table where
    this person always sits (a wheelchair, a hearing loop).
    """

    class Status(models.TextChoices):
        ENTERED = "entered"
        PRESENT = "present"
        WITHDRAWN = "withdrawn"
        WAITING = "waiting"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="entries")
    name = models.CharField(max_length=40)
    avatar = models.CharField(max_length=24, default="fox")
    bot = models.CharField(max_length=16, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ENTERED)
    is_away = models.BooleanField(default=False)
    is_filler = models.BooleanField(default=False, db_default=False)
    joined_round = models.PositiveSmallIntegerField(default=1)
    rank_hint = models.PositiveIntegerField(null=True)
    ready_at = models.FloatField(null=True)
    is_on_device = models.BooleanField(default=False, db_default=False)
    club_name = models.CharField(max_length=40, blank=True)
    fixed_table = models.PositiveSmallIntegerField(null=True)
    claim_token = models.CharField(max_length=32, unique=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_a_person"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entrant_a_number"),
            models.UniqueConstraint(fields=["tournament", "name"], name="one_entrant_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class PairRule(models.Model):
    """Two entrants who may not meet (`apart`), or who sit together (`together`)."""

    class Kind(models.TextChoices):
        APART = "apart"
        TOGETHER = "together"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pair_rules")
    first = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)

    def __str__(self) -> str:
        return f"{self.first} {self.kind} {self.second}"


class Penalty(models.Model):
    """Points taken (or given, if negative) for a round, in 840ths, with a reason everybody may read."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="penalties")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="penalties")
    round_number = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    reason = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.entrant}: {self.points}"


class SeasonName(models.Model):
    """The organiser's word under which name an entrant of a counted tournament stands in a season.

    Table and column are called as they were when a season was a league.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, db_column="tournament_id", related_name="names")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        db_table = "tournaments_leaguename"
        constraints = (models.UniqueConstraint(fields=["season", "entrant"], name="one_league_name_an_entrant"),)

    def __str__(self) -> str:
        return f"{self.entrant}: {self.name}"
