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
"""Columns on which the search keys of a person depend."""
PEOPLE_PER_TRANSACTION: Final = 500
"""People whose keys are written in one transaction."""
MAX_PER_SWEEP: Final = 5000
"""People whose keys one run of the sweeper writes, at most. After a restore of an old backup there are many."""
OUTDATED_KEYS: Final = Q(left_at=None) & ~Q(keyed=F("name")) | Q(left_at__isnull=False) & ~Q(keyed="")
"""People whose name keys are outdated; a partial index finds them."""


class User(AbstractUser):
    """An account that can sign in."""


class People(models.QuerySet["Player"]):
    """Players. Their search keys are updated in the transaction that changes their names."""

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
            spell([player.pk for player in made])
        return made

    def misspelt(self) -> Self:
        """Players whose search keys do not match their names."""
        return self.filter(OUTDATED_KEYS)


class Player(models.Model):
    """A person who plays. A guest has no account, and may get one later without losing a game.

    is_listed: others may see the profile and the place on leaderboards. left_at: when the person's data were
    deleted at their request; the anonymous row stays for the history of the others. is_leaving: the deletion is not
    finished. keyed: the name that the search keys belong to; a process of an older version may change the name alone.
    owner, games_at_once: of a bot account, whose program plays by the API; empty for a person.
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
            self.keyed = ""  # forces the keys to be written again: the loaded value may be out of date
            super().save(*args, **options)
            spell([self.pk])


class KeyField(_BytesField):
    """A text that sorts by its bytes, so that a range finds a prefix, whatever the collation of the database."""

    def db_parameters(self, connection: Any) -> dict[str, Any]:
        """SQLite sorts by bytes already; PostgreSQL needs the collation "C"."""
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
    """Write the search keys of these people, where they do not match the name."""
    for start in range(0, len(ids), PEOPLE_PER_TRANSACTION):
        with transaction.atomic():
            _spell_names(
                Player.objects.filter(pk__in=ids[start : start + PEOPLE_PER_TRANSACTION]).misspelt(),
                PEOPLE_PER_TRANSACTION,
            )


def spell_on(most: int = MAX_PER_SWEEP) -> int:
    """Write the search keys of the next people with outdated ones, at most so many. Returns how many there were."""
    done = 0
    while done < most:
        with transaction.atomic():
            count = _spell_names(Player.objects.misspelt(), min(PEOPLE_PER_TRANSACTION, most - done))
        if not count:
            break
        done += count
    return done


def _spell_names(people: People, most: int) -> int:
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
