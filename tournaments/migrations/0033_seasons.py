"""A season has a row, steps and files of its own; those that are there follow in the next migrations."""

import django.db.models.deletion
from django.db import migrations, models

ONE_OF_THREE = (
    models.Q(tournament__isnull=False, evening=None, season=None)
    | models.Q(tournament=None, evening__isnull=False, season=None)
    | models.Q(tournament=None, evening=None, season__isnull=False)
)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0032_stand_ins'),
    ]

    operations = [
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80)),
                ('about', models.TextField(blank=True, max_length=2000)),
                ('game', models.CharField(blank=True, max_length=32)),
                ('phase', models.CharField(choices=[('planned', 'Planned'), ('running', 'Running'), ('finished', 'Finished'), ('archived', 'Archived'), ('called-off', 'Called Off')], default='planned', max_length=12)),
                ('version', models.PositiveIntegerField(default=0)),
                ('best_of', models.PositiveSmallIntegerField(null=True)),
                ('points', models.CharField(default='beaten', max_length=8)),
                ('points_table', models.TextField(default='[5,3,2,1]')),
                ('tie_breaks', models.TextField(default='["wins","best","head-to-head","lot"]')),
                ('lot_seed', models.CharField(max_length=64)),
                ('is_public', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.FloatField(null=True)),
                ('arriving', models.CharField(blank=True, db_default='', default='', max_length=24)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='tournaments.club')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['phase', '-finished_at'], name='season_ended'),
                    models.Index(fields=['club', 'phase', '-finished_at', '-created_at'], name='season_phases'),
                    models.Index(fields=['club', '-created_at'], name='season_made'),
                    models.Index(fields=['-created_at'], name='season_made_anywhere'),
                ],
            },
        ),
        migrations.AddField(
            model_name='errand',
            name='season',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='errands', to='tournaments.season'),
        ),
        migrations.AddField(
            model_name='step',
            name='season',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='tournaments.season'),
        ),
        migrations.RemoveConstraint(model_name='step', name='step_of_one_thing'),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.UniqueConstraint(fields=('season', 'number'), name='one_step_a_season_version'),
        ),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.CheckConstraint(condition=ONE_OF_THREE, name='step_of_one_of_three'),
        ),
    ]
