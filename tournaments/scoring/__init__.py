"""Points, tie-breaks, standings, knockout stages: pure, in whole numbers, from raw results."""
