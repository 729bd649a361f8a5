"""Leaderboards: one row for each person and board, updated with every counted table."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext as _

from games.models import Player
from games.models.texts import name_game


class Board(models.Model):
    """A leaderboard. game: a slug, empty for all games; season: a year, 0 for all time."""

    game = models.CharField(max_length=32, blank=True)
    season = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "season"], name="one_board_a_filter"),)

    def __str__(self) -> str:
        return f"{name_game(self.game) if self.game else _('All games')}, {self.season or _('All time')}"


class BoardRow(models.Model):
    """A person on a leaderboard. Only tables with at least two people count.

    beaten: the sum of shares beaten, in 840ths; tops: deals in which they won the top rank; mu, sigma: the rating after
    their last rated table of this board. by_rating, by_share: the cautious values that these lists are ordered by, in
    points and in 840ths. was_…: what each list was ordered by at `Ledger.compared_with`; null if they were not on it.
    """

    UNRATED = -1_000_000
    """Orders people without a rated table; below any rating."""

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="rows")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="board_rows")
    is_listed = models.BooleanField(default=True)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    tops = models.PositiveIntegerField(default=0)
    beaten = models.PositiveIntegerField(default=0)
    rated = models.PositiveIntegerField(default=0)
    mu = models.FloatField(null=True)
    sigma = models.FloatField(null=True)
    by_rating = models.IntegerField(default=0)
    by_share = models.IntegerField(default=0)
    was_rating = models.IntegerField(null=True)
    was_share = models.IntegerField(null=True)
    was_games = models.IntegerField(null=True)
    was_wins = models.IntegerField(null=True)
    was_tops = models.IntegerField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["board", "player"], name="one_row_a_person"),)
        indexes = tuple(
            models.Index(
                fields=["board", f"-{column}", "player"], name=f"board_{column}", condition=models.Q(is_listed=True)
            )
            for column in ("by_rating", "by_share", "games", "wins", "tops")
        )

    def __str__(self) -> str:
        return f"{self.board}: {self.player}"


class BoardCount(models.Model):
    """How many listed people of a board have the same value: places are sums of these counts.

    club: the id of the club whose members are counted, 0 for everybody; by: what the list is ordered by, now or
    (`was_…`) at `Ledger.compared_with`.
    """

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="counts", db_index=False)
    club = models.PositiveBigIntegerField(default=0)
    by = models.CharField(max_length=12)
    value = models.IntegerField()
    people = models.IntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["board", "club", "by", "value"], name="one_count_a_value"),)

    def __str__(self) -> str:
        return f"{self.board_id}: {self.people} with {self.value} {self.by}"
