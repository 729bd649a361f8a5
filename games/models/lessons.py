"""How far people are in the lessons of the games."""

from __future__ import annotations

from django.db import models

from games.models.people import Player


class LessonProgress(models.Model):
    """One person's lesson of one game. step: the slug of the step to do next, empty after the last one.

    at: the last change, finished_at: the first time that they did the last step; seconds since 1970.
    """

    # No index of its own: the constraint has one that begins with the player.
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="lessons", db_index=False)
    game = models.CharField(max_length=32)
    step = models.CharField(max_length=40, blank=True)
    at = models.FloatField()
    finished_at = models.FloatField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["player", "game"], name="one_lesson_a_game"),)

    def __str__(self) -> str:
        return f"{self.player_id} {self.game} {self.step}"
