"""Fault injection: real processes, real clients, and faults that come without warning."""
