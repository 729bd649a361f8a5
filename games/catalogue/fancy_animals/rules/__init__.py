"""Fancy Animals: rummy on a table that everyone may rebuild; runs buy clothes. Source: fancy-animals.md."""

from __future__ import annotations

from games.catalogue.fancy_animals.rules.rules import FancyAnimals
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Rules

RULES: Rules[State] = FancyAnimals()
