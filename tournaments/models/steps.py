"""The audit log of a tournament, an evening or a season: what was done, by which person, and what it was before."""

from __future__ import annotations

from django.db import models

from games.models import Player
from tournaments.models.evenings import TimedSession
from tournaments.models.seasons import Season
from tournaments.models.tournaments import Tournament


class Step(models.Model):
    """One step of a tournament, an evening or a season (the other two are null). Steps never change, except for names
    of people who deleted their account (`flow.people.name_replacement`).

    number: the version it made; kind: see `Kind`; details: JSON object of words for the reader; changes: JSON list of
    [model, id, fields before or null, fields after or null], enough to undo the step; key: the sender's idempotency
    key; reverts: the step that this one undid, or null.
    """

    class Kind(models.TextChoices):
        """What a step did; `tournaments.flow.steps.kinds` declares each kind."""

        PLAN = "plan"
        REVISE = "revise"
        OPEN_ENTRY = "open-entry"
        CHECK_IN = "check-in"
        FINISH = "finish"
        ARCHIVE = "archive"
        CALL_OFF = "call-off"
        RESTORE = "restore"
        ENTER = "enter"
        WALK_IN = "walk-in"
        BOT = "bot"
        FILLERS = "fillers"
        IMPORT = "import"
        CLAIM = "claim"
        PRESENT = "present"
        NOT_PRESENT = "not-present"
        AWAY = "away"
        BACK = "back"
        ON_DEVICE = "on-device"
        IN_ROOM = "in-room"
        WITHDRAW = "withdraw"
        RETURN = "return"
        RENAME = "rename"
        SEED = "seed"
        PENALTY = "penalty"
        PAIR_RULE = "pair-rule"
        DRAW = "draw"
        KEEP_POD = "keep-pod"
        FREE_POD = "free-pod"
        TO_SCREENS = "to-screens"
        TO_TABLE = "to-table"
        SWAP = "swap"
        RESEAT = "reseat"
        RELEASE = "release"
        RESULT = "result"
        CONFIRM = "confirm"
        REJECT = "reject"
        DECIDE = "decide"
        TABLE_RESULT = "table-result"
        FATE = "fate"
        NO_SHOW = "no-show"
        OPEN_SEASON = "open-season"
        COUNT = "count"
        UNCOUNT = "uncount"
        SEASON_NAME = "league-name"
        OPEN_ARENA = "open-arena"
        SEAT = "seat"
        DROPPED = "dropped"
        COMPLETE = "complete"
        BEGIN = "begin"
        PAUSE = "pause"
        RESUME = "resume"
        EXTEND = "extend"
        BELL = "bell"
        SUBSTITUTE = "substitute"
        NO_SUBSTITUTE = "no-substitute"
        UNDO = "undo"
        OPEN = "open"
        TABLE = "table"
        BRING = "bring"
        CLOSE = "close"
        END = "end"
        LEFT = "left"
        GIVE_DUTY = "give-duty"
        TAKE_DUTY = "take-duty"
        END_DUTY = "end-duty"
        FIXED_TABLE = "fixed-table"
        TEAM = "team"
        NO_TEAM = "no-team"
        RENAME_TEAM = "rename-team"
        JOIN_TEAM = "join-team"
        LEAVE_TEAM = "leave-team"
        CAPTAIN = "captain"
        PHOTO = "photo"
        REMOVE_PHOTO = "remove-photo"
        RESTORE_PHOTO = "restore-photo"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True, related_name="steps")
    evening = models.ForeignKey(TimedSession, on_delete=models.CASCADE, null=True, related_name="steps")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, related_name="steps")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    actor = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=40, blank=True)
    at = models.FloatField()
    details = models.TextField(default="{}")
    changes = models.TextField(default="[]")
    key = models.CharField(max_length=48, null=True)
    reverts = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="reverted_by")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="one_step_a_version"),
            models.UniqueConstraint(fields=["tournament", "key"], name="one_step_a_key"),
            models.UniqueConstraint(fields=["evening", "number"], name="one_step_an_evening_version"),
            models.UniqueConstraint(fields=["season", "number"], name="one_step_a_season_version"),
            models.CheckConstraint(
                condition=(
                    models.Q(tournament__isnull=False, evening=None, season=None)
                    | models.Q(tournament=None, evening__isnull=False, season=None)
                    | models.Q(tournament=None, evening=None, season__isnull=False)
                ),
                name="step_of_one_of_three",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament or self.evening or self.season} {self.number}"

    @property
    def is_in_force(self) -> bool:
        """Whether this step holds: it was not undone, or was redone since. Queries the steps that revert it."""
        later: Step | None = getattr(self, "reverted_by", None)
        return later is None or not later.is_in_force
