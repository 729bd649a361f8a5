"""Several tournaments counted together."""
