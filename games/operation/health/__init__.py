"""Health checks of this process, for readiness probes, the doctor and pages that save."""
