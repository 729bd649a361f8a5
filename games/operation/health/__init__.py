"""Whether this process can serve: what probes, the doctor and every page that saves ask."""
