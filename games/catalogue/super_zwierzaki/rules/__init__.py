"""Super Zwierzaki: shedding, duels, interrupts, 45-second turns. Source: super-zwierzaki.md."""

from games.catalogue.super_zwierzaki.rules.rules import RULES

__all__ = ["RULES"]
