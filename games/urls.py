"""The addresses of pages and sockets."""

from __future__ import annotations

from typing import Any, cast

from django.urls import path, re_path

from games.accounts.language import choose_language
from games.live.table_consumer import TableConsumer, UnknownPathConsumer
from games.views import (
    actions,
    devices,
    hints,
    installed_app,
    lessons,
    lobby,
    notifications,
    operation,
    people,
    replays,
    resets,
    tables,
    talk,
    tokens,
)

urlpatterns = [
    path("", lobby.show_lobby, name="lobby"),
    path("about/", lobby.show_about, name="about"),
    path("manifest.webmanifest", installed_app.show_manifest, name="manifest"),
    path("service-worker.js", installed_app.show_service_worker, name="service_worker"),
    path("offline/<slug:language>/", installed_app.show_offline, name="offline"),
    path("health/", operation.health, name="health"),
    path("ready/", operation.ready, name="ready"),
    path("metrics", operation.show_metrics, name="metrics"),
    path("me/", people.show_me, name="me"),
    path("me/take-over/", people.take_over_guest, name="take_over_guest"),
    path("me/delete/", people.delete_me, name="delete_me"),
    path("me/devices/", devices.show_devices, name="devices"),
    path("me/tokens/", tokens.show_tokens, name="tokens"),
    path("challenges/<int:challenge_id>/<slug:answer>/", tokens.answer_challenge, name="answer_challenge"),
    path("me/notifications/", notifications.show_notifications, name="notifications"),
    path("me/notifications/devices/add/", notifications.add_device, name="add_device"),
    path("me/notifications/devices/remove/", notifications.remove_device, name="remove_device"),
    path("me/notifications/calendar/renew/", notifications.renew_calendar, name="renew_calendar"),
    path("unsubscribe/<str:token>/", notifications.unsubscribe, name="unsubscribe"),
    path("me/reset-link/withdraw/", resets.withdraw_link, name="withdraw_reset_link"),
    path("account/password/reset/", resets.ask_for_letter, name="account_reset_password"),
    path("account/password/reset/done/", resets.say_letter_was_sent, name="account_reset_password_done"),
    path("account/password/reset/link/<slug:token>/", resets.use_link, name="reset_by_link"),
    path("i18n/setlang/", choose_language, name="set_language"),
    path("games/<slug:slug>/", lobby.show_game, name="game"),
    path("games/<slug:slug>/new/", lobby.open_table, name="new_table"),
    path("games/<slug:slug>/play-now/", lobby.play_now, name="play_now"),
    path("lessons/<slug:slug>/", lessons.show_lesson, name="lesson"),
    path("lessons/<slug:slug>/moves/", lessons.play_lesson, name="lesson_moves"),
    path("join/<slug:token>/", tables.join, name="join"),
    path("tables/<slug:table_id>/", tables.show_table, name="table"),
    path("tables/<slug:table_id>/view.json", tables.view_json, name="view_json"),
    path("tables/<slug:table_id>/board/", tables.show_board, name="board"),
    path("tables/<slug:table_id>/log/", tables.show_log, name="log"),
    path("tables/<slug:table_id>/record.json", tables.download_record, name="record"),
    path("tables/<slug:table_id>/replay/", replays.replay_table, name="replay"),
    path("tables/<slug:table_id>/replay/verify/", replays.verify_table, name="verify_replay"),
    path("replays/", replays.bring_record, name="bring_record"),
    path("replays/<str:key>/", replays.replay_upload, name="upload"),
    path("replays/<str:key>/verify/", replays.verify_upload, name="verify_upload"),
    path("replays/<str:key>/record.json", replays.download_upload, name="upload_record"),
    path("tables/<slug:table_id>/moves/", actions.post_move, name="moves"),
    path("tables/<slug:table_id>/hint/", hints.ask_hint, name="hint"),
    path("tables/<slug:table_id>/commands/", actions.post_command, name="commands"),
    path("tables/<slug:table_id>/sit/", actions.sit, name="sit"),
    path("tables/<slug:table_id>/contribute/", actions.contribute, name="contribute"),
    path("tables/<slug:table_id>/leave/", actions.leave, name="leave"),
    path("tables/<slug:table_id>/start/", actions.start, name="start"),
    path("tables/<slug:table_id>/pause/", actions.pause, name="pause"),
    path("tables/<slug:table_id>/end/", actions.end, name="end"),
    path("tables/<slug:table_id>/talk/", talk.show, name="talk"),
    path("tables/<slug:table_id>/talk/say/", talk.say, name="say"),
    path("tables/<slug:table_id>/talk/clear/", talk.clear, name="clear_talk"),
    path("tables/<slug:table_id>/talk/<int:number>/report/", talk.report, name="report_remark"),
    path("tables/<slug:table_id>/bell/", actions.ring_bell, name="bell"),
    path("tables/<slug:table_id>/rematch/", actions.play_again, name="rematch"),
]

# A consumer is no view; the router takes it at the place of one.
socket_urls: Any = [
    path("ws/tables/<slug:table_id>/", cast(Any, TableConsumer.as_asgi())),
    re_path("", cast(Any, UnknownPathConsumer.as_asgi())),
]
