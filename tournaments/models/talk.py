"""Messages of members in their club. Rows are only ever added, by `tournaments.flow.clubs.club_talk`."""

from __future__ import annotations

from django.db import models

from games.models.talk import Complaint, Utterance
from tournaments.models.clubs import Club


class ClubRemark(Utterance):
    """A message in a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="remarks")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "number"], name="one_remark_a_number_in_a_club"),)


class ClubReport(Complaint):
    """A complaint about a message in a club."""

    remark = models.ForeignKey(ClubRemark, on_delete=models.CASCADE, related_name="reports")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["remark", "player"], name="one_club_report_a_person"),)

    def __str__(self) -> str:
        return str(self.remark)
