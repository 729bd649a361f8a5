"""The forms that plan a tournament, change its plan, and import entrants."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.contrib import messages as notes
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.accounts.current_player import player_id, player_of
from games.accounts.time_zones import in_zone
from games.play.errors import BadInput, Refusal
from games.play.moves.form_keys import make_once
from games.play.sentences import say_sentence
from games.views.forms import sent_key
from tournaments import formats
from tournaments.flow.drawing import draw_requests
from tournaments.flow.entry import imports, sign_up
from tournaments.flow.entry.text_encoding import decode
from tournaments.flow.permissions import require_role
from tournaments.flow.planning import plan_templates, tournament_plan
from tournaments.flow.seasons import season_changes, season_phases
from tournaments.formats.night import Night
from tournaments.formats.stages import FINAL, KNOCKOUT
from tournaments.models import Club, Entrant, Role, Tournament, Venue
from tournaments.views.forms.plan_form import PlanForm
from tournaments.views.lookups import (
    disable_caching,
    find_club,
    find_page_version,
    find_tournament,
    read_int,
    require_organiser,
    run_action,
)
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import tournament_view
from tournaments.words import terms
from tournaments.words.plan_words import name_columns

MAX_BYTES = 1_000_000
"""Bytes of an uploaded list. A larger list would be held in memory."""
MAX_DOUBTS = 20
"""Warnings that the preview of an import shows."""
EXAMPLE = "name,club\nAna,Harbour\nTom,"


def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a new tournament of a club. POST creates it."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    seasons = [(season.pk, season.name) for season in season_phases.open_seasons(club)]
    form = PlanForm(
        request.POST if request.method == "POST" else None, seasons=seasons, initial=_read_prefilled(request, club)
    )
    if request.method == "POST" and request.POST.get("preview"):
        context = describe_preview(form)
        return disable_caching(render(request, "tournaments/planning/plan_preview.html", context))
    if request.method == "POST" and form.is_valid():
        try:
            made = _create_tournament(request, club, form)
        except Refusal as refusal:
            _add_refusal(form, refusal, refusal.values)
        else:
            return redirect("tournaments:console", made)
    context = {
        "form": form,
        "club": club,
        "templates": plan_templates.list_templates(club),
        **(describe_preview(form) if form.is_bound else {}),
    }
    return render(request, "tournaments/planning/plan.html", context, status=422 if form.errors else 200)


def _read_prefilled(request: HttpRequest, club: Club) -> dict[str, Any]:
    """Initial values from the query string: `copy` (a tournament), `template`, format and game. Raises NotFound."""
    found: dict[str, Any] = {}
    if "copy" in request.GET:
        found = PlanForm.initial_of(plan_templates.copy_plan(club, request.GET["copy"], now=timezone.now()))
    elif "template" in request.GET:
        found = PlanForm.initial_of(plan_templates.read_template(club, read_int(request.GET["template"])))
    return found | {name: request.GET[name] for name in ("format", "game") if name in request.GET}


def describe_preview(form: PlanForm) -> dict[str, Any]:
    """Template context of what the tournament of a form will look like: its tables, rounds, stages and end."""
    night = form.describe_night()
    data = form.cleaned_data
    is_arena = "format" in data and not formats.find(data["format"]).has_rounds
    open_minutes = data.get("round_minutes") if is_arena else None
    if night is None and not open_minutes:
        return {"night": None, "is_arena": is_arena}
    days = data.get("round_days") if data.get("pace") else None
    lasts = timedelta(minutes=open_minutes or 0)
    if night is not None:
        lasts = timedelta(days=days * night.all_rounds) if days else timedelta(minutes=night.minutes)
    hours, minutes = divmod(int(lasts.total_seconds()) // 60, 60)
    length = data.get("length") if night is not None else None
    return {
        "night": night,
        "is_arena": is_arena,
        "open_minutes": open_minutes,
        "tables": _count_sizes(night.tables) if night is not None and night.rounds else [],
        "stages": _describe_stages(night) if night is not None else [],
        "days": days,
        "all_days": lasts.days,
        "ends_at": data["starts_at"] + lasts if data.get("starts_at") else None,
        "hours": hours,
        "minutes": minutes,
        "is_assumed": not data.get("round_minutes"),
        "is_proposed": bool(length),
        "is_too_long": bool(length) and lasts > timedelta(minutes=length or 0),
    }


def _count_sizes(tables: Iterable[int]) -> list[dict[str, int]]:
    """How many tables there are of each size, the largest first."""
    return [{"size": size, "count": count} for size, count in sorted(Counter(tables).items(), reverse=True)]


def _describe_stages(night: Night) -> list[dict[str, Any]]:
    """The stages of the knockout with their names and tables."""
    return [
        {
            "name": terms.name_elimination_stage(stage, len(cup_stage.tables), cup_stage.people),
            "tables": _count_sizes(cup_stage.tables),
            "byes": cup_stage.byes,
        }
        for cup_stage in night.stages
        for stage in [FINAL if cup_stage is night.stages[-1] else KNOCKOUT]
    ]


def _create_tournament(request: HttpRequest, club: Club, form: PlanForm) -> str:
    """Create the tournaments (one a week) and add them to their season, in one transaction; returns the first one's id.

    Raises BadInput, Refusal.
    """
    player, now = player_of(request), time.time()

    def make() -> str:
        with in_zone(request.POST.get("zone")):
            plans = list(plan_templates.repeat_weekly(form.agreement(), form.cleaned_data.get("weeks") or 1))
        made = [tournament_plan.plan_tournament(club, player, agreement, now=now) for agreement in plans]
        chosen = form.cleaned_data.get("season")
        if chosen:
            season = season_phases.open_seasons(club).select_related("club").get(pk=chosen)
            for planned in made:
                season_changes.count_tournament(season, player, planned.pk, counts=True, now=now)
        return made[0].pk

    with transaction.atomic():
        return make_once(player_id(request), sent_key(request), make, now=now)


def revise(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The form that changes the plan."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    form = _build_revision_form(request, tournament)
    if request.method == "POST" and request.POST.get("template"):
        return run_action(
            request,
            lambda: _save_template(request, tournament),
            back=reverse("tournaments:plan_templates", args=[tournament.club.slug]),
        )
    if request.method == "POST" and form.is_valid():
        try:
            tournament_plan.revise(tournament, player_of(request), form.agreement(), now=time.time())
        except Refusal as refusal:
            _add_refusal(form, refusal, _name_fields(refusal.values))
        else:
            return redirect("tournaments:console", tournament.pk)
    context = build_frame(request, tournament, role, "console") | {"form": form, "club": tournament.club}
    return render(request, "tournaments/planning/plan.html", context, status=422 if form.errors else 200)


FIELDS_OVER_DAYS = {"turn_seconds": "pace", "round_minutes": "round_days", "venue": "pace"}
"""The fields of the form that stand for columns of the plan where games are played over days."""


def _build_revision_form(request: HttpRequest, tournament: Tournament) -> PlanForm:
    """The form with settled fields disabled. One sent before they were settled is read whole, and refused later."""
    data = _read_post(request)
    if data is None:
        settled = tournament_plan.list_settled(tournament)
    else:
        settled = frozenset() if "game" in data else tournament_plan.SETTLED | ({"rounds_planned"} - data.keys())
    hint = tournament_view.say_missing_rounds(tournament_view.read_book(tournament, find_page_version(tournament)))
    return PlanForm(
        data, initial=PlanForm.initial_of(tournament_plan.read(tournament)), settled=settled, hint=hint, is_new=False
    )


def show_templates(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's templates. POST deletes one (`delete`: its id)."""
    club, _role = find_club(request, slug)
    require_role(club, player_id(request), Role.ORGANISER)
    if request.method == "POST":
        return run_action(request, lambda: _delete_template(request, club), back=request.path)
    context = {"club": club, "templates": plan_templates.list_templates(club)}
    return disable_caching(render(request, "tournaments/planning/plan_templates.html", context))


