"""What happens to tables when a person changes: goes for good, or turns out to be somebody we know."""

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
from games.play.storage.table import OVER, Loaded, Place

NOBODY = "Anonymous"
"""The name of who has left. It is stored, and so the same in every language."""
NO_ANIMAL = "snail"


def leave_for_good(player_id: int, *, now: float) -> None:
    """Take the person's name and words from every table and row. What was played stays, as somebody's.

    Running games go on with a bot; rows of results keep pointing at the nameless person. May be run twice.
    Raises Busy.
    """
    forget(player_id, now=now)
    with transaction.atomic():  # an account without its person would be found by nobody
        user = models.Player.objects.select_related("user").get(pk=player_id).user
        models.Player.objects.filter(pk=player_id).update(
            user=None,
            name=NOBODY,
            avatar=NO_ANIMAL,
            language="",
            is_listed=False,
            left_at=timezone.now(),
            is_leaving=True,
        )
        _forget_in_log(player_id, user)
        if user is not None:
            user.delete()
    signals.person_changed.send_robust(sender=models.Player, player_id=player_id)


def forget(player_id: int, *, now: float) -> None:
    """Of who goes, or has gone: nothing at a table, or of what he brought along, bears his name. Twice is once.

    Raises Busy.
    """
    _leave_tables(player_id, now=now)
    models.Remark.objects.filter(player_id=player_id).update(name=NOBODY, words="")
    models.Upload.objects.filter(player_id=player_id, is_kept=False).delete()
    models.Upload.objects.filter(player_id=player_id).update(player=None)


def _leave_tables(player_id: int, *, now: float) -> None:
    """Get up everywhere; on every chair sits somebody without a name."""
    nameless = Q(table__status=OVER, name=NOBODY, avatar=NO_ANIMAL)
    for table_id in _tables_of(player_id, ~nameless):
        sitting.leave(table_id, player_id, now=now)
        _change_places(table_id, partial(_forget_name, player_id))


def _forget_name(player_id: int, place: Place) -> Place:
    return place._replace(name=NOBODY, avatar=NO_ANIMAL) if place.player_id == player_id else place


def forget_on_chair(table_id: str, seat: int, name: str) -> None:
    """Where a bot plays for good for somebody who has gone, its chair bears this name from now on. Twice is once."""

    def change(place: Place) -> Place:
        is_his = place.seat == seat and place.player_id is None
        return place._replace(name=name[:32], avatar=NO_ANIMAL) if is_his else place

    _change_places(table_id, change)


def _forget_in_log(player_id: int, user: models.User | None) -> None:
    """What the admin's log says of the person and his account stands without a name."""
    for model, key in ((models.Player, player_id), (models.User, user.pk if user else None)):
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.filter(content_type=kind, object_id=str(key)).update(object_repr=NOBODY, change_message="")


def _tables_of(player_id: int, where: Q | None = None) -> list[str]:
    rows = models.Seat.objects.filter(where or Q(), player_id=player_id)
    return list(rows.order_by("table_id").values_list("table_id", flat=True))


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

    Where both sat, at one table or wherever else one can be only once, one chair is the person's and the other
    somebody's without a name. The guest is nobody once everything is handed over: what was interrupted is asked for
    again. Raises Busy.
    """
    theirs, mine = set(_tables_of(guest_id)), set(_tables_of(player_id))
    wanted: signals.Chairs = {}
    for answer in _tell(signals.person_merging, guest_id, player_id):
        wanted |= answer
    for table_id, chairs in wanted.items():
        _change_places(table_id, partial(_seat_by, chairs))
    for table_id in sorted(theirs - mine - wanted.keys()):
        _change_places(table_id, partial(_seat_instead, guest_id, player_id))
    _leave_tables(guest_id, now=now)
    models.Remark.objects.filter(player_id=guest_id).update(player=player_id)
    models.Upload.objects.filter(player_id=guest_id).update(player=player_id)
    mine_too = models.Report.objects.filter(player_id=player_id).values("remark")
    models.Report.objects.filter(player_id=guest_id).exclude(remark__in=mine_too).update(player=player_id)
    _tell(signals.person_merged, guest_id, player_id)
    models.Player.objects.filter(pk=guest_id, user=None).update(
        name=NOBODY, avatar=NO_ANIMAL, language="", left_at=timezone.now(), is_listed=False, is_leaving=True
    )
    signals.person_changed.send_robust(sender=models.Player, player_id=guest_id)
    return len(theirs & set(_tables_of(player_id)) - mine)


def _seat_by(chairs: Mapping[int, int], place: Place) -> Place:
    return place._replace(player_id=chairs.get(place.seat, place.player_id))


def _seat_instead(guest_id: int, player_id: int, place: Place) -> Place:
    return place._replace(player_id=player_id) if place.player_id == guest_id else place


def _tell(signal: Signal, guest_id: int, player_id: int) -> list[Any]:
    """What those answer who follow. Raises Busy if one of them could not."""
    told = [answer for _, answer in signal.send_robust(models.Player, guest_id=guest_id, player_id=player_id)]
    if failed := next((answer for answer in told if isinstance(answer, Exception)), None):
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from failed
    return told


def _change_places(table_id: str, change: Callable[[Place], Place]) -> None:
    """Write other names, or persons, on the chairs of a table."""

    def attempt(table: Loaded, _now: float) -> Loaded:
        places = tuple(map(change, table.places))
        if places == table.places:
            return table
        pairs = [(before, after) for before, after in zip(table.places, places, strict=True) if before != after]
        host = {before.player_id: after.player_id for before, after in pairs}.get(table.host_id, table.host_id)
        changed = table.changed(places=places, host_id=host)
        return store.commit(table, changed, also=partial(_write_places, table_id, [after for _, after in pairs]))

    retry(table_id, attempt)


def _write_places(table_id: str, places: Sequence[Place]) -> None:
    rows = models.Seat.objects.filter(table_id=table_id)
    rows.filter(index__in=[place.seat for place in places]).update(player=None)  # nobody sits at a table twice
    for place in places:
        rows.filter(index=place.seat).update(name=place.name, avatar=place.avatar, player_id=place.player_id)
