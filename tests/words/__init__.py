"""Tests of what people read, in three languages."""
