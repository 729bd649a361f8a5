"""Everything that is stored about a person, as one JSON document, written piece by piece."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Prefetch, Q, QuerySet

from games.models import (
    AccessToken,
    Challenge,
    Holiday,
    LessonProgress,
    Notice,
    NoticeWishes,
    PersonAnalysis,
    Player,
    PushDevice,
    Remark,
    Report,
    ResetLink,
    Seat,
    SignedInDevice,
    TableMark,
    Upload,
)
from games.play.records.game_record import read_plies
from games.play.storage import codec
from games.records.stand_ins import BY
from tournaments.flow.archive.zip_export import ReportProgress, ignore_progress
from tournaments.models import (
    ApiKey,
    BackgroundJob,
    BoardRow,
    CareerEntry,
    ClubRemark,
    ClubReport,
    Entrant,
    EveningGuest,
    Invitation,
    Membership,
    ModerationStep,
    NightDuty,
    PersonResult,
    PodSeat,
    Removal,
    Result,
    ResultPhoto,
    Step,
    TeamMember,
    TimedSession,
)

FORMAT = "menagerie-person/1"


def export_person(player: Player, report: ReportProgress = ignore_progress) -> Iterator[str]:
    """The pieces of the document: one object with a list a kind of thing, one row a line; any number of rows.

    report: called after each game.
    """
    yield f'{{"format": "{FORMAT}",\n"person": {codec.write(_describe(player))}'
    for name, rows in _sections(player, report):
        yield f',\n"{name}": ['
        between = "\n"
        for row in rows:
            yield between + codec.write(row)
            between = ",\n"
        yield "]"
    yield "}\n"


def count_rows(player: Player) -> dict[str, int]:
    """How many rows each list of the document has, without those that have none."""
    counts = {name: sum(1 for _row in rows) for name, rows in _sections(player, ignore_progress)}
    return {name: count for name, count in counts.items() if count}


def _describe(player: Player) -> dict[str, Any]:
    user = player.user
    account = None
    if user is not None:
        addresses = EmailAddress.objects.filter(user=user).order_by("pk").values("email", "verified", "primary")
        links = ResetLink.objects.filter(user=user)
        keys = Authenticator.objects.filter(user=user).order_by("pk").values_list("type", "created_at", "last_used_at")
        account = {
            "name": user.username,
            "email": user.email,
            "addresses": list(addresses),
            "second_factors": [{"kind": kind, "made_at": made, "used_at": used} for kind, made, used in keys],
            "reset_links": list(links.order_by("pk").values("kind", "club", "made_at", "used_at")),
            "since": user.date_joined,
            "last_sign_in": user.last_login,
        }
    return {
        "id": player.pk,
        "name": player.name,
        "animal": player.avatar,
        "language": player.language,
        "is_listed": player.is_listed,
        "since": player.created_at,
        "account": account,
    }


def _sections(player: Player, report: ReportProgress) -> Iterator[tuple[str, Iterable[Any]]]:
    """Each list of the document by its name; docs/personal-data.md describes them."""
    members = Membership.objects.filter(player=player).order_by("pk")
    columns = "club=club__slug name=club__name role since shown_as=alias silenced_until device"
    yield "clubs", _select_rows(members, columns)
    removals = Removal.objects.filter(player=player).order_by("pk")
    yield "removals", _select_rows(removals, "club=club__slug removed_at=at is_kept_out device")
    steps_about = ModerationStep.objects.filter(Q(player=player) | Q(actor=player) | Q(undone_by=player)).order_by("pk")
    yield "moderation", _moderation(player, steps_about)
    entrants = Entrant.objects.filter(player=player).order_by("pk")
    columns = "tournament title=tournament__name number name animal=avatar status joined_round club=club_name"
    yield "tournaments", _select_rows(entrants, columns)
    places = TeamMember.objects.filter(entrant__player=player).order_by("pk")
    columns = "tournament=team__tournament team=team__name first_round last_round is_captain is_substitute"
    yield "teams", _select_rows(places, columns)
    yield "tournament_tables", _tournament_tables(player)
    yield "tournament_results", _entered(player)
    yield "result_photos", _photos(player)
    steps = Step.objects.filter(actor=player).order_by("pk")
    yield "tournament_steps", _select_rows(steps.exclude(tournament=None), "tournament number kind at")
    yield "season_steps", _select_rows(steps.exclude(season=None), "season number kind at")
    yield "evening_steps", _select_rows(steps.exclude(evening=None), "evening number kind at")
    evenings = TimedSession.objects.filter(owner=player).order_by("pk")
    yield "evenings", _select_rows(evenings, "evening=id club=club__slug name game starts_at ends_at")
    invitations = Invitation.objects.filter(made_by=player).order_by("pk")
    yield "invitations", _select_rows(invitations, "club=club__slug role made_at=created_at expires_at")
    visits = EveningGuest.objects.filter(player=player).order_by("pk")
    yield "evenings_as_guest", _select_rows(visits, "evening came_at")
    duties = NightDuty.objects.filter(player=player).order_by("pk")
    yield "night_duties", _select_rows(duties, "tournament duty name given_at=created_at")
    keys = ApiKey.objects.filter(made_by=player).order_by("pk")
    yield "api_keys", _select_rows(keys, "club=club__slug name made_at=created_at")
    tokens = AccessToken.objects.filter(Q(player=player) | Q(player__owner=player)).order_by("pk")
    columns = "player name scopes made_at=created_at expires_at used_at=last_used_at"
    yield "access_tokens", _select_rows(tokens, columns)
    bots = Player.objects.filter(owner=player).order_by("pk")
    yield "bots", _select_rows(bots, "id name animal=avatar games_at_once since=created_at")
    sent = Challenge.objects.filter(Q(challenger=player) | Q(challenged=player)).order_by("pk")
    yield "challenges", _select_rows(sent, "table challenger challenged status at")
    seats = Seat.objects.filter(player=player).order_by("table")
    columns = (
        "table game=table__game opened_at=table__created_at ended_at=table__ended_at seat=index name animal=avatar"
    )
    yield "seats", _select_rows(seats, f"{columns} entropy")
    yield "moves", _list_moves(player, report)
    results = PersonResult.objects.filter(player=player).order_by("pk")
    where = "table=counted__table tournament=counted__pod__round__tournament round=counted__pod__round__number"
    columns = "game ended_at seat place of rank people beaten score tops feat mu sigma total_mu total_sigma"
    yield "results", _select_rows(results, f"{where} {columns}")
    entries = CareerEntry.objects.filter(player=player).order_by("pk")
    yield "career", _select_rows(entries, "table game deal seat rank of job before spell climb at")
    boards = BoardRow.objects.filter(player=player).order_by("board__game", "board__season")
    yield (
        "leaderboards",
        _select_rows(boards, "game=board__game season=board__season games wins tops beaten rated mu sigma"),
    )
    yield "uploads", _select_rows(Upload.objects.filter(player=player).order_by("at"), "key at text")
    lessons = LessonProgress.objects.filter(player=player).order_by("game")
    yield "lessons", _select_rows(lessons, "game step at finished_at")
    marks = TableMark.objects.filter(player=player).exclude(note="").order_by("table")
    yield "table_notes", _select_rows(marks, "table note")
    yield "holidays", _select_rows(Holiday.objects.filter(player=player).order_by("first"), "first last since until")
    analyses = PersonAnalysis.objects.filter(player=player).order_by("at", "pk")
    yield "analyses", _select_rows(analyses, "table game decisions average_loss luck at")
    signed_in = SignedInDevice.objects.filter(player=player).order_by("since", "pk")
    yield "devices", _select_rows(signed_in, "name since seen_at handed_over_by")
    devices = PushDevice.objects.filter(player=player).order_by("pk")
    yield "notification_devices", _select_rows(devices, "name service=origin language made_at used_at")
    wishes = NoticeWishes.objects.filter(player=player).order_by("pk")
    yield "notification_wishes", _select_rows(wishes, "chosen quiet_from quiet_until zone")
    notices = Notice.objects.filter(player=player).order_by("pk")
    yield "notifications", _select_rows(notices, "kind details path at sent_at")
    jobs = BackgroundJob.objects.filter(player=player).order_by("asked_at")
    yield "errands", _select_rows(jobs, "kind name club=club__slug status asked_at ended_at")
    remarks = Remark.objects.filter(player=player).order_by("table", "number")
    yield "remarks", _select_rows(remarks, "table number at phrase words")
    in_clubs = ClubRemark.objects.filter(player=player).order_by("club", "number")
    yield "club_remarks", _select_rows(in_clubs, "club=club__slug number at phrase words")
    reports = Report.objects.filter(player=player).order_by("pk")
    yield "reports", _select_rows(reports, "table=remark__table remark=remark__number at")
    reports_in_clubs = ClubReport.objects.filter(player=player).order_by("pk")
    yield "club_reports", _select_rows(reports_in_clubs, "club=remark__club__slug remark=remark__number at")


def _select_rows(query: QuerySet[Any], columns: str) -> Iterator[dict[str, Any]]:
    """The rows of a query, one after the other. columns: "name" or "name in the document=name of the column"."""
    names = {name: column or name for name, _, column in (one.partition("=") for one in columns.split())}
    for row in query.values_list(*names.values()).iterator():
        yield dict(zip(names, row, strict=True))


def _moderation(player: Player, steps: QuerySet[ModerationStep]) -> Iterator[dict[str, Any]]:
    """Moderation steps by this person or about them."""
    for step in steps.select_related("club").iterator():
        yield {
            "club": step.club.slug,
            "kind": step.kind,
            "at": step.at,
            "until": step.until,
            "undone_at": step.undone_at,
            "is_by_them": step.actor_id == player.pk,
            "is_about_them": step.player_id == player.pk,
        }


def _tournament_tables(player: Player) -> Iterator[dict[str, Any]]:
    """The person's seats in tournaments, also as a substitute, with the results."""
    mine = Q(entrant__player=player, substitute=None, substitute_name="") | Q(substitute=player)
    seats = PodSeat.objects.filter(mine).select_related("pod__round").order_by("pk")
    accepted = Result.objects.filter(status=Result.Status.ACCEPTED)
    for seat in seats.prefetch_related(Prefetch("pod__results", accepted)):
        pod = seat.pod
        result = next(iter(pod.results.all()), None)
        scores = codec.read(result.scores) if result else None
        yield {
            "tournament": pod.round.tournament_id,
            "round": pod.round.number,
            "table": pod.number,
            "online_table": pod.table_id,
            "seat": seat.index,
            "fate": seat.fate,
            "is_substitute": seat.substitute_id == player.pk,
            "place": codec.read(result.places)[seat.index] if result else None,
            "score": scores[seat.index] if scores else None,
            "is_void": result.is_void if result else None,
        }


