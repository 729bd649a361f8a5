"""Fancy Animals: rummy on a table that everyone may rebuild; runs buy clothes. Source: fancy-animals.md."""

from __future__ import annotations

from games.rules.base import Rules
from games.rules.fancy_animals.rules import FancyAnimals
from games.rules.fancy_animals.state import State

RULES: Rules[State] = FancyAnimals()
