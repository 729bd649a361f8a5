"""What is stored: people, tables, seats, plies, shared deals, lessons, access tokens, what was said, notifications,
browsers that people are signed in to."""

from games.models.analyses import GameAnalysis, PersonAnalysis
from games.models.days import AwaitedTurn, Holiday, TableMark
from games.models.deals import SharedDeal
from games.models.filed import FiledGame
from games.models.form_keys import SentForm
from games.models.lessons import LessonProgress
from games.models.notifications import Attention, Notice, NoticeWishes, PushDevice, SentAnnouncement
from games.models.people import NameKey, Player, User
from games.models.probe import WriteProbe
from games.models.pulse import Pulse
from games.models.resets import ResetLink
from games.models.signed_in import SignedInDevice
from games.models.tables import Ply, Seat, Table
from games.models.talk import Remark, Report
from games.models.tokens import AccessToken, Challenge
from games.models.uploads import Upload

__all__ = [
    "AccessToken",
    "Attention",
    "AwaitedTurn",
    "Challenge",
    "FiledGame",
    "GameAnalysis",
    "Holiday",
    "LessonProgress",
    "NameKey",
    "Notice",
    "NoticeWishes",
    "PersonAnalysis",
    "Player",
    "Ply",
    "Pulse",
    "PushDevice",
    "Remark",
    "Report",
    "ResetLink",
    "Seat",
    "SentAnnouncement",
    "SentForm",
    "SharedDeal",
    "SignedInDevice",
    "Table",
    "TableMark",
    "Upload",
    "User",
    "WriteProbe",
]
