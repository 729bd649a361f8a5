"""Games of arenas at real tables count when they ended: what was counted of them is looked at again."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def follow_again(apps: Any, schema_editor: Any) -> None:
    """Who follows tournaments finds their arenas as if for the first time, and puts right what is not."""
    apps.get_model("tournaments", "FollowedTournament").objects.filter(tournament__format="arena").delete()


class Migration(migrations.Migration):
    """Nothing changes in the tables themselves."""

    dependencies = [("tournaments", "0011_stale_since")]

    operations = [migrations.RunPython(follow_again, migrations.RunPython.noop)]
