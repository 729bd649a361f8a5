"""Tournaments and seasons as files, and read back; long exports as jobs."""
