"""Celery tasks of tournaments: counting results, draws, background jobs, webhooks; and the signals that start them.

Arguments are primitives. A task may run twice, late or never; the sweeping tasks catch up.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from celery import shared_task
from django.dispatch import receiver

from games.accounts.session import clear_expired
from games.models import Player, Table
from games.models.people import spell_on
from games.notifications import tasks as notices
from games.play.errors import Refusal
from games.play.signals import SeatChanges, person_changed, person_merged, person_merging, result_in, table_voided
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import OVER, LoadedTable
from games.work import task_sender
from games.work.task_threads import (
    ComputationTask,
    LongTask,
    NoticeSearchTask,
    OutgoingRetryTask,
    OutgoingTask,
    SweeperTask,
    ThreadedTask,
)
from tournaments.flow.announcements import coming, round_deadlines, steps
from tournaments.flow.archive import background_jobs, job_kinds
from tournaments.flow.clubs import club_picture, club_talk, member_names, webhooks
from tournaments.flow.counting import (
    finished_tables,
    leaderboard_rows,
    movement,
    real_tables,
    recomputing,
    rederiving,
)
from tournaments.flow.counting.careers import CAREER_COLUMNS, record_new_deals
from tournaments.flow.drawing import draw_requests
from tournaments.flow.people import deletion, merge_rows, merging
from tournaments.flow.rounds import result_photos, results
from tournaments.flow.rounds import sweeper as due
from tournaments.flow.seasons import season_changes
from tournaments.flow.steps.signals import messages_stored, step_taken

logger = logging.getLogger(__name__)

LOOK_BACK_SECONDS = 7 * 24 * 3600.0
"""How far back a sweep looks for uncounted tables. More finds older ones, and reads more rows each time."""
TELL_AFTER_SECONDS = 2.0
"""Seconds after a step before people are told of it: its online tables are open by then, and a press leads there."""
MAX_TABLES_PER_SWEEP = 500
"""Tables that one sweep counts. More catches up faster, and keeps a worker busy for longer."""
QUIET_AFTER_SECONDS = 600.0
"""Seconds for which tournaments are swept as often as before when the last round or evening is over."""
QUIET_SECONDS = 20.0
"""Seconds between two sweeps of tournaments after that."""
COUNTED_STEPS = frozenset({"complete", "undo", "claim"})
"""Steps after which the results of real tables may count, or count no more."""


@receiver(result_in)
def follow_result(table: LoadedTable, **_kwargs: Any) -> None:
    """After a deal or a game, queue its counting. If the message is lost, `sweep_results` counts the finished game."""
    send_task(count_result if table.status == OVER else record_result, table.id)


def send_task(task: Any, *args: Any) -> None:
    """Queue a task. If no message can be sent, a sweeping task does the work later."""
    task_sender.send_task(lambda: task.apply_async(args, ignore_result=True, expires=600))


@shared_task(name="tournaments.tasks.record_result", base=ThreadedTask, ignore_result=True)
def record_result(table_id: str) -> None:
    """Write the career entries of the deals that are over at a table."""
    some = Table.objects.filter(pk=table_id).only(*CAREER_COLUMNS)
    for table in some:
        record_new_deals(table)


@shared_task(name="tournaments.tasks.count_result", base=ThreadedTask, ignore_result=True)
def count_result(table_id: str) -> None:
    """Count a finished table for ratings, leaderboards and careers."""
    finished_tables.count_table(table_id, now=time.time())


@shared_task(name="tournaments.tasks.sweep_results", base=ThreadedTask, ignore_result=True)
def sweep_results() -> None:
    """Catch up: count finished tables, recompute after voided ones, finish deletions, and drop expired sessions."""
    now = time.time()
    for table_id in list(finished_tables.list_uncounted(since=now - LOOK_BACK_SECONDS))[:MAX_TABLES_PER_SWEEP]:
        with isolate_errors(f"table {table_id}"):
            finished_tables.count_table(table_id, now=now)
    for table_id in list(recomputing.list_voided_still_counted(since=now - LOOK_BACK_SECONDS)):
        recomputing.uncount_voided(table_id)
    real_tables.drop_orphans(now=now)
    for tournament_id in list(real_tables.list_unfollowed()[:MAX_TABLES_PER_SWEEP]):
        real_tables.follow(tournament_id, now=now)
    rederiving.derive_on(now=now)
    movement.follow_days(now=now)
    if recomputing.is_wanted():
        recomputing.catch_up(now=now)
    for player_id in deletion.list_unfinished_deletions():
        with isolate_errors(f"person {player_id}"):
            leaderboard_rows.follow_person(player_id)
            season_changes.follow_account(player_id)
            deletion.finish_deletion(player_id, now=now)
    member_names.assign_missing_aliases()
    spell_on()
    clear_expired(now=now)


@receiver(person_changed)
def follow_person(player_id: int, **_kwargs: Any) -> None:
    """After a change of privacy or a deletion: update leaderboards and seasons at once, and remove a deleted name."""
    leaderboard_rows.follow_person(player_id)
    season_changes.follow_account(player_id)
    member_names.assign_aliases_of_person(player_id)
    deletion.forget(player_id)


@receiver(table_voided)
def follow_voiding(table_id: str, **_kwargs: Any) -> None:
    """After a game was voided: remove it from careers at once, and queue recomputing ratings and leaderboards."""
    recomputing.uncount_voided(table_id)
    send_task(sweep_results)


@receiver(person_merging)
def merge_people(guest_id: int, player_id: int, **_kwargs: Any) -> SeatChanges:
    """Merge a guest's entries into a player. Returns the seats that change hands with them."""
    merging.merge(guest_id, player_id)
    return merge_rows.list_chairs(guest_id, player_id)


