"""What things in tournaments are called, in the reader's language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any
from unicodedata import bidirectional, combining, normalize

import msgspec
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.live.render import remember
from tournaments.models import Format, Phase, Role, Step
from tournaments.plan_words import name_columns
from tournaments.scoring.points import WHOLE

Text = str | Promise

PLAIN = str.maketrans("łøđħ", "lodh")
"""Letters whose strokes are no marks of their own."""

FORMATS: dict[str, Text] = {
    Format.SWISS: _("Swiss"),
    Format.ROUND_ROBIN: _("Round robin"),
    Format.KNOCKOUT: _("Knockout"),
    Format.SWISS_CUT: _("Swiss, then a knockout"),
    Format.LADDER: _("Ladder"),
    Format.ARENA: _("Arena"),
    Format.LEAGUE: _("League"),
}
FORMAT_HELP: dict[str, Text] = {
    Format.SWISS: _("A number of rounds; you meet people with a similar score, nobody twice if it can be helped."),
    Format.ROUND_ROBIN: _("A plan made beforehand, in which everybody meets everybody as evenly as possible."),
    Format.KNOCKOUT: _("The best of each table go on, until one final table."),
    Format.SWISS_CUT: _("Swiss rounds, then the best go on into a knockout."),
    Format.ARENA: _("Open for an agreed time; come and go as you like. Whoever is free is seated again at once."),
    Format.LEAGUE: _("A season: finished tournaments of the club are added up."),
    Format.LADDER: _("Numbered tables; after each stretch of time the best moves one table up, the last one down."),
}
PHASES: dict[str, Text] = {
    Phase.PLANNED: _("Planned"),
    Phase.ENTRY: _("Entry is open"),
    Phase.CHECK_IN: _("Check-in"),
    Phase.RUNNING: _("Under way"),
    Phase.FINISHED: _("Finished"),
    Phase.ARCHIVED: _("Archived"),
    Phase.CALLED_OFF: _("Called off"),
}
FEATS: dict[str, Text] = {
    "animals-on-board": _("Highest ark"),
    "fancy-animals": _("Fanciest animal"),
    "super-zwierzaki": _("Longest duel"),
}
"""What the games without ranks keep a record of."""
ROLES: dict[str, Text] = {
    Role.OWNER: _("Owner"),
    Role.ORGANISER: _("Organiser"),
    Role.MEMBER: _("Member"),
}
STAGES: dict[str, Text] = {
    "swiss": _("Swiss round"),
    "round-robin": _("Round of the plan"),
    "knockout": _("Knockout stage"),
    "final": _("Final"),
    "ladder": _("Ladder"),
    "arena": _("Arena"),
}
POINTS: dict[str, Text] = {
    "beaten": _("Share of the others beaten"),
    "table": _("A table of points by place"),
    "score": _("The game's own score"),
}
SEASON_POINTS: dict[str, Text] = {
    "beaten": _("Share of the field left behind, from 1 to 0"),
    "table": _("A table of points by place"),
    "score": _("Its own points"),
}
TIE_BREAKS: dict[str, Text] = {
    "opponents": _("Opponents' average"),
    "wins": _("Wins"),
    "head-to-head": _("Head-to-head"),
    "best": _("Best result"),
    "ratio": _("Share of game scores"),
    "lot": _("Drawn lot"),
}
VENUES: dict[str, Text] = {
    "mixed": _("Both, screens and tables"),
    "apart": _("Both, and people with a screen play among themselves"),
    "online": _("All on screens"),
    "real": _("All at real tables"),
}
LINES: dict[str, Text] = {
    "byes": _("People who sit out"),
    "repeat_byes": _("Of them, byes they had before"),
    "bye_scores": _("Scores of those who sit out"),
    "sizes": _("Tables of another size than wanted"),
    "pods": _("Tables"),
    "thirds": _("Pairs who meet a third time or more"),
    "pairing": _("Meetings again, and distance of scores at a table"),
    "odd_sizes": _("People at such a table again"),
    "seats": _("People on the same chair again"),
    "repeats": _("Meetings again, over all rounds"),
}
"""What the lines of a draw's certificate say."""
NO_SHOWS: dict[str, Text] = {
    "bot": _("A bot sits in meanwhile"),
    "forfeit": _("The chair is forfeited"),
}
AT_ENDS: dict[str, Text] = {
    "finish": _("Games are played to their end"),
    "bell": _("The bell ends the games"),
}
REASONS: dict[str, Text] = {
    "same score: %(score)d": _("Everybody here has %(score)s points."),
    "scores from %(low)d to %(high)d": _("Points from %(low)s to %(high)s."),
    "nobody here has met before": _("Nobody here has met before."),
    "%(one)s and %(other)s meet again (before: %(times)d)": _(
        "%(one)s and %(other)s meet again (so far: %(times)s): any other draw would cost more elsewhere."
    ),
    "locked together: %(names)s": _("Kept together by the organiser: %(names)s."),
    "a pod of %(size)d, because the number present does not divide by %(wanted)d": _(
        "A table of %(size)s, because those who are drawn together do not divide by %(wanted)s."
    ),
    "up to this table: %(names)s": _("Up to this table: %(names)s."),
    "down to this table: %(names)s": _("Down to this table: %(names)s."),
    "stay at this table: %(names)s": _("Stay at this table: %(names)s."),
    "new on the ladder: %(names)s": _("New on the ladder: %(names)s."),
    "from the screens, to fill a table up: %(names)s": _("From the screens, to fill this table up: %(names)s."),
    "changed by hand": _("Changed by the organiser."),
    "seeds %(seeds)s": _("Seeds %(seeds)s."),
}
"""What the draw says (tournaments/draw/reasons.py) → what people read."""
SCORES = frozenset({"score", "low", "high"})
"""Values of reasons that are points."""

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
    "import": _("imported %(count)s entrants"),
    "claim": _("claimed the place of %(name)s"),
    "present": _("checked in: %(name)s"),
    "not-present": _("took the check-in back: %(name)s"),
    "away": _("marked as absent: %(name)s"),
    "back": _("marked as back: %(name)s"),
    "withdraw": _("withdrew: %(name)s"),
    "return": _("brought back: %(name)s"),
    "rename": _("renamed %(before)s to %(name)s"),
    "penalty": _("gave a penalty to %(name)s: %(reason)s"),
    "pair-rule": _("changed what holds for %(first)s and %(second)s"),
    "draw": _("drew round %(round)s"),
    "keep-pod": _("kept table %(table)s together"),
    "free-pod": _("let table %(table)s be drawn anew"),
    "to-screens": _("moved table %(table)s to screens"),
    "to-table": _("moved table %(table)s to a real table"),
    "swap": _("swapped %(name)s"),
    "release": _("released round %(round)s"),
    "result": _("entered the result of table %(table)s: %(places)s"),
    "confirm": _("confirmed the result of table %(table)s"),
    "reject": _("rejected the result of table %(table)s"),
    "decide": _("decided the result of table %(table)s: %(places)s"),
    "table-result": _("noted the end of the game at table %(table)s: %(places)s"),
    "fate": _("changed whether %(name)s plays at table %(table)s"),
    "no-show": _("let table %(table)s begin without %(name)s"),
    "open-season": _("opened the season"),
    "count": _("let %(name)s count"),
    "uncount": _("took %(name)s out of the season"),
    "league-name": _("let %(before)s (%(tournament)s) stand under the name %(name)s"),
    "open-arena": _("opened the arena"),
    "seat": _("seated people at table %(tables)s"),
    "dropped": _("struck table %(table)s, which had not begun when the arena closed: it counts for nobody"),
    "complete": _("completed round %(round)s"),
    "begin": _("let round %(round)s begin without the absent"),
    "pause": _("paused round %(round)s"),
    "resume": _("resumed round %(round)s"),
    "extend": _("changed the length of round %(round)s by %(minutes)s minutes"),
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
    "table-result": _("noted the end of game %(table)s: %(places)s"),
    "fate": _("changed whether %(name)s plays in game %(table)s"),
    "no-show": _("let game %(table)s begin without %(name)s"),
    "seat": _("seated people for game %(tables)s"),
    "dropped": _("struck game %(table)s, which had not begun when the arena closed: it counts for nobody"),
    "complete": _("fixed the results of the arena"),
    "begin": _("let the arena's tables begin without the absent"),
    "pause": _("paused the arena"),
    "resume": _("let the arena go on"),
    "extend": _("changed the length of the arena by %(minutes)s minutes"),
    "bell": _("closed the arena"),
    "substitute": _("let %(by)s play for %(name)s in game %(table)s"),
    "no-substitute": _("let %(name)s play himself in game %(table)s"),
}
"""What is said otherwise where there are games, one after the other, and no rounds."""
EVENING_STEPS: dict[str, Text] = {
    "open": _("opened the evening"),
    "table": _("opened table %(table)s"),
    "bring": _("brought table %(table)s along"),
    "close": _("closed table %(table)s"),
    "begin": _("let table %(table)s begin without the absent"),
    "pause": _("paused all tables"),
    "resume": _("let all tables go on"),
    "extend": _("made the evening %(minutes)s minutes longer"),
    "shorten": _("made the evening %(minutes)s minutes shorter"),
    "end": _("ended the evening early"),
    "call-off": _("called the evening off"),
    "bell": _("rang the bell"),
    "left": _("let table %(table)s play its last deal: everybody had left it"),
}
"""What was done in an evening."""


