"""What happens to tables when a person changes: goes for good, or turns out to be somebody we know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from games import models
from games.play import seats, signals, store
from games.play.errors import Busy
from games.play.moves import retry
from games.play.table import Loaded, Place

NOBODY = "Anonymous"
"""The name of who has left. It is stored, and so the same in every language."""
NO_ANIMAL = "snail"


def leave_for_good(player_id: int, *, now: float) -> None:
    """Take the person's name and words from every table and row. What was played stays, as somebody's.

    Running games go on with a bot; rows of results keep pointing at the nameless person. May be run twice.
    Raises Busy.
    """
    _leave_tables(player_id, now=now)
    models.Remark.objects.filter(player_id=player_id).update(name=NOBODY, words="")
    models.Upload.objects.filter(player_id=player_id, is_kept=False).delete()
    models.Upload.objects.filter(player_id=player_id).update(player=None)
    player = models.Player.objects.select_related("user").get(pk=player_id)
    user = player.user
    models.Player.objects.filter(pk=player_id).update(
        user=None, name=NOBODY, avatar=NO_ANIMAL, language="", is_listed=False, left_at=timezone.now()
    )
    _forget_in_log(player_id, user)
    if user is not None:
        user.delete()
    signals.person_changed.send_robust(sender=models.Player, player_id=player_id)


def _leave_tables(player_id: int, *, now: float) -> None:
    """Get up everywhere; on every chair sits somebody without a name."""
    for table_id in _tables_of(player_id):
        seats.leave(table_id, player_id, now=now)
        _change_place(table_id, player_id, lambda place: place._replace(name=NOBODY, avatar=NO_ANIMAL))


def _forget_in_log(player_id: int, user: models.User | None) -> None:
    """What the admin's log says of the person and his account stands without a name."""
    for model, key in ((models.Player, player_id), (models.User, user.pk if user else None)):
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.filter(content_type=kind, object_id=str(key)).update(object_repr=NOBODY, change_message="")


def _tables_of(player_id: int) -> list[str]:
    return list(models.Seat.objects.filter(player_id=player_id).order_by("table_id").values_list("table_id", flat=True))


def has_traces(player_id: int) -> bool:
    """Whether anything that he did points at this person: a seat, a club, a place in a tournament, a remark."""
    columns = (
        field
        for model in apps.get_models()
        if model is not models.NameKey
        for field in model._meta.concrete_fields
        if field.related_model is models.Player
    )
    return any(field.model._base_manager.filter(**{field.name: player_id}).exists() for field in columns)


def take_over(guest_id: int, player_id: int, *, now: float) -> int:
    """The games and words of a guest are this person's from now on; how many games there were.

    Where both sat, the guest's chair is somebody's without a name. The guest is nobody once everything is handed
    over: what was interrupted is asked for again. Raises Busy.
    """
    mine = set(_tables_of(player_id))
    taken = [table_id for table_id in _tables_of(guest_id) if table_id not in mine]
    for table_id in taken:
        _change_place(table_id, guest_id, lambda place: place._replace(player_id=player_id))
    _leave_tables(guest_id, now=now)
    models.Remark.objects.filter(player_id=guest_id).update(player=player_id)
    models.Upload.objects.filter(player_id=guest_id).update(player=player_id)
    mine_too = models.Report.objects.filter(player_id=player_id).values("remark")
    models.Report.objects.filter(player_id=guest_id).exclude(remark__in=mine_too).update(player=player_id)
    told = signals.person_merged.send_robust(sender=models.Player, guest_id=guest_id, player_id=player_id)
    if failed := next((answer for _, answer in told if isinstance(answer, Exception)), None):
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from failed
    models.Player.objects.filter(pk=guest_id, user=None).update(
        name=NOBODY, avatar=NO_ANIMAL, language="", left_at=timezone.now(), is_listed=False
    )
    signals.person_changed.send_robust(sender=models.Player, player_id=guest_id)
    return len(taken)


def _change_place(table_id: str, player_id: int, change: Callable[[Place], Place]) -> None:
    """Write another name, or person, on this person's chair; nothing if he does not sit there (any more)."""

    def attempt(table: Loaded, _now: float) -> Loaded:
        seat = table.seat_of(player_id)
        before = None if seat is None else table.place(seat)
        if before is None or change(before) == before:
            return table
        after = change(before)
        places = tuple(after if place.seat == seat else place for place in table.places)
        host = after.player_id if table.host_id == player_id and after.player_id != player_id else table.host_id
        changed = table.changed(places=places, host_id=host)
        return store.commit(table, changed, also=_writer(table_id, after))

    retry(table_id, attempt)


def _writer(table_id: str, place: Place) -> Callable[[], None]:
    values: dict[str, Any] = {"name": place.name, "avatar": place.avatar, "player_id": place.player_id}

    def write() -> None:
        models.Seat.objects.filter(table_id=table_id, index=place.seat).update(**values)

    return write
