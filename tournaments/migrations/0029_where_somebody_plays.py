"""Where somebody plays becomes a property of their entry.

It followed from the account until now: people with one, and bots, were drawn onto online tables.
"""

from typing import Any

from django.db import migrations, models


def keep_places(apps: Any, editor: Any) -> None:
    """Those who could be drawn onto online tables still can be."""
    entrants = apps.get_model("tournaments", "Entrant").objects.using(editor.connection.alias)
    entrants.exclude(player=None, bot="").update(is_on_device=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0028_tie_breaks_in_both_places"),
    ]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="is_on_device",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunPython(keep_places, migrations.RunPython.noop),
    ]
