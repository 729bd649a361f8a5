"""Backup, restore, and moving from one database to another."""
