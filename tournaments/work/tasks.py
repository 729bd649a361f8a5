"""What follows a result, off the way of a move. Arguments are primitives; each may run twice, late or never."""

from __future__ import annotations

import logging
import time
from typing import Any

from celery import shared_task
from django.dispatch import receiver

from games.accounts.session import clear_expired
from games.models import Player, Table
from games.models.people import spell_on
from games.play.errors import Refusal
from games.play.signals import Chairs, person_changed, person_merged, person_merging, result_in, table_voided
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import OVER, Loaded
from games.work import task_sender
from games.work.task_threads import Doubtful, Lasting, Outgoing, Reckoning, ThreadedTask, Watching
from tournaments.flow.archive import background_jobs, job_kinds
from tournaments.flow.clubs import club_talk, webhooks
from tournaments.flow.counting import finished_tables, leaderboard_rows, real_tables, recomputing, rederiving
from tournaments.flow.counting.careers import record_deals
from tournaments.flow.drawing import draw_requests
from tournaments.flow.people import deletion, merge_rows, merging
from tournaments.flow.rounds import results
from tournaments.flow.rounds import sweeper as due
from tournaments.flow.seasons import season_changes
from tournaments.flow.steps.signals import step_taken

logger = logging.getLogger(__name__)

LOOK_BACK_SECONDS = 7 * 24 * 3600.0
MOST_A_SWEEP = 500
COUNTED_STEPS = frozenset({"complete", "undo", "claim"})
"""Steps after which the results of real tables may count, or count no more."""


@receiver(result_in)
def follow_result(table: Loaded, **_kwargs: Any) -> None:
    """A deal or a game is over: write it down soon. If the message is lost, the sweeper does it at the game's end."""
    send(count_result if table.status == OVER else record_result, table.id)


def send(task: Any, *args: Any) -> None:
    """Ask a worker for it. Where no message can be sent, what was to be done waits for the sweeper."""
    task_sender.post(lambda: task.apply_async(args, ignore_result=True, expires=600))


@shared_task(name="tournaments.tasks.record_result", base=ThreadedTask, ignore_result=True)
def record_result(table_id: str) -> None:
    """Write the career entries of the deals that are over."""
    table = Table.objects.filter(pk=table_id).first()
    if table is not None:
        record_deals(table)


@shared_task(name="tournaments.tasks.count_result", base=ThreadedTask, ignore_result=True)
def count_result(table_id: str) -> None:
    """Count a finished table."""
    finished_tables.count_table(table_id, now=time.time())


@shared_task(name="tournaments.tasks.sweep_results", base=ThreadedTask, ignore_result=True)
def sweep_results() -> None:
    """Count what was finished and not counted, whatever became of its message; compute again what was struck. Forget
    browsers that do not come back."""
    now = time.time()
    for table_id in list(finished_tables.list_uncounted(since=now - LOOK_BACK_SECONDS))[:MOST_A_SWEEP]:
        with isolate_errors(f"table {table_id}"):
            finished_tables.count_table(table_id, now=now)
    for table_id in list(recomputing.list_unstruck(since=now - LOOK_BACK_SECONDS)):
        recomputing.strike(table_id)
    real_tables.drop_orphans(now=now)
    for tournament_id in list(real_tables.list_unfollowed()[:MOST_A_SWEEP]):
        real_tables.follow(tournament_id, now=now)
    rederiving.derive_on(now=now)
    if recomputing.is_wanted():
        recomputing.catch_up(now=now)
    for player_id in deletion.list_unforgotten():
        with isolate_errors(f"person {player_id}"):
            leaderboard_rows.follow_person(player_id)
            season_changes.follow_account(player_id)
            deletion.settle(player_id, now=now)
    spell_on()
    clear_expired(now=now)


@receiver(person_changed)
def follow_person(player_id: int, **_kwargs: Any) -> None:
    """Privacy holds on leaderboards at once; who has gone is nameless in clubs and tournaments, too."""
    leaderboard_rows.follow_person(player_id)
    season_changes.follow_account(player_id)
    deletion.forget(player_id)


@receiver(table_voided)
def follow_voiding(table_id: str, **_kwargs: Any) -> None:
    """The struck game leaves careers at once; ratings and boards are computed again."""
    recomputing.strike(table_id)
    send(sweep_results)


@receiver(person_merging)
def merge_people(guest_id: int, player_id: int, **_kwargs: Any) -> Chairs:
    """A guest's entries are the known person's, and so are the chairs that follow from them."""
    merging.merge(guest_id, player_id)
    return merge_rows.list_chairs(guest_id, player_id)


