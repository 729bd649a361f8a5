"""Tests of settings and of how the code hangs together."""
