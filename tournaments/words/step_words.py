"""What was done, step by step, in the reader's language: the logs of tournaments and evenings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from games.presenters.render import remember
from tournaments.models import Format, Step
from tournaments.words.terms import Text, fill, say_points

STEPS: dict[str, Text] = {
    "plan": _("planned the tournament"),
    "revise": _("changed the plan (%(fields)s)"),
    "open-entry": _("opened entry"),
    "check-in": _("opened check-in"),
    "finish": _("finished the tournament"),
    "archive": _("archived the tournament"),
    "call-off": _("called the tournament off"),
    "restore": _("brought the tournament back from its archive"),
    "enter": _("entered as %(name)s"),
    "enter-own": _("entered"),
    "walk-in": _("entered %(name)s"),
    "bot": _("entered the bot %(name)s"),
    "fillers": _("let bots take empty chairs: %(count)s"),
    "import": ngettext_lazy("imported %(count)s entrant", "imported %(count)s entrants", "count"),
    "claim": _("claimed the place of %(name)s"),
    "claim-own": _("found himself on the list"),
    "present": _("checked in: %(name)s"),
    "present-own": _("checked in"),
    "not-present": _("took the check-in back: %(name)s"),
    "away": _("marked as absent: %(name)s"),
    "away-own": _("sits out"),
    "back": _("marked as back: %(name)s"),
    "back-own": _("is back"),
    "on-device": _("noted that these play on a device: %(name)s"),
    "on-device-own": _("plays on a device"),
    "in-room": _("noted that these play in the room: %(name)s"),
    "in-room-own": _("plays in the room"),
    "withdraw": _("withdrew: %(name)s"),
    "withdraw-own": _("withdrew"),
    "return": _("brought back: %(name)s"),
    "rename": _("renamed %(before)s to %(name)s"),
    "seed": _("seeded %(name)s: %(place)s"),
    "seed-none": _("took the seed of %(name)s away"),
    "penalty": _("gave a penalty of %(points)s to %(name)s: %(reason)s"),
    "penalty-given": _("gave a bonus of %(points)s to %(name)s: %(reason)s"),
    "pair-rule": _("lifted what held for %(first)s and %(second)s"),
    "pair-rule-apart": _("laid down that %(first)s and %(second)s may not meet"),
    "pair-rule-together": _("laid down that %(first)s and %(second)s sit together"),
    "draw": _("drew round %(round)s"),
    "keep-pod": _("kept table %(table)s together"),
    "free-pod": _("let table %(table)s be drawn anew"),
    "to-screens": _("moved table %(table)s to screens"),
    "to-table": _("moved table %(table)s to a real table"),
    "swap": _("swapped %(name)s"),
    "reseat": _("noted that these sat down at each other's tables: %(name)s"),
    "release": _("released round %(round)s"),
    "result": _("entered the result of table %(table)s: %(places)s"),
    "confirm": _("confirmed the result of table %(table)s"),
    "reject": _("rejected the result of table %(table)s"),
    "decide": _("decided the result of table %(table)s: %(places)s"),
    "decide-past": _("corrected the result of round %(round)s, table %(table)s: %(places)s"),
    "decide-void": _("decided that table %(table)s counts for nobody"),
    "table-result": _("noted the end of the game at table %(table)s: %(places)s"),
    "fate-plays": _("let %(name)s play at table %(table)s after all"),
    "fate-no-show": _("noted that %(name)s did not come to table %(table)s"),
    "fate-forfeit": _("noted that %(name)s forfeits at table %(table)s"),
    "no-show": _("let table %(table)s begin without %(name)s"),
    "open-season": _("opened the season"),
    "count": _("let %(name)s count"),
    "uncount": _("took %(name)s out of the season"),
    "league-name": _("let %(before)s (%(tournament)s) stand under the name %(name)s"),
    "open-arena": _("opened the arena"),
    "seat": _("seated people at table %(tables)s"),
    "dropped": _("struck table %(table)s, which had not begun when the arena closed: it counts for nobody"),
    "complete": _("completed round %(round)s"),
    "complete-void": _("completed round %(round)s; no result, counts for nobody: table %(missing)s"),
    "complete-shared": _(
        "completed round %(round)s; no result, counts as a shared first place for all: table %(missing)s"
    ),
    "begin": _("let round %(round)s begin without the absent"),
    "pause": _("paused round %(round)s"),
    "resume": _("resumed round %(round)s"),
    "extend": ngettext_lazy(
        "changed the length of round %(round)s by %(minutes)s minute",
        "changed the length of round %(round)s by %(minutes)s minutes",
        "minutes",
    ),
    "extend-first": ngettext_lazy(
        "set the bell of round %(round)s to ring after %(minutes)s minute",
        "set the bell of round %(round)s to ring after %(minutes)s minutes",
        "minutes",
    ),
    "bell": _("rang the bell of round %(round)s"),
    "substitute": _("let %(by)s play for %(name)s at table %(table)s"),
    "no-substitute": _("let %(name)s play himself at table %(table)s"),
}
"""What a step did, after the name of who did it."""
ARENA_STEPS: dict[str, Text] = {
    "result": _("entered the result of game %(table)s: %(places)s"),
    "confirm": _("confirmed the result of game %(table)s"),
    "reject": _("rejected the result of game %(table)s"),
    "decide": _("decided the result of game %(table)s: %(places)s"),
    "decide-void": _("decided that game %(table)s counts for nobody"),
    "table-result": _("noted the end of game %(table)s: %(places)s"),
    "fate-plays": _("let %(name)s play in game %(table)s after all"),
    "fate-no-show": _("noted that %(name)s did not come to game %(table)s"),
    "fate-forfeit": _("noted that %(name)s forfeits in game %(table)s"),
    "no-show": _("let game %(table)s begin without %(name)s"),
    "seat": _("seated people for game %(tables)s"),
    "dropped": _("struck game %(table)s, which had not begun when the arena closed: it counts for nobody"),
    "complete": _("fixed the results of the arena"),
    "complete-void": _("fixed the results of the arena; no result, counts for nobody: game %(missing)s"),
    "complete-shared": _(
        "fixed the results of the arena; no result, counts as a shared first place for all: game %(missing)s"
    ),
    "begin": _("let the arena's tables begin without the absent"),
    "pause": _("paused the arena"),
    "resume": _("let the arena go on"),
    "extend": ngettext_lazy(
        "changed the length of the arena by %(minutes)s minute",
        "changed the length of the arena by %(minutes)s minutes",
        "minutes",
    ),
    "bell": _("closed the arena"),
    "substitute": _("let %(by)s play for %(name)s in game %(table)s"),
    "no-substitute": _("let %(name)s play himself in game %(table)s"),
}
"""What is said otherwise where there are games, one after the other, and no rounds."""
SEASON_STEPS: dict[str, Text] = {
    "plan": _("planned the season"),
    "finish": _("finished the season"),
    "archive": _("archived the season"),
    "call-off": _("called the season off"),
    "restore": _("brought the season back from its archive"),
}
"""What is said otherwise of a season."""
STEPS_OF = {Format.ARENA: STEPS | ARENA_STEPS, Format.LEAGUE: STEPS | SEASON_STEPS}
EVENING_STEPS: dict[str, Text] = {
    "open": _("opened the evening"),
    "table": _("opened table %(table)s"),
    "bring": _("brought table %(table)s along"),
    "close": _("closed table %(table)s"),
    "begin": _("let table %(table)s begin without the absent"),
    "pause": _("paused all tables"),
    "resume": _("let all tables go on"),
    "extend": ngettext_lazy(
        "made the evening %(minutes)s minute longer", "made the evening %(minutes)s minutes longer", "minutes"
    ),
    "shorten": ngettext_lazy(
        "made the evening %(minutes)s minute shorter", "made the evening %(minutes)s minutes shorter", "minutes"
    ),
    "end": _("ended the evening early"),
    "call-off": _("called the evening off"),
    "bell": _("rang the bell"),
    "left": _("let table %(table)s play its last deal: everybody had left it"),
}
"""What was done in an evening."""


def say_step(step: Step, *, of: str) -> str:
    """What a step did, in a tournament of that format; for one that was taken back or done again, what it was about."""
    return say_told(kind_told(step.kind, step.details, step.actor_name), step.details, _about(step), of)


@remember
def say_evening_step(kind: str, details: str, about: tuple[str, str] | None) -> str:
    """What was done in an evening, by kind and details (JSON text). about: those of what an undo is about."""
    return _say_told(EVENING_STEPS, *_vary(kind, details), None if about is None else _vary(*about))


def _vary(kind: str, details: str) -> tuple[str, str]:
    """What an evening's step is told as: shorter is not longer by less than nothing."""
    said = msgspec.json.decode(details)
    if kind == "extend" and said["minutes"] < 0:
        return "shorten", msgspec.json.encode(said | {"minutes": -said["minutes"]}).decode()
    return ("call-off" if kind == "end" and said.get("is_called_off") else kind), details


