"""Rounds, their pods, seats and byes, and the results."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Player, Table
from tournaments.models.tournaments import Entrant, Tournament


class Stage(models.TextChoices):
    """What kind of round it is."""

    SWISS = "swiss"
    PLAN = "round-robin"
    KNOCKOUT = "knockout"
    FINAL = "final"
    LADDER = "ladder"
    ARENA = "arena"


LAST_STAGES = (Stage.KNOCKOUT, Stage.FINAL)
"""The stages of a knockout, alone or after Swiss rounds."""


class Round(models.Model):
    """A round. Times are seconds since 1970.

    solution: the draw as JSON text in the format `menagerie-draw/1` (of a knockout: its seeding); seed: of the draw;
    trouble: why it could not be drawn, as JSON [template, values]; drawing: the id of the draw under way; the answer of
    any other draw is ignored. ends_at: the bell; paused_at: since when all its tables are paused. deal_secret,
    deal_commitment: of duplicate deals drawn before each round had its `RoundDeals`.
    """

    class Status(models.TextChoices):
        DRAWING = "drawing"
        DRAFT = "draft"
        RELEASED = "released"
        COMPLETE = "complete"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=12, choices=Stage.choices, default=Stage.SWISS)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    seed = models.CharField(max_length=64, blank=True)
    solution = models.TextField(default="")
    drawing = models.CharField(max_length=32, blank=True)
    drawing_since = models.FloatField(null=True)
    trouble = models.TextField(blank=True)
    released_at = models.FloatField(null=True)
    ends_at = models.FloatField(null=True)
    has_rung = models.BooleanField(default=False)
    paused_at = models.FloatField(null=True)
    completed_at = models.FloatField(null=True)
    deal_secret = models.CharField(max_length=64, blank=True)
    deal_commitment = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number"),)
        indexes = (
            models.Index(fields=["status"], name="round_status"),
            models.Index(
                fields=["completed_at"], name="round_completed", condition=models.Q(completed_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return _("%(tournament)s, round %(number)s") % {"tournament": self.tournament, "number": self.number}

    @property
    def is_elimination(self) -> bool:
        """Whether people who are not in it are out."""
        return self.stage in LAST_STAGES

    @property
    def sends_on(self) -> bool:
        """Whether the best of each table go on from it: a stage of a knockout before the final."""
        return self.stage == Stage.KNOCKOUT


class Pod(models.Model):
    """The entrants paired together in a round, at one online table or at the real table of this number."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pods")
    number = models.PositiveSmallIntegerField()
    is_online = models.BooleanField(default=False)
    is_locked = models.BooleanField(default=False)
    table = models.OneToOneField(Table, on_delete=models.SET_NULL, null=True, related_name="pod")
    wave = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="Arena: of which seating.")
    real_table = models.PositiveSmallIntegerField(null=True, help_text="Arena: the real table, where it is not number.")
    seated_at = models.FloatField(null=True, help_text="Arena: when its people were told.")
    reason = models.TextField(blank=True)
    record = models.CharField(
        max_length=24,
        blank=True,
        default="",
        db_default="",
        help_text="Key of the record that came with an archive.",
    )
    trouble = models.TextField(blank=True, help_text="Why its table could not be opened.")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["round", "number"], name="one_pod_a_number"),)

    def __str__(self) -> str:
        return _("%(round)s, table %(number)s") % {"round": self.round, "number": self.number}


NO_TABLE = ~Q(table__isnull=False)
"""Pods without an online table, written so that SQLite does not use the index on `table`: every past real table has
none.
"""


class PodSeat(models.Model):
    """An entrant's seat in a pod. index: the seat, from 0; it plays first.

    fate: whether they play, did not come, or forfeit. substitute: the person who plays for them, if anybody. stand_in:
    what a bot played for them at a finished table, JSON text by `games.play.storage.codec`, empty without one.
    """

    class Fate(models.TextChoices):
        PLAYS = "plays"
        NO_SHOW = "no-show"
        FORFEIT = "forfeit"

    pod = models.ForeignKey(Pod, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")
    fate = models.CharField(max_length=8, choices=Fate.choices, default=Fate.PLAYS)
    substitute = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    substitute_name = models.CharField(max_length=40, blank=True)
    stand_in = models.TextField(blank=True, default="", db_default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["pod", "index"], name="one_entrant_a_chair"),
            models.UniqueConstraint(fields=["pod", "entrant"], name="one_chair_an_entrant"),
        )

    def __str__(self) -> str:
        return f"{self.pod}: {self.entrant}"

    @property
    def player_id(self) -> int | None:
        """The person who plays here, the entrant or their substitute; None if only a name is known."""
        return self.substitute_id if self.substitute_id or self.substitute_name else self.entrant.player_id


class Rest(models.Model):
    """An entrant who sits a round out: by a bye of the draw, or because they are away."""

    class Kind(models.TextChoices):
        BYE = "bye"
        ABSENT = "absent"

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="rests")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="rests")
    kind = models.CharField(max_length=8, choices=Kind.choices)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["round", "entrant"], name="one_rest_a_round"),)

    def __str__(self) -> str:
        return f"{self.round}: {self.entrant} {self.kind}"


class Result(models.Model):
    """A result that was entered for a pod. At most one of a pod is accepted; only undo deletes any.

    places, scores: JSON text, lists by seat index (place 1 = best, tied players share one; scores may be null). source:
    the table itself, a player, or the organiser. is_void: the pod counts for nobody.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    class Source(models.TextChoices):
        TABLE = "table"
        PLAYER = "player"
        ORGANISER = "organiser"

    pod = models.ForeignKey(Pod, on_delete=models.CASCADE, related_name="results")
    status = models.CharField(max_length=8, choices=Status.choices)
    source = models.CharField(max_length=9, choices=Source.choices)
    places = models.TextField()
    scores = models.TextField(default="null")
    is_void = models.BooleanField(default=False)
    entered_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    confirmed_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.FloatField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["pod"], condition=models.Q(status="accepted"), name="one_accepted_result_a_pod"
            ),
        )

    def __str__(self) -> str:
        return f"{self.pod}: {self.places}"
