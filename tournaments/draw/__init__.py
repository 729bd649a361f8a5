"""Who meets whom: the pairing problem, its solver, certificate and reasons. Pure."""
