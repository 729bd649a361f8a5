"""Pairings: what the draw is asked, the draft that comes of it, and changes by hand."""
