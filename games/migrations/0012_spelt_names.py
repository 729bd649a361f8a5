"""Keys for the names of everybody who is there, a few people at a time; may be interrupted and run again."""

from django.db import migrations, transaction
from django.db.models import F

from games.models.spelling import list_keys

TOGETHER = 500


def spell_everybody(apps, editor):
    last = 0
    while last is not None:
        with transaction.atomic(using=editor.connection.alias):
            last = _spell(apps, editor.connection.alias, last)


def _spell(apps, alias, last):
    """The next people after this one; who was the last of them, None at the end. Nobody is renamed meanwhile."""
    player, key = apps.get_model("games", "Player"), apps.get_model("games", "NameKey")
    unspelt = player.objects.using(alias).filter(pk__gt=last, left_at=None, keyed="").order_by("pk")
    names = dict(unspelt.select_for_update()[:TOGETHER].values_list("pk", "name"))
    key.objects.using(alias).filter(player__in=names).delete()
    key.objects.using(alias).bulk_create(
        key(player_id=one, key=text) for one, name in names.items() for text in list_keys(name)
    )
    player.objects.using(alias).filter(pk__in=names).update(keyed=F("name"))
    return max(names, default=None)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('games', '0011_name_keys'),
    ]

    operations = [
        migrations.RunPython(spell_everybody, migrations.RunPython.noop, elidable=True),
    ]
