"""Pages of replays: finished games of this site, and uploaded records."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games import presenters
from games.accounts import rate_limits
from games.accounts.guests import require_player
from games.accounts.site_urls import absolute_url
from games.live.replays import scenes, share_scenes
from games.play.errors import BadInput, NotFound, TooFast
from games.play.records import analyses, replays
from games.play.seats import seat_roles
from games.presenters.fair_deal import list_checks, say_claim, say_verdict
from games.presenters.names import GAMES
from games.presenters.stand_in_texts import say_stand_in
from games.records.duplicate import RoundDeal
from games.records.playback import FairnessProof, Playback, prove_fairness
from games.rules import registry
from games.views.error_pages import when_too_big
from games.views.forms import RecordForm
from games.views.tables import find_table

SPEEDS: Final = {"0.5": "½×", "1": "1×", "2": "2×", "4": "4×", "8": "8×"}
"""How fast a replay plays by itself, as the address says it and as people read it."""
USUAL_SPEED: Final = "1"
PICTURE_SECONDS: Final = 86_400
"""How long others may keep a share picture."""


class Source(NamedTuple):
    """Where a replay comes from. name, key: of its address; back: what stands behind it, if anything.

    door: where those come in who are sent a moment of it, if not at its address; picture: the table, if moments of its
    game have pictures to share; marks: by seat, as `build_chairs` takes them.
    """

    watched: Playback
    name: str
    key: str
    record_url: str
    avatars: Mapping[int, str]
    back: str
    door: str = ""
    picture: str = ""
    marks: Mapping[int, tuple[str, bool]] | None = None

    def url(self, **query: object) -> str:
        """The address of the replay, or of a moment of it."""
        return f"{reverse(self.name, args=[self.key])}?{urlencode(query)}"

    def analysis_url(self) -> str:
        """The address of the analysis of the same game."""
        return reverse("analysis" if self.name == "replay" else "upload_analysis", args=[self.key])

    def moment(self, **query: object) -> str:
        """The address of a moment, for somebody else."""
        return f"{self.door}?{urlencode(query)}" if self.door else self.url(**query)


def of_table(request: HttpRequest, table_id: str) -> Source:
    table = find_table(request, table_id)
    avatars = {place.seat: place.avatar for place in table.places}
    roles = seat_roles.list_seat_roles(table)
    marks = {place.seat: (roles.get(place.seat, ""), place.has_account) for place in table.places}
    record = reverse("record", args=[table_id])
    back = reverse("table", args=[table_id])
    is_by_link = not table.is_public and table.runtime.arranged is None
    door = reverse("join", args=[table.invite]) if is_by_link else ""
    picture = table_id if table.is_public else ""
    return _renderable(
        Source(replays.replay_table(table), "replay", table_id, record, avatars, back, door, picture, marks)
    )


def of_upload(key: str) -> Source:
    record = reverse("upload_record", args=[key])
    return _renderable(Source(replays.replay_upload(key), "upload", key, record, {}, reverse("bring_record")))


def _renderable(source: Source) -> Source:
    if source.watched.record.game not in registry.slugs():
        raise NotFound("This game cannot be shown yet. You can check and download its record.")
    return source


@require_safe
def replay_table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The finished game of a table, at `?ply=`, through `?eyes=` (a seat, all, watcher)."""
    return _show_replay(request, of_table(request, table_id))


@require_safe
def show_share_picture(request: HttpRequest, table_id: str) -> HttpResponse:
    """The picture of a moment (`?ply=`) of a public table's finished game as PNG.

    Raises BadInput, NotAllowed, NotFound, TooFast.
    """
    table = find_table(request, table_id)
    if not table.is_public:
        raise NotFound("Only games at public tables have a picture to share.")
    source = of_table(request, table_id)
    ply = _read_ply(request.GET.get("ply", "0"), source.watched.last)
    key = (table_id, table.version, ply, get_language() or "en")
    png = share_scenes.find_picture(key)
    if png is None:
        if not rate_limits.allow_picture(request.META.get("REMOTE_ADDR", "")):
            raise TooFast("Too many pictures at once from your network. Wait a minute and try again.")
        png = share_scenes.make_picture(key, source.watched, scenes.build_chairs(source.watched, source.avatars))
    answer = HttpResponse(png, content_type="image/png")
    answer["Cache-Control"] = f"public, max-age={PICTURE_SECONDS}"
    return answer


@require_safe
def replay_upload(request: HttpRequest, key: str) -> HttpResponse:
    """The replay of an uploaded record."""
    return _show_replay(request, of_upload(key))


