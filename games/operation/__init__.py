"""For administrators: liveness, readiness, metrics, configuration checks and backups."""
