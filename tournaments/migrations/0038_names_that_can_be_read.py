"""Names from before there were rules for them; may be interrupted and run again."""

from django.db import migrations

from games.models.name_repair import repair_names


def repair(apps, editor):
    repair_names(apps, editor.connection.alias)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('games', '0024_chairs_of_seats'),
        ('tournaments', '0037_no_league'),
    ]

    operations = [
        migrations.RunPython(repair, migrations.RunPython.noop, elidable=True),
    ]
