"""What profiles, leaderboards and years show."""
