"""Entrants: sign-up, check-in, walk-ins, imported lists, teams, penalties."""
