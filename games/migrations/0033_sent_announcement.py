from django.db import migrations


class Migration(migrations.Migration):
    """The model of announcements that were sent has another name. Its table keeps its own."""

    dependencies = [("games", "0032_longer_seat_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Announced", "SentAnnouncement"),
                migrations.AlterModelTable("SentAnnouncement", "games_announced"),
            ],
        ),
    ]
