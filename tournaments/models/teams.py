"""Teams of a tournament and who plays for them. Changed by `tournaments.flow` only."""

from __future__ import annotations

from django.db import models

from tournaments.models.tournaments import Entrant, Tournament


class Team(models.Model):
    """A team. number: the order in which teams were named, from 1; it never changes."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="one_team_a_number"),
            models.UniqueConstraint(fields=["tournament", "name"], name="one_team_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """Somebody who plays for a team, in the rounds from first_round to last_round (null while they stay).

    is_substitute: stands in for somebody of the team who is missing, and is no regular member.
    """

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="team_places")
    first_round = models.PositiveSmallIntegerField(default=1)
    last_round = models.PositiveSmallIntegerField(null=True)
    is_captain = models.BooleanField(default=False)
    is_substitute = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["entrant"], condition=models.Q(last_round=None), name="one_team_a_person_at_a_time"
            ),
        )

    def __str__(self) -> str:
        return f"{self.entrant}: {self.team}"