def _show_replay(request: HttpRequest, source: Source) -> HttpResponse:
    watched = source.watched
    viewpoint = _read_viewpoint(request.GET.get("eyes", scenes.ALL_HANDS), len(watched.record.players))
    ply = _read_ply(request.GET.get("ply", "0"), watched.last)
    chairs = scenes.build_chairs(watched, source.avatars, source.marks)
    language = get_language() or "en"
    scene = scenes.render_scene(watched, chairs, ply, viewpoint, language=language, link=source.url(eyes=viewpoint))
    speed = request.GET.get("speed", USUAL_SPEED)
    speed = speed if speed in SPEEDS else USUAL_SPEED
    marks = scenes.list_result_plies(watched)
    shared = {"eyes": viewpoint, "ply": ply} | ({"speed": speed} if speed != USUAL_SPEED else {})
    context: dict[str, Any] = {
        "game": GAMES[watched.record.game],
        "screen": presenters.find_presenter(watched.record.game),
        "scene_board": mark_safe(scene.board),  # noqa: S308 - rendered by our own autoescaping templates
        "hands": [(name, mark_safe(html)) for name, html in scene.hands],  # noqa: S308 - as above
        "kind": scene.kind,
        "ply": ply,
        "last": watched.last,
        "at": watched.moments[ply].t,
        "viewpoint": viewpoint,
        "chairs": chairs,
        "stand_ins": [say_stand_in(chair.name, chair.stood_in) for chair in chairs if chair.stood_in],
        "ways": {
            "first": source.url(eyes=viewpoint, ply=0),
            "chapter_before": source.url(eyes=viewpoint, ply=max((mark for mark in marks if mark < ply), default=0)),
            "before": source.url(eyes=viewpoint, ply=max(0, ply - 1)),
            "after": source.url(eyes=viewpoint, ply=min(watched.last, ply + 1)),
            "chapter_after": source.url(
                eyes=viewpoint, ply=min((mark for mark in marks if mark > ply), default=watched.last)
            ),
            "last": source.url(eyes=viewpoint, ply=watched.last),
        },
        "here": absolute_url(request, source.moment(**shared)),
        "speeds": list(SPEEDS.items()),
        "speed": speed,
        "source": source,
        "base_url": reverse(source.name, args=[source.key]),
        "verify_url": reverse(f"verify_{source.name}", args=[source.key]),
        "analysis_url": source.analysis_url() if analyses.can_analyse(watched) else "",
    }
    is_scene = bool(request.headers.get("X-Scene"))
    if not is_scene:
        context["share_picture"] = source.picture and absolute_url(
            request, f"{reverse('share_picture', args=[source.picture])}?{urlencode({'ply': ply})}"
        )
        chapters = scenes.list_chapters(watched, chairs, language=language)
        context["chapters"] = [(chapter, source.url(eyes=viewpoint, ply=chapter.ply)) for chapter in chapters]
    response = render(request, "replays/scene.html" if is_scene else "replays/replay.html", context)
    patch_vary_headers(response, ["X-Scene"])
    return response


def _read_viewpoint(text: str, seats: int) -> str:
    if text in (scenes.ALL_HANDS, scenes.WATCHER):
        return text
    if text.isascii() and text.isdigit() and len(text) < 3 and int(text) < seats:
        return str(int(text))
    raise BadInput("Choose a view: a seat, the spectators, or all hands.")


def _read_ply(text: str, last: int) -> int:
    """The requested ply; the last one if it is beyond the end."""
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadInput("The point in the game must be a number, starting at 0.")
    return min(int(text), last)


@require_safe
def verify_table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The proof, step by step, that the deal of a finished game was fair."""
    return _verify_replay(request, of_table(request, table_id))


@require_safe
def verify_upload(request: HttpRequest, key: str) -> HttpResponse:
    """The same proof for an uploaded record."""
    return _verify_replay(request, of_upload(key))


def _verify_replay(request: HttpRequest, source: Source) -> HttpResponse:
    record = source.watched.record
    proof = prove_fairness(source.watched)
    if proof.duplicate is not None:
        return _verify_round(request, source, proof, proof.duplicate)
    chairs = scenes.build_chairs(source.watched, source.avatars)
    given = proof.entropy or ()
    entropies = [(chair.name, one, bool(chair.bot)) for chair, one in zip(chairs, given, strict=False)]
    context = {
        "game": GAMES[record.game],
        "proof": proof,
        "entropies": entropies,
        **_describe_verdict(proof, has_drawn_seats=bool(record.chairs)),
        "is_brought": source.name == "upload",
        "source": source,
        "replay_url": source.url(),
        "words": {
            "table": proof.table,
            "entropy": proof.entropy,
            "secret": proof.secret,
            "chairs": record.chairs,
        },
    }
    return render(request, "replays/verify.html", context)


def _describe_verdict(proof: FairnessProof, *, has_drawn_seats: bool) -> dict[str, Any]:
    """The verdict in one line, the checks behind it, and what they prove."""
    checks = list_checks(proof, has_drawn_seats=has_drawn_seats)
    return {"verdict": say_verdict(proof, len(checks)), "checks": checks, "claim": say_claim(proof.claim)}


def _verify_round(request: HttpRequest, source: Source, proof: FairnessProof, deal: RoundDeal) -> HttpResponse:
    """The same of duplicate deals, whose seed belongs to a round and not to a table."""
    context = {
        "game": GAMES[source.watched.record.game],
        "proof": proof,
        **_describe_verdict(proof, has_drawn_seats=False),
        "contributions": [(number, given) for number, given in enumerate(deal.contributions, start=1) if given],
        "source": source,
        "replay_url": source.url(),
        "words": {"duplicate": deal._asdict(), "secret": proof.secret},
    }
    return render(request, "replays/verify_round.html", context)


def _refuse_size(request: HttpRequest) -> HttpResponse:
    form = RecordForm({})
    form.refuse_size()
    return render(request, "replays/bring_record.html", {"form": form}, status=422)


@when_too_big(_refuse_size)
def bring_record(request: HttpRequest) -> HttpResponse:
    """Upload a record, and open its replay."""
    form = RecordForm(request.POST, request.FILES) if request.method == "POST" else RecordForm()
    if request.method == "POST" and form.is_valid():
        if not rate_limits.allow_upload(request.META.get("REMOTE_ADDR", "")):
            raise TooFast("Too many records at once from your network. Wait a minute and try again.")
        try:
            key = replays.keep_record(require_player(request), form.read(), now=time.time())
        except BadInput as refusal:
            form.refuse(refusal)
        else:
            return redirect("upload", key)
    status = 422 if form.errors else 200
    return render(request, "replays/bring_record.html", {"form": form}, status=status)


@require_safe
def download_upload(request: HttpRequest, key: str) -> HttpResponse:
    """The record as it was uploaded."""
    response = HttpResponse(replays.read_upload(key), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="record.json"'
    return response
