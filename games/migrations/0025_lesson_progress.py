import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0024_chairs_of_seats'),
    ]

    operations = [
        migrations.CreateModel(
            name='LessonProgress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('step', models.CharField(blank=True, max_length=40)),
                ('at', models.FloatField()),
                ('finished_at', models.FloatField(null=True)),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='lessons', to='games.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'game'), name='one_lesson_a_game')],
            },
        ),
    ]
