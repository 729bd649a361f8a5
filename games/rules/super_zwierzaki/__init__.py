"""Super Zwierzaki: shedding, duels, interrupts, 45-second turns. Source: super-zwierzaki.md."""

from games.rules.super_zwierzaki.rules import RULES

__all__ = ["RULES"]
