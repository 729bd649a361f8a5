"""Forms of the game pages: a new table, an uploaded record, a person's profile."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games import bots
from games.accounts.animal_pictures import AVATARS
from games.models import Player, User
from games.play.errors import BadInput, Refusal
from games.play.permissions import PHRASES_ONLY
from games.play.records.replays import MAX_BYTES, build_too_big_error
from games.play.seats import player_names, reserved_names
from games.play.seats.opening import TURN_SECONDS, TableRequest
from games.play.seats.player_names import MAX_NAME
from games.play.sentences import say_sentence
from games.play.storage.table import NORMAL
from games.presenters.names import ANIMALS, BOT_LEVELS, PACES, TALKS, name_animal, translate
from games.presenters.table_texts import say_turn_time
from games.rules import registry
from games.rules.base import Option, Rules
from games.rules.day_pace import DAY_SECONDS, DAYS_PER_TURN

if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[Player]
    _AccountForm = forms.ModelForm[User]
else:
    _ModelForm = _AccountForm = forms.ModelForm

USUAL_DEALS = 3
"""Deals of a game over days that would otherwise go by the clock."""
OPTIONS = {
    "deals": _("Number of deals"),
    "sessions": _("Number of sessions"),
    "minutes": _("Time limit (minutes)"),
}
"""Labels of the options that several games have; a game's own are in its `GameInfo`."""
OPTION_HELP: dict[str, Any] = {
    "minutes": _("When the time is up, the deal under way is played to its end and is the last."),
}


def sent_key(request: HttpRequest) -> str:
    """For `make_once`: the same when the same form of the same page is sent again as it was filled in; else empty.

    A person who goes back and changes the form wants another table.
    """
    if not request.POST.get("once"):
        return ""
    sent = sorted((name, values) for name, values in request.POST.lists() if name not in _NOT_MEANT)
    return hashlib.sha256(repr((request.path, sent)).encode()).hexdigest()


_NOT_MEANT = ("csrfmiddlewaretoken",)


