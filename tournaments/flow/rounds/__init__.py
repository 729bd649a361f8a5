"""A round from its release to its end: results, substitutes, the bell; arenas."""
