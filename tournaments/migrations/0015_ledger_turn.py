from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0014_screens_apart'),
    ]

    operations = [
        migrations.AddField(
            model_name='ledger',
            name='turn',
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
    ]
