"""Points, tie-breaks, standings. Pure."""
