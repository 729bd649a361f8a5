"""What is stored: people, tables, seats, the plies of every game, and what was said."""

from games.models.people import Player, User
from games.models.pulse import Pulse
from games.models.tables import Ply, Seat, Table
from games.models.talk import Remark, Report

__all__ = ["Player", "Ply", "Pulse", "Remark", "Report", "Seat", "Table", "User"]
