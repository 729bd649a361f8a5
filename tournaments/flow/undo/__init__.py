"""Undo and redo of steps."""
