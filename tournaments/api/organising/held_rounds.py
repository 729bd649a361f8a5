"""A round as its organisers see it: drafts, troubles and disputed results included."""

from __future__ import annotations

from typing import Any

import msgspec

from tournaments.api import cached_rounds
from tournaments.flow.drawing import draw_requests
from tournaments.flow.rounds.disputes import list_objections
from tournaments.flow.rounds.result_reports import read_result
from tournaments.flow.standings.book import Book
from tournaments.models import Pod, Result, Round
from tournaments.words.terms import say_trouble


def describe_held(book: Book, played: Round) -> dict[str, Any]:
    """An `OrganiserRoundOut`."""
    described = msgspec.json.decode(cached_rounds.write_round(book, played))
    pods = book.pods.get(played.pk, ())
    tables = [_describe_table(book, pod, one) for pod, one in zip(pods, described["pods"], strict=True)]
    is_released = played.status == Round.Status.RELEASED
    return {
        **{
            name: described[name] for name in ("number", "stage", "status", "seed", "ends_at", "byes", "absent", "draw")
        },
        "trouble": say_trouble(played.trouble),
        "progress": draw_requests.find_progress(played),
        "paused_at": played.paused_at,
        "has_rung": played.has_rung,
        "tables": tables,
        "missing": [table["number"] for table in tables if is_released and not table["is_decided"]],
    }


def list_reported(book: Book, played: Round) -> list[dict[str, Any]]:
    """A list of `ReportedTableOut`: the tables that somebody has reported and nobody has decided."""
    found = ((pod.number, _list_reports(book, pod)) for pod in book.pods.get(played.pk, ()))
    return [{"number": number, "reports": reports} for number, reports in found if reports]


def _describe_table(book: Book, pod: Pod, described: dict[str, Any]) -> dict[str, Any]:
    names = ("number", "is_online", "is_void", "table", "seats", "reasons")
    return {
        **{name: described[name] for name in names},
        "is_locked": pod.is_locked,
        "is_decided": book.accepted(pod) is not None,
        "reports": _list_reports(book, pod),
    }


def _list_reports(book: Book, pod: Pod) -> list[dict[str, Any]]:
    """What was entered for a table; nothing once a result counts."""
    reports = () if book.accepted(pod) is not None else book.results.get(pod.pk, ())
    is_disputed = any(result.status == Result.Status.REJECTED for result in reports)
    rejected_by = {objection.result.pk: objection.by for objection in list_objections(pod)} if is_disputed else {}
    return [_describe_report(book, result, rejected_by.get(result.pk, "")) for result in reports]


def _describe_report(book: Book, one: Result, rejected_by: str) -> dict[str, Any]:
    reported = read_result(one)
    return {
        "id": one.pk,
        "by": book.name_author(one),
        "status": one.status,
        "places": list(reported.places),
        "scores": None if reported.scores is None else list(reported.scores),
        "rejected_by": rejected_by,
    }
