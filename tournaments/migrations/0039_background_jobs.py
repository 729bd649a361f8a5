"""Background jobs and their columns get the names that the code has for them. Tables and columns keep theirs: the
version before asks for them. Permissions that staff were given are permissions for the same table still."""

from typing import Any

from django.db import migrations, models
from django.db.models import Q

NAMES = {"errand": "backgroundjob", "errandfile": "backgroundjobfile"}
VERBS = ("add", "change", "delete", "view")


def rename_permissions(apps: Any, editor: Any, names: dict[str, str]) -> None:
    """Rename content types and the codes of their permissions. There are none in a new database."""
    types = apps.get_model("contenttypes", "ContentType").objects.using(editor.connection.alias)
    permissions = apps.get_model("auth", "Permission").objects.using(editor.connection.alias)
    for before, after in names.items():
        if types.filter(app_label="tournaments", model=after).exists():
            continue
        for verb in VERBS:
            held = permissions.filter(content_type__app_label="tournaments", codename=f"{verb}_{before}")
            held.update(codename=f"{verb}_{after}")
        types.filter(app_label="tournaments", model=before).update(model=after)


def rename(apps: Any, editor: Any) -> None:
    rename_permissions(apps, editor, NAMES)


def rename_back(apps: Any, editor: Any) -> None:
    rename_permissions(apps, editor, {after: before for before, after in NAMES.items()})


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('tournaments', '0038_names_that_can_be_read'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='errand', name='one_errand_a_wish'),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel('Errand', 'BackgroundJob'),
                migrations.AlterModelTable('BackgroundJob', 'tournaments_errand'),
                migrations.RenameField('BackgroundJob', 'sameness', 'deduplication_key'),
                migrations.RenameField('BackgroundJob', 'lot', 'key_seed'),
                migrations.RenameField('BackgroundJob', 'trouble', 'error'),
                migrations.RenameField('BackgroundJob', 'of', 'total'),
                migrations.AlterField('BackgroundJob', 'deduplication_key', models.CharField(db_column='sameness', max_length=120)),
                migrations.AlterField('BackgroundJob', 'key_seed', models.CharField(db_column='lot', max_length=24)),
                migrations.AlterField('BackgroundJob', 'error', models.TextField(blank=True, db_column='trouble')),
                migrations.AlterField('BackgroundJob', 'total', models.PositiveIntegerField(db_column='of', default=0)),
                migrations.AlterField(
                    'BackgroundJob', 'club',
                    models.ForeignKey(null=True, on_delete=models.CASCADE, related_name='background_jobs', to='tournaments.club'),
                ),
                migrations.AlterField(
                    'BackgroundJob', 'tournament',
                    models.ForeignKey(null=True, on_delete=models.CASCADE, related_name='background_jobs', to='tournaments.tournament'),
                ),
                migrations.AlterField(
                    'BackgroundJob', 'season',
                    models.ForeignKey(null=True, on_delete=models.CASCADE, related_name='background_jobs', to='tournaments.season'),
                ),
                migrations.RenameModel('ErrandFile', 'BackgroundJobFile'),
                migrations.AlterModelTable('BackgroundJobFile', 'tournaments_errandfile'),
                migrations.RenameField('BackgroundJobFile', 'errand', 'job'),
                migrations.AlterField(
                    'BackgroundJobFile', 'job',
                    models.OneToOneField(
                        db_column='errand_id', on_delete=models.CASCADE, primary_key=True, related_name='file',
                        serialize=False, to='tournaments.backgroundjob',
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name='backgroundjob',
            constraint=models.UniqueConstraint(condition=Q(('status', 'failed'), _negated=True), fields=('deduplication_key',), name='one_job_a_request'),
        ),
        migrations.RenameIndex(model_name='backgroundjob', new_name='job_queue', old_name='errand_line'),
        migrations.RunPython(rename, rename_back),
    ]