class TableForm(forms.Form):
    """A new table. The game's own options follow the ones that every game has."""

    seats = forms.TypedChoiceField(label=_("Players"), coerce=int)
    bots = forms.IntegerField(label=_("Bots among them"), min_value=0, initial=0)
    bot_level = forms.ChoiceField(label=_("Bot level"))
    days = forms.TypedChoiceField(
        label=_("Pace of the game"),
        coerce=int,
        required=False,
        help_text=_("In a game over days nobody waits at the table. You are told when it is your turn."),
    )
    turn_seconds = forms.IntegerField(
        label=_("Seconds per turn"),
        min_value=TURN_SECONDS[0],
        max_value=TURN_SECONDS[-1],
        initial=45,
        help_text=_("Only for live games."),
    )
    pace = forms.ChoiceField(label=_("Pace of the bots"), choices=list(PACES.items()), initial=NORMAL, required=False)
    talk = forms.ChoiceField(label=_("Chat at the table"), choices=list(TALKS.items()), required=False)
    is_public = forms.BooleanField(
        label=_("Show in the lobby (otherwise only people with the link can join)"), required=False, initial=True
    )

    is_timed = forms.BooleanField(label=_("Time limit per turn even if you play alone against bots"), required=False)
    is_rated = forms.BooleanField(label=_("Rated (if at least two people play)"), required=False, initial=True)

    def __init__(self, rules: Rules[Any], data: Any = None) -> None:
        super().__init__(data)
        self.rules = rules
        counts = [(count, str(count)) for count in rules.seat_counts]
        levels = [(level, BOT_LEVELS[level]) for level in bots.list_bot_levels(rules.slug)]
        self.fields["seats"].choices = counts  # type: ignore[attr-defined]
        self.fields["bots"].max_value = rules.seat_counts[-1] - 1  # type: ignore[attr-defined]
        self.fields["bot_level"].choices = levels  # type: ignore[attr-defined]
        self.fields["bot_level"].initial = levels[-1][0]
        paces = [(days, say_turn_time(days * DAY_SECONDS)) for days in DAYS_PER_TURN]
        self.fields["days"].choices = [("", _("Live")), *paces]  # type: ignore[attr-defined]
        self.fields["turn_seconds"].initial = registry.infos()[rules.slug].turn_seconds
        for option in rules.options:
            self.fields[option.name] = _field_of(rules.slug, option)

    def clean(self) -> dict[str, Any]:
        """Split the names of positions, one a line."""
        cleaned: dict[str, Any] = super().clean() or {}
        most = cleaned.get("seats", 0) - 1
        if cleaned.get("bots") is not None and cleaned["bots"] > most >= 0:
            self.add_error(
                "bots",
                ngettext_lazy(
                    "One seat is yours, so choose at most %(most)s bot.",
                    "One seat is yours, so choose at most %(most)s bots.",
                    most,
                )
                % {"most": most},
            )
        return cleaned

    def to_request(self) -> TableRequest:
        """The requested table, from a valid form."""
        data = self.cleaned_data
        days = data["days"] or 0
        options = {option.name: data[option.name] for option in self.rules.options if _is_set(data[option.name])}
        if days:
            options = self._agree_for_days(options)
        return TableRequest(
            game=self.rules.slug,
            seats=data["seats"],
            options=options,
            bots=data["bots"],
            bot_level=data["bot_level"],
            is_public=data["is_public"],
            is_rated=data["is_rated"],
            talk=data["talk"] or PHRASES_ONLY,
            turn_seconds=days * DAY_SECONDS or data["turn_seconds"],
            is_called=bool(days),  # nobody waits for somebody to press start
            pace=data["pace"] or NORMAL,
            is_timed=data["is_timed"],
        )

    def _agree_for_days(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options of a game over days: minutes do not count there, so a game that they would end has deals."""
        agreed = {name: value for name, value in options.items() if name != "minutes"}
        info = registry.infos()[self.rules.slug]
        usual = info.agree_on_deals(USUAL_DEALS) if self.rules.ends_by_clock else {}
        return usual | agreed


class RecordForm(forms.Form):
    """An uploaded record: a file, or its text."""

    file = forms.FileField(label=_("Game record file"), required=False)
    text = forms.CharField(label=_("Or the text of the record"), required=False, widget=forms.Textarea, strip=False)

    def clean(self) -> dict[str, Any]:
        """Exactly one of the two, and not too big."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("file") and not cleaned.get("text"):
            self.add_error("file", _("Choose a file or paste the text of a record."))
        return cleaned

    def read(self) -> bytes:
        """The bytes of a valid form's record, at most one more than a record may have."""
        file = self.cleaned_data.get("file")
        if file:
            found: bytes = file.read(MAX_BYTES + 1)
            return found
        return str(self.cleaned_data["text"]).encode(errors="replace")

    def refuse(self, refusal: Refusal) -> None:
        """Add the error why the record cannot be watched."""
        self.add_error("file" if self.cleaned_data.get("file") else "text", say_sentence(refusal))

    def refuse_size(self) -> None:
        """Add the error that the text is too big. It was not read, so it is not shown again."""
        self.full_clean()
        self.errors.clear()
        self.refuse(build_too_big_error())


class NamesField(forms.CharField):
    """A list of names, chosen one a line; empty for the default."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        """The non-empty lines as a list."""
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


def _is_set(value: Any) -> bool:
    """Whether the field has a value: seat 0 counts, an empty text or list does not."""
    return value is not None and value is not False and value not in ("", [])


def _field_of(game: str, option: Option) -> forms.Field:
    info = registry.infos()[game]
    label, own_help = info.option_labels.get(option.name), info.option_help.get(option.name)
    texts: dict[str, Any] = {
        "label": translate(label) if label else OPTIONS.get(option.name) or option.name,
        "help_text": translate(own_help) if own_help else OPTION_HELP.get(option.name, ""),
    }
    if option.kind == "flag":
        return forms.BooleanField(required=False, **texts)
    if option.kind == "names":
        return NamesField(required=False, max_length=400, widget=forms.Textarea(attrs={"rows": 4}), **texts)
    if option.kind == "species":
        names = [(slug, name_animal(slug)) for slug in option.choices]
        return forms.MultipleChoiceField(required=False, choices=names, widget=forms.CheckboxSelectMultiple, **texts)
    if option.kind == "seat":
        seats = [(seat, _("Seat %(number)s") % {"number": seat + 1}) for seat in range(option.most + 1)]
        return forms.TypedChoiceField(
            required=False, choices=[("", _("By lot")), *seats], coerce=int, empty_value=None, **texts
        )
    proposed = info.option_initial.get(option.name)
    return forms.IntegerField(required=False, initial=proposed, min_value=option.least, max_value=option.most, **texts)


class MeForm(forms.Form):
    """The reader's own profile: name, animal, privacy."""

    name = forms.CharField(label=_("Your name"), max_length=MAX_NAME, strip=True)
    avatar = forms.ChoiceField(
        label=_("Your animal"), choices=[(slug, ANIMALS[slug]) for slug in AVATARS], widget=forms.RadioSelect
    )

    is_listed = forms.BooleanField(
        label=_("Show my profile and my place on leaderboards to everybody"), required=False, initial=True
    )

    def clean_name(self) -> str:
        """A name is printable, in one line, and not the site's own; one that somebody has already they keep."""
        name = _check_name(self.cleaned_data["name"])
        try:
            if name != self.initial.get("name"):
                reserved_names.require_free(name)
        except BadInput as error:
            raise forms.ValidationError(say_sentence(error)) from error
        return name


class PlayerForm(_ModelForm):
    """Another person's profile, for staff."""

    avatar = forms.ChoiceField(label=_("Animal"), choices=MeForm.base_fields["avatar"].choices)  # type: ignore[attr-defined]
    language = forms.ChoiceField(label=_("Language"), choices=[("", "–"), *settings.LANGUAGES], required=False)

    def clean_name(self) -> str:
        """A name is printable, in one line; a bot account keeps its mark."""
        return _check_name(self.cleaned_data["name"], is_bot=self.instance.is_bot)


class NewAccountForm(_AccountForm):
    """A new account, for staff. It has no password until its person sets one with a reset link."""

    class Meta:
        model = User
        fields = ("username", "email")

    def save(self, commit: bool = True) -> User:
        """The account, which nobody can sign in to yet."""
        self.instance.set_unusable_password()
        return super().save(commit)


def _check_name(text: str, *, is_bot: bool = False) -> str:
    try:
        return player_names.mark_bot(text) if is_bot else player_names.clean_person_name(text)
    except BadInput as error:
        raise forms.ValidationError(say_sentence(error)) from error
