"""Tables, seats, and the append-only log of plies. Only `games.play` changes them."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format

from games.models.people import Player
from games.models.skeletons import MAX_SEAT_NAME
from games.models.texts import name_game


class Table(models.Model):
    """One game of one group of people, from the first chair to the result.

    `state`, `desk` and `options` are JSON text that `games.play` reads and writes. Every change
    raises `version` by one and is made only where the version is the expected one; every ply of the
    game raises `ply` by one. Times are seconds since 1970. is_rated: ratings follow the result;
    voided_at: since when the game counts for nobody.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        PLAYING = "playing"
        OVER = "over"

    id = models.CharField(primary_key=True, max_length=16)
    game = models.CharField(max_length=32)
    rules = models.PositiveSmallIntegerField()
    options = models.TextField(default="{}")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)

    class Talk(models.TextChoices):
        OFF = "off"
        PHRASES = "phrases"
        FREE = "free"

    is_public = models.BooleanField(default=True)
    talk = models.CharField(max_length=8, choices=Talk.choices, default=Talk.PHRASES, db_default=Talk.PHRASES)
    invite = models.CharField(max_length=32, unique=True)
    seat_count = models.PositiveSmallIntegerField()
    turn_seconds = models.PositiveIntegerField()
    host = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    rematch = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, related_name="rematch_of")
    created_at = models.FloatField()
    started_at = models.FloatField(null=True)
    ended_at = models.FloatField(null=True)
    version = models.PositiveIntegerField(default=0)
    ply = models.PositiveIntegerField(default=0)
    state = models.TextField(default="")
    desk = models.TextField(default="{}")
    seen_at = models.FloatField(null=True, help_text="When one of its people was last there, to the minute.")
    wake_at = models.FloatField(null=True, help_text="When something is due without anybody's doing.")
    secret = models.CharField(max_length=64, help_text="Published when the game is over.")
    commitment = models.CharField(max_length=64)
    procedure = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="How its deal is made: docs/fair-deals.md."
    )
    seed = models.CharField(max_length=64, blank=True)
    result = models.TextField(default="")
    opener = models.CharField(
        max_length=16, blank=True, default="", db_default="", help_text="A keyed hash of a network, until it is over."
    )
    is_rated = models.BooleanField(default=True, db_default=True)
    voided_at = models.FloatField(null=True)
    void_reason = models.CharField(max_length=200, blank=True, default="", db_default="")

    class Meta:
        indexes = (
            models.Index(fields=["wake_at"], name="table_wake", condition=models.Q(wake_at__isnull=False)),
            models.Index(fields=["status", "is_public", "-created_at"], name="table_lobby"),
            models.Index(fields=["-created_at"], name="table_opened"),
            models.Index(fields=["status", "-created_at"], name="table_status_opened"),
            models.Index(fields=["status", "turn_seconds"], name="table_status_pace"),
            models.Index(fields=["game", "-created_at"], name="table_game_opened"),
            models.Index(fields=["ended_at"], name="table_ended", condition=models.Q(ended_at__isnull=False)),
            models.Index(fields=["opener"], name="table_opener", condition=~models.Q(opener="")),
            models.Index(fields=["voided_at"], name="table_void", condition=models.Q(voided_at__isnull=False)),
        )

    def __str__(self) -> str:
        """The game's name, when the table was opened, and its id, as the table's address has it."""
        opened = datetime.fromtimestamp(self.created_at, tz=timezone.get_current_timezone())
        return f"{name_game(self.game)}, {date_format(opened, 'SHORT_DATETIME_FORMAT')}, {self.id}"


class Seat(models.Model):
    """A chair that somebody has taken: a person's, or a bot's of some level.

    entropy: what the person contributed to the deal; null for a bot, and for somebody who contributed nothing. At
    tables of procedure 1 the empty text stands for that, too. since: the ply after which they have had the seat, 0
    from the start. chair: where they sat before the seats were drawn, null where that is the index.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(max_length=16, blank=True)
    name = models.CharField(max_length=MAX_SEAT_NAME)
    avatar = models.CharField(max_length=24)
    entropy = models.CharField(max_length=64, null=True)
    since = models.PositiveIntegerField(default=0, db_default=0)
    chair = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["table", "index"], name="one_seat_a_chair"),
            models.UniqueConstraint(fields=["table", "player"], name="one_chair_a_player"),
        )

    def __str__(self) -> str:
        return f"{self.table_id}/{self.index} {self.name}"


class Ply(models.Model):
    """One move or clock event that was accepted. Never changed, never deleted.

    number: from 1; event: {"seat": …, "move": …} or {"clock": …} as in a record, with "by" where the move of a person's
    seat was not sent by the person (`games.records.stand_ins`); events: what it caused, for the log; key: the sender's
    idempotency key; at: seconds since the start.
    """

    # No index of its own: each of the two constraints has one that begins with the table.
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="plies", db_index=False)
    number = models.PositiveIntegerField()
    event = models.TextField()
    events = models.TextField()
    key = models.CharField(max_length=64, null=True)
    at = models.FloatField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["table", "number"], name="one_ply_a_number"),
            models.UniqueConstraint(fields=["table", "key"], name="one_ply_a_key"),
        )

    def __str__(self) -> str:
        return f"{self.table_id} #{self.number}"
