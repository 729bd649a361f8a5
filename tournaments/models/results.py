"""Results of finished tables, person by person: the source of ratings, careers and leaderboards.

Everything here derives from stored tables and plies and can be derived again (`manage.py recompute_ratings`). Times are
seconds since 1970.
"""

from __future__ import annotations

from django.db import models

from games.models import Player, Table
from games.models.texts import name_game
from tournaments.models.rounds import Pod
from tournaments.models.tournaments import Tournament


class Ledger(models.Model):
    """A single row, locked by the process that counts a table, so that tables are counted one after the other.

    last: the number of the last counted table; busy_since: the last sign of life of a full recomputation (nothing else
    is counted meanwhile). is_stale: a recomputation is requested; stale_since: from the tables that ended then on, null
    for all. derived_by: the version of the program that has derived results and careers of all tables; derived_to: the
    table that the present version has reached. turn: how often the row has been locked. compared_with: leaderboards
    show how places have changed since then; compared_to: up to where the rows of leaderboards have followed it.
    """

    last = models.PositiveBigIntegerField(default=0)
    busy_since = models.FloatField(null=True)
    is_stale = models.BooleanField(default=False)
    stale_since = models.FloatField(null=True)
    derived_by = models.PositiveSmallIntegerField(default=0, db_default=0)
    derived_to = models.CharField(max_length=24, blank=True, default="", db_default="")
    turn = models.PositiveBigIntegerField(default=0, db_default=0)
    compared_with = models.FloatField(default=0.0, db_default=0.0)
    compared_to = models.FloatField(default=0.0, db_default=0.0)

    def __str__(self) -> str:
        return f"{self.last} counted"


class CountedTable(models.Model):
    """A finished table that was counted, once. number: in which order; is_void: it counts for nobody and has no
    results.

    table: where it was played online; pod: where it was played at a real table of a complete round. Without either its
    pod is gone, and it is to be deleted as well.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    table = models.OneToOneField(Table, on_delete=models.CASCADE, null=True, related_name="counted")
    pod = models.OneToOneField(Pod, on_delete=models.SET_NULL, null=True, related_name="+")
    game = models.CharField(max_length=32)
    is_rated = models.BooleanField()
    is_void = models.BooleanField(default=False)
    ended_at = models.FloatField()

    class Meta:
        indexes = (
            models.Index(fields=["ended_at", "number"], name="counted_in_time"),
            models.Index(fields=["table", "pod"], name="counted_nowhere", condition=models.Q(table=None, pod=None)),
        )

    def __str__(self) -> str:
        return f"{self.number}: {name_game(self.game)}, {self.table_id or self.pod or ''}"


class FollowedTournament(models.Model):
    """Up to which version of a tournament its real tables have been counted."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, primary_key=True, related_name="+")
    version = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.version}"


class PersonResult(models.Model):
    """The result of a counted table for one person.

    place, of: among all seats; rank, people: among the people, as leaderboards and ratings compare them; beaten: the
    share of them that this person finished ahead of, in 840ths; tops: deals in which they won the top rank; feat: what
    the game keeps a record of (`tournaments.careers.feats`). mu, sigma: their rating in this game after the table;
    total_mu, total_sigma: the one over all games; null where nothing was rated.
    """

    counted = models.ForeignKey(CountedTable, on_delete=models.CASCADE, related_name="results", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="results")
    game = models.CharField(max_length=32)
    ended_at = models.FloatField()
    seat = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    of = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    people = models.PositiveSmallIntegerField()
    beaten = models.PositiveSmallIntegerField()
    score = models.IntegerField(null=True)
    tops = models.PositiveSmallIntegerField(default=0)
    feat = models.IntegerField(null=True)
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)
    total_mu = models.FloatField(null=True)
    total_sigma = models.FloatField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["counted", "seat"], name="one_result_a_seat"),
            models.UniqueConstraint(fields=["counted", "player"], name="one_result_a_person"),
        )
        indexes = (
            models.Index(fields=["player", "-ended_at", "-counted"], name="person_results_in_time"),
            models.Index(fields=["player", "game", "-ended_at"], name="person_game_results"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.place}/{self.of}"


class CareerEntry(models.Model):
    """One deal of a climbing game for one person; `tournaments.careers.entries` defines the fields.

    job: the slug of the rank's name.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="career_entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="career_entries")
    game = models.CharField(max_length=32)
    deal = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    of = models.PositiveSmallIntegerField()
    job = models.CharField(max_length=24)
    before = models.PositiveSmallIntegerField(null=True)
    spell = models.PositiveSmallIntegerField()
    climb = models.PositiveSmallIntegerField(null=True)
    demoted_by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.FloatField()

    class Meta:
        verbose_name_plural = "career entries"
        constraints = (models.UniqueConstraint(fields=["table", "deal", "seat"], name="one_entry_a_deal"),)
        indexes = (
            models.Index(fields=["player", "game", "-at", "-deal"], name="career_timeline"),
            models.Index(
                fields=["player", "demoted_by"], name="career_rivals", condition=models.Q(demoted_by__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.player}: {name_game(self.game)} {self.deal}"


class PersonTotal(models.Model):
    """The sums of a person's results and deals in a game; `tournaments.careers.totals` defines the fields.

    season: a year, 0 for all time; jobs, rivals: JSON text.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="totals")
    game = models.CharField(max_length=32)
    season = models.PositiveSmallIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    places = models.PositiveIntegerField(default=0)
    met = models.PositiveIntegerField(default=0)
    beaten = models.PositiveIntegerField(default=0)
    best = models.IntegerField(null=True)
    feat = models.IntegerField(null=True)
    feat_at = models.FloatField(null=True)
    deals = models.PositiveIntegerField(default=0)
    ranks = models.PositiveIntegerField(default=0)
    promotions = models.PositiveIntegerField(default=0)
    falls = models.PositiveIntegerField(default=0)
    reign = models.PositiveIntegerField(null=True)
    reign_at = models.FloatField(null=True)
    bottom = models.PositiveIntegerField(null=True)
    bottom_at = models.FloatField(null=True)
    climb = models.PositiveIntegerField(null=True)
    climb_at = models.FloatField(null=True)
    jobs = models.TextField(default="{}")
    rivals = models.TextField(default="{}")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "game", "season"], name="one_total_a_season"),)
        indexes = tuple(
            models.Index(
                fields=["game", order, f"{record}_at"],
                name=f"best_{record}",
                condition=models.Q(season=0) & models.Q(**{f"{record}__isnull": False}),
            )
            for record, order in (("reign", "-reign"), ("bottom", "-bottom"), ("climb", "climb"), ("feat", "-feat"))
        )

    def __str__(self) -> str:
        return f"{self.player}: {name_game(self.game)} {self.season or ''}".rstrip()
