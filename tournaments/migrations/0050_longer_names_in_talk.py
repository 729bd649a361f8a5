from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0049_undo_of_pictures_and_templates'),
    ]

    operations = [
        migrations.AlterField(
            model_name='clubremark',
            name='name',
            field=models.CharField(max_length=40),
        ),
    ]