@receiver(person_merged)
def follow_merging(guest_id: int, player_id: int, **_kwargs: Any) -> None:
    """A guest's results are the known person's; ratings and boards are computed again."""
    club_talk.merge(guest_id, player_id)
    recomputing.merge(guest_id, player_id)
    send(sweep_results)


@receiver(result_in)
def follow_pod(table: Loaded, **_kwargs: Any) -> None:
    """A game is over: if it belonged to a pod, its result is in. What fails here the sweeper does."""
    if table.status == OVER and table.outcome is not None and table.desk.arranged is not None:
        results.record_table(table, now=table.ended_at or time.time())


@shared_task(name="tournaments.tasks.run_draw", base=Reckoning, ignore_result=True)
def run_draw(round_id: int, name: str, player_id: int | None) -> None:
    """Work out the draw of this name, if it is still waited for."""
    actor = None if player_id is None else Player.objects.filter(pk=player_id).first()
    try:
        draw_requests.run_draw(round_id, name, actor, now=time.time())
    except Refusal as refusal:
        logger.warning("draw of round %s: %s", round_id, refusal)


@shared_task(name="tournaments.tasks.look_after", base=Watching, ignore_result=True)
def look_after() -> None:
    """Whatever is due in tournaments happens."""
    try:
        due.sweep(now=time.time())
    except Refusal as refusal:
        logger.warning("tournaments: %s", refusal)


@shared_task(name="tournaments.tasks.run_errand", base=Lasting, ignore_result=True)
def run_errand(key: str) -> None:
    """Do long work, if nobody else is at it."""
    background_jobs.run(key, job_kinds.WORKS, now=time.time())


@shared_task(name="tournaments.tasks.sweep_errands", base=Lasting, ignore_result=True)
def sweep_errands() -> None:
    """Do what is waiting, whatever became of its message and of whoever began it; throw away what is old."""
    for key in background_jobs.list_due(now=time.time()):
        background_jobs.run(key, job_kinds.WORKS, now=time.time())
    background_jobs.clear_old(now=time.time())


@shared_task(name="tournaments.tasks.count_real_tables", base=ThreadedTask, ignore_result=True)
def count_real_tables(tournament_id: str) -> None:
    """Count what a tournament's real tables came to."""
    real_tables.follow(tournament_id, now=time.time())


@receiver(step_taken)
def follow_real_tables(tournament_id: str, kind: str, **_kwargs: Any) -> None:
    """A round is complete or open again, or somebody has claimed his place. What is lost the sweeper does."""
    if kind in COUNTED_STEPS:
        send(count_real_tables, tournament_id)


@receiver(step_taken)
def follow_step(webhooks: list[int], **_kwargs: Any) -> None:
    """Tell the club's webhooks soon. If the message to the worker is lost, the sweeper sends."""
    for webhook_id in webhooks:
        call_webhook(webhook_id)


def call_webhook(webhook_id: int) -> None:
    """Have sent what is due to this address."""
    send(try_webhook if webhooks.is_silent(webhook_id) else send_to_webhook, webhook_id)


@shared_task(name="tournaments.tasks.send_to_webhook", base=Outgoing, ignore_result=True)
def send_to_webhook(webhook_id: int) -> None:
    """Send what is due to one address."""
    _take_turn(webhook_id)


@shared_task(name="tournaments.tasks.try_webhook", base=Doubtful, ignore_result=True)
def try_webhook(webhook_id: int) -> None:
    """Send what is due to an address at which nobody answered the last time."""
    _take_turn(webhook_id)


def _take_turn(webhook_id: int) -> None:
    """Send what is due to one address, for a few seconds; then it is the next one's turn."""
    began = time.monotonic()
    due = webhooks.list_due(time.time(), webhook_id)
    for delivery_id in due:
        if time.monotonic() - began > webhooks.TURN_SECONDS:
            call_webhook(webhook_id)
            return
        webhooks.deliver(delivery_id, now=time.time())
    if len(due) == webhooks.MOST_A_TURN:
        call_webhook(webhook_id)


@shared_task(name="tournaments.tasks.send_webhooks", base=ThreadedTask, ignore_result=True)
def send_webhooks() -> None:
    """Send what is due, whatever became of its message; forget what was long ago."""
    for webhook_id in webhooks.list_calling(time.time()):
        call_webhook(webhook_id)
    webhooks.clear_old(now=time.time())
