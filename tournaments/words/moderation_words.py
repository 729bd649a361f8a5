"""Sentences of a club's moderation log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.presenters.names import PHRASES, isolate
from tournaments.models import ModerationStep, Role
from tournaments.words.terms import ROLES, Text

HOUR_SECONDS: Final = 3600
SETTINGS: Final[dict[str, Text]] = {
    "name": gettext_lazy("Name of the club"),
    "about": gettext_lazy("Description"),
    "place": gettext_lazy("Where the club meets"),
    "colour": gettext_lazy("Colour of the club's page"),
    "is_public": gettext_lazy("Visible to everyone (otherwise only to members)"),
    "can_talk": gettext_lazy("Members may write their own messages, not only choose phrases"),
}
"""What an owner can change of a club, as its form says."""


def say_step(step: ModerationStep) -> str:
    """What was done, without the actor's name."""
    return _SAID[step.kind](step)


def _name_person(step: ModerationStep) -> str:
    """The person it is about, by what the club calls them now."""
    return isolate(step.name_person(step.player)) if step.player is not None else _("somebody")


def _quote(step: ModerationStep) -> str:
    remark = step.remark or step.table_remark
    return "" if remark is None else str(PHRASES.get(remark.phrase, remark.words))


def _say_silence(step: ModerationStep) -> str:
    hours = round(((step.until or step.at) - step.at) / HOUR_SECONDS)
    return ngettext("silenced %(name)s for %(hours)s hour", "silenced %(name)s for %(hours)s hours", hours) % {
        "name": _name_person(step),
        "hours": hours,
    }


def _say_link(step: ModerationStep) -> str:
    if step.device_link.used_at is not None:
        return _("made a link that signed in another device for %(name)s")
    return _("made a link to sign in another device for %(name)s")


def _say_role(step: ModerationStep) -> str:
    roles = {"name": _name_person(step), "before": ROLES[Role(step.role)], "after": ROLES[Role(_read(step)["role"])]}
    return _("changed the role of %(name)s: %(before)s → %(after)s") % roles


def _name_settings(step: ModerationStep) -> list[str]:
    return [str(SETTINGS[name]) for name in _read(step)["after"] if name in SETTINGS]


def _say_picture(step: ModerationStep) -> str:
    return _("changed the picture of the club") if _read(step)["after"] else _("removed the picture of the club")


def _say_template(step: ModerationStep) -> str:
    details = _read(step)
    if details["after"] is None:
        said = _("deleted the template “%(name)s”")
    elif details["before"] is None:
        said = _("saved the template “%(name)s”")
    else:
        said = _("replaced the template “%(name)s”")
    return said % {"name": isolate(details["name"])}


def _read(step: ModerationStep) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(step.details)
    return found


_SAID: Final[dict[str, Callable[[ModerationStep], str]]] = {
    ModerationStep.Kind.HIDE: lambda step: (
        _("removed a message from %(name)s: “%(words)s”") % {"name": _name_person(step), "words": _quote(step)}
    ),
    ModerationStep.Kind.CLEAR: lambda step: _("cleared the chat"),
    ModerationStep.Kind.SILENCE: _say_silence,
    ModerationStep.Kind.REMOVE: lambda step: _("removed %(name)s from the club") % {"name": _name_person(step)},
    ModerationStep.Kind.KEEP_OUT: lambda step: (
        _("removed %(name)s from the club and keeps them out") % {"name": _name_person(step)}
    ),
    ModerationStep.Kind.CLOSE: lambda step: _("closed the chat"),
    ModerationStep.Kind.SETTLE: lambda step: (
        _("let a reported message from %(name)s stand: “%(words)s”")
        % {"name": _name_person(step), "words": _quote(step)}
    ),
    ModerationStep.Kind.HAND_OVER: lambda step: _say_link(step) % {"name": _name_person(step)},
    ModerationStep.Kind.ROLE: _say_role,
    ModerationStep.Kind.SETTINGS: lambda step: (
        _("changed the club: %(what)s") % {"what": ", ".join(_name_settings(step))}
    ),
    ModerationStep.Kind.PICTURE: _say_picture,
    ModerationStep.Kind.TEMPLATE: _say_template,
    ModerationStep.Kind.MERGE: lambda step: (
        _("merged %(guest)s into %(name)s") % {"guest": isolate(step.merge.name), "name": _name_person(step)}
    ),
}
