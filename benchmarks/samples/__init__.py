"""Made-up problems, events and clubs to measure with."""
