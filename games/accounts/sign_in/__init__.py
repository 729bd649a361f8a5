"""Signing up and signing in: forms, limits, reset links, known browsers, and the list of signed-in devices."""