def _about(step: Step) -> tuple[str, str] | None:
    origin = step
    while origin.reverts is not None:
        origin = origin.reverts
    return (origin.kind, origin.details) if step.kind == "undo" else None


def kind_told(kind: str, details: str, who: str) -> str:
    """What kind of step is told of: whoever does something about himself need not be named twice."""
    is_own = f"{kind}-own" in STEPS and msgspec.json.decode(details).get("name") == who
    return f"{kind}-own" if is_own else kind


@remember
def say_told(kind: str, details: str, about: tuple[str, str] | None, of: str) -> str:
    """The same of its kind and its details (JSON text). about: those of the step that an undo is about."""
    return _say_told(STEPS_OF.get(Format(of), STEPS), kind, details, about)


def _say_told(steps: Mapping[str, Text], kind: str, details: str, about: tuple[str, str] | None) -> str:
    said = msgspec.json.decode(details)
    if about is None:
        return _say(steps, kind, said)
    is_redo = said.get("redo")
    template = gettext("did again: %(what)s") if is_redo else gettext("took back: %(what)s")
    return template % {"what": _say(steps, about[0], msgspec.json.decode(about[1]))}


def _say(steps: Mapping[str, Text], kind: str, said: Mapping[str, Any]) -> str:
    """The sentence of what exactly it was: which rule, which fate, points taken or given, what was missing."""
    points = said.get("points") if kind == "penalty" else None
    if points is not None:
        kind, said = ("penalty" if points > 0 else "penalty-given"), {**said, "points": say_points(abs(points))}
    flag = next((name for name in ("void", "past") if said.get(name)), None)
    exact = f"{kind}-{flag or said.get('fate') or said.get('rule') or said.get('as')}"
    return fill(steps.get(exact) or steps.get(kind, kind), said)