def _entered(player: Player) -> Iterator[dict[str, Any]]:
    """The results that the person has entered or confirmed."""
    mine = Result.objects.filter(Q(entered_by=player) | Q(confirmed_by=player)).order_by("pk")
    where = "tournament=pod__round__tournament round=pod__round__number table=pod__number"
    for row in _select_rows(mine, f"{where} places scores status at"):
        yield row | {"places": codec.read(row["places"]), "scores": codec.read(row["scores"])}


def _photos(player: Player) -> Iterator[dict[str, Any]]:
    """The photos of results that the person has added. picture: a WebP file in base64."""
    where = "tournament=pod__round__tournament round=pod__round__number table=pod__number"
    for row in _select_rows(
        ResultPhoto.objects.filter(added_by=player).order_by("pk"), f"{where} at removed_at picture=body"
    ):
        yield row | {"picture": b64encode(row["picture"]).decode()}


def _list_moves(player: Player, report: ReportProgress) -> Iterator[dict[str, Any]]:
    """What was played on the person's seats. by: who made the move, if the person did not send it."""
    seats = list(Seat.objects.filter(player=player).order_by("table").values_list("table_id", "index"))
    for done, (table_id, seat) in enumerate(seats, start=1):
        for number, event, at in read_plies(table_id):
            if event.get("seat") == seat:
                yield {"table": table_id, "ply": number, "at": at, "move": event.get("move"), "by": event.get(BY)}
        report(done, len(seats))
