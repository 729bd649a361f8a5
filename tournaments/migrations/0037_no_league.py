"""No tournament is a season. What the version before still asks for stays in the database, and goes a version later:
the column `best_of` of tournaments; the table and the column of names in seasons are called as they were."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0036_leagues_become_seasons'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='tournament',
            constraint=models.CheckConstraint(condition=models.Q(('format', 'league'), _negated=True), name='no_season_is_a_tournament'),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='format',
            field=models.CharField(choices=[('swiss', 'Swiss'), ('round-robin', 'Round Robin'), ('knockout', 'Knockout'), ('swiss-cut', 'Swiss Cut'), ('ladder', 'Ladder'), ('arena', 'Arena')], default='swiss', max_length=12),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name='tournament', name='best_of'),
                migrations.DeleteModel(name='LeagueName'),
                migrations.CreateModel(
                    name='SeasonName',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=40)),
                        ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entrant')),
                        ('season', models.ForeignKey(db_column='tournament_id', on_delete=django.db.models.deletion.CASCADE, related_name='names', to='tournaments.season')),
                    ],
                    options={
                        'db_table': 'tournaments_leaguename',
                        'constraints': [
                            models.UniqueConstraint(fields=('season', 'entrant'), name='one_league_name_an_entrant'),
                        ],
                    },
                ),
            ],
        ),
    ]
