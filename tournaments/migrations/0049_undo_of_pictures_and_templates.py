import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0048_role_and_settings_steps'),
    ]

    operations = [
        migrations.AddField(
            model_name='resultphoto',
            name='removed_at',
            field=models.FloatField(null=True),
        ),
        migrations.AddIndex(
            model_name='resultphoto',
            index=models.Index(
                condition=models.Q(('removed_at', None), _negated=True), fields=['removed_at'], name='removed_photos'
            ),
        ),
        migrations.AlterField(
            model_name='moderationstep',
            name='kind',
            field=models.CharField(choices=[('hide', 'Hide'), ('clear', 'Clear'), ('silence', 'Silence'), ('remove', 'Remove'), ('keep-out', 'Keep Out'), ('close', 'Close'), ('settle', 'Settle'), ('hand-over', 'Hand Over'), ('merge', 'Merge'), ('role', 'Role'), ('settings', 'Settings'), ('picture', 'Picture'), ('template', 'Template')], max_length=12),
        ),
        migrations.CreateModel(
            name='FormerPicture',
            fields=[
                ('step', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='former', serialize=False, to='tournaments.moderationstep')),
                ('key', models.CharField(max_length=24)),
                ('body', models.BinaryField(max_length=524288)),
                ('at', models.FloatField()),
                ('kept_since', models.FloatField()),
            ],
        ),
    ]