@receiver(person_merged)
def follow_merging(guest_id: int, player_id: int, **_kwargs: Any) -> None:
    """After a merge: move the guest's talk and results to the player, and queue recomputing ratings."""
    club_talk.merge(guest_id, player_id)
    recomputing.merge(guest_id, player_id)
    send_task(sweep_results)


@receiver(result_in)
def follow_pod(table: LoadedTable, **_kwargs: Any) -> None:
    """After a game of a pod, record its result in the tournament. If this fails, the sweeper does it."""
    if table.status == OVER and table.outcome is not None and table.runtime.arranged is not None:
        results.record_table(table, now=table.ended_at or time.time())


@shared_task(name="tournaments.tasks.run_draw", base=ComputationTask, ignore_result=True)
def run_draw(round_id: int, name: str, player_id: int | None) -> None:
    """Run the draw with this name, unless it was cancelled. player_id: who asked for it."""
    actor = None if player_id is None else Player.objects.filter(pk=player_id).first()
    try:
        draw_requests.run_draw(round_id, name, actor, now=time.time())
    except Refusal as refusal:
        logger.warning("draw of round %s: %s", round_id, refusal)


_last_under_way = _last_swept = float("-inf")
"""When this process last saw a round or an evening under way, and when it last swept (monotonic seconds)."""


@shared_task(name="tournaments.tasks.look_after", base=SweeperTask, ignore_result=True)
def run_due() -> None:
    """Do what is due in tournaments: bells, grace periods, seatings, interrupted work.

    While nothing has been under way for a while, it is looked at more rarely: it takes ten queries.
    """
    global _last_under_way, _last_swept
    now, at = time.time(), time.monotonic()
    try:
        if due.is_under_way(now=now):
            _last_under_way = at
        elif at - _last_under_way > QUIET_AFTER_SECONDS and at - _last_swept < QUIET_SECONDS:
            return
        _last_swept = at
        due.sweep(now=now)
    except Refusal as refusal:
        logger.warning("tournaments: %s", refusal)


@shared_task(name="tournaments.tasks.run_errand", base=LongTask, ignore_result=True)
def run_job(key: str) -> None:
    """Run a background job, unless another worker has claimed it."""
    background_jobs.run(key, job_kinds.HANDLERS, now=time.time())


@shared_task(name="tournaments.tasks.sweep_errands", base=LongTask, ignore_result=True)
def sweep_jobs() -> None:
    """Run waiting and abandoned background jobs; delete old jobs, photos of results and former pictures of clubs."""
    for key in background_jobs.list_due(now=time.time()):
        background_jobs.run(key, job_kinds.HANDLERS, now=time.time())
    background_jobs.clear_old(now=time.time())
    result_photos.clear_old(now=time.time())
    club_picture.clear_old(now=time.time())


