from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_one_index_less'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('voided_at__isnull', False)), fields=['voided_at'], name='table_void'),
        ),
    ]
