"""Games under fire: real processes, real clients, and faults that come without warning."""
