"""Tournaments count for seasons, and names are names in seasons: the same ids, in the same columns."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0034_seasons_of_leagues'),
    ]

    operations = [
        migrations.AlterField(
            model_name='tournament',
            name='season',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='counted', to='tournaments.season'),
        ),
        migrations.AlterField(
            model_name='leaguename',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='names', to='tournaments.season'),
        ),
    ]