@remember
def say_points(points: int | Fraction) -> str:
    """Points in rounds won, at most two decimals: 2940 is 3.5."""
    share = Fraction(points) / WHOLE
    text = f"{float(share):.2f}".rstrip("0").rstrip(".")
    return str(number_format(text, use_l10n=True)) if text not in ("", "-0") else "0"


def by_name(name: str) -> tuple[str, str]:
    """Where a name stands in a list that people look through: capitals and marks count only among equals."""
    letters = "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    return letters.translate(PLAIN), name


def say_step(step: Step, *, is_arena: bool) -> str:
    """What a step did; for one that was taken back or done again, what it was about."""
    return say_told(kind_told(step.kind, step.details, step.actor_name), step.details, _about(step), is_arena)


def say_evening_step(step: Step) -> str:
    """The same of a step of an evening."""
    about = _about(step)
    return _say_told(EVENING_STEPS, *_vary(step.kind, step.details), None if about is None else _vary(*about))


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
    """What kind of step is told of: whoever enters under his own name need not be named twice."""
    is_own = kind == "enter" and msgspec.json.decode(details).get("name") == who
    return "enter-own" if is_own else kind


@remember
def say_told(kind: str, details: str, about: tuple[str, str] | None, is_arena: bool) -> str:
    """The same of its kind and its details (JSON text). about: those of the step that an undo is about."""
    return _say_told(STEPS | ARENA_STEPS if is_arena else STEPS, kind, details, about)


