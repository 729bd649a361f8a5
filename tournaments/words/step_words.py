"""Steps in words, for the logs of tournaments, seasons and evenings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import msgspec
from django.utils.translation import gettext

from games.presenters.render import cache_by_language
from tournaments import formats
from tournaments.flow.steps.kinds import EVENING_KINDS, KINDS, Kind
from tournaments.flow.steps.step_kind import Labels, StepKind, Text
from tournaments.models import Step
from tournaments.words.terms import fill, say_points


def _list_texts(kinds: Iterable[StepKind], in_format: Literal["arena", "season"] | None = None) -> dict[str, Text]:
    """Kind, or kind-variant → template of its sentence. in_format: with the labels that differ there."""
    texts: dict[str, Text] = {}
    for kind in kinds:
        labels = Labels(kind.label, kind.variants) if in_format is None else getattr(kind, in_format) or Labels()
        texts |= {kind.kind.value: labels.label} if labels.label else {}
        texts |= {f"{kind.kind.value}-{ending}": text for ending, text in labels.variants.items()}
    return texts


STEPS = _list_texts(KINDS.values())
SEASON_STEPS: Final = "season"
"""Given instead of a format for the steps of a season."""
SESSION_STEPS = STEPS | _list_texts(KINDS.values(), "arena")
STEPS_BY_FORMAT: Mapping[str, Mapping[str, Text]] = {
    **{format_.slug: SESSION_STEPS for format_ in formats.FORMATS.values() if not format_.has_rounds},
    SEASON_STEPS: STEPS | _list_texts(KINDS.values(), "season"),
}
EVENING_STEPS = _list_texts(EVENING_KINDS.values())


def say_step(step: Step, *, format_slug: str) -> str:
    """What a step did, in words; for undo and redo with the step that it is about.

    format_slug: that of the tournament's format, or `SEASON_STEPS`.
    """
    return say_step_details(
        find_kind_variant(step.kind, step.details, step.actor_name), step.details, _find_origin(step), format_slug
    )


@cache_by_language
def say_evening_step(kind: str, details: str, about: tuple[str, str] | None) -> str:
    """What a step of an evening did. details: JSON text; about: kind and details of the step that an undo is about."""
    return _say_step(EVENING_STEPS, *_find_variant(kind, details), None if about is None else _find_variant(*about))


def _find_variant(kind: str, details: str) -> tuple[str, str]:
    """The kind-variant of an evening's step, with its details: cancelling is told apart from ending."""
    is_called_off = kind == Kind.END and msgspec.json.decode(details).get("is_called_off")
    return ("end-call-off" if is_called_off else kind), details


def _find_origin(step: Step) -> tuple[str, str] | None:
    origin = step
    while origin.reverts is not None:
        origin = origin.reverts
    return (origin.kind, origin.details) if step.kind == Kind.UNDO else None


def find_kind_variant(kind: str, details: str, who: str) -> str:
    """The kind, or its variant "-own" if people act on themselves (`who` is the name in the details)."""
    is_own = f"{kind}-own" in STEPS and msgspec.json.decode(details).get("name") == who
    return f"{kind}-own" if is_own else kind


@cache_by_language
def say_step_details(kind: str, details: str, about: tuple[str, str] | None, format_slug: str) -> str:
    """As `say_step`, from parts. details: JSON text; about: kind and details of the step that an undo is about."""
    return _say_step(STEPS_BY_FORMAT.get(format_slug, STEPS), kind, details, about)


def _say_step(steps: Mapping[str, Text], kind: str, details: str, about: tuple[str, str] | None) -> str:
    values = msgspec.json.decode(details)
    if about is None:
        return _fill_exact(steps, kind, values)
    is_redo = values.get("redo")
    template = gettext("redid “%(what)s”") if is_redo else gettext("undid “%(what)s”")
    return template % {"what": _fill_exact(steps, about[0], msgspec.json.decode(about[1]))}


def _fill_exact(steps: Mapping[str, Text], kind: str, details: Mapping[str, Any]) -> str:
    """The sentence of the most exact variant: which rule or fate, points or minutes more or less, what is missing."""
    minutes = details.get("minutes", 0) if kind == Kind.EXTEND else 0
    if minutes < 0:
        kind, details = f"{kind}-shorten", {**details, "minutes": -minutes}
    points = details.get("points") if kind == Kind.PENALTY else None
    if points is not None:
        kind, details = (kind if points > 0 else f"{kind}-given"), {**details, "points": say_points(abs(points))}
    flag = next((name for name in ("void", "past") if details.get(name)), None)
    exact = f"{kind}-{flag or details.get('fate') or details.get('rule') or details.get('as')}"
    return fill(steps.get(exact) or steps.get(kind, kind), details)
