"""Signing up and in: forms, limits, reset links, known browsers, and where somebody is signed in."""