def _say_told(steps: Mapping[str, Text], kind: str, details: str, about: tuple[str, str] | None) -> str:
    if about is None:
        return _fill(steps.get(kind, kind), msgspec.json.decode(details))
    is_redo = msgspec.json.decode(details).get("redo")
    template = gettext("did again: %(what)s") if is_redo else gettext("took back: %(what)s")
    return template % {"what": _fill(steps.get(about[0], about[0]), msgspec.json.decode(about[1]))}


def isolate(name: str) -> str:
    """A name written from right to left, so that it does not turn the sentence around it."""
    return f"\u2068{name}\u2069" if any(bidirectional(sign) in ("R", "AL") for sign in name) else name


def _fill(template: Text, values: Mapping[str, Any]) -> str:
    if "fields" in values:
        values = {**values, "fields": name_columns(values["fields"])}
    values = {name: isolate(value) if isinstance(value, str) else value for name, value in values.items()}
    if "places" in values and len(values.get("names", ())) == len(values["places"]):
        finish = sorted(zip(values["places"], map(isolate, values["names"]), strict=True))
        values = {**values, "places": [f"{place}. {name}" for place, name in finish]}
    shown = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in values.items()}
    return str(template) % defaultdict(str, shown)


def say_reasons(reasons: Sequence[Sequence[Any]]) -> list[str]:
    """Why these people sit together, in sentences."""
    return [_say_reason(str(template), values) for template, values in reasons]


def _say_reason(template: str, values: Mapping[str, Any]) -> str:
    shown = {name: say_points(value) if name in SCORES else value for name, value in values.items()}
    return _fill(REASONS.get(template, template.replace("d)", "s)")), shown)


def say_trouble(trouble: str) -> str:
    """A refusal that was stored as JSON [template, values], in the reader's language."""
    if not trouble:
        return ""
    return _say_trouble(*msgspec.json.decode(trouble))


def _say_trouble(template: str, values: Mapping[str, Any]) -> str:
    """Where a value is a refusal itself, it is said in the reader's language, too."""
    said = {name: _say_trouble(*value) if _is_trouble(value) else value for name, value in values.items()}
    return _fill(gettext(template).replace(")d", ")s"), said)


def _is_trouble(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


NOBODY = pgettext_lazy("who did it", "The house")
"""Who did what no person did."""


def name_deals(count: int) -> str:
    """So many deals."""
    return ngettext("%(deals)s deal", "%(deals)s deals", count) % {"deals": count}


def name_feat(game: str, amount: int) -> str:
    """How great a feat is: points, or for a duel the plays that it was long."""
    if game == "super-zwierzaki":
        return ngettext("%(count)s play", "%(count)s plays", amount) % {"count": amount}
    return ngettext("%(count)s point", "%(count)s points", amount) % {"count": amount}
