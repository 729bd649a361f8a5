"""Moments of finished games, as pages and as pictures for links."""
