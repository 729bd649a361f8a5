"""Changes of persons at their tables: deleting a player, and merging a guest into a known person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone

from games import models
from games.play import signals
from games.play.errors import Busy
from games.play.moves.submission import retry
from games.play.seats import sitting
from games.play.storage import store
from games.play.storage.table import OVER, LoadedTable, SeatedPlayer

ANONYMOUS_NAME = "Anonymous"
"""The name of deleted players. It is stored, so it is the same in every language."""
ANONYMOUS_AVATAR = "snail"


def delete_player(player_id: int, *, now: float) -> None:
    """Delete the person's name, account and remarks everywhere. Their games stay, as an anonymous person's.

    Running games go on with a bot; results keep pointing at the anonymous person. May be run twice.
    Raises Busy.
    """
    for bot_id in models.Player.objects.filter(owner=player_id, left_at=None).values_list("pk", flat=True):
        delete_player(bot_id, now=now)
    anonymise_tables(player_id, now=now)
    with transaction.atomic():  # an account without its person would be found by nobody
        user = models.Player.objects.select_related("user").get(pk=player_id).user
        models.Player.objects.filter(pk=player_id).update(
            user=None,
            owner=None,
            name=ANONYMOUS_NAME,
            avatar=ANONYMOUS_AVATAR,
            language="",
            is_listed=False,
            left_at=timezone.now(),
            is_leaving=True,
        )
        _forget_in_log(player_id, user)
        if user is not None:
            user.delete()
    signals.person_changed.send_robust(sender=models.Player, player_id=player_id)


def anonymise_tables(player_id: int, *, now: float) -> None:
    """Remove a deleted person's name from their tables, remarks and uploads, with lessons, tokens and challenges, and
    with the devices and wishes of their notifications, private notes and holidays.


    Idempotent. Raises Busy.
    """
    _leave_tables(player_id, now=now)
    models.Remark.objects.filter(player_id=player_id).update(name=ANONYMOUS_NAME, words="")
    models.Upload.objects.filter(player_id=player_id, is_kept=False).delete()
    models.Upload.objects.filter(player_id=player_id).update(player=None)
    for model in (
        models.LessonProgress,
        models.PersonAnalysis,
        models.AccessToken,
        models.PushDevice,
        models.NoticeWishes,
        models.Notice,
        models.Attention,
        models.AwaitedTurn,
        models.TableMark,
        models.Holiday,
        models.SignedInDevice,
    ):
        model._base_manager.filter(player_id=player_id).delete()
    models.Challenge.objects.filter(Q(challenger_id=player_id) | Q(challenged_id=player_id)).delete()


def _leave_tables(player_id: int, *, now: float) -> None:
    """Leave every table and replace name and avatar on every seat."""
    nameless = Q(table__status=OVER, name=ANONYMOUS_NAME, avatar=ANONYMOUS_AVATAR)
    for table_id in _tables_of(player_id, ~nameless):
        sitting.leave(table_id, player_id, now=now)
        _change_places(table_id, partial(_forget_name, player_id))


def _forget_name(player_id: int, place: SeatedPlayer) -> SeatedPlayer:
    return place._replace(name=ANONYMOUS_NAME, avatar=ANONYMOUS_AVATAR) if place.player_id == player_id else place


def rename_bot_seat(table_id: str, seat: int, name: str) -> None:
    """Rename the seat of a bot that plays for good for a deleted person. Idempotent."""

    def change(place: SeatedPlayer) -> SeatedPlayer:
        is_bot_seat = place.seat == seat and place.player_id is None
        return place._replace(name=name, avatar=ANONYMOUS_AVATAR) if is_bot_seat else place

    _change_places(table_id, change)


def _forget_in_log(player_id: int, user: models.User | None) -> None:
    """Remove the person's name from the entries of the admin's log about them and their account."""
    for model, key in ((models.Player, player_id), (models.User, user.pk if user else None)):
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.filter(content_type=kind, object_id=str(key)).update(
            object_repr=ANONYMOUS_NAME, change_message=""
        )


def _tables_of(player_id: int, where: Q | None = None) -> list[str]:
    rows = models.Seat.objects.filter(where or Q(), player_id=player_id)
    return list(rows.order_by("table_id").values_list("table_id", flat=True))


def has_traces(player_id: int) -> bool:
    """Whether any row points at this person: a seat, a club, an entrant of a tournament, a remark."""
    columns = (
        field
        for model in apps.get_models()
        if model not in (models.NameKey, models.SignedInDevice)
        for field in model._meta.concrete_fields
        if field.related_model is models.Player
    )
    return any(field.model._base_manager.filter(**{field.name: player_id}).exists() for field in columns)


def merge_guest(guest_id: int, player_id: int, *, now: float) -> int:
    """Transfer a guest's games and remarks to this person; returns the number of games.

    Where both took part in the same game or tournament, one seat stays the person's and the other becomes anonymous.
    The guest is marked as left only after everything was transferred, so an interrupted call can be repeated.
    Raises Busy.
    """
    theirs, mine = set(_tables_of(guest_id)), set(_tables_of(player_id))
    wanted: signals.SeatChanges = {}
    for answer in _ask_receivers(signals.person_merging, guest_id, player_id):
        wanted |= answer
    for table_id, chairs in wanted.items():
        _change_places(table_id, partial(_seat_by, chairs))
    for table_id in sorted(theirs - mine - wanted.keys()):
        _change_places(table_id, partial(_seat_instead, guest_id, player_id))
    _leave_tables(guest_id, now=now)
    models.Remark.objects.filter(player_id=guest_id).update(player=player_id)
    models.Upload.objects.filter(player_id=guest_id).update(player=player_id)
    begun = models.LessonProgress.objects.filter(player_id=player_id).values("game")
    models.LessonProgress.objects.filter(player_id=guest_id).exclude(game__in=begun).update(player=player_id)
    models.LessonProgress.objects.filter(player_id=guest_id).delete()
    marked = models.TableMark.objects.filter(player_id=player_id).values("table")
    models.TableMark.objects.filter(player_id=guest_id).exclude(table__in=marked).update(player=player_id)
    models.Holiday.objects.filter(player_id=guest_id).update(player=player_id)
    models.TableMark.objects.filter(player_id=guest_id).delete()
    models.AwaitedTurn.objects.filter(player_id=guest_id).delete()
    analysed = models.PersonAnalysis.objects.filter(player_id=player_id).values("table")
    models.PersonAnalysis.objects.filter(player_id=guest_id).exclude(table__in=analysed).update(player=player_id)
    models.PersonAnalysis.objects.filter(player_id=guest_id).delete()
    models.Notice.objects.filter(player_id=guest_id).delete()  # of what they were told while they were somebody else
    models.PushDevice.objects.filter(player_id=guest_id).update(player=player_id)
    if not models.NoticeWishes.objects.filter(player_id=player_id).exists():
        models.NoticeWishes.objects.filter(player_id=guest_id).update(player=player_id)
    for model in (models.NoticeWishes, models.Attention):
        model._base_manager.filter(player_id=guest_id).delete()
    mine_too = models.Report.objects.filter(player_id=player_id).values("remark")
    models.Report.objects.filter(player_id=guest_id).exclude(remark__in=mine_too).update(player=player_id)
    _ask_receivers(signals.person_merged, guest_id, player_id)
    models.Player.objects.filter(pk=guest_id, user=None).update(
        name=ANONYMOUS_NAME,
        avatar=ANONYMOUS_AVATAR,
        language="",
        left_at=timezone.now(),
        is_listed=False,
        is_leaving=True,
    )
    signals.person_changed.send_robust(sender=models.Player, player_id=guest_id)
    return len(theirs & set(_tables_of(player_id)) - mine)


def seat_people(changes: signals.SeatChanges) -> None:
    """Put these people on these seats, which are theirs again. Raises Busy."""
    for table_id, chairs in changes.items():
        _change_places(table_id, partial(_seat_by, chairs))


def _seat_by(chairs: Mapping[int, int], place: SeatedPlayer) -> SeatedPlayer:
    return place._replace(player_id=chairs.get(place.seat, place.player_id))


def _seat_instead(guest_id: int, player_id: int, place: SeatedPlayer) -> SeatedPlayer:
    return place._replace(player_id=player_id) if place.player_id == guest_id else place


def _ask_receivers(signal: Signal, guest_id: int, player_id: int) -> list[Any]:
    """The answers of the signal's receivers. Raises Busy if one of them failed."""
    answers = [answer for _, answer in signal.send_robust(models.Player, guest_id=guest_id, player_id=player_id)]
    if failed := next((answer for answer in answers if isinstance(answer, Exception)), None):
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from failed
    return answers


def _change_places(table_id: str, change: Callable[[SeatedPlayer], SeatedPlayer]) -> None:
    """Change names or persons on the seats of a table."""

    def attempt(table: LoadedTable, _now: float) -> LoadedTable:
        places = tuple(map(change, table.places))
        if places == table.places:
            return table
        pairs = [(before, after) for before, after in zip(table.places, places, strict=True) if before != after]
        host = {before.player_id: after.player_id for before, after in pairs}.get(table.host_id, table.host_id)
        changed = table.changed(places=places, host_id=host)
        return store.commit(table, changed, also=partial(_write_places, table_id, [after for _, after in pairs]))

    retry(table_id, attempt)


def _write_places(table_id: str, places: Sequence[SeatedPlayer]) -> None:
    rows = models.Seat.objects.filter(table_id=table_id)
    rows.filter(index__in=[place.seat for place in places]).update(player=None)  # nobody sits at a table twice
    for place in places:
        rows.filter(index=place.seat).update(name=place.name, avatar=place.avatar, player_id=place.player_id)