@shared_task(name="tournaments.tasks.count_real_tables", base=ThreadedTask, ignore_result=True)
def count_real_tables(tournament_id: str) -> None:
    """Count the results of a tournament's real tables."""
    real_tables.follow(tournament_id, now=time.time())


@receiver(step_taken)
def follow_real_tables(tournament_id: str, kind: str, **_kwargs: Any) -> None:
    """After a step that changes which real tables count, queue counting them. `sweep_results` catches up."""
    if kind in COUNTED_STEPS:
        send_task(count_real_tables, tournament_id)


@receiver(step_taken)
def follow_step(webhooks: list[int], **_kwargs: Any) -> None:
    """After a step, queue its webhook deliveries. If the message is lost, `send_webhooks` sends them."""
    for webhook_id in webhooks:
        enqueue_webhook(webhook_id)


@receiver(messages_stored)
def follow_messages(webhooks: list[int], **_kwargs: Any) -> None:
    """After messages were stored, queue their deliveries. If that is lost, `send_webhooks` sends them."""
    for webhook_id in webhooks:
        enqueue_webhook(webhook_id)


def enqueue_webhook(webhook_id: int) -> None:
    """Queue the deliveries due to a webhook; one that did not answer last time has a queue of its own."""
    send_task(try_webhook if webhooks.is_silent(webhook_id) else send_to_webhook, webhook_id)


@shared_task(name="tournaments.tasks.send_to_webhook", base=OutgoingTask, ignore_result=True)
def send_to_webhook(webhook_id: int) -> None:
    """Send the deliveries due to a webhook."""
    _send_due(webhook_id)


@shared_task(name="tournaments.tasks.try_webhook", base=OutgoingRetryTask, ignore_result=True)
def try_webhook(webhook_id: int) -> None:
    """Send the deliveries due to a webhook that did not answer last time."""
    _send_due(webhook_id)


def _send_due(webhook_id: int) -> None:
    """Send for at most `webhooks.TURN_SECONDS`, then queue the rest, so that one webhook does not hold up others."""
    began = time.monotonic()
    due = webhooks.list_due(time.time(), webhook_id)
    for delivery_id in due:
        if time.monotonic() - began > webhooks.TURN_SECONDS:
            enqueue_webhook(webhook_id)
            return
        webhooks.deliver(delivery_id, now=time.time())
    if len(due) == webhooks.MAX_PER_TURN:
        enqueue_webhook(webhook_id)


@shared_task(name="tournaments.tasks.send_webhooks", base=ThreadedTask, ignore_result=True)
def send_webhooks() -> None:
    """Queue all webhooks with due deliveries, and delete old deliveries."""
    for webhook_id in webhooks.list_calling(time.time()):
        enqueue_webhook(webhook_id)
    webhooks.clear_old(now=time.time())


@receiver(step_taken)
def follow_news(tournament_id: str, kind: str, **_kwargs: Any) -> None:
    """After a step that people are told of, queue telling them. If the message is lost, `look_for_news` tells them."""
    if steps.is_announced(kind):
        wait = TELL_AFTER_SECONDS
        task_sender.send_task(
            lambda: tell_people.apply_async((tournament_id,), countdown=wait, ignore_result=True, expires=wait + 600)
        )


@shared_task(name="tournaments.tasks.tell_people", base=NoticeSearchTask, ignore_result=True)
def tell_people(tournament_id: str) -> None:
    """Tell people of the latest steps of a tournament."""
    steps.announce(tournament_id, now=time.time())
    notices.enqueue()


@shared_task(name="tournaments.tasks.look_for_news", base=NoticeSearchTask, ignore_result=True)
def look_for_news() -> None:
    """Tell people of what is on tomorrow, of reports and open tables, and of steps whose message was lost."""
    now = time.time()
    for look in (
        steps.announce_recent,
        coming.announce_coming,
        coming.announce_reports,
        coming.announce_tables,
        round_deadlines.announce_deadlines,
    ):
        with isolate_errors(look.__name__):
            look(now=now)
