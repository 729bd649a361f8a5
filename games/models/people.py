"""People: accounts, and players, who need none; and the keys by which their names are looked up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models import Case, F, Q, Value, When

from games.models import spelling

if TYPE_CHECKING:
    _BytesField = models.CharField[str, str]
else:
    _BytesField = models.CharField

NAMING: Final = frozenset({"name", "left_at"})
"""Columns on which somebody's keys depend."""
PEOPLE_PER_TRANSACTION: Final = 500
"""People whose keys are written in one transaction."""
MAX_PER_SWEEP: Final = 5000
"""People whose keys are written one after the other, where a backup of a version without keys was restored."""
OUTDATED_KEYS: Final = Q(left_at=None) & ~Q(keyed=F("name")) | Q(left_at__isnull=False) & ~Q(keyed="")
"""People whose name keys are outdated; a partial index finds them."""


class User(AbstractUser):
    """An account that can sign in."""


class People(models.QuerySet["Player"]):
    """Players, whose keys follow their names in the same transaction."""

    def update(self, **values: Any) -> int:
        """Update people, and their name keys where a name changes or a person leaves."""
        if not NAMING & values.keys():
            return super().update(**values)
        with transaction.atomic():
            ids = list(self.order_by().values_list("pk", flat=True))
            count = super().update(**values)
            spell(ids)
        return count

    def bulk_create(self, objs: Iterable[Player], *args: Any, **options: Any) -> list[Player]:
        """Create many people with their name keys."""
        with transaction.atomic():
            made = super().bulk_create(objs, *args, **options)
            spell([one.pk for one in made])
        return made

    def misspelt(self) -> Self:
        """Players whose search keys do not match their names."""
        return self.filter(OUTDATED_KEYS)


class Player(models.Model):
    """A person who plays. A guest has no account, and may get one later without losing a game.

    is_listed: others may see the profile and the place on leaderboards. left_at: when the person's data were
    deleted at their request; the anonymous row stays, so that the others' history stays whole. is_leaving: something
    that follows from it may still be to do. keyed: the name of which the keys are; another process, of the version
    before, may have changed the name alone. owner, games_at_once: of a bot account, whose program plays by the API; a
    person has neither.
    """

    user = models.OneToOneField(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="player")
    name = models.CharField(max_length=24)
    avatar = models.CharField(max_length=24)
    language = models.CharField(max_length=5, blank=True)
    is_listed = models.BooleanField(default=True, db_default=True)
    left_at = models.DateTimeField(null=True, blank=True)
    is_leaving = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    keyed = models.CharField(max_length=24, blank=True, default="", db_default="", editable=False)
    owner = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="bots")
    games_at_once = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)

    objects = People.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=["id"], name="player_misspelt", condition=OUTDATED_KEYS),
            models.Index(fields=["id"], name="player_leaving", condition=Q(is_leaving=True)),
            models.Index(fields=["id"], name="player_left", condition=Q(left_at__isnull=False)),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        """Whether this is a bot account: a program plays under this name."""
        return self.games_at_once > 0

    def save(self, *args: Any, **options: Any) -> None:
        """Save the person and the keys of their name."""
        columns = options.get("update_fields")
        if columns is not None and not NAMING & set(columns):
            super().save(*args, **options)
            return
        with transaction.atomic():
            self.keyed = ""  # what was read may be out of date, together with the name or apart from it
            super().save(*args, **options)
            spell([self.pk])


class KeyField(_BytesField):
    """A text in the order of its bytes, so that what begins alike stands together, whatever language the database
    sorts in."""

    def db_parameters(self, connection: Any) -> dict[str, Any]:
        """SQLite keeps this order anyhow, and knows no name for PostgreSQL's."""
        found: dict[str, Any] = super().db_parameters(connection)
        return found | {"collation": "C"} if connection.vendor == "postgresql" else found


class NameKey(models.Model):
    """A search key of a person (`games/models/spelling.py`): their name, rotated to begin with one of its words."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="keys", db_index=False)
    key = KeyField(max_length=spelling.LONGEST_KEY)

    class Meta:
        indexes = (models.Index(fields=["key", "player"], name="name_key"),)
        constraints = (models.UniqueConstraint(fields=["player", "key"], name="one_key_a_name"),)

    def __str__(self) -> str:
        return self.key


def spell(ids: Sequence[int]) -> None:
    """Write the keys of those of these people who have others than their names."""
    for start in range(0, len(ids), PEOPLE_PER_TRANSACTION):
        with transaction.atomic():
            _spell(
                Player.objects.filter(pk__in=ids[start : start + PEOPLE_PER_TRANSACTION]).misspelt(),
                PEOPLE_PER_TRANSACTION,
            )


def spell_on(most: int = MAX_PER_SWEEP) -> int:
    """Write the keys of the next people who have others than their names; how many there were, at most so many."""
    done = 0
    while done < most:
        with transaction.atomic():
            count = _spell(Player.objects.misspelt(), min(PEOPLE_PER_TRANSACTION, most - done))
        if not count:
            break
        done += count
    return done


def _spell(people: People, most: int) -> int:
    found = people.order_by("pk").select_for_update()[:most].values_list("pk", "name", "left_at")
    names = {one: name if left_at is None else "" for one, name, left_at in found}
    if names:
        NameKey.objects.filter(player__in=names).delete()
        NameKey.objects.bulk_create(
            NameKey(player_id=one, key=key) for one, name in names.items() for key in spelling.list_keys(name)
        )
        keyed = Case(When(left_at=None, then=F("name")), default=Value(""))
        Player.objects.filter(pk__in=names).update(keyed=keyed)
    return len(names)
