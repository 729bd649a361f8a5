"""The tournaments app: it follows the results of tables."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """Connects `tournaments.flow` to the signals of tables and people."""

    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        """Connect: results, people and struck games; organisers look after their clubs' tables, which
        people who may see a tournament may watch."""
        from games.accounts.sign_in.signed_in_devices import HAND_OVER_LISTS
        from games.notifications.kinds import ORGANISER_CHECKS as NOTICE_CHECKS
        from games.play.clocks.idle_tables import EXEMPTIONS
        from games.play.days.round_deadlines import DEADLINES
        from games.play.permissions import (
            ORGANISER_CHECKS,
            ORGANISER_LISTS,
            REOPEN_CHECKS,
            SILENCE_CHECKS,
            SPEAKER_NAMES,
            VIEWING_CHECKS,
        )
        from games.play.records.filing import KEPT_KINDS
        from tournaments.careers.feats import DUEL_EVENTS
        from tournaments.flow.announcements.coming import runs_club
        from tournaments.flow.announcements.deadlines import find_table_deadlines
        from tournaments.flow.clubs import club_changes, club_picture
        from tournaments.flow.clubs.moderation import UNDO_BY_ITSELF
        from tournaments.flow.clubs.speaker_names import name_speaker
        from tournaments.flow.evenings.evening_sweeper import can_open_again, list_evening_tables
        from tournaments.flow.evenings.watch_permissions import shows_table
        from tournaments.flow.people import device_links, member_merging
        from tournaments.flow.permissions import find_silence, list_table_organisers, runs_table
        from tournaments.flow.planning import plan_templates
        from tournaments.models import ModerationStep
        from tournaments.work import tasks  # noqa: F401

        if runs_table not in ORGANISER_CHECKS:
            ORGANISER_CHECKS.append(runs_table)
        if list_table_organisers not in ORGANISER_LISTS:
            ORGANISER_LISTS.append(list_table_organisers)
        if find_silence not in SILENCE_CHECKS:
            SILENCE_CHECKS.append(find_silence)
        if name_speaker not in SPEAKER_NAMES:
            SPEAKER_NAMES.append(name_speaker)
        if shows_table not in VIEWING_CHECKS:
            VIEWING_CHECKS.append(shows_table)
        KEPT_KINDS.update(DUEL_EVENTS)
        if can_open_again not in REOPEN_CHECKS:
            REOPEN_CHECKS.append(can_open_again)
        if list_evening_tables not in EXEMPTIONS:
            EXEMPTIONS.append(list_evening_tables)
        if find_table_deadlines not in DEADLINES:
            DEADLINES.append(find_table_deadlines)
        if runs_club not in NOTICE_CHECKS:
            NOTICE_CHECKS.append(runs_club)
        if device_links.list_used not in HAND_OVER_LISTS:
            HAND_OVER_LISTS.append(device_links.list_used)
        UNDO_BY_ITSELF[ModerationStep.Kind.HAND_OVER] = device_links.withdraw
        UNDO_BY_ITSELF[ModerationStep.Kind.ROLE] = club_changes.undo_role
        UNDO_BY_ITSELF[ModerationStep.Kind.SETTINGS] = club_changes.undo_settings
        UNDO_BY_ITSELF[ModerationStep.Kind.PICTURE] = club_picture.undo
        UNDO_BY_ITSELF[ModerationStep.Kind.TEMPLATE] = plan_templates.undo_change
        UNDO_BY_ITSELF[ModerationStep.Kind.MERGE] = member_merging.undo
