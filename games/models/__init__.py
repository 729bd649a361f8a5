"""What is stored: people, tables, seats and the plies of every game."""

from games.models.people import Player, User
from games.models.pulse import Pulse
from games.models.tables import Ply, Seat, Table

__all__ = ["Player", "Ply", "Pulse", "Seat", "Table", "User"]