def _save_template(request: HttpRequest, tournament: Tournament) -> None:
    name = request.POST["template"]
    plan_templates.save_template(tournament, player_of(request), name=name, now=time.time())
    notes.success(request, _("The template has been saved."))


def _delete_template(request: HttpRequest, club: Club) -> None:
    wanted = read_int(request.POST.get("delete"))
    plan_templates.delete_template(club, player_of(request), wanted, now=time.time())
    notes.success(request, _("The template was deleted. You can undo this in the log under Moderation."))


def _read_post(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _add_refusal(form: Form, refusal: Refusal, values: Mapping[str, Any]) -> None:
    """Add the reason of a refusal to the form, beside its field if it names one."""
    about = refusal.about if isinstance(refusal, tournament_plan.BadPlan) and refusal.about in form.fields else None
    if form.cleaned_data.get("pace"):
        about = FIELDS_OVER_DAYS.get(about or "", about)
    form.add_error(about, _(refusal.template) % values)


def _name_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, "fields": name_columns(values["fields"].split(", "))} if "fields" in values else {**values}


def import_entrants(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Import entrants from CSV text or a file: first a preview that lists bad lines, then the import."""
    tournament, role = find_tournament(request, tournament_id)
    require_organiser(role)
    context: dict[str, Any] = build_frame(request, tournament, role, "console") | {
        "columns": ", ".join(imports.COLUMNS),
        "example": EXAMPLE,
    }
    status = 200
    if request.method == "POST":
        try:
            text, guess = _read_text(request)
            names = Entrant.objects.filter(tournament=tournament).values_list("name", flat=True)
            preview = imports.preview(
                text,
                present=set(names),
                levels=_list_bot_levels(tournament),
                has_teams=tournament.team_size is not None,
            )
            if request.POST.get("sure") and (request.POST.get("skip") or not preview.bad):
                return _import(request, tournament, preview)
            bad = [{"line": line, "why": say_sentence(line.fault)} for line in preview.bad if line.fault]
            new = len(preview.good) - preview.known
            doubts = [say_sentence(doubt) for doubt in preview.doubts[:MAX_DOUBTS]]
            context |= {"text": text, "guess": guess, "preview": preview, "bad": bad, "new": new, "doubts": doubts}
            status = 422 if bad else 200
        except Refusal as refusal:
            kept = request.POST.get("text", "")[: imports.MAX_CHARACTERS]
            context |= {"sentence": say_sentence(refusal), "text": kept}
            status = refusal.status
    return disable_caching(render(request, "tournaments/planning/import.html", context, status=status))


def _list_bot_levels(tournament: Tournament) -> tuple[str, ...]:
    """The levels of bots that can be entered; none if all tables are real."""
    return () if tournament.venue == Venue.REAL else draw_requests.list_levels(tournament.game)


def _import(request: HttpRequest, tournament: Tournament, preview: imports.Preview) -> HttpResponse:
    count = sign_up.add_imported(tournament, player_of(request), preview.good, now=time.time())
    sentence = ngettext("%(count)s entrant imported.", "%(count)s entrants imported.", count) % {"count": count}
    notes.success(request, sentence)
    return redirect(reverse("tournaments:console", args=[tournament.pk]))


def _read_text(request: HttpRequest) -> tuple[str, str]:
    """The text of the list, and the encoding of its file if that was a guess. Raises BadInput."""
    file = request.FILES.get("file")
    if file is None:
        return request.POST.get("text", ""), ""
    if file.size is None or file.size > MAX_BYTES:
        raise BadInput("This file is too long. An import can have at most %(most)s lines.", most=imports.MAX_LINES)
    return decode(bytes(file.read()))
