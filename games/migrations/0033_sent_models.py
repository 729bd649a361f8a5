from django.db import migrations


class Migration(migrations.Migration):
    """Announcements and forms that were sent have other names as models. Their tables keep theirs."""

    dependencies = [("games", "0032_longer_seat_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Announced", "SentAnnouncement"),
                migrations.AlterModelTable("SentAnnouncement", "games_announced"),
                migrations.RenameModel("Made", "SentForm"),
                migrations.AlterModelTable("SentForm", "games_made"),
            ],
        ),
    ]
