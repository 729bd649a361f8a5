"""Plans that a club keeps to plan from again."""

from __future__ import annotations

from django.db import models

from tournaments.models.clubs import Club


class PlanTemplate(models.Model):
    """A plan by name. plan: an agreement as JSON text, without the time of one evening."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="plan_templates")
    name = models.CharField(max_length=40)
    plan = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "name"], name="one_plan_template_a_name"),)

    def __str__(self) -> str:
        return f"{self.club}: {self.name}"
