"""Every kind of step, declared once: its label, who takes it, what undoing it needs, which webhook event it sends.

`Step.Kind` is the stored value of a kind; nothing else compares kinds as strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

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


KINDS: Final[Mapping[str, StepKind]] = {
    one.kind: one
    for one in (
        StepKind(
            Kind.PLAN,
            label=_("planned the tournament"),
            season=Labels(label=_("planned the season")),
            is_final=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.REVISE,
            label=_("changed the plan (%(fields)s)"),
            is_open_after_end=True,
            is_ground_of_draws=True,
            needs=(Need.NO_DRAW_IF_SETTLED,),
        ),
        StepKind(
            Kind.OPEN_ENTRY, label=_("opened entry"), undo_needs=(Need.NO_ROUND,), is_public=True, is_in_feed=True
        ),
        StepKind(Kind.CHECK_IN, label=_("opened check-in"), undo_needs=(Need.NO_ROUND,), is_public=True),
        StepKind(
            Kind.FINISH,
            label=_("finished the tournament"),
            season=Labels(label=_("finished the season")),
            is_open_after_end=True,
            undo_needs=(Need.SEASON_OPEN,),
            redo_leaves=(Need.ALL_PLAYED,),
            event="tournament.finished",
            is_public=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.ARCHIVE,
            label=_("archived the tournament"),
            season=Labels(label=_("archived the season")),
            is_open_after_end=True,
        ),
        StepKind(
            Kind.CALL_OFF,
            label=_("called the tournament off"),
            season=Labels(label=_("called the season off")),
            is_open_after_end=True,
            is_public=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.RESTORE,
            label=_("brought the tournament back from its archive"),
            season=Labels(label=_("brought the season back from its archive")),
            is_public=True,
        ),
        StepKind(Kind.ENTER, label=_("entered as %(name)s"), variants={"own": _("entered")}, by={Actor.PLAYER}),
        StepKind(Kind.WALK_IN, label=_("entered %(name)s")),
        StepKind(Kind.BOT, label=_("entered the bot %(name)s")),
        StepKind(Kind.FILLERS, label=_("let bots take empty chairs: %(count)s"), by={Actor.SITE}, is_final=True),
        StepKind(
            Kind.IMPORT, label=ngettext_lazy("imported %(count)s entrant", "imported %(count)s entrants", "count")
        ),
        StepKind(
            Kind.CLAIM,
            label=_("claimed the place of %(name)s"),
            variants={"own": _("found themselves on the list")},
            by={Actor.PLAYER},
            is_open_after_end=True,
        ),
        StepKind(
            Kind.PRESENT,
            label=_("checked in: %(name)s"),
            variants={"own": _("checked in")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(Kind.NOT_PRESENT, label=_("took the check-in back: %(name)s")),
        StepKind(
            Kind.AWAY,
            label=_("marked as absent: %(name)s"),
            variants={"own": _("sits out")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(
            Kind.BACK,
            label=_("marked as back: %(name)s"),
            variants={"own": _("is back")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(
            Kind.ON_DEVICE,
            label=_("noted that these play on a device: %(name)s"),
            variants={"own": _("plays on a device")},
            by={Actor.PLAYER, Actor.ORGANISER},
            is_ground_of_draws=True,
        ),
        StepKind(
            Kind.IN_ROOM,
            label=_("noted that these play in the room: %(name)s"),
            variants={"own": _("plays in the room")},
            by={Actor.PLAYER, Actor.ORGANISER},
            is_ground_of_draws=True,
        ),
        StepKind(
            Kind.WITHDRAW,
            label=_("withdrew: %(name)s"),
            variants={"own": _("withdrew")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(Kind.RETURN, label=_("brought back: %(name)s")),
        StepKind(Kind.RENAME, label=_("renamed %(before)s to %(name)s"), is_open_after_end=True),
        StepKind(
            Kind.SEED,
            label=_("seeded %(name)s: %(place)s"),
            variants={"none": _("took the seed of %(name)s away")},
            is_ground_of_draws=True,
            needs=(Need.NO_DRAW,),
        ),
        StepKind(
            Kind.PENALTY,
            label=_("gave a penalty of %(points)s to %(name)s: %(reason)s"),
            variants={"given": _("gave a bonus of %(points)s to %(name)s: %(reason)s")},
            needs=(Need.NO_KNOCKOUT_DRAWN,),
            is_public=True,
        ),
        StepKind(
            Kind.PAIR_RULE,
            label=_("lifted what held for %(first)s and %(second)s"),
            variants={
                "apart": _("laid down that %(first)s and %(second)s may not meet"),
                "together": _("laid down that %(first)s and %(second)s sit together"),
            },
        ),
        StepKind(Kind.DRAW, label=_("drew round %(round)s"), needs=(Need.DRAFT,), redo_leaves=(Need.SAME_GROUND,)),
        StepKind(Kind.KEEP_POD, label=_("kept table %(table)s together"), needs=(Need.DRAFT,)),
        StepKind(Kind.FREE_POD, label=_("let table %(table)s be drawn anew"), needs=(Need.DRAFT,)),
        StepKind(
            Kind.TO_SCREENS,
            label=_("moved table %(table)s to screens"),
            needs=(Need.TABLES_MOVABLE,),
            leaves=(Need.DEALS_UNPUBLISHED,),
        ),
        StepKind(
            Kind.TO_TABLE,
            label=_("moved table %(table)s to a real table"),
            needs=(Need.TABLES_MOVABLE,),
            leaves=(Need.DEALS_UNPUBLISHED,),
        ),
        StepKind(Kind.SWAP, label=_("swapped %(name)s"), needs=(Need.DRAFT,)),
        StepKind(
            Kind.RESEAT,
            label=_("noted that these sat down at each other's tables: %(name)s"),
            is_of_play=True,
            needs=(
                Need.IN_PLAY,
                Need.SEATS_OPEN,
            ),
        ),
        StepKind(
            Kind.RELEASE,
            label=_("released round %(round)s"),
            undo_needs=(Need.UNPLAYED,),
            redo_leaves=(Need.RELEASE_NOW,),
            event="round.released",
            is_public=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.RESULT,
            label=_("entered the result of table %(table)s: %(places)s"),
            arena=Labels(label=_("entered the result of game %(table)s: %(places)s")),
            by={Actor.PLAYER},
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            event="result.in",
            is_public=True,
        ),
        StepKind(
            Kind.CONFIRM,
            label=_("confirmed the result of table %(table)s"),
            arena=Labels(label=_("confirmed the result of game %(table)s")),
            by={Actor.PLAYER},
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            event="result.in",
            is_public=True,
        ),
        StepKind(
            Kind.REJECT,
            label=_("rejected the result of table %(table)s"),
            arena=Labels(label=_("rejected the result of game %(table)s")),
            by={Actor.PLAYER},
            is_of_play=True,
            needs=(Need.IN_PLAY,),
        ),
        StepKind(
            Kind.DECIDE,
            label=_("decided the result of table %(table)s: %(places)s"),
            variants={
                "past": _("corrected the result of round %(round)s, table %(table)s: %(places)s"),
                "void": _("decided that table %(table)s counts for nobody"),
            },
            arena=Labels(
                label=_("decided the result of game %(table)s: %(places)s"),
                variants={"void": _("decided that game %(table)s counts for nobody")},
            ),
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.DECIDABLE,),
            leaves=(Need.RESULTS_WHOLE,),
            event="result.in",
            is_public=True,
        ),
        StepKind(
            Kind.TABLE_RESULT,
            label=_("noted the end of the game at table %(table)s: %(places)s"),
            arena=Labels(label=_("noted the end of game %(table)s: %(places)s")),
            by={Actor.SITE},
            is_final=True,
            is_ground_of_draws=True,
            event="result.in",
            is_public=True,
        ),
        StepKind(
            Kind.FATE,
            variants={
                "plays": _("let %(name)s play at table %(table)s after all"),
                "no-show": _("noted that %(name)s did not come to table %(table)s"),
                "forfeit": _("noted that %(name)s forfeits at table %(table)s"),
            },
            arena=Labels(
                variants={
                    "plays": _("let %(name)s play in game %(table)s after all"),
                    "no-show": _("noted that %(name)s did not come to game %(table)s"),
                    "forfeit": _("noted that %(name)s forfeits in game %(table)s"),
                }
            ),
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.IN_PLAY,),
        ),
        StepKind(
            Kind.NO_SHOW,
            label=_("let table %(table)s begin without %(name)s"),
            arena=Labels(label=_("let game %(table)s begin without %(name)s")),
            by={Actor.SITE, Actor.ORGANISER},
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            is_public=True,
        ),
        StepKind(Kind.OPEN_SEASON, label=_("opened the season"), is_public=True, is_in_feed=True),
        StepKind(Kind.COUNT, label=_("let %(name)s count"), is_public=True, is_in_feed=True),
        StepKind(Kind.UNCOUNT, label=_("took %(name)s out of the season"), is_public=True),
        StepKind(
            Kind.SEASON_NAME,
            label=_("let %(before)s (%(tournament)s) stand under the name %(name)s"),
        ),
        StepKind(
            Kind.OPEN_ARENA,
            label=_("opened the arena"),
            undo_needs=(Need.UNPLAYED,),
            redo_leaves=(Need.RELEASE_NOW,),
            event="round.released",
            is_public=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.SEAT,
            label=_("seated people at table %(tables)s"),
            arena=Labels(label=_("seated people for game %(tables)s")),
            by={Actor.SITE},
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.DROPPED,
            label=_("struck table %(table)s, which had not begun when the arena closed: it counts for nobody"),
            arena=Labels(
                label=_("struck game %(table)s, which had not begun when the arena closed: it counts for nobody")
            ),
            by={Actor.SITE},
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.COMPLETE,
            label=_("completed round %(round)s"),
            variants={
                "void": _("completed round %(round)s; no result, counts for nobody: table %(missing)s"),
                "shared": _(
                    "completed round %(round)s; no result, counts as a shared first place for all: table %(missing)s"
                ),
            },
            arena=Labels(
                label=_("fixed the results of the arena"),
                variants={
                    "void": _("fixed the results of the arena; no result, counts for nobody: game %(missing)s"),
                    "shared": _(
                        "fixed the results of the arena; no result, "
                        "counts as a shared first place for all: game %(missing)s"
                    ),
                },
            ),
            by={Actor.SITE, Actor.ORGANISER},
            undo_needs=(Need.LAST_ROUND,),
            redo_leaves=(Need.RESULTS_IN,),
            event="result.in",
            is_public=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.BEGIN,
            label=_("let round %(round)s begin without the absent"),
            arena=Labels(label=_("let the arena's tables begin without the absent")),
            is_final=True,
        ),
        StepKind(
            Kind.PAUSE,
            label=_("paused round %(round)s"),
            arena=Labels(label=_("paused the arena")),
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.RESUME,
            label=_("resumed round %(round)s"),
            arena=Labels(label=_("let the arena go on")),
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.EXTEND,
            label=ngettext_lazy(
                "changed the length of round %(round)s by %(minutes)s minute",
                "changed the length of round %(round)s by %(minutes)s minutes",
                "minutes",
            ),
            variants={
                "first": ngettext_lazy(
                    "set the bell of round %(round)s to ring after %(minutes)s minute",
                    "set the bell of round %(round)s to ring after %(minutes)s minutes",
                    "minutes",
                )
            },
            arena=Labels(
                label=ngettext_lazy(
                    "changed the length of the arena by %(minutes)s minute",
                    "changed the length of the arena by %(minutes)s minutes",
                    "minutes",
                )
            ),
            is_of_play=True,
            needs=(
                Need.IN_PLAY,
                Need.BELL_AHEAD,
            ),
            leaves=(Need.END_AHEAD,),
            is_public=True,
        ),
        StepKind(
            Kind.BELL,
            label=_("rang the bell of round %(round)s"),
            arena=Labels(label=_("closed the arena")),
            by={Actor.SITE, Actor.ORGANISER},
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.SUBSTITUTE,
            label=_("let %(by)s play for %(name)s at table %(table)s"),
            arena=Labels(label=_("let %(by)s play for %(name)s in game %(table)s")),
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            is_public=True,
        ),
        StepKind(
            Kind.NO_SUBSTITUTE,
            label=_("let %(name)s play at table %(table)s in person"),
            arena=Labels(label=_("let %(name)s play in game %(table)s in person")),
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            is_public=True,
        ),
        StepKind(Kind.UNDO, by={Actor.SITE, Actor.ORGANISER}, is_public=True),
    )
}
"""The steps of tournaments and seasons."""
EVENING_KINDS: Final[Mapping[str, StepKind]] = {
    one.kind: one
    for one in (
        StepKind(Kind.OPEN, label=_("opened the evening"), is_final=True),
        StepKind(Kind.TABLE, label=_("opened table %(table)s")),
        StepKind(Kind.BRING, label=_("brought table %(table)s along")),
        StepKind(Kind.CLOSE, label=_("closed table %(table)s")),
        StepKind(Kind.BEGIN, label=_("let table %(table)s begin without the absent"), is_final=True),
        StepKind(Kind.PAUSE, label=_("paused all tables"), is_final=True),
        StepKind(Kind.RESUME, label=_("let all tables go on"), is_final=True),
        StepKind(
            Kind.EXTEND,
            label=ngettext_lazy(
                "made the evening %(minutes)s minute longer", "made the evening %(minutes)s minutes longer", "minutes"
            ),
            variants={
                "shorten": ngettext_lazy(
                    "made the evening %(minutes)s minute shorter",
                    "made the evening %(minutes)s minutes shorter",
                    "minutes",
                )
            },
        ),
        StepKind(Kind.END, label=_("ended the evening early"), variants={"call-off": _("called the evening off")}),
        StepKind(Kind.BELL, label=_("rang the bell"), is_final=True),
        StepKind(Kind.LEFT, label=_("let table %(table)s play its last deal: everybody had left it"), is_final=True),
        StepKind(Kind.UNDO, is_final=True),
    )
}
"""The steps of evenings."""
