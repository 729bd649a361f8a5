"""What is declared of a kind of step: its label, who takes it, what undoing it needs, which webhook event it sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from django.utils.functional import Promise

from tournaments.models import Step

Kind = Step.Kind
Text = str | Promise


class Actor(Enum):
    """Who takes a step: an organiser, a player about themselves, or the site by itself (clocks, finished games)."""

    ORGANISER = auto()
    PLAYER = auto()
    SITE = auto()


class Need(Enum):
    """What must hold when a step is undone or redone; `flow/undo/consequences.py` has one check for each."""

    DRAFT = auto()
    """The rounds it changed are still drafts."""
    IN_PLAY = auto()
    """The rounds it changed are being played."""
    DECIDABLE = auto()
    """The rounds it changed are being played, or their results may still be corrected."""
    BELL_AHEAD = auto()
    """Its round still has time: the bell has not rung."""
    SEATS_OPEN = auto()
    """Nothing has happened yet at the tables where people sat down wrongly."""
    NO_DRAW = auto()
    """No round has been drawn."""
    NO_DRAW_IF_SETTLED = auto()
    """No round has been drawn, if the step changed a field that is fixed by the first draw."""
    TABLES_MOVABLE = auto()
    """Nothing has happened yet at the tables that it moved."""
    NO_KNOCKOUT_DRAWN = auto()
    """No stage of a knockout has been drawn from the points."""
    UNPLAYED = auto()
    """No game of its round has begun, and no result is in."""
    SEASON_OPEN = auto()
    """The season for which the tournament counts is not over."""
    LAST_ROUND = auto()
    """No later round has been drawn, and the deals of its round are not published."""
    NO_ROUND = auto()
    """No round is being drawn."""
    DEALS_UNPUBLISHED = auto()
    """The deals of the tables that play online are not published."""
    END_AHEAD = auto()
    """The new end of its round is in the future."""
    RESULTS_WHOLE = auto()
    """A complete round still has all its results."""
    SAME_GROUND = auto()
    """Nothing the draw was based on has changed: plan, seeds, results, penalties, venues."""
    RELEASE_NOW = auto()
    """Its round can be released now, with all its time before it."""
    RESULTS_IN = auto()
    """All results of its round are in."""
    ALL_PLAYED = auto()
    """Nothing is left to be played."""


@dataclass(frozen=True)
class Labels:
    """The predicate of a log line; the name of the actor precedes it.

    variants: labels that replace `label`, by the value the details of the step select.
    """

    label: Text = ""
    variants: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True)
class StepKind:
    """One kind of step.

    label, variants: see `Labels`. arena, season: labels that replace them in arenas and seasons.
    by: who can take it.
    is_final: it cannot be undone.
    is_open_after_end: it can be taken and undone after the tournament is over.
    is_ground_of_draws: a draw may depend on it.
    is_of_play: it concerns rounds that are being played.
    needs, undo_needs: checked before its rows are restored, always or only when it is undone.
    leaves, redo_leaves: checked after its rows are restored, always or only when it is redone.
    event: the webhook event it sends; empty for none.
    is_public, is_in_feed: shown in the public log of the tournament, or in the news feed of the club.
    """

    kind: Kind
    label: Text = ""
    variants: Mapping[str, Text] = field(default_factory=dict)
    arena: Labels | None = None
    season: Labels | None = None
    by: frozenset[Actor] | set[Actor] = frozenset({Actor.ORGANISER})
    is_final: bool = False
    is_open_after_end: bool = False
    is_ground_of_draws: bool = False
    is_of_play: bool = False
    needs: tuple[Need, ...] = ()
    undo_needs: tuple[Need, ...] = ()
    leaves: tuple[Need, ...] = ()
    redo_leaves: tuple[Need, ...] = ()
    event: str = ""
    is_public: bool = False
    is_in_feed: bool = False
