"""Database models of clubs and tournaments."""

from tournaments.models.boards import Board, BoardCount, BoardRow
from tournaments.models.clubs import Club, ClubPicture, Colour, Invitation, Membership, Removal, Role
from tournaments.models.connections import ApiKey, Delivery, Webhook
from tournaments.models.deals import Contribution, RoundDeals
from tournaments.models.duties import Duty, NightDuty
from tournaments.models.evenings import EveningGuest, SessionTable, TimedSession
from tournaments.models.identities import DeviceLink, PersonMerge
from tournaments.models.jobs import BackgroundJob, BackgroundJobFile
from tournaments.models.moderation import FormerPicture, ModerationStep
from tournaments.models.phases import Phase
from tournaments.models.photos import ResultPhoto
from tournaments.models.results import CareerEntry, CountedTable, FollowedTournament, Ledger, PersonResult, PersonTotal
from tournaments.models.rounds import LAST_STAGES, Pod, PodSeat, Rest, Result, Round, Stage
from tournaments.models.seasons import Season
from tournaments.models.steps import Step
from tournaments.models.talk import ClubRemark, ClubReport
from tournaments.models.teams import Team, TeamMember
from tournaments.models.templates import PlanTemplate
from tournaments.models.tournaments import (
    BOTH_PLACES,
    AtEnd,
    ClubsApart,
    Entrant,
    Format,
    NoShow,
    PairRule,
    Penalty,
    SeasonName,
    Tournament,
    Venue,
)

__all__ = [
    "BOTH_PLACES",
    "LAST_STAGES",
    "ApiKey",
    "AtEnd",
    "BackgroundJob",
    "BackgroundJobFile",
    "Board",
    "BoardCount",
    "BoardRow",
    "CareerEntry",
    "Club",
    "ClubPicture",
    "ClubRemark",
    "ClubReport",
    "ClubsApart",
    "Colour",
    "Contribution",
    "CountedTable",
    "Delivery",
    "DeviceLink",
    "Duty",
    "Entrant",
    "EveningGuest",
    "FollowedTournament",
    "Format",
    "FormerPicture",
    "Invitation",
    "Ledger",
    "Membership",
    "ModerationStep",
    "NightDuty",
    "NoShow",
    "PairRule",
    "Penalty",
    "PersonMerge",
    "PersonResult",
    "PersonTotal",
    "Phase",
    "PlanTemplate",
    "Pod",
    "PodSeat",
    "Removal",
    "Rest",
    "Result",
    "ResultPhoto",
    "Role",
    "Round",
    "RoundDeals",
    "Season",
    "SeasonName",
    "SessionTable",
    "Stage",
    "Step",
    "Team",
    "TeamMember",
    "TimedSession",
    "Tournament",
    "Venue",
    "Webhook",
]
