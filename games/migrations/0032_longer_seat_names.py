from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0031_signed_in_devices'),
    ]

    operations = [
        migrations.AlterField(
            model_name='seat',
            name='name',
            field=models.CharField(max_length=40),
        ),
        migrations.AlterField(
            model_name='remark',
            name='name',
            field=models.CharField(max_length=40),
        ),
    ]
