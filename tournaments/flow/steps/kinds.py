"""Every kind of step, declared once, as `step_kind.py` says.

`Step.Kind` is the stored value of a kind; nothing else compares kinds as strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.flow.steps.step_kind import Actor, Kind, Labels, Need, StepKind

__all__ = ["EVENING_KINDS", "KINDS", "Kind"]

KINDS: Final[Mapping[str, StepKind]] = {
    kind.kind: kind
    for kind in (
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
            Kind.OPEN_ENTRY, label=_("opened sign-up"), undo_needs=(Need.NO_ROUND,), is_public=True, is_in_feed=True
        ),
        StepKind(Kind.CHECK_IN, label=_("started the check-in"), undo_needs=(Need.NO_ROUND,), is_public=True),
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
            label=_("cancelled the tournament"),
            season=Labels(label=_("cancelled the season")),
            is_open_after_end=True,
            is_public=True,
            is_in_feed=True,
        ),
        StepKind(
            Kind.RESTORE,
            label=_("imported the tournament from an archive"),
            season=Labels(label=_("imported the season from an archive")),
            is_public=True,
        ),
        StepKind(Kind.ENTER, label=_("signed up as %(name)s"), variants={"own": _("signed up")}, by={Actor.PLAYER}),
        StepKind(Kind.WALK_IN, label=_("added %(name)s")),
        StepKind(Kind.BOT, label=_("added the bot %(name)s")),
        StepKind(Kind.FILLERS, label=_("filled empty seats with bots: %(count)s"), by={Actor.SITE}, is_final=True),
        StepKind(
            Kind.IMPORT, label=ngettext_lazy("imported %(count)s entrant", "imported %(count)s entrants", "count")
        ),
        StepKind(
            Kind.CLAIM,
            label=_("claimed the name of %(name)s"),
            variants={"own": _("claimed their name on the list")},
            by={Actor.PLAYER},
            is_open_after_end=True,
        ),
        StepKind(
            Kind.PRESENT,
            label=_("checked in: %(name)s"),
            variants={"own": _("checked in")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(Kind.NOT_PRESENT, label=_("undid the check-in of %(name)s")),
        StepKind(
            Kind.AWAY,
            label=_("marked as sitting out: %(name)s"),
            variants={"own": _("chose to sit out")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(
            Kind.BACK,
            label=_("marked as back: %(name)s"),
            variants={"own": _("came back")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(
            Kind.ON_DEVICE,
            label=_("set to play on a device: %(name)s"),
            variants={"own": _("switched to playing on a device")},
            by={Actor.PLAYER, Actor.ORGANISER},
            is_ground_of_draws=True,
        ),
        StepKind(
            Kind.IN_ROOM,
            label=_("set to play in the room: %(name)s"),
            variants={"own": _("switched to playing in the room")},
            by={Actor.PLAYER, Actor.ORGANISER},
            is_ground_of_draws=True,
        ),
        StepKind(
            Kind.WITHDRAW,
            label=_("withdrew: %(name)s"),
            variants={"own": _("withdrew")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(Kind.RETURN, label=_("reinstated: %(name)s")),
        StepKind(Kind.RENAME, label=_("renamed %(before)s to %(name)s"), is_open_after_end=True),
        StepKind(
            Kind.SEED,
            label=_("set the seed of %(name)s: %(place)s"),
            variants={"none": _("removed the seed of %(name)s")},
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
            label=_("removed the pairing rule for %(first)s and %(second)s"),
            variants={
                "apart": _("set a rule: %(first)s and %(second)s may not meet"),
                "together": _("set a rule: %(first)s and %(second)s sit together"),
            },
        ),
        StepKind(Kind.DRAW, label=_("drew round %(round)s"), needs=(Need.DRAFT,), redo_leaves=(Need.SAME_GROUND,)),
        StepKind(Kind.KEEP_POD, label=_("kept table %(table)s together"), needs=(Need.DRAFT,)),
        StepKind(Kind.FREE_POD, label=_("allowed table %(table)s to be drawn again"), needs=(Need.DRAFT,)),
        StepKind(
            Kind.TO_SCREENS,
            label=_("made table %(table)s an online table"),
            needs=(Need.TABLES_MOVABLE,),
            leaves=(Need.DEALS_UNPUBLISHED,),
        ),
        StepKind(
            Kind.TO_TABLE,
            label=_("made table %(table)s a real table"),
            needs=(Need.TABLES_MOVABLE,),
            leaves=(Need.DEALS_UNPUBLISHED,),
        ),
        StepKind(Kind.SWAP, label=_("swapped the places of %(name)s"), needs=(Need.DRAFT,)),
        StepKind(
            Kind.RESEAT,
            label=_("recorded that these people mixed up their tables: %(name)s"),
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
            label=_("disputed the result of table %(table)s"),
            arena=Labels(label=_("disputed the result of game %(table)s")),
            by={Actor.PLAYER},
            is_of_play=True,
            needs=(Need.IN_PLAY,),
        ),
        StepKind(
            Kind.PHOTO,
            label=_("added a photo to the result of table %(table)s"),
            arena=Labels(label=_("added a photo to the result of game %(table)s")),
            by={Actor.PLAYER, Actor.ORGANISER},
            is_final=True,
        ),
        StepKind(
            Kind.REMOVE_PHOTO,
            label=_("removed a photo from the result of table %(table)s"),
            arena=Labels(label=_("removed a photo from the result of game %(table)s")),
            by={Actor.PLAYER, Actor.ORGANISER},
            is_final=True,
        ),
        StepKind(
            Kind.RESTORE_PHOTO,
            label=_("put back a photo of the result of table %(table)s"),
            arena=Labels(label=_("put back a photo of the result of game %(table)s")),
            by={Actor.PLAYER, Actor.ORGANISER},
            is_final=True,
        ),
        StepKind(
            Kind.DECIDE,
            label=_("set the result of table %(table)s: %(places)s"),
            variants={
                "past": _("corrected the result of round %(round)s, table %(table)s: %(places)s"),
                "void": _("decided that table %(table)s counts for nobody"),
            },
            arena=Labels(
                label=_("set the result of game %(table)s: %(places)s"),
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
            label=_("recorded the final places at table %(table)s: %(places)s"),
            arena=Labels(label=_("recorded the final places of game %(table)s: %(places)s")),
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
                "no-show": _("recorded %(name)s as a no-show at table %(table)s"),
                "forfeit": _("recorded a forfeit by %(name)s at table %(table)s"),
            },
            arena=Labels(
                variants={
                    "plays": _("let %(name)s play in game %(table)s after all"),
                    "no-show": _("recorded %(name)s as a no-show in game %(table)s"),
                    "forfeit": _("recorded a forfeit by %(name)s in game %(table)s"),
                }
            ),
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.IN_PLAY,),
        ),
        StepKind(
            Kind.NO_SHOW,
            label=_("started table %(table)s without %(name)s"),
            arena=Labels(label=_("started game %(table)s without %(name)s")),
            by={Actor.SITE, Actor.ORGANISER},
            is_ground_of_draws=True,
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            is_public=True,
        ),
        StepKind(Kind.OPEN_SEASON, label=_("opened the season"), is_public=True, is_in_feed=True),
        StepKind(Kind.COUNT, label=_("added %(name)s to the season"), is_public=True, is_in_feed=True),
        StepKind(Kind.UNCOUNT, label=_("removed %(name)s from the season"), is_public=True),
        StepKind(
            Kind.SEASON_NAME,
            label=_("counted %(before)s (%(tournament)s) under the name %(name)s"),
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
            label=_("cancelled table %(table)s, which had not begun when the arena closed (counts for nobody)"),
            arena=Labels(
                label=_("cancelled game %(table)s, which had not begun when the arena closed (counts for nobody)")
            ),
            by={Actor.SITE},
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.COMPLETE,
            label=_("completed round %(round)s"),
            variants={
                "void": _("completed round %(round)s (no result, counts for nobody: table %(missing)s)"),
                "shared": _(
                    "completed round %(round)s (no result, counts as a shared first place for all: table %(missing)s)"
                ),
            },
            arena=Labels(
                label=_("finalised the results of the arena"),
                variants={
                    "void": _("finalised the results of the arena (no result, counts for nobody: game %(missing)s)"),
                    "shared": _(
                        "finalised the results of the arena (no result, counts as a shared first place for "
                        "all: game %(missing)s)"
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
            label=_("started round %(round)s without missing players"),
            arena=Labels(label=_("started the arena's tables without missing players")),
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
            arena=Labels(label=_("resumed the arena")),
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.EXTEND,
            label=ngettext_lazy(
                "made round %(round)s longer by %(minutes)s minute",
                "made round %(round)s longer by %(minutes)s minutes",
                "minutes",
            ),
            variants={
                "shorten": ngettext_lazy(
                    "made round %(round)s shorter by %(minutes)s minute",
                    "made round %(round)s shorter by %(minutes)s minutes",
                    "minutes",
                ),
                "days": ngettext_lazy(
                    "made round %(round)s longer by %(days)s day",
                    "made round %(round)s longer by %(days)s days",
                    "days",
                ),
                "shorten-days": ngettext_lazy(
                    "made round %(round)s shorter by %(days)s day",
                    "made round %(round)s shorter by %(days)s days",
                    "days",
                ),
                "first": ngettext_lazy(
                    "set round %(round)s to end in %(minutes)s minute",
                    "set round %(round)s to end in %(minutes)s minutes",
                    "minutes",
                ),
            },
            arena=Labels(
                label=ngettext_lazy(
                    "made the arena %(minutes)s minute longer", "made the arena %(minutes)s minutes longer", "minutes"
                ),
                variants={
                    "shorten": ngettext_lazy(
                        "made the arena %(minutes)s minute shorter",
                        "made the arena %(minutes)s minutes shorter",
                        "minutes",
                    )
                },
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
            label=_("rang the bell for round %(round)s"),
            arena=Labels(label=_("closed the arena")),
            by={Actor.SITE, Actor.ORGANISER},
            is_final=True,
            is_public=True,
        ),
        StepKind(
            Kind.SUBSTITUTE,
            label=_("made %(by)s the substitute for %(name)s at table %(table)s"),
            arena=Labels(label=_("made %(by)s the substitute for %(name)s in game %(table)s")),
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            is_public=True,
        ),
        StepKind(
            Kind.NO_SUBSTITUTE,
            label=_("removed the substitute for %(name)s at table %(table)s"),
            arena=Labels(label=_("removed the substitute for %(name)s in game %(table)s")),
            is_of_play=True,
            needs=(Need.IN_PLAY,),
            is_public=True,
        ),
        StepKind(
            Kind.GIVE_DUTY,
            variants={
                "door": _("made a link to the door for %(name)s"),
                "scorer": _("made a link to the results for %(name)s"),
            },
            is_final=True,
        ),
        StepKind(
            Kind.TAKE_DUTY,
            variants={"door": _("took over the door"), "scorer": _("took over the results")},
            by={Actor.PLAYER},
            is_final=True,
        ),
        StepKind(
            Kind.END_DUTY,
            variants={
                "door": _("withdrew the link to the door for %(name)s"),
                "scorer": _("withdrew the link to the results for %(name)s"),
            },
            is_final=True,
        ),
        StepKind(
            Kind.FIXED_TABLE,
            label=_("set a fixed table for %(name)s: %(table)s"),
            variants={"none": _("removed the fixed table of %(name)s")},
        ),
        StepKind(Kind.TEAM, label=_("named the team %(name)s")),
        StepKind(Kind.NO_TEAM, label=_("removed the team %(name)s")),
        StepKind(Kind.RENAME_TEAM, label=_("renamed the team %(before)s to %(name)s")),
        StepKind(
            Kind.JOIN_TEAM,
            label=_("put into the team %(team)s: %(name)s"),
            variants={
                "own": _("joined the team %(team)s"),
                "substitute": _("made a substitute of the team %(team)s: %(name)s"),
            },
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(
            Kind.LEAVE_TEAM,
            label=_("took out of the team %(team)s: %(name)s"),
            variants={"own": _("left the team %(team)s")},
            by={Actor.PLAYER, Actor.ORGANISER},
        ),
        StepKind(Kind.CAPTAIN, label=_("made %(name)s the captain of %(team)s")),
        StepKind(Kind.UNDO, by={Actor.SITE, Actor.ORGANISER}, is_public=True),
    )
}
"""The steps of tournaments and seasons."""
EVENING_KINDS: Final[Mapping[str, StepKind]] = {
    kind.kind: kind
    for kind in (
        StepKind(Kind.OPEN, label=_("opened the evening"), is_final=True),
        StepKind(Kind.TABLE, label=_("opened table %(table)s")),
        StepKind(Kind.BRING, label=_("added a table of their own as table %(table)s")),
        StepKind(Kind.CLOSE, label=_("closed table %(table)s")),
        StepKind(Kind.BEGIN, label=_("started table %(table)s without missing players"), is_final=True),
        StepKind(Kind.PAUSE, label=_("paused all tables"), is_final=True),
        StepKind(Kind.RESUME, label=_("resumed all tables"), is_final=True),
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
        StepKind(Kind.END, label=_("ended the evening early"), variants={"call-off": _("cancelled the evening")}),
        StepKind(Kind.BELL, label=_("rang the bell"), is_final=True),
        StepKind(
            Kind.LEFT, label=_("let table %(table)s play its last deal because everybody had left"), is_final=True
        ),
        StepKind(Kind.UNDO, is_final=True),
    )
}
"""The steps of evenings."""
